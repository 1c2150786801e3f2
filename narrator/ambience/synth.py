"""Sounds out of nothing: noise, tones, struck bodies, distance and echo, as arrays at the product's sample rate.

A loop is a circle. Noise is shaped by a Fourier transform, which is circular by nature, an echo is a product of Fourier transforms,
and an event that runs over the end goes on at the beginning. So a loop has no seam to hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from narrator.clip import RATE

Wave = NDArray[np.float64]
Gain = Callable[[Wave], Wave]
"""The factor on each frequency in Hz."""


def clock(seconds: float) -> Wave:
    """The time in seconds of each sample of a sound of this length."""
    return np.arange(round(seconds * RATE)) / RATE


def silence(seconds: float) -> Wave:
    """Nothing, for as long."""
    return np.zeros(round(seconds * RATE))


def frequencies(length: int, rate: float = RATE) -> Wave:
    """The frequency in Hz of each value of a real Fourier transform of `length` samples."""
    return np.arange(length // 2 + 1) / (length / rate)


def shaped(rng: Generator, length: int, gain: Gain, rate: float = RATE) -> Wave:
    """A circle of `length` samples of noise with this share of each frequency, from a random spectrum. Its RMS is 1."""
    frequency = frequencies(length, rate)
    frequency[0] = frequency[1]  # no division by zero for a gain that falls
    band = gain(frequency)
    band[0] = 0  # no offset
    circle: Wave = np.fft.irfft(band * (rng.standard_normal(len(band)) + 1j * rng.standard_normal(len(band))), length)
    circle /= np.sqrt(np.mean(circle**2))
    return circle


def noise(rng: Generator, length: int, low: float, high: float) -> Wave:
    """A circle of noise between two frequencies in Hz, with skirts of 12 dB an octave. Its RMS is 1."""
    return shaped(rng, length, lambda frequency: 1 / (1 + (low / frequency) ** 2) / (1 + (frequency / high) ** 2))


def slow(rng: Generator, length: int, gain: Gain) -> Wave:
    """As `shaped`, for what changes slower than 100 times a second: 240 points a second, and lines between them."""
    step = RATE // 240
    points = shaped(rng, -(-length // step), gain, RATE / step)
    lines: Wave = np.interp(np.arange(length) / step, np.arange(len(points) + 1), np.append(points, points[0]))
    return lines


def wander(rng: Generator, length: int, slowest: float, fastest: float, slope: float) -> Wave:
    """A slow circular fluctuation around 0 with an RMS of 1, between two periods in seconds; its power falls as frequency ** -slope.

    5/3 is the wind's turbulence (Kolmogorov's law), 1 is what living things do.
    """

    def gain(frequency: Wave) -> Wave:
        return frequency ** (-slope / 2) * (frequency > 1 / slowest) * np.exp(-((frequency * fastest) ** 2))

    return slow(rng, length, gain)


def swell(rng: Generator, length: int, period: float, depth: float) -> Wave:
    """A slow circular rise and fall around 1, about `period` seconds long, `depth` in nepers (0.7 is 6 dB)."""
    return np.exp(depth * slow(rng, length, lambda frequency: np.exp(-((frequency * period) ** 2))))


def scatter(circle: Wave, event: Wave, at: float) -> None:
    """Add an event that begins `at` seconds into the circle; what runs over the end goes on at the beginning."""
    begin = round(at * RATE) % len(circle)
    first = min(len(event), len(circle) - begin)
    circle[begin : begin + first] += event[:first]
    circle[: len(event) - first] += event[first:]


def contour(seconds: float, *points: tuple[float, float], ease: float = 0.03) -> Wave:
    """A path through (time, value), the time as a share of the whole, its corners rounded over `ease` seconds as muscles round them."""
    time = clock(seconds)
    at, value = zip(*points, strict=True)
    span = max(round(ease * RATE), 1)
    path = np.interp(np.arange(-span, len(time) + span) / max(len(time) - 1, 1), at, value)
    return np.convolve(path, np.hanning(span + 2)[1:-1] / np.hanning(span + 2).sum(), "same")[span:-span]


def harmonics(path: Wave, shares: Iterable[float | Wave]) -> Wave:
    """A voice whose fundamental follows `path` in Hz; `shares` are the amplitudes of its harmonics from the first on."""
    phase = 2 * np.pi * np.cumsum(path) / RATE
    voice = np.zeros(len(path))
    for number, share in enumerate(shares, 1):
        voice += share * np.sin(number * phase) * (number * path < 0.45 * RATE)  # nothing that would fold back
    return voice


def glide(seconds: float, *frequencies: float) -> Wave:
    """A pure tone that passes through the frequencies in Hz at equal intervals, fading in and out."""
    points = [(share, pitch) for share, pitch in zip(np.linspace(0, 1, len(frequencies)), frequencies, strict=True)]
    path = contour(seconds, *points, ease=min(0.01, seconds / 4))
    return harmonics(path, [1.0]) * np.hanning(len(path))


def struck(seconds: float, modes: Iterable[tuple[float, float, float]], rise: float = 0.0008) -> Wave:
    """A body that was hit: modes of (frequency in Hz, seconds until -60 dB, amplitude), and no step at the first sample."""
    time = clock(seconds)
    body = np.zeros(len(time))
    for pitch, decay, share in modes:
        body += share * np.sin(2 * np.pi * pitch * time) * np.exp(-6.91 * time / decay)
    return body * np.minimum(time / rise, 1)


def faded(sound: Wave, seconds: float) -> Wave:
    """The sound with its last seconds fading to nothing."""
    count = round(seconds * RATE)
    return np.concatenate([sound[:-count], sound[-count:] * np.cos(np.linspace(0, np.pi / 2, count)) ** 2])


def absorption(frequency: Wave) -> Wave:
    """Decibels that a metre of air takes from a tone, at 10 °C, 80 % humidity and sea level: ISO 9613-1:1993, formulas 3 to 5."""
    kelvin, humidity = 283.15, 80.0
    warmth, square = kelvin / 293.15, frequency**2
    vapour = humidity * 10 ** (-6.8346 * (273.16 / kelvin) ** 1.261 + 4.6151)
    oxygen = 24 + 4.04e4 * vapour * (0.02 + vapour) / (0.391 + vapour)
    nitrogen = warmth**-0.5 * (9 + 280 * vapour * np.exp(-4.170 * (warmth ** (-1 / 3) - 1)))
    relaxing = 0.01275 * np.exp(-2239.1 / kelvin) / (oxygen + square / oxygen)
    relaxing += 0.1068 * np.exp(-3352 / kelvin) / (nitrogen + square / nitrogen)
    loss: Wave = 8.686 * square * (1.84e-11 * warmth**0.5 + warmth**-2.5 * relaxing)
    return loss


def far(rng: Generator, sound: Wave, metres: float, wet: float, decay: float) -> Wave:
    """The sound from a distance: what the air leaves of it, and a diffuse tail with `wet` times the energy of what comes straight.

    The tail falls by 60 dB in `decay` seconds, its treble in half of that. It goes round: a take must end in as much silence.
    In forests 2 s are typical, 1.2 to 3 were measured (Albert et al., "Low frequency acoustic pulse propagation in temperate
    forests", J. Acoust. Soc. Am. 138, 2015).
    """
    frequency = frequencies(len(sound))
    straight = np.fft.rfft(sound) * 10 ** (-metres * absorption(frequency) / 20)
    time = clock(decay)
    tail = noise(rng, len(time), 100, 1200) * np.exp(-6.91 * time / decay)
    tail += noise(rng, len(time), 1200, 6000) * np.exp(-13.8 * time / decay)
    tail *= np.minimum(time / 0.02, 1)  # the first echoes come from some metres off
    tail *= np.sqrt(wet / np.sum(tail**2))
    tail[0] += 1
    heard: Wave = np.fft.irfft(straight * np.fft.rfft(tail, len(sound)), len(sound))
    return heard


def take(rng: Generator, sound: Wave, metres: float, wet: float, decay: float) -> Wave:
    """A single sound from a distance, as `far`, with its tail after it, which fades out where it is 70 dB below the loudest."""
    heard = far(rng, np.concatenate([sound, silence(decay)]), metres, wet, decay)
    audible = np.flatnonzero(np.abs(heard) > np.abs(heard).max() * 10 ** (-70 / 20))
    return faded(heard[: audible[-1]], 0.2) * np.minimum(np.arange(audible[-1]) / 48, 1)


def chime() -> Wave:
    """Two strokes of a small bell, a falling third apart, its partials dying one by one: to be heard and found again."""
    time = clock(1.4)
    sound = np.zeros(len(time))
    for begin, pitch in ((0.0, 988.0), (0.45, 784.0)):
        rung = np.maximum(time - begin, 0.0)
        for partial, fade, share in ((1.0, 0.35, 1.0), (2.76, 0.14, 0.4), (5.4, 0.06, 0.2)):
            sound += share * np.sin(2 * np.pi * pitch * partial * rung) * np.exp(-rung / fade) * (time >= begin)
    sound /= np.abs(sound).max()
    return sound
