"""A game as the rim holds it: what stands, what is given again, and what each answer let somebody learn."""

from __future__ import annotations

import pytest

from narrator.errors import Diverged
from narrator.rules import Answer, Begins, Game, Outcome, Say, Setup, Show, Sleep, Wake, Won, after_roll_call, learned
from tests.players import table
from tests.texts import script_of

DEAL = ("werewolf", "seer", "hunter", "villager", "villager", "villager")


def play(game: Game, *given: Answer) -> list[Answer]:
    """Give these answers, each where its ask comes; whatever else is asked until then is passed, or done. Returns all answers."""
    left = list(given)
    while left:
        ask = game.turn.ask
        assert ask is not None
        assert len(game.answers) < 200, f"{left[0]} is never asked for"
        game.answer(ask.id, left.pop(0)[1] if ask.id == left[0][0] else True if ask.kind == "wait" else None)
    return game.answers


def eaten_hunter() -> Game:
    """A first night whose dead hunter is asked whom he shoots, in an edition in which nobody is elected."""
    game = Game(table("german", *DEAL, captain_elected="never"))
    play(game, ("seer.check", 1), ("werewolf.kill", 3))
    assert game.turn.ask is not None
    assert game.turn.ask.id == "hunter.shoot"
    return game


def test_answers_that_all_fit_all_stand() -> None:
    """Given again to a game that has just begun, they make the same game."""
    game = eaten_hunter()
    again = Game(game.setup)
    assert again.go_on(game.answers) == len(game.answers)
    assert (again.answers, again.turn, again.events) == (game.answers, game.turn, game.events)


def test_of_answers_that_stop_fitting_with_eyes_open_those_before_stand() -> None:
    """At the deal, and once the night's dead are told, nobody's secret hangs on where the game goes on."""
    game = eaten_hunter()
    again = Game(game.setup)
    assert again.go_on([*game.answers, ("hunter.shoot", 3), ("day.vote", None)]) == len(game.answers)
    assert again.turn == game.turn
    dealt = Game(game.setup)
    assert dealt.go_on([*game.answers[:3], ("roll.seer", (1,))]) == 3
    assert dealt.answers == game.answers[:3]


def test_of_answers_that_stop_fitting_with_eyes_closed_none_of_that_night_stand() -> None:
    """To go on in its midst would tell who has changed his mind."""
    game = eaten_hunter()
    night = next(number for number, (ask, _) in enumerate(game.answers) if ask == "seer.check")
    again = Game(game.setup)
    assert again.go_on([*game.answers[:-1], ("werewolf.kill", 1)]) == night
    assert again.answers == game.answers[:night]
    assert any(isinstance(line, Begins) for line in again.turn.lines)


def test_what_stood_before_the_answers_were_given_again_stays() -> None:
    """Also where the night that goes back had begun before them."""
    game = eaten_hunter()
    before = len(game.answers) - 1   # the seer has checked and has seen; the wolves are asked
    again = Game.replay(game.setup, game.answers[:before])
    assert again.go_on([("werewolf.kill", 1)]) == 0
    assert again.answers == game.answers[:before]


def test_the_roll_calls_answers_are_told_from_the_rest() -> None:
    """What was answered after the roll call, in its order; nothing of the roll call."""
    game = Game(Setup(edition=script_of("german").edition, seats=len(DEAL), deck=DEAL))
    play(game, ("roll.werewolf", (1,)), ("roll.seer", (2,)), ("roll.hunter", (3,)))
    assert after_roll_call(game.answers) == []
    play(game, ("seer.check", 1))
    assert after_roll_call(game.answers) == [("seer.check", 1)]


def told(setup: Setup, *answers: Answer) -> dict[str, list[object]]:
    """Ask → what its answer let somebody learn, in a game in which these answers are given; only where it is something."""
    game = Game(setup)
    play(game, *answers)
    shown = learned(setup, game.answers)
    assert len(shown) == len(game.answers)
    assert all(line.actors == () for lines in shown for line in lines)
    assert all(isinstance(line, Show) for lines in shown for line in lines)
    return {ask: [line.value for line in lines] for (ask, _), lines in zip(game.answers, shown, strict=True) if lines}


def test_what_each_answer_let_somebody_learn() -> None:
    """The seer a card, the lovers each other, the witch the victim. What cupid and the piper have chosen themselves is no news."""
    setup = Setup(
        edition=script_of("anniversary").edition, seats=7, deck=("werewolf", "cupid", "seer", "witch", "piper", "villager", "villager")
    )
    roll: list[Answer] = [("roll.cupid", (2,)), ("roll.werewolf", (1,)), ("roll.seer", (3,)), ("roll.witch", (4,)), ("roll.piper", (5,))]
    night: list[Answer] = [
        ("cupid.pair", (6, 7)), ("seer.check", 1), ("werewolf.kill", 6), ("witch.heal", True), ("piper.charm", (3, 4)),
        ("piper.tapped", True),
    ]  # fmt: skip
    assert told(setup, *roll, *night) == {
        "cupid.tapped": [(6, 7)], "seer.check": ["werewolf"], "werewolf.kill": [(6,)], "piper.tapped": [(3, 4)],
    }  # fmt: skip


def test_nothing_is_learned_in_a_roll_call() -> None:
    """The thief sees on the screen which cards there are, and what he has keyed in; the two cards left over are shown him later."""
    deck = ("werewolf", "thief", "seer", "villager", "villager")
    setup = Setup(edition=script_of("anniversary").edition, seats=3, deck=deck)
    roll: list[Answer] = [("roll.thief", (2,)), ("roll.spare", 2), ("roll.spare", 3), ("roll.werewolf", (1,))]
    assert told(setup, *roll) == {"roll.werewolf": [("seer", "villager")]}


def test_what_is_learned_ends_where_an_answer_does_not_fit() -> None:
    """Of answers that no longer fit nobody knows what they would have shown."""
    game = eaten_hunter()
    whole = learned(game.setup, game.answers)
    check = next(number for number, (ask, _) in enumerate(game.answers) if ask == "seer.check")
    answers = [*game.answers[:check], ("seer.check", 2), *game.answers[check + 1 :]]
    assert learned(game.setup, answers) == whole[:check]
    answers = [*game.answers[:check], ("seer.check", 4), *game.answers[check + 1 :]]
    other = learned(game.setup, answers)
    assert [line.value for line in other[check]] == ["villager"]
    assert other[:check] + other[check + 1 :] == whole[:check] + whole[check + 1 :]


def test_a_question_begins_again_where_everyone_may_hear_it() -> None:
    """By day with its last sentence; in a night's first call with the nightfall; in a later one with the call, which has no number."""
    game = eaten_hunter()
    assert game.turn.lines[game.question_began or 0] == Say("hunter.shoot", (("seat", 3),))
    game.undo(game.phase_began)
    assert isinstance(game.turn.lines[game.question_began or 0], Begins)
    play(game, ("seer.check", 1))
    assert game.wake is not None
    assert game.question_began is None


def test_a_wake_is_open_from_its_call_to_its_sleep() -> None:
    """What was said and shown in it is kept for the one answer after it; a decoy asks nothing, and nothing is open after it."""
    game = Game(table("german", *DEAL, captain_elected="never"))
    play(game, *[("deal.seen", True)] * len(DEAL))
    assert (game.wake, game.answered_in) == (Wake("seer", (2,)), (Wake("deal", (6,), asleep=False), *seen(game, 6)))
    began = len(game.answers)
    assert (game.phase_began, game.wake_began) == (began, began)
    play(game, ("seer.check", 1))
    assert game.wake == Wake("seer", (2,))
    assert game.answered_in == (Wake("seer", (2,)), Say("seer.wake"))
    assert game.wake_began == began
    play(game, ("seer.seen", True))
    assert game.answered_in[-1] == Show("seer.card", "seer", (2,), "werewolf", (("seat", 1), ("role", "werewolf")))
    assert (game.phase_began, game.wake_began) == (began, began + 2)
    play(game, ("werewolf.kill", None))
    assert isinstance(game.turn.lines[0], Sleep)
    assert game.wake is None
    play(game, ("day.discussion", True))
    assert game.answered_in == ()


def seen(game: Game, seat: int) -> tuple[Say | Show, ...]:
    """What a seat hears and sees at the deal."""
    card = game.role(seat) or ""
    return Say("deal.wake", (("seat", seat),)), Show("deal.card", card, (seat,), card, (("role", card),))


def test_an_answer_to_another_ask_is_told_from_one_that_may_not_be() -> None:
    """With the ask that it belongs to, and the one that is open; nothing, where the game is over."""
    game = eaten_hunter()
    with pytest.raises(Diverged) as diverged:
        game.answer("day.vote", None)
    assert (diverged.value.slots["saved"], diverged.value.slots["now"]) == ("day.vote", "hunter.shoot")
    game.answer("hunter.shoot", 1)
    assert game.over
    with pytest.raises(Diverged) as diverged:
        game.answer("day.vote", None)
    assert diverged.value.slots["now"] == "nothing"
    assert not game.can("day.vote", None)


def test_a_game_begins_with_nothing_given_and_ends_with_nothing_asked() -> None:
    """Its last lines are who has won, for the table and aloud; the outcome says who is still alive."""
    game = Game(table("german", *DEAL, captain_elected="never"))
    assert (game.answers, game.answered_in, game.outcome, game.over) == ([], (), None, False)
    assert (game.phase_began, game.wake_began, str(game.phase)) == (0, 0, "setup")
    game = eaten_hunter()
    game.answer("hunter.shoot", 1)
    assert game.over
    assert game.turn.ask is None
    assert game.turn.lines[-2:] == (Won("village"), Say("end.village"))
    assert game.events[-1] == Won("village")
    assert game.outcome == Outcome("village", (2, 4, 5, 6))
