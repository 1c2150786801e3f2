"""Keys and speech → answers. Everything that is heard arrives in one queue, as `Event`s in the order in which it came.

A hearing knows which ask is open (`attend`), so that what it offers fits; what an entry means is the grammar's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from narrator.rules import Ask

CommandName: TypeAlias = Literal["undo", "again", "pause", "why", "status", "leave", "end", "hide", "unhide", "quit", "wrong"]


@dataclass(frozen=True, slots=True)
class Typed:
    """What has been typed since the last Enter and does not count yet."""

    text: str


@dataclass(frozen=True, slots=True)
class Entered:
    """What was confirmed with Enter; empty for Enter alone."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A key, or word, that asks the narrator for something at any time; `wrong`: what it has understood was not meant."""

    name: CommandName


@dataclass(frozen=True, slots=True)
class Louder:
    """A key that makes a part of what is heard louder by `steps`, or softer; there are such keys while the game is paused."""

    part: Literal["voice", "ambience", "effects"]
    steps: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What somebody said: one meaning, two between which the narrator must ask, or none. `heard` are the words as they were heard."""

    meanings: tuple[Entered | Command, ...]
    heard: str = ""


Payload: TypeAlias = Typed | Entered | Command | Louder | Spoken
Entry: TypeAlias = Entered | Command | Spoken
"""What somebody must deal with."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was heard. `source` names the device, `at` is the clock's time in seconds."""

    source: str
    at: float
    payload: Payload


class Hearing(Protocol):
    """The contract of everything that can be heard.

    trouble  why nobody can key anything, None where all is well
    """

    trouble: str | None

    def attend(self, ask: Ask | None) -> None:
        """From now on this is what may be answered (None: nothing). What was typed before and not confirmed is forgotten."""

    def pause(self, on: bool) -> None:
        """While the game is paused nothing is answered: the digits ask the narrator for something. What had been typed is kept."""

    def wait(self, until: float) -> Event | None:
        """The next event, waited for until the clock shows `until` (seconds); None when nothing came by then."""

    def close(self) -> None:
        """Let go of the device and leave it as it was found."""
