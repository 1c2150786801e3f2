"""What an entry means: the characters confirmed with Enter → the answer to the ask that is open, and back.

    kind of ask   entry                                   answer
    -----------   -------------------------------------   ----------------------------------------------------
    wait          nothing                                 True
                  one number, where there are candidates  the seat that shows itself
    seat          one number                              that seat
    yes_no        1 or 0                                  True or False
    seats, pairs  numbers                                 those seats
                  0 alone, where there may be none        no seats
    choice        one number                              that number, 0 too, where it is among them
    ballots       one number                              the outcome that the table names
                  a number for each voter, by seat        a ballot for every seat, 0 for those who have no vote
                  a number for every seat                 these ballots
    the others    0 alone                                 None: to pass

Numbers are separated by + . , or what a Chinese keyboard writes for them, or by spaces. Digits may be of any width and script
as long as they are decimal: 3, ３, 03; but not ³ or ③. 0 is nobody, never a seat.

Whether the answer may be given is for the rules to say (`Game.answer`); only what is no answer at all is refused here.
"""

from __future__ import annotations

import re

from narrator.errors import Refused
from narrator.rules import Ask, Value

LONGEST = 64
"""The most characters an entry may have. Ballots of twenty seats take 59."""

_SEPARATORS = re.compile(r"[\s+＋.．。｡,，、､]+")


def read(ask: Ask, text: str, seats: int) -> Value:
    """The answer that `text` stands for at a table of so many seats. Raises `Refused` when it stands for none."""
    if len(text) > LONGEST:
        raise Refused("too_long")
    words = [word for word in _SEPARATORS.split(text) if word]
    if ask.kind == "wait":
        if not text.strip():
            return True
        if not (ask.candidates and words):
            raise Refused("only_done", value=text)
    if not words:
        raise Refused("empty")
    numbers = tuple(map(_number, words))
    if ask.kind == "yes_no":
        return _yes_no(numbers)
    if ask.kind in ("choice", "wait"):
        passes = numbers == (0,) and ask.may_pass and 0 not in ask.candidates
        return None if passes else _one(ask, numbers)
    if numbers == (0,):
        return () if ask.kind in ("seats", "pairs") and ask.count[0] == 0 else None
    if ask.kind in ("seats", "pairs"):
        return numbers
    return _one(ask, numbers) if ask.kind == "seat" else _ballots(ask, numbers, seats)


def write(ask: Ask, value: Value) -> str:
    """What a person keys to give this answer: the inverse of `read`, for an answer that the rules take."""
    if value is None or value == ():
        return "0"
    if value is True and ask.kind == "wait":
        return ""
    if not isinstance(value, tuple):
        return str(int(value))
    if ask.kind == "ballots" and len(ask.actors) > 1:
        value = tuple(value[voter - 1] for voter in ask.actors)
    return "+".join(map(str, value))


def _number(word: str) -> int:
    if not word.isdecimal():
        raise Refused("not_a_number", value=word)
    return int(word)


def _yes_no(numbers: tuple[int, ...]) -> bool:
    if numbers not in ((0,), (1,)):
        raise Refused("not_yes_no", value=numbers)
    return numbers == (1,)


def _one(ask: Ask, numbers: tuple[int, ...]) -> int:
    if len(numbers) > 1:
        raise Refused("not_a_seat", value=numbers, candidates=ask.candidates)
    return numbers[0]


def _ballots(ask: Ask, numbers: tuple[int, ...], seats: int) -> int | tuple[int, ...]:
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) == seats:
        return numbers
    if len(numbers) != len(ask.actors):
        raise Refused("wrong_ballots", expected=len(ask.actors), given=len(numbers), voters=tuple(sorted(ask.actors)))
    by_voter = dict(zip(sorted(ask.actors), numbers, strict=True))
    return tuple(by_voter.get(seat, 0) for seat in range(1, seats + 1))
