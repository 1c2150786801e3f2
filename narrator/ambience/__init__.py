"""Makes voices/ambience: beds to lie under a scene, sounds to throw in, effects, all from our own arithmetic and fixed seeds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import soundfile
from numpy.random import Generator, default_rng

from narrator.ambience import beds
from narrator.ambience.birds import SPECIES
from narrator.ambience.creatures import owl, rooster, wolf
from narrator.ambience.loudness import momentary
from narrator.ambience.synth import Wave, frequencies, take
from narrator.ambience.things import bell, drum, knock
from narrator.clip import RATE
from narrator.sound import levels

BED_LEVEL = -34.0
"""RMS of a bed in dB of full scale; a voice speaks at about -20."""

_LOWEST = 25.0
"""Hz below which a bed has nothing: no loudspeaker here plays it, and an offset would take room from the rest."""

SPARSE = frozenset({"heartbeat", "ticking"})
"""Beds that are mostly silence, of which an RMS says little: instead, the louder tenth of their moments of 0.4 s is as loud in LUFS."""

_COARSE, _FINE = 0.77, 0.4
"""Compression of Vorbis, from 0 (best) to 1, for beds and for takes. Noise takes 43 and 62 kbit/s; the takes are short enough for that."""

BED_PEAK = 0.11
"""Amplitude that no bed is made to reach: the coding adds a little, and 0.12 is what the mix has room for."""

BEDS: dict[str, tuple[Callable[[Generator, int], Wave], int]] = {
    "wind": (beds.wind, 149),
    "crickets": (beds.crickets, 127),
    "rain": (beds.rain, 131),
    "fire": (beds.fire, 137),
    "murmur": (beds.murmur, 139),
    "air": (beds.air, 133),
    "drone": (beds.drone, 143),
    "heartbeat": (beds.heartbeat, 129),
    "ticking": (beds.ticking, 128),
    "birds": (beds.birds, 145),
}
"""Recipe and seconds of each bed. No two lengths have a common divisor: two beds together repeat after 4 hours and more."""


def bird(rng: Generator, number: int) -> Wave:
    """One song of one bird, some 50 m off; the takes go through the species."""
    return take(rng, SPECIES[(number - 1) % len(SPECIES)](rng)(rng), 50, 0.25, 1.2)


SOUNDS: dict[str, tuple[Callable[[Generator, int], Wave], int, float]] = {
    "owl": (owl, 3, 0.11),
    "wolf": (wolf, 4, 0.14),
    "bell": (bell, 2, 0.14),
    "rooster": (rooster, 2, 0.14),
    "bird": (bird, 6, 0.09),
    "drum": (drum, 3, 0.14),
}
"""Recipe, number of takes, and amplitude of the loudest sample of each sound. A recipe is told which take it makes, from 1."""

EFFECTS: dict[str, tuple[Callable[[Generator, int], Wave], int, float]] = {"knock": (knock, 3, levels.EFFECT_PEAK)}
"""The same for the effects, which hide a key pressed: several takes, so that they do not sound like a machine."""


def render(folder: Path, progress: Callable[[str], None] = lambda _: None, only: Collection[str] = ()) -> None:
    """Make the files anew in `folder`, calling `progress(name)` after each. `only` keeps to beds, sounds and effects of these names.

    Raises `OSError` if a file cannot be written.
    """
    for name, make in _files(only):
        path = folder / f"{name}.ogg"
        path.parent.mkdir(parents=True, exist_ok=True)
        compression = _COARSE if name.startswith("beds/") else _FINE
        _write(path, make(default_rng([*name.encode()])), compression)  # seeded by its own name: a file more changes no other
        progress(name)


def _files(only: Collection[str]) -> Iterator[tuple[str, Callable[[Generator], Wave]]]:
    """Each file's place in the folder, without its ending, and what makes it."""
    for name in BEDS:
        if not only or name in only:
            yield f"beds/{name}", partial(_bed, name)
    for kind, table in (("sounds", SOUNDS), ("effects", EFFECTS)):
        for name, (recipe, takes, peak) in table.items():
            if not only or name in only:
                yield from ((f"{kind}/{name}_{number}", partial(_take, recipe, number, peak)) for number in range(1, takes + 1))


def _take(recipe: Callable[[Generator, int], Wave], number: int, peak: float, rng: Generator) -> Wave:
    """A sound or an effect whose loudest sample is `peak`."""
    sound = recipe(rng, number)
    sound *= peak / np.abs(sound).max()
    return sound


def _bed(name: str, rng: Generator) -> Wave:
    """The bed at its level, its peaks bent below BED_PEAK; what bending takes is given back."""
    recipe, seconds = BEDS[name]
    circle = recipe(rng, seconds * RATE)
    bass = frequencies(len(circle)) / _LOWEST
    circle = np.fft.irfft(np.fft.rfft(circle) * bass**4 / (1 + bass**4), len(circle))
    for _ in range(4):
        if name in SPARSE:
            decibels = BED_LEVEL - np.quantile(momentary(circle), 0.9)
        else:
            decibels = BED_LEVEL - 10 * np.log10(np.mean(circle**2))
        circle = BED_PEAK * np.tanh(circle * (10 ** (decibels / 20) / BED_PEAK))
    return circle


def _write(path: Path, samples: Wave, compression: float) -> None:
    """Ogg Vorbis, a second at a time: long writes at once crash the encoder. Compressed so far that all the files are some 5 MB."""
    try:
        with soundfile.SoundFile(
            path, "w", samplerate=RATE, channels=1, format="OGG", subtype="VORBIS", compression_level=compression
        ) as file:
            for begin in range(0, len(samples), RATE):
                file.write(samples[begin : begin + RATE])
    except soundfile.LibsndfileError as error:
        raise OSError(f"{path} cannot be written: {error}") from error
