"""Death, as far as a rule case cannot tell it: what is shown, and who may speak."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from narrator.errors import Refused
from narrator.rules import CardShown, Died, Game, Say, Setup, Value, Wake
from tests.players import table
from tests.rules.test_day import day, go_on
from tests.texts import script_of

DEAL = ("werewolf", "seer", "villager", "villager", "villager")
WITH_A_WITCH = ("werewolf", "witch", "villager", "villager")
EATEN = (("werewolf.kill", 3),)
CAUSES: list[list[str]] = [[], ["executed"], ["first_night"], ["night"], ["executed", "night"]]


def two_nights(last_words: list[str], executed: bool = True, at_night: bool = True) -> tuple[list[int], list[int], list[str]]:
    """A game in which 2 is eaten, 3 executed, 4 eaten: whose cards are shown, who spoke last words, what was said."""
    switches = {"captain_elected": "never", "last_words": last_words, "show_executed": executed, "show_night_dead": at_night}
    game = Game(table("anniversary", *DEAL, **switches))
    answers: dict[str, list[Value]] = {"werewolf.kill": [2, 4], "day.vote": [3]}
    spoken, said = [], []
    while (ask := game.turn.ask) and not (ask.id == "day.discussion" and game.phase.number == 2):
        assert len(game.answers) < 200, "the second day never comes"
        said += [line.key for line in game.turn.lines if isinstance(line, Say)]
        if ask.id == "words.last":
            spoken.append(ask.actors[0])
        game.answer(ask.id, answers[ask.id].pop(0) if answers.get(ask.id) else True if ask.kind == "wait" else None)
    said += [line.key for line in game.turn.lines if isinstance(line, Say)]
    dead = [event.seat for event in game.events if isinstance(event, Died)]
    assert dead == [2, 3, 4]
    return [event.seat for event in game.events if isinstance(event, CardShown)], spoken, said


@pytest.mark.parametrize("executed", [True, False])
@pytest.mark.parametrize("at_night", [True, False])
def test_cards_are_shown_as_the_switches_say(executed: bool, at_night: bool) -> None:
    """The executed card, and the cards of the night's dead, each by its own switch; said and shown together."""
    shown, _, said = two_nights([], executed, at_night)
    assert shown == ([2] if at_night else []) + ([3] if executed else []) + ([4] if at_night else [])
    assert said.count("card.shown") == len(shown)
    assert said.count("morning.dead") == 2


@pytest.mark.parametrize("last_words", CAUSES)
def test_last_words_are_for_whom_the_switch_names(last_words: list[str]) -> None:
    """The executed; the dead of the first night; those of every night."""
    _, spoken, _ = two_nights(last_words)
    wanted = {2: {"first_night", "night"}, 3: {"executed"}, 4: {"night"}}
    assert spoken == [seat for seat, by in wanted.items() if by & set(last_words)]


@pytest.mark.parametrize(
    ("ask", "value", "reason"),
    [
        ("day.vote", (1, 1), "wrong_ballots"),
        ("day.vote", (9, 0, 0, 0, 0), "no_such_seat"),
        ("day.vote", ("1", 0, 0, 0, 0), "not_seats"),
        ("day.vote", 9, "no_such_seat"),
        ("day.vote", "2", "not_seats"),
    ],
)
def test_a_vote_that_may_not_be_is_refused_with_its_reason(ask: str, value: object, reason: str) -> None:
    """Each kind of wrong ballot has its own reason, with what was expected."""
    game = day(*DEAL)
    with pytest.raises(Refused) as refused:
        game.answer(ask, value)
    assert refused.value.reason == reason
    expected = {
        "wrong_ballots": {"expected": 5, "given": 2},
        "no_such_seat": {"value": 9, "seats": 5},
        "not_seats": {"value": value, "candidates": (1, 2, 3, 4, 5)},
    }
    assert expected[reason].items() <= refused.value.slots.items()


def test_an_abstention_and_a_vote_for_oneself_are_refused_where_the_election_forbids_them() -> None:
    """With the seat of whoever must vote; a ballot of one who has none is told by his seat too."""
    game = day(*DEAL, edition="german", until="captain.elect", captain_elected="first_day")
    for value, reason, voter in (((2, 1, 0, 1, 1), "no_abstention", 3), ((1, 1, 1, 1, 1), "barred", None)):
        with pytest.raises(Refused) as refused:
            game.answer("captain.elect", value)
        assert (refused.value.reason, refused.value.slots.get("voter")) == (reason, voter)
    game = day(*DEAL, night=[("werewolf.kill", 5)])
    with pytest.raises(Refused) as refused:
        game.answer("day.vote", (1, 1, 1, 1, 1))
    assert (refused.value.reason, refused.value.slots["voter"]) == ("no_vote", 5)


@pytest.mark.parametrize(
    ("value", "reason", "slots"),
    [
        ((2,), "wrong_count", {"least": 2, "most": 2, "given": 1}),
        ((2, 3, 4), "wrong_count", {"least": 2, "most": 2, "given": 3}),
        ((2, 2), "named_twice", {"value": (2, 2)}),
        ((2, 9), "no_such_seat", {"value": 9, "seats": 4}),
        ((0, 2), "no_such_seat", {"value": 0, "seats": 4}),
        (2, "not_seats", {"value": 2}),
        (None, "no_pass", {"candidates": (1, 2, 3, 4)}),
    ],
)
def test_a_pair_that_may_not_be_is_refused_with_its_reason(value: object, reason: str, slots: dict[str, object]) -> None:
    """Each kind of wrong seats has its own reason."""
    game = day("werewolf", "cupid", "villager", "villager", until="cupid.pair")
    with pytest.raises(Refused) as refused:
        game.answer("cupid.pair", value)
    assert refused.value.reason == reason
    assert slots.items() <= refused.value.slots.items()


@pytest.mark.parametrize(
    ("deal", "ask", "night", "value", "reason", "slots"),
    [
        (WITH_A_WITCH, "witch.heal", EATEN, 1, "not_yes_no", {"value": 1}),
        (WITH_A_WITCH, "witch.heal", EATEN, "yes", "not_yes_no", {"value": "yes"}),
        (WITH_A_WITCH, "werewolf.kill", (), True, "not_a_seat", {"value": True, "candidates": (2, 3, 4)}),
        (WITH_A_WITCH, "werewolf.kill", (), "3", "not_a_seat", {"value": "3", "candidates": (2, 3, 4)}),
        (WITH_A_WITCH, "werewolf.kill", (), 1, "not_offered", {"value": 1, "candidates": (2, 3, 4)}),
        (WITH_A_WITCH, "deal.ready", (), 5, "only_done", {"value": 5}),
        (WITH_A_WITCH, "deal.ready", (), False, "only_done", {"value": False}),
        (("werewolf", "hunter", "villager"), "hunter.shoot", [("werewolf.kill", 2)], None, "no_pass", {"candidates": (1, 3)}),
    ],
)
def test_an_answer_of_another_kind_is_refused_with_its_reason(
    deal: tuple[str, ...], ask: str, night: Sequence[tuple[str, Value]], value: object, reason: str, slots: dict[str, object]
) -> None:
    """Each kind of ask has its own reasons, with what was given and what was expected."""
    game = day(*deal, night=night, until=ask)
    with pytest.raises(Refused) as refused:
        game.answer(ask, value)
    assert refused.value.reason == reason
    assert slots.items() <= refused.value.slots.items()


def test_a_card_that_is_not_among_those_shown_is_refused_as_a_choice() -> None:
    """The thief names a card by its number, not a seat."""
    deal, spare = ("thief", "werewolf", "villager"), ("werewolf", "werewolf")
    game = Game(Setup(edition=script_of("anniversary").edition, seats=3, deck=(*deal, *spare), deal=deal, spare=spare))
    go_on(game, "thief.swap")
    with pytest.raises(Refused) as refused:
        game.answer("thief.swap", 0)
    assert refused.value.reason == "not_a_choice"
    assert refused.value.slots["candidates"] == (1, 2)


def test_who_says_only_that_he_is_done_may_say_it_either_way() -> None:
    """Nothing, or yes, is the same answer; where someone may be named, a seat is another."""
    for value in (None, True):
        game = day(*WITH_A_WITCH, until="deal.ready")
        assert game.answer("deal.ready", value) is True
    game = day(*WITH_A_WITCH, edition="sides", until="day.discussion", wolves_may_show_themselves=True)
    assert game.answer("day.discussion", 2) == 2
    assert Say("day.no_wolf", (("seat", 2),)) in game.turn.lines


def test_a_death_is_announced_with_its_seat_and_a_shown_role_is_no_longer_called() -> None:
    """Everyone hears who has died; a role that everyone has seen dead sleeps on; where its card stays hidden, every role is called."""
    for shown in (True, False):
        game = day(*DEAL, night=[("werewolf.kill", 2)], show_night_dead=shown)
        game.answer("day.vote", None)
        calls = [line.name for line in game.turn.lines if isinstance(line, Wake)]
        assert calls == (["werewolf"] if shown else ["guard", "seer", "werewolf"])
    game = day(*DEAL, night=[("werewolf.kill", 2)], until="day.discussion")
    lines = [line for line in game.turn.lines if isinstance(line, Say)]
    assert lines == [
        Say("werewolf.sleep"), Say("morning"),
        Say("morning.dead", (("dead", (2,)),)), Say("card.shown", (("seat", 2), ("role", "seer"))), Say("death.silence"),
        Say("day.discussion"),
    ]  # fmt: skip
