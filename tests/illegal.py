"""Answers that may not be given: for each kind of ask, each way in which an answer to it can be wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TypeAlias

from narrator.rules import Ask

_Spoil: TypeAlias = Callable[[Ask, random.Random, int], object]

_ITSELF: list[object] = [1]
_ITSELF.append(_ITSELF)

_DEEP: list[object] = []
for _ in range(100_000):
    _DEEP = [_DEEP]

JUNK: tuple[object, ...] = (
    "", "1", "x", "一", "²", "1+2", "9" * 10_000, b"1", b"",
    1.0, 1.5, -0.0, math.nan, math.inf, 1j, 10**30, -(10**30), 10**5000, [10**5000, -(10**5000)], _DEEP,
    [], (), [[1]], [[1, 2]], [1, [2]], [None], ["1"], ["1", "2"], [1.0, 2.0], [True, False], (1, None), [1] * 10_000, [[[[1]]]], _ITSELF,
    {}, {1: 2}, {1, 2}, frozenset({1}), object(), object, ..., NotImplemented, iter([1, 2]), range(0), ValueError("1"), -1, -99, 99, 21,
)  # fmt: skip
"""What is an answer to no ask at a table of two to twenty seats."""


def illegal(ask: Ask, rng: random.Random, seats: int) -> object:
    """Any answer that may not be given to an ask."""
    value = rng.choice(_SPOILS[ask.kind])(ask, rng, seats)
    return "x" if ask.kind in ("seats", "pairs") and ask.count[0] == 0 and value in ([], ()) else value


def _junk(_: Ask, rng: random.Random, __: int) -> object:
    return rng.choice(JUNK)


def _none(ask: Ask, rng: random.Random, seats: int) -> object:
    """To pass, where that is not allowed."""
    return _junk(ask, rng, seats) if ask.may_pass else None


def _other_kind(ask: Ask, rng: random.Random, _: int) -> object:
    """What another kind of ask would take."""
    seat = rng.choice(ask.candidates or (1,))
    answers: dict[str, tuple[object, ...]] = {
        "seat": (True, False, [seat], (seat,), str(seat), float(seat)),
        "seats": (True, False, seat, str(seat), {seat}),
        "pairs": (True, False, seat, str(seat), {seat}),
        "yes_no": (0, 1, "yes", [True], (1,), 1.0, 99),
        "ballots": (True, False, str(seat), float(seat), {seat: seat}),
        "choice": (True, False, [seat], (seat,), str(seat), float(seat)),
        "wait": (False, 0, -1, 99, (), [True], "", "x"),
    }
    return rng.choice(answers[ask.kind])


# --- seats --------------------------------------------------------------------------------------------------------------


def _not_offered(ask: Ask, rng: random.Random, seats: int) -> int:
    """A seat that may not be named, the dead among them, or that is none; not 0, which is nobody in ballots."""
    numbers: list[int] = [*range(1, seats + 3), -1, 99, 10**30]
    return rng.choice([number for number in numbers if number not in ask.candidates])


def _not_chosen(ask: Ask, rng: random.Random, _: int) -> int:
    return rng.choice([number for number in (*range(16), -1, 99) if number not in ask.candidates])


def _nobody(_: Ask, __: random.Random, ___: int) -> object:
    return 0


def _one_not_offered(ask: Ask, rng: random.Random, seats: int) -> object:
    named = rng.choices(ask.candidates, k=rng.randint(max(1, ask.count[0]), ask.count[1]))
    named[rng.randrange(len(named))] = rng.choice((0, _not_offered(ask, rng, seats)))
    return rng.choice((tuple, list))(named)


def _doubled(ask: Ask, rng: random.Random, _: int) -> object:
    """A seat named twice; among as many as there should be, where those are two or more."""
    named = rng.choices(ask.candidates, k=max(2, ask.count[1]))
    named[-1] = named[0]
    return named


def _wrong_count(ask: Ask, rng: random.Random, _: int) -> object:
    """Too few different seats, or too many."""
    least, most = ask.count
    counts = [*range(least), *range(most + 1, len(ask.candidates) + 1)]
    return rng.sample(ask.candidates, rng.choice(counts)) if counts else _doubled(ask, rng, 0)


def _astray(ask: Ask, rng: random.Random, seats: int) -> object:
    """Whom each seat points at, but that one points at itself, at the same seat twice, or at none that there is."""
    pairs: list[list[int]] = [[] for _ in range(seats)]
    pairs[rng.choice(ask.actors) - 1] = rng.choice(([rng.choice(ask.candidates)] * 2, [99]))
    return pairs


# --- ballots ------------------------------------------------------------------------------------------------------------


def _filled(ask: Ask, rng: random.Random, seats: int) -> list[int]:
    """A ballot for every voter, whether it may be cast or not."""
    return [rng.choice(ask.candidates) if voter in ask.actors else 0 for voter in range(1, seats + 1)]


def _wrong_length(ask: Ask, rng: random.Random, seats: int) -> object:
    ballots = _filled(ask, rng, seats)
    return rng.choice((ballots[1:], ballots[: len(ballots) // 2], [*ballots, 0], ballots * 2, [0] * 50))


def _ballot_not_offered(ask: Ask, rng: random.Random, seats: int) -> object:
    ballots = _filled(ask, rng, seats)
    ballots[rng.randrange(seats)] = _not_offered(ask, rng, seats)
    return tuple(ballots)


def _no_vote(ask: Ask, rng: random.Random, seats: int) -> object:
    """A ballot of somebody who has none."""
    mute = [seat for seat in range(1, seats + 1) if seat not in ask.actors]
    if not mute:
        return _wrong_length(ask, rng, seats)
    ballots = _filled(ask, rng, seats)
    ballots[rng.choice(mute) - 1] = rng.choice(ask.candidates)
    return ballots


def _barred(ask: Ask, rng: random.Random, seats: int) -> object:
    """A ballot for somebody whom this voter may not name, or none where there must be one."""
    ballots = _filled(ask, rng, seats)
    if ask.barred:
        voter, named = rng.choice(sorted(ask.barred))
        ballots[voter - 1] = named
    elif ask.actors and not ask.abstain:
        ballots[rng.choice(ask.actors) - 1] = 0
    else:
        return _wrong_length(ask, rng, seats)
    return ballots


def _mixed(ask: Ask, rng: random.Random, seats: int) -> object:
    """Ballots with something among them that is no number."""
    ballots: list[object] = list(_filled(ask, rng, seats))
    ballots[rng.randrange(seats)] = rng.choice((None, True, "1", 1.0, [1], ()))
    return ballots


_SPOILS: dict[str, tuple[_Spoil, ...]] = {
    "seat": (_junk, _none, _other_kind, _not_offered, _not_offered, _nobody),
    "seats": (_junk, _none, _other_kind, _one_not_offered, _doubled, _wrong_count),
    "pairs": (_junk, _none, _other_kind, _one_not_offered, _doubled, _astray),
    "yes_no": (_junk, _other_kind),
    "ballots": (_junk, _none, _other_kind, _not_offered, _nobody, _wrong_length, _ballot_not_offered, _no_vote, _barred, _mixed),
    "choice": (_junk, _none, _other_kind, _not_chosen),
    "wait": (_junk, _other_kind),
}
"""Kind of ask → the ways to get it wrong."""
