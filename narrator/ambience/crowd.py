"""People talking far off: voices with a glottis and a moving mouth, saying nothing in no language.

Source and filter (Fant, "Acoustic Theory of Speech Production", 1960): a sawtooth for the glottis (its
-6 dB an octave are the -12 of the glottis and the +6 of the lips) and noise for the consonants go
through four resonances that glide from vowel to vowel. Syllables come four to five a second, as in speech of every language measured (Ding
et al., "Temporal modulations in speech and music", 2017). What is said are vowels and consonants at random.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from narrator.ambience.synth import Wave, frequencies
from narrator.clip import RATE

_HOP = 480
"""Samples between two shapes of the mouth: 20 ms. Every loop of whole seconds holds a whole number of them."""

_BINS = 200
"""Of the mouth's spectrum, 25 Hz each: far off nothing is heard above 5 kHz."""

_VOWELS = (
    (270, 2290, 3010),
    (300, 870, 2240),
    (730, 1090, 2440),
    (530, 1840, 2480),
    (570, 840, 2410),
    (640, 1190, 2390),
    (390, 1990, 2550),
)
"""First three formants in Hz of seven vowels of men (Peterson & Barney, "Control Methods Used in a Study of the Vowels", 1952)."""

_LOCI = (750, 1700, 2100, 1300)
"""Second formant in Hz at which a consonant closes: lips, tongue tip, palate, and in between."""

_WIDTHS = (80.0, 100.0, 140.0, 300.0)
"""Band widths of the formants in Hz."""


def talker(rng: Generator, length: int, pitch: float, tract: float) -> Wave:
    """A circle of one voice with its pauses: `pitch` in Hz (men about 120, women 210), formants `tract` times those of a man."""
    shapes = _utterances(rng, length // _HOP, pitch)
    voiced, hissed = (np.repeat(shapes[:, row], _HOP) for row in (0, 1))
    path = np.interp(np.arange(length), np.arange(len(shapes)) * _HOP, shapes[:, 2])
    turns = np.cumsum(path * (1 + 0.01 * np.repeat(rng.standard_normal(len(shapes)), _HOP))) / RATE
    source = voiced * (2 * (turns % 1) - 1) + 0.5 * hissed * rng.standard_normal(length)
    voice = _mouth(source, np.column_stack([shapes[:, 3:], np.full(len(shapes), rng.normal(3500, 150))]) * tract)
    return np.roll(voice, rng.integers(length))  # not everybody is silent at the loop's end


def _utterances(rng: Generator, frames: int, pitch: float) -> NDArray[np.float64]:
    """For each frame: strength of voice, strength of hiss, pitch in Hz, and three formants in Hz. Phrases of 1 to 3 s with pauses."""
    points: list[tuple[float, ...]] = [(0.0, 0.0, 0.0, pitch, 480.0, 1400.0, 2500.0)]
    at, end = 0.3, frames * _HOP / RATE - 0.6
    while at < end:
        stop = min(at + rng.uniform(0.8, 3.0), end)
        begin, span = at, stop - at
        while at < stop:
            melody = pitch * (1.15 - 0.3 * (at - begin) / max(span, 0.5)) * rng.normal(1, 0.06)  # it sinks through the phrase
            points += _syllable(rng, at, melody)
            at = points[-1][0] + 0.01
        points.append((at + 0.06, 0.0, 0.0, *points[-1][3:]))
        at += rng.gamma(2.0, 0.7) + 0.3
        points.append((at - 0.05, 0.0, 0.0, *points[-1][3:]))
    track = np.array(points)
    time = np.arange(frames) * _HOP / RATE
    return np.stack([np.interp(time, track[:, 0], track[:, row]) for row in range(1, 7)], axis=1)


def _syllable(rng: Generator, at: float, pitch: float) -> list[tuple[float, ...]]:
    """A consonant and a vowel: points of (seconds, voice, hiss, pitch, formants)."""
    first, second, third = _VOWELS[rng.integers(len(_VOWELS))]
    locus, stress = _LOCI[rng.integers(len(_LOCI))], rng.uniform(0.7, 1.0)
    closed, hiss = rng.choice((0.02, 0.08, 0.25)), rng.choice((0.0, 0.15, 0.5), p=(0.5, 0.25, 0.25))
    onset, vowel = rng.uniform(0.06, 0.1), rng.uniform(0.1, 0.17)
    return [
        (at, closed * stress, hiss, pitch, 300.0, float(locus), 2400.0),
        (at + onset * 0.6, closed * stress, hiss, pitch, 300.0, float(locus), 2400.0),
        (at + onset, stress, 0.03, pitch * 1.03, first * 0.9, (second + locus) / 2, float(third)),
        (at + onset + vowel / 2, stress, 0.02, pitch, float(first), float(second), float(third)),
        (at + onset + vowel, stress * 0.5, 0.02, pitch * 0.96, first * 0.85, second * 0.95 + 70, float(third)),
    ]


def _mouth(source: Wave, formants: NDArray[np.float64]) -> Wave:
    """The source through resonances that change from frame to frame: overlapping windows, each with its own spectrum."""
    window = np.sqrt(np.hanning(2 * _HOP + 1)[:-1])
    blocks = source.reshape(-1, _HOP)
    frames = np.concatenate([blocks, np.roll(blocks, -1, axis=0)], axis=1) * window
    frequency = frequencies(2 * _HOP)[:_BINS]
    gain = (frequency > 90) * np.hypot(1, frequency / 600) ** 1.2 + np.zeros((len(formants), 1))  # with effort a voice is brighter
    for centre, width in zip(formants.T, _WIDTHS, strict=True):
        square = centre[:, None] ** 2
        gain = gain * (square / np.hypot(square - frequency**2, width * frequency))
    heard = np.fft.irfft(np.fft.rfft(frames)[:, :_BINS] * gain, 2 * _HOP) * window
    return (heard[:, :_HOP] + np.roll(heard[:, _HOP:], 1, axis=0)).ravel()
