"""What is said at the table is read back where it has consequences, and counts unless somebody objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from narrator.clock import SimulatedClock
from narrator.hearing import Command, Entered, Payload, Spoken
from narrator.rules import Ask
from tests.small import SMALL, TWO_NIGHTS, keys, play
from tests.stage import Table, answers

VOTE = "day.vote"


def said(*words: str) -> Spoken:
    """Something that may mean these answers."""
    return Spoken(tuple(map(Entered, words)), heard="听到的话")


def voted(*heard: tuple[float, Payload], ask: str = VOTE, ears: Callable[[SimulatedClock], object] | None = None) -> Table:
    """A game in which this is heard at the first vote, in the place of keys, and that is over then."""
    before, left = answers(*TWO_NIGHTS), [list(heard)]

    def plan(put: Ask) -> list[tuple[float, Payload]]:
        if put.id == ask and left:
            return left.pop()
        return list(before(put)) if left else [(0.5, Command("quit"))]

    at_table = Table(SMALL, plan, ears=ears)
    at_table.run()
    return at_table


def first(at_table: Table, ask: str = VOTE) -> object:
    return next(value for name, value in at_table.game.answers if name == ask)


def test_a_vote_is_read_back_and_counts() -> None:
    """Once, in the words of a result, before the result is told; and the screen says what was heard."""
    at_table = voted((1.0, said("1")))
    assert first(at_table) == 1
    told = at_table.screen.heard()
    at = [key for key, _ in told].index("heard.seats")
    assert told[at] == ("heard.seats", "一号。")
    assert [key for key, _ in told].count("heard.seats") == 1
    assert any(name == "notice" and "听到的话" in value for _, name, value in at_table.screen.calls)


def test_nobody_is_read_back_too() -> None:
    """An abstention is never taken for granted."""
    at_table = voted((1.0, said("0")))
    assert first(at_table) is None
    assert ("heard.seats", "无人。") in at_table.screen.heard()


class Busy:
    """Ears that are always making something out."""

    trouble, busy = "", True

    def __init__(self, clock: SimulatedClock) -> None: ...

    def attend(self, ask: Ask | None) -> None: ...

    def pause(self, on: bool) -> None: ...

    def deaf(self, seconds: float) -> None: ...


def test_an_objection_that_is_being_made_out_is_waited_for() -> None:
    """It was spoken in time; but not for ever, since it may be chatter."""
    late = ((1.0, said("1")), (7.0, Spoken((Command("wrong"),))), (12.0, Entered("3")))
    assert first(voted(*late)) == 1
    assert first(voted(*late, ears=Busy)) == 3
    assert first(voted((1.0, said("1")), ears=Busy)) == 1


@pytest.mark.parametrize("objection", [Spoken((Command("wrong"),)), Command("undo")], ids=["by voice", "by key"])
def test_who_was_misunderstood_objects(objection: Payload) -> None:
    """And answers once more; nothing else is taken back, and nothing is announced."""
    at_table = voted((1.0, said("1")), (3.5, objection), (12.0, Entered("3")))
    assert first(at_table) == 3
    assert not {"undo.day", "undo.night"} & set(keys(at_table))


def test_who_was_misunderstood_says_it_again() -> None:
    """The other answer takes the place of the first, and is read back too."""
    at_table = voted((1.0, said("1")), (3.5, said("3")))
    assert first(at_table) == 3
    assert [text for key, text in at_table.screen.heard() if key == "heard.seats"] == ["一号。", "三号。"]


def test_a_key_answers_while_something_is_read_back() -> None:
    """The key path never waits for speech."""
    at_table = voted((1.0, said("1")), (1.5, Entered("3")))
    assert first(at_table) == 3


def test_two_meanings_are_asked_back() -> None:
    """By their numbers; whoever spoke says which, and until then nothing counts."""
    at_table = voted((1.0, said("10", "4")), (12.0, Entered("3")))
    assert ("heard.which", "四号和十号，是哪一位？") in at_table.screen.heard()
    assert first(at_table) == 3


def test_a_seat_or_nobody_is_asked_for_once_more() -> None:
    """Where one of two meanings is no seat, there is nothing to choose from."""
    at_table = voted((1.0, said("4", "0")), (12.0, Entered("3")))
    assert "heard.again" in keys(at_table)
    assert first(at_table) == 3


def test_chatter_does_not_cancel_what_is_read_back() -> None:
    """Nor does it take an undo key back that was pressed once."""
    at_table = voted((1.0, said("1")), (2.0, Spoken((), "哈哈")), (3.5, Spoken((), "真的吗")))
    assert first(at_table) == 1
    at_table = voted((1.0, Command("undo")), (1.5, Spoken((), "哈哈")), (2.0, Command("undo")), (9.0, Entered("3")))
    assert "undo.day" in keys(at_table)


def test_undo_is_said_twice_as_it_is_keyed_twice() -> None:
    """What everyone will hear of is confirmed."""
    undo = Spoken((Command("undo"),), "撤销")
    assert "undo.day" in keys(voted((1.0, undo), (2.5, undo), (9.0, Entered("3"))))


def test_what_is_read_back_is_said_again() -> None:
    """And counts when nobody objects then; the question itself is still what can be heard again afterwards."""
    at_table = voted((1.0, said("1")), (2.5, Command("again")))
    assert first(at_table) == 1
    assert [text for key, text in at_table.screen.heard() if key == "heard.seats"] == ["一号。", "一号。"]


def test_what_is_not_understood_changes_nothing() -> None:
    """Nobody is bothered with it: people talk."""
    at_table = voted((1.0, Spoken((), "今天天气不错")), (5.0, Entered("3")))
    assert first(at_table) == 3
    assert not {key for key in keys(at_table) if key.startswith("heard.")}


def test_what_may_not_be_answered_is_refused() -> None:
    """As if it had been keyed."""
    at_table = voted((1.0, said("9")), (5.0, Entered("3")))
    assert first(at_table) == 3
    assert any(name == "refuse" for _, name, _ in at_table.screen.calls)


def test_the_end_of_a_talk_is_not_read_back() -> None:
    """It has no consequence that a word could not mend."""
    at_table = voted((1.0, said("")), ask="day.discussion")
    told = keys(at_table)
    assert told == keys(play())[: len(told)]
    assert told[-1] == "vote.open"


def test_commands_are_heard() -> None:
    """Say it again, by voice."""
    at_table = voted((1.0, Spoken((Command("again"),))), (9.0, Entered("3")))
    assert first(at_table) == 3


def test_nothing_said_at_night_counts() -> None:
    """A word that was understood a moment too late answers nothing that is asked in secret."""

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        usual = game(ask)
        return [(0.2, said("5")), *usual] if ask.id == "seer.check" else list(usual)

    game = answers(*TWO_NIGHTS)
    at_table = Table(SMALL, plan)
    at_table.run()
    assert at_table.game.answers == play().game.answers
