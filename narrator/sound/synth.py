"""Sounds out of nothing: noise bands, chirps, hoots, crackles and knocks, as arrays at the product's sample rate.

A loop is a circle. Noise is shaped by a Fourier transform, which is circular by nature, and an event that runs over the end
goes on at the beginning. So a loop has no seam to hide.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from narrator.clip import RATE

Wave = NDArray[np.float64]


def noise(rng: Generator, length: int, low: float, high: float) -> Wave:
    """A circle of `length` samples of noise between two frequencies in Hz, with skirts of 12 dB an octave. Its RMS is 1."""
    frequency = np.fft.rfftfreq(length, 1 / RATE)
    frequency[0] = 1 / length  # no division by zero; the constant part falls far below the band
    band = 1 / (1 + (low / frequency) ** 2) / (1 + (frequency / high) ** 2)
    return _circle(rng, length, band)


def swell(rng: Generator, length: int, period: float, depth: float) -> Wave:
    """A slow circular rise and fall around 1, about `period` seconds long, `depth` in nepers (0.7 is 6 dB)."""
    frequency = np.fft.rfftfreq(length, 1 / RATE)
    band = np.exp(-((frequency * period) ** 2))
    band[0] = 0
    return np.exp(depth * _circle(rng, length, band))


def _circle(rng: Generator, length: int, band: Wave) -> Wave:
    """Noise with this share of each frequency, from a random spectrum: what a Fourier transform makes has no beginning. Its RMS is 1."""
    circle: Wave = np.fft.irfft(band * (rng.standard_normal(len(band)) + 1j * rng.standard_normal(len(band))), length)
    circle /= np.sqrt(np.mean(circle**2))
    return circle


def scatter(circle: Wave, event: Wave, at: float) -> None:
    """Add an event that begins `at` seconds into the circle; what runs over the end goes on at the beginning."""
    places = (round(at * RATE) + np.arange(len(event))) % len(circle)
    circle[places] += event


def tone(length: int, frequency: float) -> Wave:
    """A circle of a steady tone, at the nearest frequency in Hz that closes."""
    turns = round(frequency * length / RATE)
    return np.sin(2 * np.pi * turns * np.arange(length) / length)


def glide(seconds: float, *frequencies: float) -> Wave:
    """A tone that passes through the frequencies in Hz at equal intervals, fading in and out."""
    count = round(seconds * RATE)
    path = np.interp(np.linspace(0, len(frequencies) - 1, count), np.arange(len(frequencies)), frequencies)
    return np.sin(2 * np.pi * np.cumsum(path) / RATE) * np.hanning(count)


def cricket(rng: Generator, pitch: float, pulses: int) -> Wave:
    """One chirp: `pulses` short rubs of a wing, 50 a second, at about `pitch` Hz."""
    rub = glide(0.016, pitch * 1.02, pitch * 0.98)
    chirp = np.zeros(round((pulses * 0.02) * RATE))
    for number in range(pulses):
        begin = round(number * 0.02 * RATE)
        chirp[begin : begin + len(rub)] += rub * (0.5 + 0.5 * number / pulses) * rng.uniform(0.85, 1)
    return chirp


def owl() -> Wave:
    """A tawny owl far off: a long hoot, a pause, a short one, and a long one that trembles."""

    def hoot(seconds: float, pitch: float) -> Wave:
        return glide(seconds, pitch * 0.94, pitch, pitch * 0.97) + 0.12 * glide(seconds, pitch * 1.88, pitch * 2, pitch * 1.94)

    tremble = hoot(1.1, 415)
    tremble *= 1 + 0.35 * np.sin(2 * np.pi * 9 * np.arange(len(tremble)) / RATE)
    pause = np.zeros
    return np.concatenate([hoot(0.7, 420), pause(round(1.3 * RATE)), hoot(0.16, 400), pause(round(0.12 * RATE)), tremble])


def bird(rng: Generator) -> Wave:
    """One call: two to six notes between 2 and 6 kHz that bend up or down, each like the one before but for a little."""
    pitch, bend = rng.uniform(2400, 4600), rng.uniform(0.75, 1.3)
    seconds, gap = rng.uniform(0.05, 0.15), rng.uniform(0.03, 0.12)
    notes = []
    for _ in range(rng.integers(2, 7)):
        start = pitch * rng.uniform(0.95, 1.05)
        notes += [glide(seconds, start, start * (1 + bend) / 2, start * bend), np.zeros(round(gap * RATE))]
    return np.concatenate(notes)


def crackle(rng: Generator) -> Wave:
    """One snap of burning wood: a burst of noise that dies in a few milliseconds."""
    fade = rng.uniform(0.001, 0.006)
    count = round(8 * fade * RATE)
    snap = rng.standard_normal(count) * np.exp(-np.arange(count) / (fade * RATE))
    return np.convolve(snap, [0.25, 0.5, 0.25], "same")


def knock(rng: Generator) -> Wave:
    """A small piece of wood set down: three dull tones that die at once, and the click of the touch."""
    time = np.arange(round(0.16 * RATE)) / RATE
    size = rng.uniform(0.85, 1.2)
    wood = np.zeros(len(time))
    for pitch, fade, share in ((410, 0.024, 1.0), (980, 0.014, 0.7), (2150, 0.007, 0.4)):
        wood += share * np.sin(2 * np.pi * pitch / size * time) * np.exp(-time / fade)
    touch = rng.standard_normal(len(time)) * np.exp(-time / 0.0015)
    rise = np.minimum(time / 0.0008, 1)  # a step at the first sample would be a click of its own
    end = np.minimum((time[-1] - time) / 0.01, 1)
    wood += 0.5 * touch
    wood *= rise * end
    return wood


def chime() -> Wave:
    """Two strokes of a small bell, a falling third apart, its partials dying one by one: to be heard and found again."""
    time = np.arange(round(1.4 * RATE)) / RATE
    sound = np.zeros(len(time))
    for begin, pitch in ((0.0, 988.0), (0.45, 784.0)):
        rung = np.maximum(time - begin, 0.0)
        for partial, fade, share in ((1.0, 0.35, 1.0), (2.76, 0.14, 0.4), (5.4, 0.06, 0.2)):
            sound += share * np.sin(2 * np.pi * pitch * partial * rung) * np.exp(-rung / fade) * (time >= begin)
    sound /= np.abs(sound).max()
    return sound
