"""The mix at another rate, for a device that takes only its own.

Band-limited interpolation: each sample of the device lies somewhere between two of the mix, and is the sum of those around it, weighted
by a sinc under a Kaiser window. As rates are whole numbers only so many places between two samples occur, and the weights of each are
computed once. (J. O. Smith, "Digital Audio Resampling", CCRMA: the method; the figures below are ours.)

To gather the windows costs numpy a copy of some 100 kB a block, the one thing that a callback of ours allocates; gathering sample by
sample makes none, and takes six times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, gcd

import numpy as np

from narrator.clip import RATE, Clip

_TAPS = 48
"""Samples that one output sample is made of; more where the device is slower than the mix."""

_PASSED = 0.94
"""Share of the band that is kept whole. The rest is where the filter falls, and a voice has nothing there."""

_KAISER = 9.0
"""Shape of the window: what is folded back lies 90 dB below."""


class Resampler:
    """Fills blocks of at most `longest` samples at `rate` Hz from `mix`, which fills blocks of shape (samples, channels) at RATE."""

    def __init__(self, mix: Callable[[Clip], None], channels: int, rate: int, longest: int) -> None:
        common = gcd(rate, RATE)
        self._up, self._down = rate // common, RATE // common
        slower = max(1.0, RATE / rate)
        taps = 2 * ceil(_TAPS / 2 * slower)
        self._weights = _weights(self._up, taps, _PASSED / slower)
        self._mix = mix
        self._phase = 0  # of the next sample: its place behind the first sample of the window, in parts of `up`
        self._held = taps  # samples at the beginning of the buffer that have been mixed already
        self._input = np.zeros((taps + ceil(longest / rate * RATE) + 2, channels), np.float32)
        self._windows = np.lib.stride_tricks.sliding_window_view(self._input, taps, axis=0)
        self._count = np.arange(longest, dtype=np.int64)
        self._at = np.zeros(longest, np.int64)
        self._gathered = np.zeros((longest, channels, taps), np.float32)
        self._weighted = np.zeros((longest, taps), np.float32)

    def fill(self, out: Clip) -> None:
        """Fill `out`, of shape (samples, channels)."""
        count, taps = len(out), self._weights.shape[1]
        at, gathered, weighted = self._at[:count], self._gathered[:count], self._weighted[:count]
        steps = self._phase + count * self._down
        self._need(steps // self._up + taps)
        np.multiply(self._count[:count], self._down, out=at)
        at += self._phase
        at %= self._up
        np.take(self._weights, at, axis=0, out=weighted, mode="clip")
        np.multiply(self._count[:count], self._down, out=at)
        at += self._phase
        at //= self._up
        np.take(self._windows, at, axis=0, out=gathered, mode="clip")
        np.einsum("nct,nt->nc", gathered, weighted, out=out)
        self._drop(steps // self._up)
        self._phase = steps % self._up

    def _need(self, samples: int) -> None:
        """Mix until so many are in the buffer."""
        if samples > self._held:
            self._mix(self._input[self._held : samples])
            self._held = samples

    def _drop(self, samples: int) -> None:
        """Forget the first ones."""
        self._held -= samples
        self._input[: self._held] = self._input[samples : samples + self._held]


def _weights(places: int, taps: int, cutoff: float) -> Clip:
    """The weights at each place between two samples, of shape (places, taps); they sum to 1."""
    distance = np.arange(taps)[None, :] - (taps // 2 - 1) - np.arange(places)[:, None] / places
    inside = np.clip(1 - (distance / (taps / 2)) ** 2, 0, None)
    weights = np.sinc(cutoff * distance) * np.i0(_KAISER * np.sqrt(inside))
    return np.ascontiguousarray(weights / weights.sum(axis=1, keepdims=True), np.float32)
