"""Speeches: who is heard by day, in which order, and the wolf who ends them by showing himself."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.rules.state import Table
from narrator.rules.turn import Ask, Flow, Say, say


def discussion(table: Table) -> Flow[int]:
    """Everyone is heard. Returns the wolf who shows himself meanwhile and so ends the day, or 0."""
    rounds = table.rules.rounds_first_day if table.phase.number == 1 else table.rules.rounds
    for _ in range(rounds):
        if not table.who("may_speak"):
            wolf = 0
        elif table.rules.speeches == "free" and not any(event.in_order(table) for event in table.in_force):
            wolf = yield from _heard(table, say("day.discussion"), "day.discussion", table.who("may_speak"))
        else:
            wolf = yield from speeches(table, "day.speech", table.who("may_speak", (yield from _order(table))))
        if wolf:
            return wolf
    return 0


def speeches(table: Table, ask: str, seats: Sequence[int]) -> Flow[int]:
    """These seats speak, one after the other. Returns the wolf who shows himself meanwhile, or 0."""
    for seat in seats:
        if seat not in table.alive:     # has gone home meanwhile
            continue
        wolf = yield from _heard(table, say("day.speech", seat=seat), ask, (seat,))
        if wolf:
            return wolf
    return 0


def _order(table: Table) -> Flow[Sequence[int]]:
    """From the left of the seat that died last; where nobody died, from the captain's left, else from seat 1. Where the captain decides,
    and may speak, he speaks last, and names the side on which it begins."""
    if not (table.rules.captain_directs and table.captain and table.who("may_speak", (table.captain,))):
        return table.clockwise(table.fallen[-1] if table.fallen else table.captain)
    *others, captain = table.clockwise(table.captain)
    yield say("captain.direct", seat=captain)
    to_the_right = (yield Ask("day.direction", "choice", "everyone", (captain,), (1, 2), may_pass=True)) == 2
    return [*(reversed(others) if to_the_right else others), captain]


def _heard(table: Table, call: Say, ask: str, speakers: tuple[int, ...]) -> Flow[int]:
    yield call
    while (seat := (yield Ask(ask, "wait", "everyone", speakers, _who_may_be_a_wolf(table)))) is not True:
        if table.is_wolf(seat):
            return int(seat)
        yield say("day.no_wolf", seat=seat)
    return 0


def _who_may_be_a_wolf(table: Table) -> tuple[int, ...]:
    """Who may be keyed as a wolf who shows himself: for all that everyone knows, anyone, or it would tell who is none. Before the first
    day there is none to end."""
    return tuple(table.alive) if table.rules.wolves_may_show_themselves and table.phase.kind == "day" else ()
