"""The game's log, so that nothing answered is ever lost.

A journal is a file of JSON lines. The first holds the format's version and the whole set-up, with every switch resolved; each
later one an answer, or what became of the answers before it:

    {"format": 3, "setup": {...}, "crc": "8c736521"}
    {"n": 1, "ask": "roll.seer", "value": [3], "crc": "0e6f1c2a"}   an answer
    {"n": 2, "at": 2, "crc": "b2c7a915"}                            how many lines of the turn are done
    {"n": 3, "undo": 0, "at": 2, "crc": "5d3b81f0"}                 all answers but the first 0 are taken back
    {"n": 4, "roll": "again", "crc": "77aa1f02"}                    all are; what followed the roll call is laid aside
    {"n": 9, "again": 35, "crc": "1d20c4e6"}                        the first 35 of those laid aside have been given again
    {"n": 10, "setup": {...}, "keep": 12, "at": 3, "crc": "9b0f5521"}    other rules from here on; the first 12 answers stand

`at` is noted where a wake begins and where it has ended, a decoy's too. So a game is resumed where its table was, whoever was awake
there or nobody. It is null where an undo went back into the wake of the last answer that stayed. `n` counts the lines; `crc` is the
CRC-32 of the line without it, so that a bit that the disk has lost never becomes an answer that nobody gave.

Each line reaches the disk before anything more is said. Where the disk does not take it, the game goes on, and with each later line
the whole of what is missing is tried again: a full disk may be emptied, a folder that was deleted is made anew.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from narrator import files
from narrator.errors import BadJournal, Diverged, NarratorError, Refused
from narrator.rules import Answer, Game, Setup, Value, after_roll_call

FORMAT = 3

LARGEST = 16_000_000
"""Bytes that a journal may have; a long game's has a hundred thousand."""


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: int
    setup: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dropped:
    """What of a file was left out: everything from `line` on. `copy` is the file as it was found; None for a torn last line."""

    line: int
    copy: Path | None


@dataclass(frozen=True, slots=True)
class Aside:
    """Where a game stood when its roll call was held again: all that had been answered, and how many lines of the turn were done."""

    answers: list[Answer]
    at: int | None


@dataclass(frozen=True, slots=True)
class _Stand:
    """What the records of a journal come to."""

    game: Game
    at: int | None
    aside: Aside | None


class Journal:
    """An open journal; it alone may write to its file until it is closed.

    at       how many lines of the turn were done, None where none was noted
    aside    where the game stood before the roll call that is being held again, or None
    dropped  what was left out when the file was read, or None
    trouble  why not everything is on the disk, or None when it is
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at: int | None = None
        self.aside: Aside | None = None
        self.dropped: Dropped | None = None
        self.trouble: OSError | None = None
        self._file = -1
        self._content = b""
        self._saved = 0      # bytes of it that are on the disk
        self._lines = 0

    @classmethod
    def begin(cls, folder: Path, setup: Setup) -> Self:
        """The journal of a new game, numbered after those in the folder: a Raspberry Pi's clock cannot be trusted to name it."""
        number = max((int(path.stem) for path in saved(folder)), default=0)
        while True:
            number += 1
            with contextlib.suppress(FileExistsError):   # another narrator begins a game at this moment
                return cls.create(folder / f"{number:06}.jsonl", setup)

    @classmethod
    def create(cls, path: Path, setup: Setup) -> Self:
        """The journal of a new game. Raises `FileExistsError`; any other difficulty of the disk's is its `trouble`."""
        journal = cls(path)
        journal._append({"format": FORMAT, "setup": setup.model_dump(mode="json")})
        if isinstance(journal.trouble, FileExistsError):
            raise journal.trouble
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Self, Game]:
        """Open the journal of a game that was interrupted, and the game as it stood after its last whole answer.

        Raises `BadJournal` for a file that is not one, of another format, or that another narrator is writing.
        """
        journal = cls(path)
        try:
            journal._file = os.open(path, os.O_RDWR)
            journal._lock()
            content = files.read(path, LARGEST)
        except BlockingIOError as error:
            journal.close()
            raise BadJournal(f"{path}: another narrator is playing this game", reason="in_use", path=path) from error
        except OSError as error:
            journal.close()
            raise _unreadable(path, error) from error
        try:
            game = journal._read(content)
        except BadJournal:
            journal.close()
            raise
        return journal, game

    def answer(self, ask: str, value: Value) -> None:
        """Append an answer; it is on the disk when this returns, or there is `trouble`."""
        self.at = None
        self._append({"ask": ask, "value": value})

    def mark(self, at: int) -> None:
        """Append that so many lines of the turn are done."""
        self.at = at
        self._append({"at": at})

    def undo(self, keep: int, at: int | None) -> None:
        """Append that all but the first `keep` answers are taken back, and how many lines of the turn are done then."""
        self.at = at
        self._append({"undo": keep, "at": at})

    def roll_again(self) -> None:
        """Append that the roll call is held again, and that what was answered after it is laid aside."""
        self.at = None
        self._append({"roll": "again"})

    def again(self, count: int) -> None:
        """Append that the first `count` answers of those laid aside stand once more, and that the others are gone."""
        self.at = None
        self._append({"again": count})

    def change(self, setup: Setup, keep: int, at: int | None) -> None:
        """Append that the game goes on by another set-up, with its first `keep` answers, and how many lines of the turn are done."""
        self.at = at
        self._append({"setup": setup.model_dump(mode="json"), "keep": keep, "at": at})

    def close(self) -> None:
        """Close the file and let others write to it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    # --- writing ------------------------------------------------------------------------------------------------------

    def _append(self, record: dict[str, Any]) -> None:
        numbered = {"n": self._lines, **record} if self._lines else record
        self._content += (_written(numbered | {"crc": _checksum(numbered)}) + "\n").encode()
        self._lines += 1
        try:
            self._save()
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def _save(self) -> None:
        """Bring to the disk what is not there. What a failed attempt has left there is written over."""
        if self._file < 0 or self._is_gone():
            self._make_file()
        while self._saved < len(self._content):
            at = self._saved
            written = os.pwrite(self._file, self._content[at:], at)
            os.fsync(self._file)
            self._saved = at + written

    def _is_gone(self) -> bool:
        """Whether what is written to the open file would be found by nobody."""
        try:
            return not os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return True

    def _make_file(self) -> None:
        """The file from its first byte; one that lies there already must be this game's own, come back with its disk."""
        self.close()
        self._saved = 0
        _make_folder(self.path.parent)
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            if self._lines < 2 or not self._content.startswith(files.read(self.path, LARGEST)):
                raise
            self._file = os.open(self.path, os.O_RDWR)
        self._lock()
        files.sync(self.path.parent)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise
        except OSError:
            pass   # a file system that knows no locks

    # --- reading ------------------------------------------------------------------------------------------------------

    def _read(self, content: bytes) -> Game:
        """The game of a file's content. What is damaged, and what follows it, is cut off, and a copy of the whole is kept."""
        records, size = _whole_records(content)
        stand = _replay(self.path, records)
        self.at, self.aside = stand.at, stand.aside
        self._content, self._saved, self._lines = content[:size], size, len(records)
        if size < len(content):
            torn = b"\n" not in content[size:]
            try:
                self.dropped = Dropped(len(records) + 1, None if torn else _copied(self.path))
                os.ftruncate(self._file, size)
                os.fsync(self._file)
            except OSError as error:
                raise _damaged(self.path, len(records) + 1) from error
        return stand.game


def saved(folder: Path) -> list[Path]:
    """The journals of a folder, the newest last. One that cannot be read holds none."""
    try:
        return sorted(path for path in folder.glob("*.jsonl") if path.stem.isdecimal())
    except OSError:
        return []


def read_game(path: Path) -> tuple[Game, Dropped | None]:
    """The game of a journal as it stands, also where it is being played, and the damage behind which it could not be read; a last line that
    is being written is none. The file is left alone. Raises `BadJournal`."""
    try:
        content = files.read(path, LARGEST)
        records, size = _whole_records(content)
        dropped = Dropped(len(records) + 1, None) if b"\n" in content[size:] else None
        return _replay(path, records).game, dropped
    except OSError as error:
        raise _unreadable(path, error) from error


def games(folder: Path) -> Iterator[tuple[Path, Game]]:
    """The journals of a folder that can be read, the newest first, each with its game as it stands."""
    for path in reversed(saved(folder)):
        with contextlib.suppress(NarratorError):
            yield path, read_game(path)[0]


def last_game(folder: Path) -> Game | None:
    """The newest game in a folder that can be read, as it stands."""
    return next((game for _, game in games(folder)), None)


def _copied(path: Path) -> Path:
    """A copy of a damaged file, beside it: what stands behind the damage may matter to somebody."""
    number = 1
    while (copy := path.with_suffix(f".damaged-{number}")).exists():
        number += 1
    try:
        shutil.copyfile(path, copy)
        files.sync(copy)
        files.sync(path.parent)
    except OSError:
        copy.unlink(missing_ok=True)
        raise
    return copy


def _make_folder(folder: Path) -> None:
    """The folder, if it is not there. Raises `OSError`: `NotADirectoryError` where something else has its place."""
    try:
        files.make_folder(folder)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error


def _written(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _checksum(record: dict[str, Any]) -> str:
    return f"{zlib.crc32(_written(record).encode()):08x}"


def _whole_records(content: bytes) -> tuple[list[dict[str, Any]], int]:
    """The records before the first that is not whole, and how many bytes they take."""
    records: list[dict[str, Any]] = []
    size = 0
    for line in content.split(b"\n")[:-1]:
        record = _parse(line)
        if record is None or (records and record.get("n") != len(records)):   # or a line that was written twice
            break
        records.append(record)
        size += len(line) + 1
    return records, size


def _parse(line: bytes) -> dict[str, Any] | None:
    """A line's record without its checksum, or None when the line is not what was written."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):   # no JSON, or no text at all, or a bomb
        return None
    if not isinstance(record, dict):
        return None
    crc = record.pop("crc", None)
    return record if crc == _checksum(record) else None


def _unreadable(path: Path, error: OSError) -> BadJournal:
    return BadJournal(f"{path}: {error}", reason="unreadable", path=path, why=error)


def _damaged(path: Path, line: int, why: object = "damaged") -> BadJournal:
    return BadJournal(f"{path}: line {line} is damaged: {why}", reason="damaged", path=path, line=line)


def _replay(path: Path, records: list[dict[str, Any]]) -> _Stand:
    """The game of these records. Raises `BadJournal`."""
    if not records:
        _refuse_empty(path)
    setup = _setup(path, records[0])
    given: list[Answer] = []
    at: int | None = None
    aside: Aside | None = None
    for number, record in enumerate(records[1:], start=1):
        match record:
            case {"ask": str(ask), "value": value}:
                given.append((ask, value))
                at = None
            case {"undo": int(keep), "at": int() | None as at} if 0 <= keep <= len(given):
                del given[keep:]
            case {"roll": "again"}:
                if after_roll_call(given):
                    aside = Aside(given, at)
                given, at = [], None
            case {"again": int(count)} if aside and 0 <= count <= len(aside.answers):
                given, aside, at = given + after_roll_call(aside.answers)[:count], None, None
            case {"setup": dict(changed), "keep": int(keep), "at": int() | None as at} if 0 <= keep <= len(given):
                setup = _setup(path, {"format": FORMAT, "setup": changed}, number + 1)
                del given[keep:]
            case {"at": int(at), **others} if others.keys() == {"n"}:
                pass
            case _:
                raise _damaged(path, number + 1, "no record of this game")
    return _Stand(_play(path, setup, given), at, aside)


def _refuse_empty(path: Path) -> None:
    """Raise `BadJournal` for a file whose first line is no whole record."""
    if path.stat().st_size and b"\n" in files.read(path, LARGEST):
        raise _damaged(path, 1)
    raise BadJournal(f"{path}: empty; expected a game", reason="empty", path=path)


def _setup(path: Path, record: dict[str, Any], line: int = 1) -> Setup:
    if record.get("format") != FORMAT and "format" in record:
        found = record["format"]
        raise BadJournal(f"{path}: format {found!r}; this narrator reads {FORMAT}", reason="format", path=path, found=found, known=FORMAT)
    try:
        return Setup.model_validate(_Head.model_validate(record).setup)
    except ValidationError as error:
        raise _damaged(path, line, "not a game's set-up") from error


def _play(path: Path, setup: Setup, given: list[Answer]) -> Game:
    count = 0

    def answers() -> Iterator[Answer]:
        nonlocal count
        for answer in given:
            count += 1
            yield answer

    try:
        return Game.replay(setup, answers())
    except (Refused, Diverged) as error:
        raise BadJournal(f"{path}: answer {count} does not fit the game: {error}", reason="misfit", path=path, count=count) from error
