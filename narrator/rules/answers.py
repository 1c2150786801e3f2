"""Whether an answer may be given. It is checked here, before the rules hear of it: one that is refused has changed nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from narrator.errors import Refused
from narrator.rules.turn import Ask, Kind, Value


def verify(ask: Ask, value: object, seats: int) -> Value:
    """The answer in its one form: seats ascending, ballots for every one of the `seats`, yes-no as a bool.

    Raises `Refused` with what was expected.
    """
    if value is None and ask.kind == "yes_no" and ask.may_pass:
        return False
    if value is None and ask.kind != "wait":
        if ask.may_pass:
            return None
        raise Refused("no_pass", candidates=ask.candidates)
    return _VERIFY[ask.kind](ask, value, seats)


def _one(ask: Ask, value: object, seats: int) -> Value:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused("not_a_seat", value=value, candidates=ask.candidates)
    if value not in ask.candidates:
        raise _not_offered(ask, value, seats)
    if ask.kind == "seat" and any((actor, value) in ask.barred for actor in ask.actors):
        raise Refused("barred_ballot")   # the words name nobody: whose ballot it is may be a secret of the lovers
    return value


def _not_offered(ask: Ask, value: int, seats: int) -> Refused:
    """Why a number that is not among the candidates is not taken: it is none to choose, no seat of this table, or not to be named now."""
    if ask.kind == "choice":
        return Refused("not_a_choice", value=value, candidates=ask.candidates)
    if not 1 <= value <= seats:
        return Refused("no_such_seat", value=value, seats=seats)
    return Refused("not_offered", value=value, candidates=ask.candidates)


def _seats(ask: Ask, value: object, seats: int) -> Value:
    named = _numbers(ask, value)
    for seat in named:
        _one(ask, seat, seats)
    if len(set(named)) < len(named):
        raise Refused("named_twice", value=named)
    if any(len(set(named).intersection(group)) > 1 for group in ask.groups):
        raise Refused("one_of_each", value=named)
    least, most = ask.count
    if not least <= len(named) <= most:
        raise Refused("wrong_count", least=least, most=most, given=len(named))
    return tuple(sorted(named))


def _pairs(ask: Ask, value: object, seats: int) -> Value:
    """Whom each seat points at; or, as a table would key it, at whom nobody does."""
    if not isinstance(value, list | tuple):
        raise Refused("not_seats", value=value, candidates=ask.candidates)
    if all(isinstance(one, int) for one in value):
        return _seats(ask, value, seats)
    if len(value) != seats:
        raise Refused("wrong_ballots", expected=seats, given=len(value), voters=tuple(range(1, seats + 1)))
    pointing = []
    for seat, pointed in enumerate(value, start=1):
        friends: Any = _seats(replace(ask, candidates=tuple(other for other in ask.candidates if other != seat)), pointed, seats)
        if friends and seat not in ask.actors:
            raise Refused("no_vote", voter=seat)
        if seat in ask.actors and len(friends) != min(2, len(ask.candidates) - 1):
            raise Refused("wrong_count", least=2, most=2, given=len(friends))
        pointing.append(friends if seat in ask.actors else ())
    pointed_at = {seat for friends in pointing for seat in friends}
    return tuple(seat for seat in ask.candidates if seat not in pointed_at)


def _yes_no(_: Ask, value: object, __: int) -> Value:
    if not isinstance(value, bool):
        raise Refused("not_yes_no", value=value)
    return value


def _ballots(ask: Ask, value: object, seats: int) -> Value:
    if isinstance(value, int):
        return _one(ask, value, seats)
    ballots = _numbers(ask, value)
    if len(ballots) != seats:
        raise Refused("wrong_ballots", expected=seats, given=len(ballots), voters=tuple(range(1, seats + 1)))
    for voter, named in enumerate(ballots, start=1):
        if named and voter not in ask.actors:
            raise Refused("no_vote", voter=voter)
        if named and named not in ask.candidates:
            raise _not_offered(ask, named, seats)
        if (voter, named) in ask.barred:
            raise Refused("barred")
        if not named and not ask.abstain and voter in ask.actors:
            raise Refused("no_abstention", voter=voter)
    return ballots


def _wait(ask: Ask, value: object, seats: int) -> Value:
    if value is None or value is True:
        return True
    if not ask.candidates:
        raise Refused("only_done", value=value)
    return _one(ask, value, seats)


def _numbers(ask: Ask, value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(n, int) and not isinstance(n, bool) for n in value):
        raise Refused("not_seats", value=value, candidates=ask.candidates)
    return tuple(value)


_VERIFY: dict[Kind, Callable[[Ask, object, int], Value]] = {
    "seat": _one,
    "seats": _seats,
    "pairs": _pairs,
    "yes_no": _yes_no,
    "ballots": _ballots,
    "choice": _one,
    "wait": _wait,
}
