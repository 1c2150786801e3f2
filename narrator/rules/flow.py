"""The whole game, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from narrator.rules.captain import elect_if_due
from narrator.rules.day import day
from narrator.rules.death import after_deaths, fall
from narrator.rules.night import night
from narrator.rules.opening import opening
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Dawns, Flow, Line, Outcome, Winner, Won, ruled, say
from narrator.rules.victory import victory


def play(table: Table) -> Generator[Line | Ask, Any, Outcome]:
    """A game from the roll call to its outcome."""
    yield from opening(table)
    yield from elect_if_due(table, "before_first_night")
    winner: Winner | None = None
    while winner is None:
        yield from night(table)
        winner = yield from _dawn(table)
        if winner is None:
            yield from day(table)
            winner = yield from after_deaths(table)
    yield ruled(_reason(table, winner))
    yield Won(winner)
    yield say(f"end.{winner}")
    return Outcome(winner, tuple(table.alive))


def _reason(table: Table, winner: Winner) -> str:
    """The ruling by which they have won."""
    if winner != "werewolves":
        return f"won.{winner}"
    return f"won.{table.rules.wolves_win}" if victory(table, table.alive) == winner else "won.knife_first"


def _dawn(table: Table) -> Flow[Winner | None]:
    """The village wakes and finds its dead, in seat order, each followed by his own chain."""
    yield Dawns()
    yield say("morning")
    yield from elect_if_due(table, "first_day_before_deaths")
    while table.doomed:
        yield from fall(table, min(table.doomed), frozenset(), "morning.dead")
    if not table.fallen:
        yield say("morning.nobody")
    if table.rules.wolves_kill_first and victory(table, [*table.alive, *table.poisoned]) == "werewolves":
        return "werewolves"   # without the poison the knife would have ended the game
    return (yield from after_deaths(table))
