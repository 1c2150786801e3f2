"""The recipes of the beds: what lies under a scene for as long as it lasts. Each makes a circle of so many samples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.random import Generator

from narrator.ambience.birds import SPECIES, Song
from narrator.ambience.creatures import field_cricket, tree_cricket
from narrator.ambience.crowd import talker
from narrator.ambience.synth import Wave, far, frequencies, noise, scatter, shaped, slow, swell, wander
from narrator.ambience.things import crackle, drip, heart_sound, splash, tick
from narrator.clip import RATE


def wind(rng: Generator, length: int) -> Wave:
    """Wind in a forest: the roar of the branches, the rustle of leaves, and whistles that climb as the gust does.

    A gust's speed fluctuates as turbulence does. The sound that a flow makes at an edge grows with a high power of its speed, its
    pitch with the speed itself (vortex shedding), so a gust is brighter as well as louder. Bare branches peak at about 200 Hz
    ("The sound of the wind in the trees", wigtonphysics, 2023); leaves rustle some octaves above, and flutter already in a weak wind
    (Tadrist et al., "Foliage motion under wind", J. R. Soc. Interface, 2018): they follow the gust, but less steeply than the branches.
    """
    gust = 0.26 * wander(rng, length, 40, 0.4, 5 / 3)  # the logarithm of the speed
    circle = np.zeros(length)
    for low, high, share, power in ((60, 220, 0.9, 1.6), (200, 550, 0.75, 2.2), (500, 1300, 0.36, 2.9), (1300, 3000, 0.16, 3.5)):
        circle += share * noise(rng, length, low, high) * np.exp(power * gust)
    for delay in (0, 1, 3):  # trees that the gust reaches one after the other
        leaves = np.roll(gust, delay * RATE) + 0.12 * wander(rng, length, 4, 0.15, 5 / 3)
        circle += 0.09 * noise(rng, length, 2200, 5500) * np.exp(2.6 * leaves)
    for pitch in (330, 480, 610):
        circle += 0.06 * _whistle(rng, pitch * np.exp(0.6 * gust), 18) * np.exp(3.5 * gust)
    return circle


def _whistle(rng: Generator, path: Wave, width: float) -> Wave:
    """A band of noise, `width` Hz wide, whose middle follows a path in Hz. It closes: the path is bent to a whole number of turns."""
    turns = np.cumsum(path) / RATE
    turns += np.arange(1, len(path) + 1) / len(path) * (round(turns[-1]) - turns[-1])
    real, imaginary = (slow(rng, len(path), lambda frequency: np.exp(-((frequency / width) ** 2))) for _ in range(2))
    return real * np.cos(2 * np.pi * turns) - imaginary * np.sin(2 * np.pi * turns)


def air(rng: Generator, length: int) -> Wave:
    """The still air of a morning: a hush from everywhere that falls towards the treble, and a leaf that moves now and then."""
    hush = shaped(rng, length, lambda frequency: 1 / (1 + (90 / frequency) ** 2) / (1 + frequency / 400) / (1 + (frequency / 4500) ** 2))
    breeze = wander(rng, length, 30, 1.5, 5 / 3)
    leaves = noise(rng, length, 2000, 5200) * np.exp(0.7 * breeze + 0.3 * wander(rng, length, 3, 0.15, 1))
    return hush * np.exp(0.12 * breeze) + 0.07 * leaves


def rain(rng: Generator, length: int) -> Wave:
    """Steady rain on leaves and ground: a hiss of drops too far to tell apart, near ones, and drips into puddles.

    Drops fall evenly over the ground, so there are twice as many at twice the distance, each half as loud: amplitudes follow a power law.
    """
    strength = swell(rng, length, 7, 0.1)
    circle = noise(rng, length, 1100, 6500) * strength + 0.3 * noise(rng, length, 250, 900)
    drops = [splash(rng) for _ in range(200)]
    for at in rng.uniform(0, length / RATE, 160 * length // RATE):
        loudness = min(rng.uniform() ** -0.5, 9) * rng.uniform(0.5, 1.0)
        scatter(circle, 0.8 * loudness * drops[rng.integers(len(drops))], at)
    for at in rng.uniform(0, length / RATE, 2 * length // RATE):
        scatter(circle, rng.uniform(0.8, 3.2) * drip(rng), at)
    return circle


def fire(rng: Generator, length: int) -> Wave:
    """A hearth: the lapping of the flames, the hiss of the gases, and crackles.

    Three parts as in Farnell, "Designing Sound", 2010; the lapping falls by a power law above its lowest frequencies (Chadwick & James,
    "Animating Fire with Sound", 2011). Flames as wide as a hearth flicker a few times a second. Crackling things snap at all sizes, by
    a power law, and in bursts, one crack setting off the next (Sethna, Dahmen & Myers, "Crackling noise", Nature, 2001).
    """
    flicker = np.exp(0.45 * wander(rng, length, 1.5, 0.1, 0.6))
    lapping = shaped(rng, length, lambda frequency: (1 + (frequency / 180) ** 2) ** -0.9 / (1 + (80 / frequency) ** 4))
    circle = lapping * flicker * swell(rng, length, 3, 0.25)
    circle += 0.09 * noise(rng, length, 2500, 7000) * np.exp(0.5 * wander(rng, length, 20, 0.3, 1))
    for burst in rng.uniform(0, length / RATE, round(1.4 * length / RATE)):
        for _ in range(rng.geometric(0.3)):
            loudness = min(0.8 * rng.uniform() ** (-1 / 1.5), 14.0)
            scatter(circle, loudness * crackle(rng), burst + rng.exponential(0.12))
    return far(rng, circle, 2, 0.12, 0.35)


def murmur(rng: Generator, length: int) -> Wave:
    """Fourteen people at the far end of a village square: voices, but no word."""
    voices = np.zeros(length)
    for number in range(14):
        woman = number % 2 == 1
        pitch = rng.uniform(180, 250) if woman else rng.uniform(95, 145)
        voice = talker(rng, length, pitch, rng.uniform(1.12, 1.2) if woman else rng.uniform(0.95, 1.05))
        voices += voice * np.exp(rng.normal(0, 0.5)) / np.sqrt(np.mean(voice**2))
    square = far(rng, voices, 120, 0.5, 0.7)
    spectrum = np.fft.rfft(square)
    spectrum /= np.hypot(1, frequencies(length) / 2200)  # round the corners of houses the treble is lost
    return np.fft.irfft(spectrum, length) + 0.1 * noise(rng, length, 150, 900)


_ROOT = 98.0
"""The drone's lowest tone in Hz: a small loudspeaker still plays its octave."""

_CHORDS = ((1, 1.5, 2, 3, 4), (1, 1.5, 2.25, 3, 4), (1.125, 1.6875, 2.25, 3.375, 4.5), (1, 1.5, 2, 2.5, 3))
"""Chords of fifths, fourths and seconds on a pentatonic scale, as ratios to the root: none asks for the next, so none is a melody."""


def drone(rng: Generator, length: int) -> Wave:
    """A soft pad that breathes, like somebody humming a child asleep: four chords that drift into each other and back to the first.

    Every partial is a choir, a band of noise less than a hertz wide: it beats as voices a few cents apart do, and never twice alike.
    """
    turn = 4 * np.arange(length) / length
    circle = np.zeros(length)
    for order, chord in enumerate(_CHORDS):
        near = np.abs((turn - order + 2) % 4 - 2)
        circle += shaped(rng, length, partial(_choir, chord)) * np.cos(np.clip(near, 0, 1) * np.pi / 2)
    breath = np.exp(0.35 * slow(rng, length, lambda frequency: np.exp(-(((frequency - 0.15) / 0.05) ** 2))))
    return circle * breath


def _choir(chord: tuple[float, ...], frequency: Wave) -> Wave:
    """The spectrum of a chord: five harmonics on each tone, softer the higher, each 0.3 Hz wide and wider above."""
    band = np.zeros(len(frequency))
    for ratio in chord:
        for harmonic in range(1, 6):
            centre = _ROOT * ratio * harmonic
            width = 0.3 + centre / 2500
            band += np.exp(-(((frequency - centre) / width) ** 2)) / harmonic**1.6 / (1 + (centre / 500) ** 2) / width**0.5
    return band


def crickets(rng: Generator, length: int) -> Wave:
    """A warm night: five field crickets and two tree crickets, each at its own place, and a meadow of others too far to tell apart."""
    circle = 0.02 * noise(rng, length, 4300, 4900) * swell(rng, length, 3, 0.2) + 0.02 * air(rng, length)
    for metres in (8, 12, 17, 24, 35):
        circle += _singing(rng, length, field_cricket, metres)
    for metres in (14, 22):
        circle += 0.6 * _singing(rng, length, tree_cricket, metres)
    return circle


def _singing(rng: Generator, length: int, chirp: Callable[[Generator], tuple[Wave, float]], metres: float) -> Wave:
    """One cricket at its distance: bouts of song with rests between them, its pace drifting with its mood."""
    one = np.zeros(length)
    seconds, start = length / RATE, rng.uniform(0, length / RATE)
    mood, lift = swell(rng, length, 4, 0.09), rng.uniform(0.93, 1.06)
    at, rest = 0.0, rng.uniform(10, 40)
    while at < seconds - 0.8:  # the gap at the seam is then like the others
        sound, gap = chirp(rng)
        pitched = np.interp(np.arange(0, len(sound) - 1, lift), np.arange(len(sound)), sound)  # each has its own size
        scatter(one, pitched * rng.uniform(0.85, 1.0), start + at)
        at += gap * mood[int(at * RATE)]
        if at > rest:
            at += rng.uniform(1.5, 6)
            rest = at + rng.uniform(12, 45)
    return far(rng, one, metres, 0.06, 0.7) * 10 / metres


def birds(rng: Generator, length: int) -> Wave:
    """The morning chorus: nine singers of six species, each at its distance, singing whenever it likes, over the air of the morning."""
    circle = 0.018 * air(rng, length)
    for number, metres in enumerate((18, 25, 32, 40, 50, 60, 75, 90, 110)):
        singer = SPECIES[number % len(SPECIES)](rng)
        circle += _chorister(rng, length, singer, metres)
    return circle


def _chorister(rng: Generator, length: int, song: Song, metres: float) -> Wave:
    """One singer for the whole circle: songs with pauses of 2 to 9 s."""
    one, seconds = np.zeros(length), length / RATE
    start, at = rng.uniform(0, seconds), 0.0
    while at < seconds - 3:
        sung = song(rng)
        scatter(one, sung * rng.uniform(0.6, 1.0), start + at)
        at += len(sung) / RATE + rng.gamma(4.0, 1.1)
    return far(rng, one, metres, 0.3, 1.2) * 20 / metres


def heartbeat(rng: Generator, length: int) -> Wave:
    """A heart at rest, about 60 beats a minute, quicker with every breath in.

    Breathing moves the pulse (respiratory sinus arrhythmia), some 15 times a minute, slower waves of about 0.1 Hz do as well. Systole
    takes about a third of a second and changes little; breathing in also parts the two valves of the second sound.
    """
    seconds = length / RATE
    breath = slow(rng, length, lambda frequency: np.exp(-(((frequency - 0.24) / 0.04) ** 2)))
    pulse = 1.0 - 0.035 * breath - 0.035 * wander(rng, length, 30, 5, 1)
    gaps, at = [], 0.0
    while at < seconds - 0.5:
        gaps.append(pulse[int(at * RATE)])
        at += gaps[-1]
    beats = np.cumsum(gaps) * seconds / at  # a whole number of beats in the loop
    circle = np.zeros(length)
    for beat in beats:
        inward = breath[int(beat * RATE) % length]
        force = rng.normal(1, 0.05) * (1 - 0.05 * inward)
        scatter(circle, force * heart_sound(rng, second=False, split=0.024), beat)
        scatter(circle, 0.75 * force * heart_sound(rng, second=True, split=0.028 + 0.012 * inward), beat + rng.normal(0.32, 0.006))
    return circle


def ticking(rng: Generator, length: int) -> Wave:
    """A long-case clock in a quiet room: a seconds pendulum, tick and tock."""
    circle = np.zeros(length)
    for second in range(length // RATE):
        uneven = 0.012 if second % 2 else 0.0  # hardly any clock is perfectly in beat
        scatter(circle, rng.normal(1, 0.07) * tick(rng, second % 2 == 1), second + 0.3 + uneven + rng.normal(0, 0.002))
    return far(rng, circle, 3, 0.3, 0.5)
