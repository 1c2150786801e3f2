"""The game's log, so that nothing answered is ever lost.

A journal is a file of JSON lines. The first holds the format's version and the whole set-up, with every switch resolved; each
later one an answer, or how far an undo went back:

    {"format": 1, "setup": {...}, "crc": "8c736521"}
    {"n": 1, "ask": "roll.seer", "value": [3], "crc": "0e6f1c2a"}
    {"n": 2, "at": 2, "crc": "b2c7a915"}
    {"n": 3, "undo": 0, "at": 2, "crc": "5d3b81f0"}

`at` notes how many lines of the turn are done: where a wake begins and where it has ended, a decoy's too. So a game is resumed where
its table was, whoever was awake there or nobody. It is null where an undo went back into the wake of the last answer that stayed.
`n` counts the lines; `crc` is the CRC-32 of the line without it, so that a bit that the disk has lost never becomes an answer that
nobody gave. Each line reaches the disk before anything more is said. A last line that is not whole is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from pydantic import BaseModel, ConfigDict, ValidationError

from narrator.errors import BadJournal, Diverged, Refused
from narrator.rules import Game, Setup, Value

FORMAT = 1


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: int
    setup: dict[str, Any]


class Journal:
    """An open journal; it alone may write to its file until it is closed."""

    def __init__(self, path: Path, file: TextIO, lines: int = 0, at: int | None = None, dropped: bool = False) -> None:
        """`at`: how many lines of the turn were done, None where none was noted; `dropped`: whether a torn last line was left out."""
        self.path = path
        self.at = at
        self.dropped = dropped
        self._file = file
        self._lines = lines

    @classmethod
    def create(cls, path: Path, setup: Setup) -> Journal:
        """Begin the journal of a new game. Raises `BadJournal` where the file exists or cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("x", encoding="utf-8")
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from error
        journal = cls(path, file)
        _lock(path, file)
        journal._append({"format": FORMAT, "setup": setup.model_dump(mode="json")})
        _sync_folder(path.parent)
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Game]:
        """Open the journal of a game that was interrupted, and the game as it stood after its last whole answer.

        Raises `BadJournal` for a file that is not one, of another format, or that another narrator is writing.
        """
        try:
            file = path.open("r+", encoding="utf-8")
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from error
        _lock(path, file)
        records, size = _whole_records(path)
        game, at = _replay(path, records)
        dropped = size < path.stat().st_size
        if dropped:
            # What the power cut tore must be gone before anything is written behind it.
            file.truncate(size)
        file.seek(0, os.SEEK_END)
        return cls(path, file, len(records), at, dropped), game

    def answer(self, ask: str, value: Value) -> None:
        """Append an answer; it is on the disk when this returns. Raises `BadJournal` where it cannot be written."""
        self._append({"n": self._lines, "ask": ask, "value": value})

    def mark(self, at: int) -> None:
        """Append that so many lines of the turn are done."""
        self._append({"n": self._lines, "at": at})

    def undo(self, keep: int, at: int | None) -> None:
        """Append that all but the first `keep` answers are taken back, and how many lines of the turn are done then."""
        self._append({"n": self._lines, "undo": keep, "at": at})

    def close(self) -> None:
        """Close the file and let others write to it."""
        self._file.close()

    def _append(self, record: dict[str, Any]) -> None:
        try:
            self._file.write(_written(record | {"crc": _checksum(record)}) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from error
        self._lines += 1


def _lock(path: Path, file: TextIO) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise BadJournal(f"{path}: another narrator is playing this game", reason="in_use", path=path) from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _written(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _checksum(record: dict[str, Any]) -> str:
    return f"{zlib.crc32(_written(record).encode()):08x}"


def _whole_records(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The journal's records and how many bytes they take; a last one that is not whole is left out.

    Raises `BadJournal` for damage before the last line: what follows it was answered, and must not be lost in silence.
    """
    *lines, torn = path.read_bytes().split(b"\n")
    records: list[dict[str, Any]] = []
    size = 0
    for number, line in enumerate(lines, start=1):
        record = _parse(line)
        if record is None:
            if number == len(lines) > 1 and not torn:
                break
            raise BadJournal(f"{path}: line {number} is damaged", reason="damaged", path=path, line=number)
        records.append(record)
        size += len(line) + 1
    return records, size


def _parse(line: bytes) -> dict[str, Any] | None:
    """A line's record without its checksum, or None when the line is not what was written."""
    try:
        record = json.loads(line)
    except ValueError:   # no JSON, or no text at all
        return None
    if not isinstance(record, dict):
        return None
    crc = record.pop("crc", None)
    return record if crc == _checksum(record) else None


def _replay(path: Path, records: list[dict[str, Any]]) -> tuple[Game, int | None]:
    """The game of these records, and how many lines of its turn are done, as far as was noted."""
    if not records:
        raise BadJournal(f"{path}: empty; expected a game", reason="empty", path=path)
    setup = _setup(path, records[0])
    given: list[tuple[int, str, Any]] = []
    at: int | None = None
    for number, record in enumerate(records[1:], start=1):
        match record:
            case {"n": n, "ask": str(ask), "value": value} if n == number:
                given.append((number, ask, value))
                at = None
            case {"n": n, "undo": int(keep), "at": int() | None as at} if n == number and 0 <= keep <= len(given):
                del given[keep:]
            case {"n": n, "at": int(at)} if n == number:
                pass
            case _:
                raise BadJournal(f"{path}: line {number + 1} is no record of this game", reason="damaged", path=path, line=number + 1)
    return _play(path, setup, given), at


def _setup(path: Path, record: dict[str, Any]) -> Setup:
    try:
        head = _Head.model_validate(record)
        if head.format != FORMAT:
            raise BadJournal(f"{path}: format {head.format}; this narrator reads format {FORMAT}", reason="format", path=path)
        return Setup.model_validate(head.setup)
    except ValidationError as error:
        raise BadJournal(f"{path}: line 1 is not a game's set-up", reason="damaged", path=path, line=1) from error


def _play(path: Path, setup: Setup, given: list[tuple[int, str, Any]]) -> Game:
    line = 1

    def answers() -> Iterator[tuple[str, Value]]:
        nonlocal line
        for number, ask, value in given:
            line = number + 1
            yield ask, value

    try:
        return Game.replay(setup, answers())
    except (Refused, Diverged) as error:
        raise BadJournal(f"{path}: line {line} does not fit the game: {error}", reason="damaged", path=path, line=line) from error
