"""Whatever happens to the narrator, its game is resumed where it was: a plug pulled at any moment, a damaged disk."""

from __future__ import annotations

import json
import os
import random
import signal
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from narrator.cards import deal
from narrator.hearing import Command, Entered, Payload
from narrator.hearing.grammar import write
from narrator.journal import Journal
from narrator.practice import Players
from narrator.rules import Ask, Game, Setup
from narrator.script import editions
from tests.players import table
from tests.small import SMALL, TWO_NIGHTS, began, keys, play
from tests.stage import Table, answers, new_journal
from tests.texts import script_of


def cut_and_resumed(path: Path, lines: list[str], whole: Table, setup: Setup) -> Table:
    """The game of the first lines of a journal, resumed and played on with the answers of the whole game."""
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    journal, game = Journal.resume(path)

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        if ask.id == "table.over":
            return [(1.0, Entered(""))]
        saved, value = whole.game.answers[len(game.answers)]
        assert saved == ask.id
        return [(1.0, Entered(write(ask, value)))]

    resumed = Table(setup, plan, game=game, journal=journal)
    resumed.run()
    journal.close()
    assert Journal.resume(path)[1].answers == resumed.game.answers == whole.game.answers
    return resumed


HUNTED = table("newmoon", "werewolf", "hunter", "cupid", "seer", "villager", "villager", "villager", show_night_dead=False)
HUNTED_GAME = (
    ("cupid.pair", "5+6"), ("seer.check", "1"), ("werewolf.kill", "2"), ("hunter.shoot", "7"), ("captain.elect", "4"), ("day.vote", "0"),
    ("seer.check", "0"), ("werewolf.kill", "4"), ("captain.successor", "3"), ("day.vote", "1"),
)  # fmt: skip


DEATHS = ("morning.dead", "death.shot", "death.grief", "death.executed")


@pytest.mark.parametrize(
    ("setup", "given"),
    [(SMALL, TWO_NIGHTS), (HUNTED, HUNTED_GAME), (HUNTED.model_copy(update={"deal": None}), HUNTED_GAME)],
)
def test_a_game_resumes_where_it_was_cut_off(tmp_path: Path, setup: Setup, given: tuple[tuple[str, str], ...]) -> None:
    """Cut off behind any line of its journal, a game goes on from the wake that was open: nothing of the story is skipped, nothing
    but that wake is told twice, no death is seen before it is told, and the end is the same."""
    roll = (("roll.cupid", "3"), ("roll.werewolf", "1"), ("roll.seer", "4"), ("roll.hunter", "2"))
    whole = Table(setup, answers(*roll, *given), journal=new_journal(tmp_path, setup))
    whole.run()
    story = [key for key in keys(whole) if key != "table.open"]
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    for count in range(2, len(lines)):
        if all("ask" not in json.loads(line) for line in lines[1:count]):
            continue
        resumed = cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, setup)
        first, *rest = keys(resumed)
        assert rest == story[len(story) - len(rest) :], count
        closed = rest[0].endswith(".wake") and not rest[0].startswith("deal.")
        assert first == ("resume.night" if closed else "resume.day")
        told = [(name, value) for _, name, value in resumed.screen.calls if name in ("public", "speaking")]
        views = [(n, len(value.dead)) for n, (name, value) in enumerate(told) if name == "public"]
        died = next(n for n, dead in views if dead > views[0][1])
        assert any(name == "speaking" and value[0] in DEATHS for name, value in told[:died])


def test_a_card_is_not_shown_again_to_who_did_not_come_for_it(tmp_path: Path) -> None:
    """Cut off while a seat looks at its card, the deal goes on with that seat, and no card is on the screen before it has come."""
    whole = Table(SMALL, answers(*TWO_NIGHTS), journal=new_journal(tmp_path, SMALL))
    whole.run()
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    for count in [n for n, line in enumerate(lines, start=1) if '"deal.' in line][:-1]:   # the last one is the end of the deal
        calls = cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, SMALL).screen.calls
        shown = next(n for n, (_, name, _) in enumerate(calls) if name == "private")
        assert any(name == "asking secretly" and "到了屏幕前" in value for _, name, value in calls[:shown])


def test_a_silent_undo_stays_silent_after_a_cut(tmp_path: Path) -> None:
    """A wake in which something was taken back is resumed like any other."""
    plain = play()
    when = began(plain, "window.witch") + 1.5
    given = (("seer.check", "1"), ("werewolf.kill", "4"), ("witch.heal", "0"), ("witch.heal", "1"), *TWO_NIGHTS[3:])
    whole = Table(SMALL, answers(*given), interjections=[(when, Command("undo"))], journal=new_journal(tmp_path, SMALL))
    whole.run()
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    undone = next(n for n, line in enumerate(lines, start=1) if '"undo"' in line)
    for count in (undone, undone + 1):
        assert keys(cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, SMALL))[:2] == ["resume.night", "witch.wake"]


def test_what_was_shown_is_shown_again_after_a_power_cut() -> None:
    """A seer who answered but had not seen the card when the power went sees it after the game is resumed."""
    game = Game(SMALL)
    while game.turn.ask and game.turn.ask.id != "seer.check":
        game.answer(game.turn.ask.id, True)
    game.answer("seer.check", 1)
    resumed = Table(SMALL, answers(*TWO_NIGHTS[1:]), game=game)
    resumed.run()
    assert keys(resumed)[:2] == ["resume.night", "seer.wake"]
    assert next(value for _, name, value in resumed.screen.calls if name == "private")[0] == "seer"


# --- killed -------------------------------------------------------------------------------------------------------------


def seeded(edition: str, path: Path, game: Game | None = None) -> Table:
    """Eight simulated players at a table of this edition, always the same game, with a journal at `path`."""
    script, rng = script_of(edition), random.Random(11)
    deck = script.edition.deck(8)
    dealt = deal(deck, rng)
    setup = Setup(edition=script.edition, seats=8, deck=deck)
    journal = Journal.create(path, setup)
    return Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, dealt, rng), game=game, journal=journal)


def killed(play: Callable[[], object], nth: int, after: bool) -> bool:
    """Play in a process that is killed right before or after it brings something to the disk for the nth time. False when it has
    ended before that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)   # the child runs nothing that another thread may hold
        child = os.fork()
    if not child:
        left, fsync = nth, os.fsync

        def fatal(file: int) -> None:
            nonlocal left
            left -= 1
            if left == 0 and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            fsync(file)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        os.fsync = fatal
        try:
            play()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("edition", editions())
def test_a_game_killed_at_any_moment_loses_nothing(tmp_path: Path, edition: str) -> None:
    """Killed before and after everything that it brings to the disk, a game of eight comes back with every answer given, resumes at
    the wake or question that was open, and comes to the same end."""
    whole = seeded(edition, tmp_path / "whole.jsonl")
    whole.run()
    story = keys(whole)
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    nth, folder = 0, 1   # bringing a new file's folder to the disk is no line of the journal
    while True:
        nth += 1
        for after in (False, True):
            path = tmp_path / f"{nth}-{after}.jsonl"
            if not killed(lambda path=path: seeded(edition, path).run(), nth, after):  # type: ignore[misc]
                assert nth - folder == len(lines) + 1
                return
            written = path.read_bytes()
            assert written == b"".join(lines[: max(0, nth - folder)])
            if written:
                journal, game = Journal.resume(path)
                assert game.answers == whole.game.answers[: len(game.answers)]
                assert len(game.answers) == sum(b'"ask"' in line for line in lines[: nth - folder])
                if game.answers and not game.over and not after:
                    goes_on(journal, game, whole, story)
                journal.close()


def goes_on(journal: Journal, game: Game, whole: Table, story: list[str]) -> None:
    """The resumed game tells the rest of the story, from the wake or question that was open, and nothing twice but that."""
    given = iter(whole.game.answers[len(game.answers) :])

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        return [(1.0, Entered("" if ask.id == "table.over" else write(ask, next(given)[1])))]

    resumed = Table(game.setup, plan, game=game, journal=journal)
    resumed.run()
    assert resumed.game.answers == whole.game.answers
    assert keys(resumed)[1:] == story[len(story) - len(keys(resumed)) + 1 :]
