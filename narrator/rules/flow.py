"""The whole game, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from narrator.rules.captain import elect_if_due
from narrator.rules.day import day
from narrator.rules.death import after_deaths, fall
from narrator.rules.events import lay, lift
from narrator.rules.night import night
from narrator.rules.opening import opening
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Dawns, Flow, Leaves, Line, Outcome, Value, Winner, Won, ruled, say
from narrator.rules.victory import victory


def play(table: Table) -> Generator[Line | Ask, Any, Outcome]:
    """A game from the roll call to its outcome, whoever has to leave meanwhile: he falls at once, and is neither asked nor named again."""
    story, answer = _story(table), None
    while True:
        try:
            step = story.send(answer)
        except StopIteration as end:
            winner: Winner = end.value
            break
        answer = None
        if not isinstance(step, Ask):
            yield step
            continue
        while isinstance(answer := (yield from _put(table, step)), Leaves):
            ended = yield from _goes_home(table, answer.seat)
            if ended:
                return (yield from _end(table, ended))
    return (yield from _end(table, winner))


def _story(table: Table) -> Generator[Line | Ask, Any, Winner]:
    """A game from the roll call to the end of the last chain of deaths."""
    yield from opening(table)
    yield from lay(table)
    yield from elect_if_due(table, "before_first_night")
    while True:
        yield from night(table)
        winner = yield from _dawn(table)
        if winner is None:
            yield from lift(table)
            yield from day(table)
            winner = yield from after_deaths(table)
        if winner:
            return winner


def _end(table: Table, winner: Winner) -> Flow[Outcome]:
    yield ruled(_reason(table, winner))
    yield Won(winner)
    yield say(f"end.{winner}")
    return Outcome(winner, tuple(table.alive))


def _goes_home(table: Table, seat: int) -> Flow[Winner | None]:
    """A player leaves the game, and whoever dies of it. Returns the winner if there is one."""
    living = frozenset(table.alive)
    table.left |= {seat}
    yield from fall(table, seat, frozenset({"other"}), "death.left")
    winner = yield from after_deaths(table)
    table.left |= living - frozenset(table.alive)
    return winner


def _put(table: Table, ask: Ask) -> Flow[Value | Leaves]:
    """Ask whoever has not left; what nobody can answer any more is answered by itself."""
    ask = _without(table, ask)
    return _nothing(ask) if _is_idle(ask) else (yield ask)


def _without(table: Table, ask: Ask) -> Ask:
    """The question as it is put without those who have left."""
    if not table.left:
        return ask
    candidates = ask.candidates if ask.kind == "choice" else tuple(seat for seat in ask.candidates if seat not in table.left)
    least, most = ask.count
    count = (min(least, len(candidates)), min(most, len(candidates)))
    return replace(ask, actors=tuple(seat for seat in ask.actors if seat not in table.left), candidates=candidates, count=count)


def _is_idle(ask: Ask) -> bool:
    """Whether nobody is left who could answer, or be named."""
    return not ask.actors or (ask.kind in ("seat", "ballots") and not ask.candidates)


def _nothing(ask: Ask) -> Value:
    """What is answered where nobody can."""
    match ask.kind:
        case "wait":
            return True
        case "yes_no":
            return False
        case "seats":
            return ()
        case "choice" if not ask.may_pass:
            return ask.candidates[0]
        case _:
            return None


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
