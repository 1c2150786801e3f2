"""Makes voices/ambience: one loop for each scene and a few takes of a knock, from our own arithmetic and fixed seeds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile
from numpy.random import Generator, default_rng

from narrator.clip import RATE
from narrator.sound import levels
from narrator.sound.synth import Wave, bird, crackle, cricket, knock, noise, owl, scatter, swell, tone

_SECONDS = 48
"""Length of every loop: too long to be noticed as one, and a length that Fourier transforms quickly."""

_LENGTH = _SECONDS * RATE

_TAKES = 3
"""Knocks that follow each other in turn, so that they do not sound like a machine."""


def night(rng: Generator) -> Wave:
    """Wind in a forest, five crickets, and an owl now and then."""
    circle = noise(rng, _LENGTH, 180, 700) * swell(rng, _LENGTH, 6, 0.3)
    circle += 0.35 * noise(rng, _LENGTH, 1200, 3500) * swell(rng, _LENGTH, 3, 0.5)
    for _ in range(5):
        _crickets(rng, circle)
    for at in (9.0, 33.5):
        scatter(circle, 0.9 * owl(), at)
    return circle


def dawn(rng: Generator) -> Wave:
    """Still air in which the birds wake up."""
    circle = noise(rng, _LENGTH, 200, 1100) * swell(rng, _LENGTH, 8, 0.25)
    for _ in range(30):
        scatter(circle, rng.uniform(0.5, 1.8) * bird(rng), rng.uniform(0, _SECONDS))
    return circle


def day(rng: Generator) -> Wave:
    """A village far off, and a bird here and there: little, because people talk."""
    circle = noise(rng, _LENGTH, 250, 900) * swell(rng, _LENGTH, 5, 0.3)
    circle += 0.25 * noise(rng, _LENGTH, 1500, 4000) * swell(rng, _LENGTH, 4, 0.5)
    for _ in range(7):
        scatter(circle, rng.uniform(0.4, 1.0) * bird(rng), rng.uniform(0, _SECONDS))
    return circle


def end(rng: Generator) -> Wave:
    """A hearth: a soft fifth that breathes, the fire's breath, and its crackle."""
    circle = 0.5 * noise(rng, _LENGTH, 120, 500) * swell(rng, _LENGTH, 2, 0.4)
    for pitch, share in ((110.0, 0.4), (165.0, 0.5), (220.6, 0.5), (330.9, 0.3)):
        circle += share * tone(_LENGTH, pitch) * swell(rng, _LENGTH, 7, 0.35)
    for _ in range(220):
        scatter(circle, rng.exponential(1.2) * crackle(rng), rng.uniform(0, _SECONDS))
    return circle


SCENES: dict[str, tuple[Callable[[Generator], Wave], float]] = {
    "night": (night, -32),
    "dawn": (dawn, -34),
    "day": (day, -38),
    "end": (end, -34),
}
"""Recipe and loudness of each scene, RMS in dB of full scale. A voice speaks at about -20; by day the table speaks itself."""


def render(folder: Path, progress: Callable[[str], None] = lambda _: None) -> None:
    """Make every file anew in `folder`, calling `progress(name)` after each. Raises `OSError` if one cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (name, (recipe, decibels)) in enumerate(SCENES.items()):
        _write(folder / f"{name}.ogg", _level(recipe(default_rng(seed)), decibels))
        progress(name)
    for take in range(1, _TAKES + 1):
        sound = knock(default_rng(100 + take))
        _write(folder / f"knock_{take}.ogg", sound * (levels.EFFECT_PEAK / np.abs(sound).max()))
        progress(f"knock_{take}")


def _crickets(rng: Generator, circle: Wave) -> None:
    """One cricket: chirps at its own pitch and pace, fainter the farther off, with rests."""
    pitch, pace, near = rng.uniform(4000, 4900), rng.uniform(0.42, 0.75), rng.uniform(0.4, 1.1)
    mood = swell(rng, len(circle), 5, 0.6)
    at = rng.uniform(0, pace)
    while at < _SECONDS - pace / 2:  # the gap at the seam is then like the others
        loudness = near * (mood[int(at * RATE)] - 0.5)
        if loudness > 0:
            scatter(circle, loudness * cricket(rng, pitch, 4), at)
        at += pace * rng.uniform(0.93, 1.07)


def _level(circle: Wave, decibels: float) -> Wave:
    """The circle at an RMS in dB of full scale, its peaks bent below the height that the mix has room for."""
    circle = circle * (10 ** (decibels / 20) / np.sqrt(np.mean(circle**2)))
    return np.tanh(circle / levels.AMBIENCE_PEAK) * levels.AMBIENCE_PEAK


def _write(path: Path, samples: Wave) -> None:
    """Ogg Vorbis, a second at a time: long writes at once crash the encoder."""
    try:
        with soundfile.SoundFile(path, "w", samplerate=RATE, channels=1, format="OGG", subtype="VORBIS") as file:
            for begin in range(0, len(samples), RATE):
                file.write(samples[begin : begin + RATE])
    except soundfile.LibsndfileError as error:
        raise OSError(f"{path} cannot be written: {error}") from error
