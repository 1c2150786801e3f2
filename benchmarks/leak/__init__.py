"""What the length of a wake tells of who is awake in it: nights at tables that sometimes run over.

    nice python -m benchmarks.leak [--nights 10000] [--seed 0] [--jobs CORES]

Whole games go through the real loop on a simulated clock; what a game is and how long its players take is in `tests/nights.py`.
Compared are wakes of the same role and kind of night: those of a living holder with decoys for a dead or an absent one. Beside it
stands what would have been heard, in the very same games, of a moderator who waits for a real answer and a random 15 to 25 s in a
decoy, as people and other programs do.

KS        the distance of the two distributions, and the probability of one as great by chance. It is reckoned as if all wakes were
          independent; those of one table are not, so that it errs on the side of a leak
AUC       how well one guesses from the length alone: by longer or shorter; by the likelihood of each length, learned from the other
          half of the wakes. 0.5 is not at all, 1 is always. All roles together, each role's own window taken off; then role by role
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from benchmarks.leak.statistics import Sample, auc, kolmogorov_smirnov, likelihood_auc
from tests import nights
from tests.nights import Heard, Holder, Seconds

TABLES: dict[str, Seconds] = {
    "roles alike": nights.ALIKE,
    "roles alike, half as slow again": nights.LATE,
    "each role its own pace": nights.BY_ROLE,
    "each role its own pace, a quarter slower": nights.SLOW,
}

FEWEST = 100
"""Wakes on either side below which nothing is said of a role."""

FIXED, TAIL = (15.0, 25.0), 1.0
"""A decoy of the other moderator, and how long he waits after an answer, in seconds."""

Length = Callable[[Heard], float]
"""Seconds that a wake lasts, or would last."""


@dataclass(frozen=True, slots=True)
class Told:
    """How well wakes of the living can be told from decoys.

    wakes     how many of the living, how many decoys
    distance  of Kolmogorov and Smirnov, with its `chance`
    auc, likelihood   of the two classifiers
    """

    wakes: tuple[int, int]
    distance: float
    chance: float
    auc: float
    likelihood: float

    @classmethod
    def apart(cls, alive: Sample, decoys: Sample) -> Told:
        """Compare the lengths of wakes."""
        return cls((len(alive), len(decoys)), *kolmogorov_smirnov(alive, decoys), auc(alive, decoys), likelihood_auc(alive, decoys))

    def __str__(self) -> str:
        return (
            f"{self.wakes[0]:6d} and {self.wakes[1]:5d}   KS {self.distance:.3f} p {self.chance:<8.2g}"
            f" AUC {self.auc:.3f}, likelihood {self.likelihood:.3f}"
        )


def play(medians: Seconds, games: range, jobs: int = 1) -> list[Heard]:
    """The wakes of these games, by their seeds."""
    one = partial(nights.play, medians=medians)
    if jobs == 1:
        return list(chain.from_iterable(map(one, games)))
    with ProcessPoolExecutor(jobs) as pool:
        return list(chain.from_iterable(pool.map(one, games, chunksize=20)))


def compare(heard: Sequence[Heard], first: bool, decoy: Holder, length: Length, role: str = "") -> Told | None:
    """Wakes of the first night or of later ones: the living against one kind of decoy; of a role or of all. None where there are few."""
    alive, decoys = (
        np.array([length(wake) for wake in heard if (wake.night == 1) == first and wake.holder == who and role in (wake.role, "")])
        for who in ("alive", decoy)
    )
    return Told.apart(alive, decoys) if min(len(alive), len(decoys)) >= FEWEST else None


def own() -> Length:
    """How long the narrator's wakes last, without what a role's own window is longer: everyone knows that."""
    longer = nights.pacing().longer
    return lambda wake: wake.seconds - longer.get(wake.role, 0.0)


def fixed(seed: int) -> Length:
    """How long the wakes of the other moderator last."""
    rng = random.Random(seed)
    return lambda wake: rng.uniform(*FIXED) if wake.answered is None else wake.answered + TAIL


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the nights and print what they tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leak", description="Measures what the length of wakes tells.")
    parser.add_argument("--nights", type=int, default=10_000, help="at each kind of table (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)")
    options = parser.parse_args(arguments)
    games = range(options.seed, options.seed - (-options.nights // nights.NIGHTS))
    for name, medians in TABLES.items():
        heard = play(medians, games, options.jobs)
        print(f"-- {name}: {len(games) * nights.NIGHTS} nights, {len(heard)} wakes, {_late(heard)}")
        for moderator, length in (("narrator", own()), ("15-25 s", fixed(options.seed))):
            for line in _lines(heard, length):
                print(f"{moderator:9s} {line}", flush=True)
    return 0


def _late(heard: Sequence[Heard]) -> str:
    """How many of the wakes in which something was asked were longer than they can have been drawn."""
    pacing = nights.pacing()
    asked = [wake for wake in heard if wake.answered is not None and wake.role not in ("lovers", "charmed")]
    drawn = {True: pacing.wake_first_night, False: pacing.wake}
    late = sum(wake.seconds > drawn[wake.night == 1][1] + pacing.longer.get(wake.role, 0.0) + 0.1 for wake in asked)
    return f"{100 * late / len(asked):.1f} % of the living's run over"


def _lines(heard: Sequence[Heard], length: Length) -> Iterator[str]:
    roles = sorted({wake.role for wake in heard})
    kinds: tuple[tuple[bool, Holder], ...] = ((True, "absent"), (False, "absent"), (False, "dead"))
    for first, decoy in kinds:
        for role in ("", *roles):
            if told := compare(heard, first, decoy, length, role):
                yield f"{'first night' if first else 'later':11s} alive or {decoy:6s}  {role or 'all':8s} {told}"


__all__ = ["compare", "fixed", "main", "own", "play"]
