"""What was said is read back before it counts, where it has consequences: a vote, a captain, a shot. Who was misunderstood objects, by
voice or key, or just says it right."""

from __future__ import annotations

from narrator.hearing import Command, Entered, Entry, Spoken
from narrator.hearing.grammar import read
from narrator.rules import Ask, Say, say, verify
from narrator.stage import Stage, weighs

OBJECT = 2.5
"""Seconds in which one may object to what was understood."""

AGAIN = say("heard.again")


def understood(stage: Stage, ask: Ask, spoken: Spoken, seats: int) -> Entry:
    """What comes of something said at a table of so many seats: an entry to which nobody has objected, or what came in its place;
    `wrong` where it must be said once more. Raises `Refused` where it is no answer."""
    match spoken.meanings:
        case (Entered() as entered,):
            return stage.read_back(_line(ask, entered, seats), OBJECT) or entered
        case (one, other):
            return stage.ask_back(_between(ask, one, other)) or Command("wrong")
    return Command("wrong")


def _line(ask: Ask, entered: Entered, seats: int) -> Say:
    """What is read back of an answer."""
    value = verify(ask, read(ask, entered.text, seats), seats)
    if ask.id.endswith(".hands") and value:
        return say("heard.votes", votes=value if isinstance(value, int) else 0)
    return say("heard.seats", seats=value if isinstance(value, tuple) else (value,) if value else ())


def _between(ask: Ask, one: Entered | Command, other: Entered | Command) -> Say:
    """The question which of two was meant; where they are not two seats, that it be said again."""
    answers = [meaning for meaning in (one, other) if isinstance(meaning, Entered) and meaning.text.isdecimal() and weighs(ask, meaning)]
    seats = tuple(sorted(int(answer.text) for answer in answers))
    return say("heard.which", either=seats) if len(seats) == 2 and all(seats) and not ask.id.endswith(".hands") else AGAIN
