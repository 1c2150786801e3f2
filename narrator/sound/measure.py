"""How loud a recording is, and how loud and how late a known clip is in it: what tells whether a microphone stands well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from narrator.clip import RATE, Clip

AUDIBLE = 3.5
"""dB above the room from which on something is heard: from there on SpeechRecognition takes it for a voice (its `dynamic_energy_ratio`,
1.5 in amplitude)."""

FAINTEST = -60.0
"""dBFS below which nothing is heard however quiet the room is: so faint is what is left of a sound once it has died away."""

_Samples: TypeAlias = NDArray[np.floating[Any]]

_BLOCK = 0.02       # seconds
_QUIET = 3          # blocks one after the other: a single one may fall between two waves of what is dying away
_LOUD = -20.0       # dB below the loudest block: blocks fainter than this are pauses in what is said
_NOTHING = 1e-12    # of full scale's power


@dataclass(frozen=True, slots=True)
class Found:
    """Where a recording resembles a clip most.

    at        the recording's sample at which the clip begins
    likeness  correlation of the two from there on: 1 for the clip itself, 0 for silence
    """

    at: int
    likeness: float


def level(samples: Clip) -> float:
    """The mean, in dB of a mean square of 1."""
    return float(10 * np.log10(np.mean(np.square(samples, dtype=np.float64)) + _NOTHING))


def speech_level(samples: _Samples, rate: int) -> float:
    """The same of a voice without its pauses. At least 20 ms of it."""
    power = _blocks(samples, rate)
    return float(10 * np.log10(np.mean(power[power >= power.max() * 10 ** (_LOUD / 10)]) + _NOTHING))


def find(clip: Clip, heard: Clip) -> Found:
    """Look for a clip in a recording of the same rate; in one that is shorter it is not."""
    if len(heard) < len(clip):
        return Found(0, 0.0)
    size = len(heard) + len(clip)
    products = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(clip, size)), size)[: len(heard) - len(clip) + 1]
    sums = np.concatenate([[0.0], np.cumsum(np.square(heard, dtype=np.float64))])
    energy = sums[len(clip) :] - sums[: -len(clip)]
    likeness = products / np.sqrt(energy * np.sum(np.square(clip, dtype=np.float64)) + 1e-9)
    at = int(np.argmax(likeness))
    return Found(at, float(likeness[at]))


def fades(heard: Clip, end: int, room: float) -> int:
    """The sample of a recording from which on nothing is heard of what ends at `end`, nor of its echo, in a room of so many dBFS."""
    power = _blocks(heard[end:], RATE)
    if len(power) < _QUIET:
        return len(heard)
    loudest = sliding_window_view(power, _QUIET).max(axis=1)
    quiet = np.flatnonzero(10 * np.log10(loudest + _NOTHING) < max(room + AUDIBLE, FAINTEST))
    return end + int(quiet[0]) * round(_BLOCK * RATE) if len(quiet) else len(heard)


def _blocks(samples: _Samples, rate: int) -> NDArray[np.float64]:
    """The power of each 20 ms."""
    block = round(_BLOCK * rate)
    whole = np.square(samples[: len(samples) // block * block], dtype=np.float64).reshape(-1, block)
    return np.asarray(whole.mean(axis=1))
