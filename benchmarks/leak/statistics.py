"""How well two samples can be told apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Sample = NDArray[np.float64]

_BIN = 1.0      # seconds: fine enough to see a step of 5, coarse enough to be filled


def kolmogorov_smirnov(one: Sample, other: Sample) -> tuple[float, float]:
    """The greatest distance of the two distributions, and how probable one as great is where they are the same (asymptotically, with
    Stephens' correction; both samples of independent numbers)."""
    both = np.concatenate([one, other])
    below = [np.searchsorted(np.sort(sample), both, side="right") / len(sample) for sample in (one, other)]
    distance = float(np.abs(below[0] - below[1]).max())
    n = np.sqrt(len(one) * len(other) / len(both))
    scaled = (n + 0.12 + 0.11 / n) * distance
    if scaled < 0.2:     # where the series below does not converge, the probability is 1 to twelve places
        return distance, 1.0
    k = np.arange(1, 101)
    return distance, float(np.clip(2 * np.sum((-1.0) ** (k - 1) * np.exp(-2 * (k * scaled) ** 2)), 0, 1))


def auc(one: Sample, other: Sample) -> float:
    """How often a number of `one` is greater than one of `other`, a draw being half a win: 0.5 where they cannot be told apart."""
    ordered = np.sort(other)
    wins = np.searchsorted(ordered, one, side="left") + np.searchsorted(ordered, one, side="right")
    return float(wins.mean() / (2 * len(other)))


def likelihood_auc(one: Sample, other: Sample) -> float:
    """The AUC of a classifier that has learned from every second number how likely each length is in either, tried on the others."""
    edges = np.arange(0, max(one.max(), other.max()) + 2 * _BIN, _BIN)
    counts = [np.histogram(sample[::2], edges)[0] + 0.5 for sample in (one, other)]
    ratio = np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())
    return auc(*(ratio[np.digitize(sample[1::2], edges) - 1] for sample in (one, other)))
