"""Where some run over: the length of a wake does not tell whether who is called can wake."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks import leak
from benchmarks.leak.statistics import auc, kolmogorov_smirnov, likelihood_auc
from tests import nights
from tests.nights import Heard, Holder

GAMES = 200
KINDS: tuple[tuple[bool, Holder], ...] = ((True, "absent"), (False, "absent"), (False, "dead"))


@pytest.fixture(scope="module")
def heard() -> list[Heard]:
    """Eight hundred nights at tables where one wake in six runs over: every game is one of the benchmark's."""
    return leak.play(nights.LATE, range(GAMES))


@pytest.mark.parametrize(("first", "decoy"), KINDS)
def test_the_length_of_a_wake_tells_nothing(heard: list[Heard], first: bool, decoy: Holder) -> None:
    """Alive, dead and absent holders sound alike. With so few nights chance alone moves an AUC by 0.03; the benchmark has ten thousand."""
    told = leak.compare(heard, first, decoy, leak.own())
    assert told is not None
    assert told.chance > 0.01
    assert abs(told.auc - 0.5) < 0.05
    assert abs(told.likelihood - 0.5) < 0.05


def test_some_ran_over_and_some_decoys_did_too(heard: list[Heard]) -> None:
    """The nights that are compared are those of tables that run over."""
    own, pacing = leak.own(), nights.pacing()
    for who in ("alive", "dead", "absent"):
        over = [own(wake) > pacing.wake[1] + 1 for wake in heard if wake.night > 1 and wake.holder == who]
        assert 0.15 < np.mean(over) < 0.3


@pytest.mark.parametrize(("first", "decoy"), KINDS)
def test_a_decoy_of_fixed_length_tells_nearly_everything(heard: list[Heard], first: bool, decoy: Holder) -> None:
    """The same comparison finds the leak of a moderator who waits for answers, and 15 to 25 s in a decoy."""
    told = leak.compare(heard, first, decoy, leak.fixed(1))
    assert told is not None
    assert told.chance < 1e-9
    assert told.auc < 0.1
    assert told.likelihood > 0.9


NORMAL = np.random.default_rng(1).normal(size=20_000)


@pytest.mark.parametrize(
    ("judge", "least", "most"),
    [(auc, 0.632, 0.646), (likelihood_auc, 0.60, 0.65), (lambda a, b: kolmogorov_smirnov(a, b)[0], 0.18, 0.21)],
)
def test_the_judges_see_a_difference_that_is_known(judge: Callable[..., float], least: float, most: float) -> None:
    """Two normal distributions half a deviation apart: an AUC of 0.638, a distance of 0.197. One and the same: 0.5, and 0."""
    one, other = NORMAL[:10_000], NORMAL[10_000:]
    assert least < judge(one + 0.5, other) < most
    assert judge(one, other) == pytest.approx(0.5 if judge in (auc, likelihood_auc) else 0.0, abs=0.02)


def test_the_chance_of_a_distance_is_a_chance() -> None:
    """Of samples of one distribution, one in ten is as far apart as one in ten is by chance."""
    dice = np.random.default_rng(2)
    chances = [kolmogorov_smirnov(dice.random(200), dice.random(300))[1] for _ in range(1000)]
    assert 0.07 < np.mean(np.array(chances) < 0.1) < 0.13
    assert kolmogorov_smirnov(NORMAL, NORMAL) == (0.0, 1.0)
