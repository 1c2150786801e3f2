"""The day, as far as a rule case cannot tell it: second rounds of votes, and what is ruled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from narrator.errors import Refused
from narrator.rules import CardShown, Died, Elected, Game, People, Ruled, Say, Value, Voted
from narrator.screen import View
from tests.players import table

DEAL = ("werewolf", "werewolf", "villager", "villager", "villager", "villager", "villager")
TIED = (3, 1, 1, 3, 0, 0, 0)


def day(
    *deal: str, edition: str = "anniversary", night: Sequence[tuple[str, Value]] = (), until: str = "day.vote", **switches: object
) -> Game:
    """A game that has come to its first vote, or another ask, with these answers before; whatever else is asked is passed, or done."""
    game = Game(table(edition, *(deal or DEAL), **{"captain_elected": "never", **switches}))
    go_on(game, until, night)
    return game


def go_on(game: Game, until: str, given: Sequence[tuple[str, Value]] = ()) -> None:
    """Go on to an ask, with these answers before it; whatever else is asked is passed, or done."""
    left = list(given)
    while (ask := game.turn.ask) and ask.id != until:
        assert len(game.answers) < 200, f"{until} is never asked"
        value = left.pop(0)[1] if left and left[0][0] == ask.id else True if ask.kind == "wait" else None
        game.answer(ask.id, value)
    assert not left


def vote(game: Game, *answers: tuple[str, Value]) -> list[str]:
    """Answer these. Returns what has been ruled since the first of them, by its keys."""
    known = len(game.events)
    for ask_id, value in answers:
        game.answer(ask_id, value)
    return [event.key for event in game.events[known:] if isinstance(event, Ruled)]


def offered(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who may be named now, and who may name."""
    assert game.turn.ask is not None
    return game.turn.ask.candidates, game.turn.ask.actors


@pytest.mark.parametrize("only", [True, False])
@pytest.mark.parametrize("may", [True, False])
def test_who_may_be_named_and_who_may_vote_in_the_second_round(only: bool, may: bool) -> None:
    """Only the tied, or anyone; everyone, or everyone but the tied; and nobody else's ballot is taken."""
    game = day(tie=["revote"], tied_only_candidates=only, tied_may_vote=may)
    everyone = tuple(range(1, 8))
    assert offered(game) == (everyone, everyone)
    assert vote(game, ("day.vote", TIED), ("vote.again", True)) == ["tie.revote"]
    assert offered(game) == ((1, 3) if only else everyone, everyone if may else (2, 4, 5, 6, 7))
    assert game.can("day.vote", 2) == (not only)
    assert game.can("day.vote", (3, 0, 0, 0, 0, 0, 0)) == may


def test_where_everyone_is_tied_and_may_not_vote_nobody_goes() -> None:
    """A round without voters is not held."""
    game = day(*DEAL[:2], "villager", tie=["revote"], tied_may_vote=False, wolves_win="all_villagers")
    ruled = vote(game, ("day.vote", (2, 3, 1)), ("vote.again", True))
    assert ruled == ["tie.revote", "vote.no_voters"]
    assert Say("vote.nobody") in game.turn.lines


@pytest.mark.parametrize(
    ("switches", "answers", "ruled", "dead"),
    [
        ({}, [("day.vote", (3, 3, 1, 0, 0, 0, 0))], ["vote.most"], [3]),
        ({}, [("day.vote", None)], ["vote.nobody_named"], []),
        ({}, [("day.vote", (0,) * 7)], ["vote.nobody_named"], []),
        ({}, [("day.vote", TIED)], ["tie.nobody"], []),
        ({"tie": []}, [("day.vote", TIED)], ["tie.nobody"], []),
        ({"tie": ["second_vote"]}, [("day.vote", TIED), ("vote.again", True), ("day.vote", TIED)], ["tie.second_vote", "tie.nobody"], []),
        ({"tie": ["second_vote"]}, [("day.vote", TIED), ("vote.again", True), ("day.vote", 3)], ["tie.second_vote", "vote.most"], [3]),
        ({"tie": ["captain_choice", "revote"]}, [("day.vote", TIED)], ["tie.revote"], []),
    ],
)  # fmt: skip
def test_a_vote_is_ruled_by_what_settled_it(
    switches: dict[str, object], answers: list[tuple[str, Value]], ruled: list[str], dead: list[int]
) -> None:
    """The ruling names what has decided, and who goes is who was named."""
    game = day(**switches)
    assert vote(game, *answers) == ruled
    assert [event.seat for event in game.events if isinstance(event, Died)] == dead


def captain(edition: str = "anniversary", seat: int = 4, **switches: object) -> Game:
    """A game at its first vote, with a captain."""
    game = day(edition=edition, captain_elected="first_day", night=[("captain.elect", seat)], **switches)
    assert game.captain == seat
    return game


def test_a_captain_settles_a_tie_by_his_ballot_his_choice_or_his_weight() -> None:
    """Each with its own ruling."""
    assert vote(captain(), ("day.vote", (3, 1, 1, 3, 0, 1, 0))) == ["tie.captain_ballot"]
    assert vote(captain(), ("day.vote", (5, 5, 5, 3, 0, 0, 0))) == ["vote.most"]
    assert vote(captain(captain_weight=2), ("day.vote", (3, 1, 1, 3, 0, 0, 0))) == ["vote.captain_weighs"]
    choosing = captain(tie=["captain_choice"])
    assert vote(choosing, ("day.vote", (3, 1, 1, 0, 0, 3, 0)), ("captain.choose", None)) == ["tie.captain_choice"]
    assert Say("vote.nobody") in choosing.turn.lines


def test_an_election_that_ties_is_held_once_more_among_the_tied() -> None:
    """Then there is a captain, or none; what is said is what the screen shows."""
    for second, seat, key in (((1, 1, 3, 3, 1, 0, 0), 1, "captain.elected"), ((1, 3, 1, 3, 0, 0, 0), 0, "captain.nobody")):
        game = day(until="captain.elect", captain_elected="first_day")
        game.answer("captain.elect", (1, 3, 1, 3, 0, 0, 0))
        go_on(game, "captain.elect")
        assert offered(game)[0] == (1, 3)
        with pytest.raises(Refused):
            game.answer("captain.elect", 2)
        game.answer("captain.elect", second)
        assert [event.seat for event in game.events if isinstance(event, Elected)] == [seat]
        assert sum(isinstance(event, Voted) for event in game.events) == 2
        assert key in [line.key for line in game.turn.lines if isinstance(line, Say)]
        assert ("captain.tied_twice" in [event.key for event in game.events if isinstance(event, Ruled)]) == (not seat)


@pytest.mark.parametrize("weight", [1, 1.5, 2, 3])
def test_a_captains_ballot_weighs_what_the_switch_says(weight: float) -> None:
    """Against one ballot it ties, or wins; against two it loses, ties, or wins."""
    game = captain(captain_weight=weight, tie=["nobody"])
    game.answer("day.vote", (3, 0, 1, 1, 3, 0, 0))
    leaders = [event.leaders for event in game.events if isinstance(event, Voted)][-1]
    assert leaders == ((1, 3) if weight == 1 else (1,))
    game = captain(captain_weight=weight, tie=["nobody"])
    game.answer("day.vote", (3, 3, 0, 1, 0, 0, 0))
    leaders = [event.leaders for event in game.events if isinstance(event, Voted)][-1]
    assert leaders == ((3,) if weight < 2 else (1, 3) if weight == 2 else (1,))


@pytest.mark.parametrize(
    ("deal", "edition", "night", "day_vote", "switches", "ruled"),
    [
        (("werewolf", "villager", "villager"), "anniversary", (), 1, {}, "won.village"),
        (("werewolf", "villager"), "anniversary", [("werewolf.kill", 2)], None, {}, "won.all_villagers"),
        (("werewolf", "villager", "seer"), "flow", [("werewolf.kill", 2)], None, {}, "won.plain_villagers"),
        (("werewolf", "villager", "seer"), "sides", [("werewolf.kill", 3)], None, {}, "won.either_side"),
        (("werewolf", "cupid", "villager"), "anniversary", [("cupid.pair", (1, 3)), ("werewolf.kill", 2)], None, {}, "won.lovers"),
        (("werewolf", "piper", "villager"), "anniversary", [("piper.charm", (1, 3))], None, {}, "won.piper"),
        (("werewolf", "hunter"), "anniversary", [("werewolf.kill", 2), ("hunter.shoot", 1)], None, {}, "won.nobody"),
        (
            ("werewolf", "witch", "villager"), "anniversary", [("werewolf.kill", 3), ("witch.heal", False), ("witch.poison", 1)], None,
            {"wolves_kill_first": True, "wolves_win": "plain_villagers"}, "won.knife_first",
        ),
    ],
)  # fmt: skip
def test_a_victory_is_ruled_by_what_brought_it(
    deal: tuple[str, ...], edition: str, night: Sequence[tuple[str, Value]], day_vote: int | None, switches: dict[str, object], ruled: str
) -> None:
    """The last ruling says by which meaning of the wolves' victory, or of another's, the game was won."""
    game = day(*deal, edition=edition, night=night, **switches)
    if not game.over:
        game.answer("day.vote", day_vote)
    assert game.over
    assert [event.key for event in game.events if isinstance(event, Ruled)][-1] == ruled


@pytest.mark.parametrize(("first", "later"), [(2, 1), (0, 2), (1, 0)])
def test_everyone_is_heard_as_often_as_the_switches_say(first: int, later: int) -> None:
    """So many rounds on the first day, so many later: freely, or one by one from the left of whoever died last."""
    for speeches, asked in (("free", 1), ("clockwise_from_dead", 6)):
        game = day(rounds_first_day=first, rounds=later, speeches=speeches, night=[("werewolf.kill", 4)])
        heard = [ask for ask, _ in game.answers if ask.startswith("day.")]
        assert len(heard) == first * asked
        game.answer("day.vote", None)
        game.answer("werewolf.kill", None)
        heard = []
        while (ask := game.turn.ask) and ask.id != "day.vote" and len(heard) < 99:
            heard += ask.actors if len(ask.actors) == 1 else [0]
            game.answer(ask.id, True)
        assert heard == ([0] if speeches == "free" else [1, 2, 3, 5, 6, 7]) * later   # nobody has died: from seat 1


def test_speeches_begin_at_the_left_of_the_last_dead() -> None:
    """Clockwise: with the next higher seat, and after the last one with seat 1."""
    game = day(speeches="clockwise_from_dead", rounds_first_day=1, night=[("werewolf.kill", 6)], until="day.speech")
    order = []
    while (ask := game.turn.ask) and ask.id == "day.speech" and len(order) < 99:
        order += ask.actors
        game.answer(ask.id, True)
    assert order == [7, 1, 2, 3, 4, 5]


def keys(game: Game) -> list[str]:
    """What this turn says, by its keys."""
    return [line.key for line in game.turn.lines if isinstance(line, Say)]


def test_a_tied_election_is_told_once_and_before_the_second_round_alone() -> None:
    """The first round opens with the election, the second with the tie, and the tied are heard again; the outcome with neither."""
    game = day(until="captain.elect", captain_elected="first_day")
    assert keys(game)[-1] == "captain.elect"
    game.answer("captain.elect", (1, 3, 1, 3, 0, 0, 0))
    assert keys(game) == ["vote.count", "vote.count", "captain.tied", "day.speech"]
    assert game.turn.ask
    assert (game.turn.ask.id, game.turn.ask.actors) == ("captain.speech", (1,))
    game.answer("captain.speech", True)
    game.answer("captain.speech", True)
    game.answer("captain.elect", (1, 1, 3, 3, 1, 0, 0))
    assert "captain.tied" not in keys(game)


def test_an_idiot_voted_out_again_shows_no_card_and_nobody_goes() -> None:
    """His card is known; the village has spent its vote."""
    game = day("werewolf", "idiot", "villager", "villager")
    assert vote(game, ("day.vote", 2)) == ["vote.most", "idiot.spared"]
    assert keys(game)[0] == "idiot.shown"
    go_on(game, "day.vote")
    assert vote(game, ("day.vote", 2)) == ["vote.most", "idiot.spared"]
    assert keys(game)[0] == "vote.nobody"
    assert [event for event in game.events if isinstance(event, CardShown)] == [CardShown(2, "idiot")]
    assert 2 in game.alive


@pytest.mark.parametrize("shown", [True, False])
def test_an_idiot_whose_power_has_gone_is_executed_and_everyone_is_told_why(shown: bool) -> None:
    """Once the elder's end has silenced the village; not where his card stays hidden, or it would tell who he was."""
    deal = ("werewolf", "elder", "idiot", "villager", "villager", "villager")
    game = day(*deal, show_executed=shown)
    assert vote(game, ("day.vote", 2)) == ["vote.most", "elder.silences_all"]
    go_on(game, "day.vote")
    assert vote(game, ("day.vote", 3)) == ["vote.most", *["idiot.powerless"] * shown]
    assert 3 not in game.alive


SHOWN_WOLF = ("werewolf", "werewolf", "villager", "villager", "villager", "villager")


@pytest.mark.parametrize(
    ("deal", "switches", "until", "ruled", "said"),
    [
        (SHOWN_WOLF, {"captain_elected": "first_day_after_speeches"}, [], ["wolf.takes_badge"], ["captain.nobody"]),
        (
            SHOWN_WOLF, {"captain_elected": "first_day_after_speeches", "shown_wolf_takes_badge": "second"}, [],
            ["wolf.puts_off_election"], ["captain.put_off"],
        ),
        (SHOWN_WOLF, {"captain_elected": "first_day"}, [("captain.elect", 3)], [], []),
        (SHOWN_WOLF, {"captain_elected": "never"}, [], [], []),
        (SHOWN_WOLF[1:], {"captain_elected": "first_day_after_speeches"}, [], [], []),
    ],
)  # fmt: skip
def test_a_wolf_who_shows_himself_loses_the_election_only_where_one_was_to_come(
    deal: tuple[str, ...], switches: dict[str, object], until: list[tuple[str, Value]], ruled: list[str], said: list[str]
) -> None:
    """Not where it has been held, where nobody is elected, or where with the last wolf the game is over."""
    game = day(*deal, edition="sides", night=until, until="day.discussion", wolves_may_show_themselves=True, **switches)
    told = [key for key in vote(game, ("day.discussion", 1)) if not key.startswith("won.")]
    assert told == ["wolf.shows_himself", *ruled]
    assert [key for key in keys(game) if key.startswith("captain.")] == said


@pytest.mark.parametrize("moment", ["first_day", "first_day_after_speeches"])
def test_an_election_in_which_too_few_may_vote_is_put_off(moment: str) -> None:
    """Everyone hears that it is, once, and can ask why; the next day it is held as ever."""
    setup = table("anniversary", *DEAL, captain_elected=moment)
    game = Game(setup.altered(events=("gone_hunting",), people=People(sex="mmmfmmm")))
    go_on(game, "day.vote")
    assert [event.key for event in game.events if isinstance(event, Ruled)] == ["captain.too_few_voters"]
    assert not [event for event in game.events if isinstance(event, Elected)]
    go_on(game, "captain.elect")
    assert offered(game) == (tuple(range(1, 8)), tuple(range(1, 8)))
    assert vote(game, ("captain.elect", 3)) == []
    assert game.captain == 3


def test_a_captain_is_not_dismissed_where_no_other_could_be_elected() -> None:
    """Saint Philippe is put back under the others where but one may vote."""
    setup = table("anniversary", "werewolf", "idiot", "villager", captain_elected="first_day").altered(events=("", "saint_philippe"))
    game = Game(setup)
    go_on(game, "day.vote", [("captain.elect", 1)])
    go_on(game, "werewolf.kill", [("day.vote", 2)])
    game.answer("werewolf.kill", 3)
    assert "card.put_back" in keys(game)
    assert game.captain == 1


def test_an_idiots_office_is_lost_and_an_heirs_is_told() -> None:
    """Who holds the office now is public: nobody, or the heir."""
    lost = day("werewolf", "idiot", "villager", "villager", night=[("captain.elect", 2)], captain_elected="first_day")
    assert "captain.idiot_without_heir" in vote(lost, ("day.vote", 2))
    assert [event.seat for event in lost.events if isinstance(event, Elected)] == [2, 0]
    assert "captain.gone" in keys(lost)
    for heir, key in ((4, "captain.successor"), (None, "captain.gone")):
        left = captain(edition="newmoon", seat=3)
        assert vote(left, ("day.vote", 3), ("captain.successor", heir)) == ["vote.most", "captain.heir"]
        assert [event.seat for event in left.events if isinstance(event, Elected)] == [3, heir or 0]
        assert [key for key in keys(left) if key.startswith("captain.")] == [key]


RUN = [("captain.run", (2, 5, 6))]


def test_who_runs_for_captain_speaks_may_withdraw_and_does_not_vote() -> None:
    """Of those who run each is heard; who withdraws cannot be chosen any more; who has run has no vote."""
    game = day(edition="sides", until="captain.withdraw", captain_elected="first_day", night=RUN)
    assert [ask for ask, _ in game.answers if ask.startswith("captain.")] == ["captain.run"] + ["captain.speech"] * 3
    game.answer("captain.withdraw", (5,))
    assert offered(game) == ((2, 6), (1, 3, 4, 7))
    for ballots in ((0, 0, 5, 0, 0, 0, 0), (0, 6, 0, 0, 0, 0, 0)):
        with pytest.raises(Refused):
            game.answer("captain.elect", ballots)
    game.answer("captain.elect", (2, 0, 6, 6, 0, 0, 2))
    go_on(game, "captain.elect")
    assert offered(game) == ((2, 6), (1, 3, 4, 7))
    game.answer("captain.elect", (2, 0, 6, 6, 0, 0, 6))
    assert game.captain == 6


@pytest.mark.parametrize(
    ("given", "asked", "seat"),
    [
        ([("captain.run", ())], False, 0),
        ([("captain.run", (4,))], False, 4),
        ([*RUN, ("captain.withdraw", (2, 6))], False, 5),
        ([*RUN, ("captain.withdraw", (2, 5, 6))], False, 0),
        ([("captain.elect", 3)], True, 3),
        ([("captain.run", (1, 2, 3, 4, 5, 6, 7)), ("captain.elect", (1, 1, 1, 1, 1, 1, 1))], True, 1),
    ],
)
def test_nobody_is_voted_on_who_stands_alone(given: list[tuple[str, Value]], asked: bool, seat: int) -> None:
    """One who runs alone is captain without a vote; where nobody runs there is none; where all do all vote."""
    game = day(edition="sides", captain_elected="first_day", night=given)
    assert game.captain == seat
    assert any(ask == "captain.elect" for ask, _ in game.answers) == asked
    assert [event.seat for event in game.events if isinstance(event, Elected)] == [seat]


def test_a_wolf_who_shows_himself_as_he_runs_puts_the_election_off() -> None:
    """The day is over; on the next one it is held from its beginning."""
    game = day(
        edition="sides", until="captain.speech", night=RUN,
        captain_elected="first_day", wolves_may_show_themselves=True, shown_wolf_takes_badge="never",
    )  # fmt: skip
    assert vote(game, ("captain.speech", 2)) == ["wolf.shows_himself", "wolf.puts_off_election"]
    go_on(game, "captain.run")
    assert offered(game)[0] == (1, 3, 4, 5, 6, 7)


def test_everyone_sees_who_stands_until_the_election_is_over() -> None:
    """Who runs, then who has not withdrawn or gone home, then the tied; nobody once one is elected, or a wolf has ended the day."""
    setup = {"edition": "sides", "captain_elected": "first_day", "wolves_may_show_themselves": True}
    game = day(until="captain.speech", night=[("captain.run", (2, 3, 5, 6))], **setup)   # type: ignore[arg-type]
    ended = Game.replay(game.setup, game.answers)

    def standing(game: Game) -> tuple[int, ...]:
        return View.of(game.setup, game.events).standing

    assert standing(game) == (2, 3, 5, 6)
    go_on(game, "captain.elect", [("captain.withdraw", (2,))])
    assert standing(game) == (3, 5, 6)
    game.answer("table.leave", 6)
    assert standing(game) == (3, 5)
    game.answer("captain.elect", (3, 0, 0, 5, 0, 0, 0))
    assert standing(game) == (3, 5)
    go_on(game, "day.discussion", [("captain.elect", 5)])
    assert (game.captain, standing(game)) == (5, ())
    ended.answer("captain.speech", 2)
    assert standing(ended) == ()


@pytest.mark.parametrize(("side", "order"), [(1, [5, 6, 7, 1, 2, 3, 4]), (2, [3, 2, 1, 7, 6, 5, 4]), (None, [5, 6, 7, 1, 2, 3, 4])])
def test_a_captain_says_on_which_side_the_speeches_begin(side: int | None, order: list[int]) -> None:
    """He himself speaks last; without a word of his they go round as always."""
    game = day(
        captain_elected="first_day", speeches="clockwise_from_dead", captain_directs=True,
        night=[("captain.elect", 4), ("day.direction", side)],
    )  # fmt: skip
    heard = Game(game.setup)
    spoke = []
    for ask, value in game.answers:
        spoke += heard.turn.ask.actors if heard.turn.ask and ask == "day.speech" else ()
        heard.answer(ask, value)
    assert spoke == order


def counted(game: Game) -> list[tuple[object, object]]:
    """The seats that are said to have votes, and what these weigh."""
    return [tuple(dict(line.slots).values()) for line in game.turn.lines if isinstance(line, Say) and line.key == "vote.count"]   # type: ignore[misc]


def test_ballots_are_asked_for_one_by_one() -> None:
    """Each voter in turn names a seat, or nobody; the sums are those of the ballots, and are said."""
    game = day(voting="ballots", until="day.ballot")
    for voter, named in enumerate((3, 3, 1, 0, 1, 3, 2), start=1):
        assert offered(game) == (tuple(range(1, 8)), (voter,))
        assert keys(game)[-1] == "vote.ballot"
        game.answer("day.ballot", named or None)
    voted = next(event for event in reversed(game.events) if isinstance(event, Voted))
    assert (voted.ballots, voted.leaders) == ((3, 3, 1, 0, 1, 3, 2), (3,))
    assert counted(game) == [(3, 3), (1, 2), (2, 1)]
    assert [event.seat for event in game.events if isinstance(event, Died)] == [3]


def test_a_ballot_that_love_forbids_is_refused_without_a_name() -> None:
    """The screen, which everyone may look at, offers a lover what it offers everyone."""
    deal = ("cupid", "werewolf", "villager", "villager", "villager", "villager", "villager")
    game = day(*deal, voting="ballots", lovers_may_vote_each_other=False, night=[("cupid.pair", (1, 3))], until="day.ballot")
    assert 3 in offered(game)[0]
    with pytest.raises(Refused, match="barred_ballot"):
        game.answer("day.ballot", 3)


def test_hands_are_counted_for_each_candidate() -> None:
    """Nobody has two: no more hands are taken than are left, and when none is, no further candidate is called. The captain is asked
    whom he has named, where his ballot is not like another's."""
    elected: list[tuple[str, Value]] = [("captain.hands", hands) for hands in (0, 0, 0, 7)]
    game = day(voting="hands", tie=["nobody"], until="day.hands", captain_elected="first_day", night=elected)
    assert game.captain == 4
    with pytest.raises(Refused):
        game.answer("day.hands", 8)
    for hands in (3, 0, 3):
        game.answer("day.hands", hands)
    assert offered(game)[0] == (0, 1)
    game.answer("day.hands", 1)
    assert game.turn.ask
    assert game.turn.ask.id == "day.captain_hand"
    assert offered(game) == ((1, 3, 4), (4,))
    game.answer("day.captain_hand", 3)
    assert counted(game) == [(3, 4), (1, 3), (4, 1)]
    assert [event.seat for event in game.events if isinstance(event, Died)] == [3]


def test_a_captain_whose_ballot_is_like_anothers_is_not_asked_for_it() -> None:
    """His hand has been counted with the others."""
    elected: list[tuple[str, Value]] = [("captain.hands", 7)]
    game = day(voting="hands", tie=["nobody"], captain_weight=1, captain_elected="first_day", night=elected, until="day.hands")
    vote(game, ("day.hands", 4), ("day.hands", 3))
    assert "day.captain_hand" not in [ask for ask, _ in game.answers]
    assert [event.seat for event in game.events if isinstance(event, Died)] == [1]


def test_the_dead_are_asked_to_be_silent_once() -> None:
    """When somebody has died, before the game goes on."""
    game = day(night=[("werewolf.kill", 7)], until="day.discussion")
    assert keys(game)[-2:] == ["death.silence", "day.discussion"]
    game.answer("day.discussion", True)
    game.answer("day.vote", None)
    assert "death.silence" not in keys(game)


def test_who_has_to_go_home_is_out_of_the_game() -> None:
    """His card is shown and his love follows; nobody is asked to shoot or to name an heir for him, and he is not named again."""
    game = day(
        "werewolf", "werewolf", "hunter", "cupid", "villager", "villager", "villager",
        captain_elected="first_day", night=[("cupid.pair", (3, 5)), ("captain.elect", 3)], until="day.discussion",
    )  # fmt: skip
    game.answer("table.leave", 3)
    assert [event.seat for event in game.events if isinstance(event, Died)] == [3, 5]
    assert [event.seat for event in game.events if isinstance(event, Elected)] == [3, 0]
    assert game.turn.ask
    assert (game.turn.ask.id, game.turn.ask.actors) == ("day.discussion", (1, 2, 4, 6, 7))
    go_on(game, "day.vote")
    assert offered(game) == ((1, 2, 4, 6, 7), (1, 2, 4, 6, 7))
    with pytest.raises(Refused):
        game.answer("table.leave", 3)
    assert Game.replay(game.setup, game.answers).turn == game.turn


@pytest.mark.parametrize("until", ["deal.ready", "seer.check", "werewolf.kill", "hunter.shoot"])
def test_nobody_leaves_at_night_or_in_the_midst_of_a_death(until: str) -> None:
    """It is refused with a reason, and the game goes on as if nothing had been."""
    deal = ("werewolf", "werewolf", "hunter", "seer", "villager", "villager", "villager")
    game = day(*deal, night=[("day.vote", 3)] if until == "hunter.shoot" else [], until=until)
    with pytest.raises(Refused, match="not_now"):
        game.answer("table.leave", 5)


def test_who_leaves_ends_the_game_where_his_side_has_lost() -> None:
    """The last wolf goes home, and the village has won."""
    game = day("werewolf", "villager", "villager", "villager", until="day.vote")
    game.answer("table.leave", 1)
    assert game.outcome
    assert game.outcome.winner == "village"


def test_who_leaves_in_a_vote_or_a_speech_is_passed_over() -> None:
    """What was his turn goes to the next; ballots for him and of his are out of the count."""
    game = day(voting="ballots", speeches="clockwise_from_dead", until="day.speech")
    for _ in range(2):
        game.answer("day.speech", True)
    game.answer("table.leave", 3)
    assert offered(game)[1] == (4,)
    go_on(game, "day.ballot")
    for named in (4, 4, 2):
        game.answer("day.ballot", named)
    game.answer("table.leave", 4)
    assert offered(game) == ((1, 2, 5, 6, 7), (5,))
    for named in (2, None, None):
        game.answer("day.ballot", named)
    voted = next(event for event in reversed(game.events) if isinstance(event, Voted))
    assert voted.weights == ((2, 1),)
