"""What event cards ask about the people at the table: asked when a card needs it, answered aloud, and kept for this game."""

from __future__ import annotations

from narrator.rules.state import Table
from narrator.rules.turn import Ask, Flow, say


def men(table: Table) -> Flow[tuple[int, ...]]:
    """The seats of all men, asked once."""
    if table.men is None:
        if sex := table.setup.people.sex:
            table.men = tuple(seat for seat, one in enumerate(sex, start=1) if one == "m")
        else:
            everyone = tuple(range(1, table.setup.seats + 1))
            yield say("people.men")
            ask = Ask("people.men", "seats", "everyone", tuple(table.alive), everyone, (0, len(everyone)), may_pass=True)
            table.men = (yield ask) or ()
    return table.men


def half(table: Table, which: str) -> Flow[tuple[int, ...]]:
    """The `older` or `younger` half of the living. Of an odd number, whoever is in the middle belongs to neither."""
    number = len(table.alive) // 2
    if age := table.setup.people.age:
        ranked = sorted(table.alive, key=lambda seat: (age[seat - 1], seat), reverse=which == "older")
        return tuple(sorted(ranked[:number]))
    yield say(f"people.{which}")
    everyone = tuple(table.alive)
    named: tuple[int, ...] = yield Ask(f"people.{which}", "seats", "everyone", everyone, everyone, (number, number))
    return named


def youngest(table: Table) -> Flow[int]:
    """The youngest of the living."""
    if age := table.setup.people.age:
        return min(table.alive, key=lambda seat: (age[seat - 1], seat))
    yield say("people.youngest")
    seat: int = yield Ask("people.youngest", "seat", "everyone", tuple(table.alive), tuple(table.alive))
    return seat
