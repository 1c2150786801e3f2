"""The plug is pulled between any two things that are asked of the disk. What was not yet brought to it may be there, or half, or not at
all: an answer that the narrator has gone on from is never lost, and nothing is ever half written."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from narrator import files
from narrator.journal import Journal
from narrator.rules import Game
from narrator.settings import Settings
from tests.players import legal, table


@dataclass
class Disk:
    """What this process has asked of the disk, in order, and what lies there at the latest when it is brought there.

    A file is its number (inode); `folder` is which name leads to which, as the process sees it, `kept` what is there for certain.
    """

    seen: dict[int, bytes] = field(default_factory=dict)
    kept: dict[int, bytes] = field(default_factory=dict)
    folder: dict[str, int] = field(default_factory=dict)
    kept_folder: dict[str, int] = field(default_factory=dict)

    def after_a_cut(self) -> Iterator[dict[str, bytes]]:
        """Which files may be found, with what in them: only what is certain; all that was written; and half of what was not certain."""
        for folder in (self.kept_folder, self.folder):
            for share in (0.0, 0.5, 1.0):
                found = {}
                for name, number in folder.items():
                    certain, whole = self.kept.get(number, b""), self.seen.get(number, b"")
                    found[name] = whole[: len(certain) + round((len(whole) - len(certain)) * share)]
                yield found


class Recorder:
    """Lets everything through to the real disk, and calls `at_any_moment` with what a cut would leave, before and after each step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, at_any_moment: Callable[[dict[str, bytes]], None]) -> None:
        self.cuts = 0
        self._disk, self._folder, self._check = Disk(), folder, at_any_moment
        self._numbers: dict[str, int] = {}
        for path in folder.iterdir():
            self._numbers[path.name] = number = path.stat().st_ino
            self._disk.seen[number] = self._disk.kept[number] = path.read_bytes()
        self._disk.folder, self._disk.kept_folder = dict(self._numbers), dict(self._numbers)
        fsync, pwrite, replace = os.fsync, os.pwrite, Path.replace

        def synced(descriptor: int) -> None:
            self._look()
            fsync(descriptor)
            number = os.fstat(descriptor).st_ino
            if number == self._folder.stat().st_ino:
                self._disk.kept_folder = dict(self._disk.folder)
            elif number in self._disk.seen:
                self._disk.kept[number] = self._disk.seen[number]
            self._cut()

        def written(descriptor: int, data: bytes, at: int) -> int:
            self._look()
            count = pwrite(descriptor, data, at)
            self._look()
            return count

        def replaced(path: Path, target: Path) -> Path:
            self._look()
            result = replace(path, target)
            self._look()
            return result

        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(os, "pwrite", written)
        monkeypatch.setattr(Path, "replace", replaced)

    def _look(self) -> None:
        """What the process sees in the folder now."""
        self._disk.folder = {path.name: path.stat().st_ino for path in self._folder.iterdir()}
        for path in self._folder.iterdir():
            self._disk.seen[path.stat().st_ino] = path.read_bytes()
        self._cut()

    def _cut(self) -> None:
        for found in self._disk.after_a_cut():
            self.cuts += 1
            self._check(found)


@pytest.mark.parametrize("seed", range(3))
def test_no_answer_is_lost_that_the_game_has_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Whatever a cut leaves, the game resumes with every answer that the journal has taken, and at most the one that it is taking."""
    games, laid_out = tmp_path / "games", tmp_path / "found"
    games.mkdir()
    given: list[object] = []
    taken = 0

    def resumes(found: dict[str, bytes]) -> None:
        laid_out.mkdir(exist_ok=True)
        for path in laid_out.iterdir():
            path.unlink()
        for name, content in found.items():
            (laid_out / name).write_bytes(content)
        if not taken and not any(found.values()):
            return      # a game in which nothing has been answered yet may be gone
        with pytest.MonkeyPatch.context() as real:
            real.setattr(os, "fsync", lambda _: None)
            journal, game = Journal.resume(laid_out / "000001.jsonl")
            journal.close()
        assert [value for _, value in game.answers] == given[: len(game.answers)]
        assert taken <= len(game.answers) <= taken + 1

    rng = random.Random(seed)
    setup = table("anniversary", "seer", "werewolf", "witch", "cupid", "villager", "hunter")
    recorder = Recorder(monkeypatch, games, lambda found: resumes(found) if given else None)
    journal, game = Journal.begin(games, setup), Game(setup)
    while (ask := game.turn.ask) and len(given) < 12:
        value = game.answer(ask.id, legal(ask, rng, setup.seats))
        given.append(value)
        journal.answer(ask.id, value)
        taken += 1
    journal.close()
    assert recorder.cuts > 100


def test_settings_are_the_old_ones_or_the_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never half of them, nor none."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    old, new = Settings(voice="xiaoyi"), Settings(voice="yunjian", pace="slow")
    old.save()
    folder = tmp_path / "narrator"
    allowed = {path.read_bytes() for path in folder.iterdir()}
    seen: set[bytes] = set()
    recorder = Recorder(monkeypatch, folder, lambda found: seen.add(found.get("settings.toml", b"gone")))
    new.save()
    assert recorder.cuts > 10
    allowed |= {(folder / "settings.toml").read_bytes()}
    assert seen == allowed


def test_what_was_written_whole_is_there_when_the_call_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name, too: it is in its folder after a cut."""
    last: list[dict[str, bytes]] = []
    Recorder(monkeypatch, tmp_path, last.append)
    files.write(tmp_path / "one", b"new")
    assert {found["one"] for found in last[-6:]} == {b"new"}
