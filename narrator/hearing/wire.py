"""What goes between a game and the process that listens for it, as JSON has it: questions one way, meanings the other."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from narrator.hearing import Command, Entered
from narrator.rules import Ask


def packed(meaning: Entered | Command) -> list[str]:
    """A meaning as JSON has it."""
    return ["entered", meaning.text] if isinstance(meaning, Entered) else ["command", meaning.name]


def unpacked(meaning: Any) -> Entered | Command:
    """The inverse."""
    kind, value = meaning
    return Entered(value) if kind == "entered" else Command(value)


def ask_of(fields: Any) -> Ask | None:
    """An ask, as `dataclasses.asdict` and JSON have it."""
    if fields is None:
        return None
    pairs = frozenset((voter, seat) for voter, seat in fields["barred"])
    numbers = {name: tuple(fields[name]) for name in ("actors", "candidates", "count")}
    return Ask(**{**fields, **numbers, "barred": pairs})


def fields_of(ask: Ask | None) -> dict[str, Any] | None:
    """The inverse of `ask_of`."""
    return {**asdict(ask), "barred": sorted(ask.barred)} if ask else None
