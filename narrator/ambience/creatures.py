"""The animals of the night and the farmyard: crickets, the owl, wolves, the rooster. Each call is one that its literature describes."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from narrator.ambience.synth import Wave, clock, contour, glide, harmonics, noise, scatter, silence, take, wander
from narrator.clip import RATE

_CELSIUS = 20.0
"""The night's temperature, which a cricket's pace and pitch follow."""


def field_cricket(rng: Generator) -> tuple[Wave, float]:
    """One chirp of Gryllus and the seconds until the next: 4 rubs of a wing, 25 a second, the first one fainter.

    2 to 4 chirps a second in warm sunshine, fewer than 1 on a cold night (Ragge & Reynolds, "The Songs of the Grasshoppers and Crickets
    of Western Europe", 1998, on G. campestris: 3 to 5 rubs at 25 to 35 a second, slower when it is cool). Its tone is nearly pure,
    between 4 and 5 kHz, and falls in each rub. Both crickets were moved within their literature until BirdNET knew them.
    """
    rubs, pace = (4 if rng.random() < 0.8 else 3), 25.0
    chirp = np.zeros(round((rubs / pace + 0.01) * RATE))
    for number in range(rubs):
        rub = glide(0.024, 4720, 4640, 4350) * (0.55 if number == 0 else 1.0) * rng.uniform(0.9, 1.0)
        rub += 0.07 * glide(0.024, 9440, 9280, 8700) * np.abs(rub).max()
        scatter(chirp, rub, number / pace + rng.uniform(0, 0.001))
    return chirp, rng.normal(0.64, 0.05)


def tree_cricket(rng: Generator) -> tuple[Wave, float]:
    """One chirp of the snowy tree cricket and the seconds until the next: 2, 3 and 3 pulses, or 2 and 3, on one low, sweet tone.

    At 25 °C 52 pulses a second on 2.7 kHz (Walker, "Singing Insects of North America", Oecanthus fultoni); a cooler one is slower in
    proportion to the degrees above 4 (Walker & Collins 2010) and lower. Dolbear's law gives the chirps: in 13 s there are as many as
    the degrees Fahrenheit above 40.
    """
    pace, pitch = 52 * (_CELSIUS - 4) / 21, 2700 - 50 * (25 - _CELSIUS)
    groups = (2, 3, 3) if rng.random() < 0.7 else (2, 3)
    chirp, at = np.zeros(round(0.32 * RATE)), 0.0
    for group in groups:
        for _ in range(group):
            scatter(chirp, glide(0.55 / pace, pitch * 1.005, pitch, pitch * 0.99) * rng.uniform(0.9, 1.0), at)
            at += 1 / pace
        at += 0.3 / pace
    return chirp, 13 / (_CELSIUS * 1.8 + 32 - 40) * rng.normal(1, 0.05)


def owl(rng: Generator, _: int) -> Wave:
    """A tawny owl some 150 m off in a wood: a long hoot, a pause, a very short one, and a long one that trembles before it settles.

    The order of the notes is that of every description; the frequencies lie between 500 and 1200 Hz (NocMigR's preset for Strix
    aluco); pitch, bends and tremor were moved within that until BirdNET took it for one.
    Nearly a pure tone: the throat filters its overtones away (Beckers et al., PNAS 100, 2003, on doves).
    """
    pitch = rng.uniform(840, 890)
    first = _hoot(rng, rng.uniform(0.75, 0.95), pitch, (0.0, 0.9), (0.2, 1.0), (0.75, 1.01), (1.0, 0.83))
    short = 0.75 * _hoot(rng, 0.14, pitch, (0.0, 0.93), (0.5, 0.97), (1.0, 0.92))
    last = _hoot(rng, rng.uniform(1.1, 1.3), pitch, (0.0, 0.92), (0.35, 0.96), (0.6, 1.09), (0.85, 1.01), (1.0, 0.83), tremble=0.72)
    return take(rng, np.concatenate([first, silence(rng.uniform(2.2, 3.2)), short, silence(0.12), last]), 150, 0.5, 2.0)


def _hoot(rng: Generator, seconds: float, pitch: float, *bends: tuple[float, float], tremble: float = 0.0) -> Wave:
    """One note. `tremble` is the depth of its tremor at the start, 14 a second, which dies out as the note settles."""
    time = clock(seconds)
    settle = np.clip(1.25 - 1.6 * time / seconds, 0, 1)
    tremor = tremble * settle * 0.5 * (1 - np.cos(2 * np.pi * 14 * time))
    path = pitch * contour(seconds, *bends) * (1 - 0.03 * tremor) * (1 + 0.002 * wander(rng, len(time), 1, 0.05, 1))
    breath = 0.02 * noise(rng, len(time), 500, 1500)
    swelling = contour(seconds, (0, 0), (min(0.3, 0.1 / seconds), 0.7), (0.6, 1), (1 - min(0.3, 0.08 / seconds), 0.8), (1, 0))
    hoot: Wave = (harmonics(path, [1, 0.04, 0.03]) + breath) * swelling * (1 - tremor)
    return hoot


def wolf(rng: Generator, number: int) -> Wave:
    """Wolves a kilometre off: alone (takes 1 and 4), two (take 2) or a pack of five (take 3), each beginning when it likes.

    A howl is 1.1 to 12.8 s long with a mean fundamental between 270 and 720 Hz and a few harmonics (Palacios, Font & Marquez,
    "Iberian Wolf Howls", J. Mammalogy 88, 2007). Those of a pack differ in pitch, meet, and beat against each other.
    """
    voices = {1: [380.0], 2: [350.0, 430.0], 3: [310.0, 365.0, 420.0, 500.0, 590.0]}.get(number, [460.0])
    pack = silence(7.0 + 1.3 * len(voices))
    for order, pitch in enumerate(voices):
        howl = _howl(rng, pitch * rng.uniform(0.97, 1.03), rng.uniform(4.2, 6.5))
        scatter(pack, howl * rng.uniform(0.6, 1.0), order * rng.uniform(0.8, 1.4))
    return take(rng, pack, 900, 1.6, 2.6)


def _howl(rng: Generator, pitch: float, seconds: float) -> Wave:
    """One howl: it climbs, holds with a slow sway and a small step where the voice changes its register, and sinks at its end."""
    step = rng.uniform(0.35, 0.6)
    high = rng.uniform(1.03, 1.1)
    path = contour(seconds, (0, 0.62), (0.1, 0.92), (0.2, high), (step, 1.02), (step + 0.01, 0.97), (0.82, 0.98), (1, 0.66), ease=0.06)
    path *= pitch * (1 + 0.006 * wander(rng, len(path), 2, 0.15, 1) + 0.0025 * wander(rng, len(path), 0.5, 0.02, 1))
    strength = contour(seconds, (0, 0), (0.08, 0.5), (0.25, 1), (0.75, 0.9), (0.93, 0.35), (1, 0), ease=0.1)
    throat = 1 / (1 + ((path - 520) / 400) ** 2)  # a resonance that the fundamental moves through
    voice = harmonics(path, [0.6 + 0.4 * throat, 0.3 * strength, 0.13 * strength, 0.05 * strength**2])
    return (voice + 0.012 * noise(rng, len(path), 300, 2500)) * strength * (1 + 0.06 * wander(rng, len(path), 1, 0.08, 1))


_CROW = (
    (0.36, ((0.0, 0.55), (0.4, 0.78), (1.0, 0.72)), 0.5),
    (0.13, ((0.0, 0.80), (0.5, 0.88), (1.0, 0.78)), 0.7),
    (0.2, ((0.0, 0.80), (0.35, 1.13), (0.7, 1.13), (1.0, 0.9)), 0.95),
    (0.72, ((0.0, 0.84), (0.12, 1.13), (0.55, 0.98), (0.85, 0.9), (1.0, 0.7)), 1.0),
)
"""The four notes of a crow: seconds, the bends of its pitch, and its strength."""


def rooster(rng: Generator, _: int) -> Wave:
    """A rooster across the village: four notes in 1.5 s, the last one the longest, rich up to 5 kHz and rough where it sinks.

    White Leghorns crow in 4 syllables ("Crowing Characteristics of Jungle Fowls, Japanese Native Breeds and White Leghorn Breed of
    Chicken"); a jungle fowl's crow takes 1.4 s (Koene, Behavioural Processes 38, 1996), a farm's somewhat more. The
    strongest part is between 1 and 2 kHz, at the beak's resonance. Pitch, resonance and lengths were moved until BirdNET took it for one.
    """
    pitch = rng.uniform(1000, 1050)
    notes: list[Wave] = []
    for seconds, bends, strength in _CROW:
        notes += [strength * _crow(rng, seconds * rng.uniform(0.92, 1.1), pitch, bends), silence(rng.uniform(0.02, 0.045))]
    return take(rng, np.concatenate(notes), 140, 0.38, 1.4)


def _crow(rng: Generator, seconds: float, pitch: float, bends: tuple[tuple[float, float], ...]) -> Wave:
    """One note: a harsh source through the beak. Where the pitch sinks, every second pulse weakens, which is heard as a rasp."""
    path = pitch * contour(seconds, *bends) * (1 + 0.0175 * wander(rng, round(seconds * RATE), 0.3, 0.01, 0.5))
    beak = [0.05 + 1 / (1 + ((number * path - 1740) / 420) ** 2) for number in range(1, 12)]
    voice = harmonics(path, [share / number**0.87 for number, share in enumerate(beak, 1)])
    rasp = np.clip((0.8 - path / pitch) * 1.6, 0, 0.4)
    voice += rasp * harmonics(path / 2, [0, 0, 0.4, 0, 0.35, 0, 0.2]) + 0.065 * noise(rng, len(path), 1200, 5000)
    fade = min(0.3, 0.03 / seconds)
    return voice * contour(seconds, (0, 0), (fade, 0.9), (0.5, 1), (1 - 2 * fade, 0.7), (1, 0), ease=0.015)
