"""What a table may ask the narrator for in a pause: how the game stands, to let a player go, to stop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from narrator.hearing import Command, CommandName, Entered, Payload
from narrator.journal import Journal
from tests.small import SMALL, TWO_NIGHTS, began, keys, play
from tests.stage import Table, answers, new_journal

DISCUSSION = "day.discussion"


def paused(at: float, *wishes: CommandName) -> list[tuple[float, Payload]]:
    """A pause at this second, with these wishes in it, one each second."""
    return [(at, Command("pause")), *((at + n, Command(wish)) for n, wish in enumerate(wishes, start=1))]


def test_how_the_game_stands_is_told_at_any_moment() -> None:
    """Who is left and who is captain, in a pause by day or at night; the game goes on as if nobody had asked."""
    plain = play()
    for key in ("seer.wake", "day.discussion", "werewolf.wake"):
        when = began(plain, key) + 0.5
        at_table = Table(SMALL, answers(*TWO_NIGHTS), interjections=[*paused(when, "status"), (when + 9, Command("pause"))])
        spoken: list[str] = []
        at_table.loop._stage._speak = lambda sentences, kept=spoken: kept.extend(sentence.text for sentence in sentences)   # type: ignore[method-assign]
        at_table.run()
        assert spoken == ["游戏暂停。", "还在场的有，一号、二号、三号、四号和五号。", "游戏继续。"]
        told = keys(at_table)
        at = told.index("status.alive")
        assert told[at - 1] == told[at + 1]
        assert told[:at] + told[at + 2 :] == keys(plain)
        assert at_table.game.answers == plain.game.answers


def leaving(*given: tuple[str, str], journal: Journal | None = None, more: Sequence[tuple[float, Payload]] = ()) -> Table:
    """A game whose table talks for a minute, and in whose first talk a player has to go; `more`: what else is keyed, seconds later."""
    plan, when = answers(*TWO_NIGHTS, *given), began(play(), DISCUSSION) + 10.0
    at_table = Table(
        SMALL, lambda ask: [(60.0, Entered(""))] if ask.id == DISCUSSION else plan(ask),
        journal=journal, interjections=[*paused(when, "leave"), *((when + after, payload) for after, payload in more)],
    )  # fmt: skip
    at_table.run()
    return at_table


def test_a_player_who_has_to_go_is_out_and_the_game_goes_on(tmp_path: Path) -> None:
    """The pause is over, the table says who it is, and the others go on with the question that was open."""
    journal = new_journal(tmp_path, SMALL)
    at_table = leaving(("table.leave", "5"), journal=journal)
    assert ("table.leave", 5) in at_table.game.answers
    told = keys(at_table)
    assert told[told.index("death.left") :][:5] == ["death.left", "card.shown", "death.silence", "day.discussion", "vote.open"]
    assert "五号，出局。" in [text for _, text in at_table.screen.heard()]
    journal.close()
    saved = [record.split('"ask": ')[1] for record in journal.path.read_text("utf-8").splitlines() if '"table.leave"' in record]
    assert len(saved) == 1


def test_nobody_has_to_go_after_all() -> None:
    """0 goes back to the question that was open."""
    at_table = leaving(("table.leave", "0"))
    assert at_table.game.answers == play().game.answers


def test_the_undo_key_leaves_the_question_who_has_to_go() -> None:
    """Pressed once it takes back that the question was put, and nothing else: nothing is announced, and no answer is lost."""
    at_table = leaving(("table.leave", "x"), more=[(6.0, Command("undo"))])
    asked = [value for _, name, value in at_table.screen.calls if name == "asking" and value]
    (put,) = (at for at, text in enumerate(asked) if "几号要走" in text)
    assert asked[put - 1] == asked[put + 1]
    assert at_table.game.answers == play().game.answers
    assert not {"undo.day", "undo.night"} & set(keys(at_table))
    assert not any(name == "notice" and "再按一次" in value for _, name, value in at_table.screen.calls)


@pytest.mark.parametrize("key", ["seer.wake", "werewolf.wake"])
def test_who_wants_to_go_at_night_goes_in_the_morning(key: str) -> None:
    """The screen says so, the night goes on as if nothing had been asked, and the day begins with the question who it is."""
    plain, plan = play(), answers(*TWO_NIGHTS, ("table.leave", "5"))
    when = began(plain, key) + 4.0
    at_table = Table(SMALL, plan, interjections=[*paused(when, "leave"), (when + 3, Command("pause"))])
    at_table.run()
    assert any(name == "notice" and "等到白天" in value for _, name, value in at_table.screen.calls)
    before = [ask for ask, _ in plain.game.answers]
    here = [ask for ask, _ in at_table.game.answers]
    left = here.index("table.leave")
    assert here[:left] == before[:left], "the night goes on as it was"
    assert before[left] == DISCUSSION, "it is the first question of the day"
    assert ("table.leave", 5) in at_table.game.answers
    assert [value for _, name, value in at_table.screen.calls if name == "notice"][-1] == ""


@pytest.mark.parametrize(("entry", "then"), [("0", "vote.open"), ("5", "death.left")])
def test_while_the_screen_asks_who_goes_no_other_question_stands_there(entry: str, then: str) -> None:
    """What is being said, which ends in a word on Enter, is taken off the screen; it comes back with the question."""
    plain = play()
    when = began(plain, "seer.wake") + 4.0
    wishes = [*paused(when, "leave"), (when + 3, Command("pause"))]
    at_table = Table(SMALL, answers(*TWO_NIGHTS, ("table.leave", entry)), interjections=wishes)
    at_table.run()
    calls = [(name, value) for _, name, value in at_table.screen.calls if name in ("speaking", "asking")]
    asked = next(at for at, (name, value) in enumerate(calls) if name == "asking" and "几号要走" in value)
    assert [value for name, value in calls[:asked] if name == "speaking"][-2:] == [(DISCUSSION, "请自由讨论，说完按回车。"), ("", "")]
    after = [value[0] for name, value in calls[asked:] if name == "speaking"]
    assert after[:2] == [DISCUSSION, then]


def test_a_table_that_stops_in_a_pause_goes_on_another_day(tmp_path: Path) -> None:
    """0 twice in a pause is what Ctrl-C is elsewhere; once, with another wish between, it is nothing."""
    journal = new_journal(tmp_path, SMALL)
    wishes = paused(began(play(), DISCUSSION) + 0.5, "end", "status", "end", "end")
    at_table = Table(SMALL, answers(*TWO_NIGHTS), journal=journal, interjections=wishes)
    assert at_table.run() is None
    journal.close()
    again, game = Journal.resume(journal.path)
    again.close()
    assert not game.over
