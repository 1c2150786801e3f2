"""What can be told about a sound without ears: spectra, envelopes, rhythm, repetition, seams. Arithmetic only, no opinions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from narrator.ambience.loudness import momentary
from narrator.ambience.synth import Wave, frequencies
from narrator.clip import RATE, read

HOME = Path(__file__).parents[2] / "voices" / "ambience"


def load(name: str) -> Wave:
    """A shipped file, decoded, by its place in voices/ambience without ending: `beds/wind`."""
    return read(HOME / f"{name}.ogg").astype(np.float64)


def decibels(ratio: float) -> float:
    """Of a ratio of powers."""
    return float(10 * np.log10(max(ratio, 1e-20)))


def spectrum(sound: Wave, size: int = 4096) -> tuple[Wave, Wave]:
    """Frequencies in Hz and the mean power of each, from overlapping Hann windows of `size` samples."""
    padded = np.concatenate([sound, np.zeros(size)])
    window = np.hanning(size)
    total = np.zeros(size // 2 + 1)
    for begin in range(0, len(sound), size // 2):
        total += np.abs(np.fft.rfft(padded[begin : begin + size] * window)) ** 2
    return frequencies(size), total


def centroid(sound: Wave) -> float:
    """The mean frequency in Hz, weighted by power."""
    frequency, power = spectrum(sound)
    return float(np.sum(frequency * power) / np.sum(power))


def share(sound: Wave, low: float, high: float) -> float:
    """The part of the power between two frequencies, 0 to 1."""
    frequency, power = spectrum(sound)
    return float(power[(frequency >= low) & (frequency < high)].sum() / power.sum())


def slope(sound: Wave, low: float, high: float) -> float:
    """Decibels an octave by which the power density changes between two frequencies."""
    frequency, power = spectrum(sound)
    inside = (frequency >= low) & (frequency <= high)
    octave = np.arange(np.log2(low), np.log2(high), 1 / 3)
    level = [10 * np.log10(power[inside & (np.abs(np.log2(np.maximum(frequency, 1)) - at) < 1 / 6)].mean()) for at in octave + 1 / 6]
    return float(np.polyfit(octave, level, 1)[0])


def strongest(sound: Wave, low: float, high: float) -> float:
    """The frequency in Hz of the highest peak between two frequencies, as fine as the sound's length allows (16 times its bins)."""
    size = min(16 * len(sound), 1 << 21)
    windowed = sound[: min(len(sound), size)]
    power = np.abs(np.fft.rfft(windowed * np.hanning(len(windowed)), size))
    frequency = frequencies(size)
    power[(frequency < low) | (frequency > high)] = 0
    return float(frequency[np.argmax(power)])


def banded(sound: Wave, low: float, high: float) -> Wave:
    """The sound between two frequencies in Hz."""
    bins = np.fft.rfft(sound)
    frequency = frequencies(len(sound))
    bins[(frequency < low) | (frequency > high)] = 0
    return np.fft.irfft(bins, len(sound))


def envelope(sound: Wave, rate: int = 200) -> Wave:
    """The RMS of each frame, `rate` frames a second."""
    step = RATE // rate
    return np.sqrt(np.mean(sound[: len(sound) // step * step].reshape(-1, step) ** 2, axis=1))


def modulation(sound: Wave, bands: Sequence[tuple[float, float]], slowest: float, fastest: float) -> float:
    """The rate in Hz at which the sound's strength changes most, over bands in Hz: power times rate, as in Ding et al. 2017."""
    total, rate = np.zeros(1), np.zeros(1)
    for low, high in bands:
        strength = envelope(banded(sound, low, high))
        power = np.abs(np.fft.rfft(strength / strength.mean() - 1)) ** 2
        rate = np.arange(len(power)) * 200 / len(strength)
        total = total + power * rate
    grid = np.exp(np.arange(np.log(slowest), np.log(fastest), 0.05))
    level = [total[(rate > at / 1.15) & (rate < at * 1.15)].mean() for at in grid]
    return float(grid[int(np.argmax(level))])


def onsets(sound: Wave, above: float, rest: float = 0.05) -> Wave:
    """The times in seconds at which the 5 ms envelope rises past `above` of its highest, at least `rest` seconds apart."""
    strength = envelope(sound)
    times = np.flatnonzero((strength[1:] >= above * strength.max()) & (strength[:-1] < above * strength.max())) / 200
    kept: list[float] = []
    for time in times:
        if not kept or time - kept[-1] >= rest:
            kept.append(float(time))
    return np.array(kept)


def pitches(sound: Wave, low: float, high: float, floor: float = 20.0) -> Wave:
    """The strongest frequency in Hz of each 43 ms within `floor` decibels of the loudest: the melody of one voice."""
    size = 2048
    windows = np.stack([sound[at : at + size] for at in range(0, len(sound) - size, size // 2)]) * np.hanning(size)
    power = np.abs(np.fft.rfft(windows, 4 * size)) ** 2
    frequency = frequencies(4 * size)
    power[:, (frequency < low) | (frequency > high)] = 0
    loud = power.max(axis=1)
    return frequency[power.argmax(axis=1)][loud > loud.max() * 10 ** (-floor / 10)]


def decay(sound: Wave, pitch: float, width: float, begin: float, end: float) -> float:
    """Seconds until a partial has fallen by 60 dB, from the line through its level between two times."""
    strength = envelope(banded(sound, pitch - width, pitch + width), 50)
    time = np.arange(len(strength)) / 50
    inside = (time >= begin) & (time <= end)
    return float(-60 / np.polyfit(time[inside], 20 * np.log10(strength[inside] + 1e-9), 1)[0])


def lasting(sound: Wave, floor: float = 20.0) -> float:
    """Seconds from the first to the last 5 ms within `floor` decibels of the loudest."""
    loud = np.flatnonzero(envelope(sound) > envelope(sound).max() * 10 ** (-floor / 20))
    return float((loud[-1] - loud[0] + 1) / 200)


@dataclass(frozen=True, slots=True)
class Repetition:
    """The highest normalised autocorrelation of a loop between two lags, and what chance gives.

    The spectrum is flattened first, over 1 Hz, so that neither colour nor slow swells count, which make every sound like itself. What is
    left of a sound without repetition is like white noise, whose autocorrelation has a standard deviation of 1 / sqrt(samples), the
    samples being as many as the spectrum is broad; the highest of n of them is about sqrt(2 ln n) of those.
    """

    highest: float
    lag: float
    chance: float

    @property
    def ratio(self) -> float:
        """The highest beside what chance gives as the highest: about 1 where nothing repeats."""
        return self.highest / self.chance


def repetition(
    signal: Wave, rate: float, band: tuple[float, float], lags: tuple[float, float], skip: tuple[float, float] = (0, 0)
) -> Repetition:
    """Look for a loop's repetitions at lags in seconds. `band` in Hz is what of it counts; `skip` (period, width) in seconds leaves out
    the lags within `width` of a multiple of a rhythm's period."""
    power = np.abs(np.fft.rfft(signal - signal.mean())) ** 2
    frequency = np.arange(len(power)) * rate / len(signal)
    inside = (frequency >= band[0]) & (frequency <= band[1])
    width = max(round(len(signal) / rate), 3)  # bins in 1 Hz
    smooth = np.convolve(np.where(inside, power, 0), np.ones(width), "same") / np.maximum(np.convolve(inside, np.ones(width), "same"), 1)
    flat = np.where(inside, power / np.maximum(smooth, 1e-30), 0)
    flat *= inside
    likeness = np.fft.irfft(flat, len(signal))
    lag = np.arange(len(signal)) / rate
    looked = (lag >= lags[0]) & (lag <= lags[1])
    if skip[0]:
        looked &= np.abs((lag + skip[0] / 2) % skip[0] - skip[0] / 2) > skip[1]
    heights = np.where(looked, np.abs(likeness), 0) / likeness[0]
    best = int(np.argmax(heights))
    count = 4 * flat.sum() ** 2 / np.sum(flat**2)  # 2 for each bin of a noise, fewer where the power is in lines
    return Repetition(float(heights[best]), float(lag[best]), float(np.sqrt(2 * np.log(looked.sum() * count / len(signal)) / count)))


LAGS = (5.0, 120.0)
"""Seconds in which a listener might notice that a bed repeats."""

RHYTHMS = {"ticking": (1.0, 0.06)}
"""Seconds of a bed's own period, and how far from its multiples a repetition still is the rhythm's."""


def wave_repetition(name: str, bed: Wave) -> Repetition:
    """Of the waveform, in the band that holds all but a hundredth of the power."""
    frequency, power = spectrum(bed)
    low, high = (frequency[np.searchsorted(np.cumsum(power) / power.sum(), part)] for part in (0.005, 0.995))
    return repetition(bed, RATE, (low, high), LAGS, RHYTHMS.get(name, (0, 0)))


def envelope_repetition(name: str, bed: Wave) -> Repetition:
    """Of the loudness in 20 ms, in what of it changes between 0.3 and 20 times a second."""
    return repetition(envelope(bed, 50), 50, (0.3, 20), LAGS, RHYTHMS.get(name, (0, 0)))


@dataclass(frozen=True, slots=True)
class Seam:
    """A loop's end beside its beginning. Each figure is a rank: the share of other places in the loop that are calmer, 0 to 1."""

    step: float
    slope: float
    treble: float
    loudness: float


def seam(loop: Wave) -> Seam:
    """Wave, slope, treble (above 3 kHz) and loudness in 20 ms across the loop point, among all other 20 ms of the loop."""
    frame = RATE // 50
    turned = np.roll(loop, frame // 2)[: len(loop) // frame * frame]  # the seam in the middle of the first frame

    def rank(values: Wave) -> float:
        return float(np.mean(values[1:] < values[0]))

    def highest(order: int) -> Wave:
        return np.abs(np.diff(np.append(turned, turned[:order]), order)).reshape(-1, frame).max(axis=1)

    treble = np.sqrt(np.mean(banded(turned, 3000, RATE / 2).reshape(-1, frame) ** 2, axis=1))
    loudness = np.sqrt(np.mean(turned.reshape(-1, frame) ** 2, axis=1))
    return Seam(rank(highest(1)), rank(highest(2)), rank(treble), rank(loudness))


def loud(sound: Wave) -> float:
    """LUFS of the louder moments: a tenth of the 0.4 s are louder."""
    return float(np.quantile(momentary(sound), 0.9))
