"""Things that are struck, fall, burn or beat: bell, drum, knock, clock, drop, crackle, heart."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from narrator.ambience.synth import Wave, clock, faded, noise, scatter, silence, struck, take
from narrator.clip import RATE

_PARTIALS = (
    (0.5, 22.0, 0.35),  # hum
    (1.0, 10.0, 0.6),  # prime
    (1.2, 11.0, 0.8),  # tierce, the minor third that makes a bell a bell
    (1.5, 4.5, 0.2),  # quint
    (2.0, 5.0, 1.0),  # nominal
    (2.51, 2.0, 0.25),
    (2.66, 1.8, 0.25),
    (3.01, 2.2, 0.6),  # superquint
    (4.1, 1.3, 0.45),  # octave nominal
    (5.35, 0.8, 0.3),
    (6.7, 0.5, 0.2),
)
"""Of a church bell: ratio to the prime, seconds until -60 dB, amplitude at the stroke.

Ratios and the roles of the partials as in Hibberts, "The Sound of Bells": the upper ones are loud and short, hum, prime and tierce
fainter and long. Their exact decays differ from bell to bell; these are those of a small one.
"""


def bell(rng: Generator, _: int) -> Wave:
    """One stroke of a church bell some 300 m off: each partial a doublet that beats slowly, as no bell is perfectly round."""
    modes: list[tuple[float, float, float]] = []
    for ratio, decay, share in _PARTIALS:
        pitch, split = 430 * ratio, rng.uniform(0.15, 0.7)
        share *= rng.uniform(0.8, 1.2)  # where the clapper hits, and how the bell hangs just then
        modes += [(pitch - split / 2, decay, 0.65 * share), (pitch + split / 2, decay, 0.35 * share)]
    stroke = struck(9.0, modes, rise=0.002)
    clang = noise(rng, len(stroke), 900, 5000) * np.exp(-clock(9.0) / 0.02)
    return take(rng, faded(stroke + 0.35 * clang, 3.0), 300, 0.3, 1.8)


_MEMBRANE = ((1.0, 0.9, 0.7), (1.594, 0.8, 0.75), (2.136, 0.6, 0.55), (2.296, 0.45, 0.5), (2.653, 0.45, 0.4), (2.918, 0.35, 0.35),
             (3.156, 0.3, 0.25), (3.5, 0.3, 0.22), (3.6, 0.2, 0.2), (4.06, 0.2, 0.15), (4.6, 0.16, 0.12))  # fmt: skip
"""Of an ideal round membrane, from the zeros of the Bessel functions: ratio, seconds until -60 dB, amplitude of a blow off its centre."""


def drum(rng: Generator, number: int) -> Wave:
    """A low drum in a hall: one stroke (take 1), two (take 2), or a short roll that swells into a stroke (take 3)."""
    strokes = {1: [(0.0, 1.0)], 2: [(0.0, 0.8), (0.62, 1.0)]}.get(number) or [
        (0.085 * count + rng.normal(0, 0.006), 0.05 + 0.02 * count) for count in range(14)
    ] + [(1.32, 1.0)]
    sound = silence(max(at for at, _ in strokes) + 1.3)
    for at, force in strokes:
        scatter(sound, _stroke(rng, force), max(at, 0.0))
    return take(rng, sound, 8, 0.25, 1.3)


def _stroke(rng: Generator, force: float) -> Wave:
    """A blow with a padded stick. A hard one stretches the skin, so the pitch begins higher and drops, and its overtones are stronger."""
    time = clock(1.2)
    bend = 1 + 0.09 * force**2 * np.exp(-time / 0.07)
    sound = np.zeros(len(time))
    for ratio, decay, share in _MEMBRANE:
        phase = 2 * np.pi * 86 * ratio * rng.normal(1, 0.002) * np.cumsum(bend) / RATE
        sound += share * force ** (0.5 * ratio) * np.sin(phase) * np.exp(-6.91 * time / decay)
    pad = noise(rng, len(time), 150, 900) * np.exp(-time / 0.012) * 0.8 * force
    return faded((sound + pad) * np.minimum(time / 0.003, 1), 0.2)


def knock(rng: Generator, _: int) -> Wave:
    """A small piece of wood set down: three dull tones that die at once, and the click of the touch."""
    time = clock(0.16)
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


_CASE = ((236.0, 0.22, 0.5), (412.0, 0.16, 1.0), (655.0, 0.1, 0.8), (980.0, 0.07, 0.5), (1480.0, 0.05, 0.3))
"""Modes of a long-case clock's box: Hz, seconds until -60 dB, amplitude. Wood dies in a few hundredths of a second."""

_BRASS = ((2900.0, 0.03, 0.35), (4300.0, 0.022, 0.3), (6100.0, 0.015, 0.2))
"""Modes of its wheels and pallets."""


def tick(rng: Generator, tock: bool) -> Wave:
    """A pendulum clock's escapement: a tooth drops on the pallet, and a weaker recoil 12 ms later; the tock is lower and duller.

    The two differ because the escapement is not symmetrical ("Ticks and tocks", New Scientist, 2014).
    """
    lower, dull = (0.87, 0.7) if tock else (1.0, 1.0)
    case = [(pitch * lower * rng.normal(1, 0.004), decay, share * rng.uniform(0.75, 1.2)) for pitch, decay, share in _CASE]
    brass = [(pitch * lower, decay, share * dull * rng.uniform(0.5, 1.3)) for pitch, decay, share in _BRASS]
    blow = struck(0.25, case + brass)
    blow += 0.5 * dull * noise(rng, len(blow), 1500, 6000) * np.exp(-clock(0.25) / 0.0015)
    sound = silence(0.3)
    scatter(sound, blow, 0.0)
    scatter(sound, 0.3 * blow, 0.012 + rng.normal(0, 0.0008))
    return faded(sound, 0.05)


def crackle(rng: Generator) -> Wave:
    """One snap of burning wood: a burst of noise that dies in a few milliseconds, coloured by the splinter that it comes from."""
    fade, pitch = rng.uniform(0.0006, 0.005), np.exp(rng.uniform(np.log(900), np.log(7000)))
    time = clock(8 * fade)
    snap = rng.standard_normal(len(time)) * np.exp(-time / fade)
    ring: Wave = np.sin(2 * np.pi * pitch * time) * np.exp(-time / (0.6 * fade))
    ring += np.convolve(snap, [0.25, 0.5, 0.25], "same")
    return ring


def splash(rng: Generator) -> Wave:
    """A rain drop that hits a leaf, the soil or a stone: the harder the surface, the shorter and the brighter."""
    fade, low, high = ((0.0025, 900, 3500), (0.004, 300, 1500), (0.0009, 2500, 9000))[rng.choice(3, p=(0.5, 0.2, 0.3))]
    time = clock(8 * fade)
    burst: Wave = noise(rng, len(time), low, high) * np.exp(-time / fade) * np.minimum(time / 0.0002, 1)
    return burst


def drip(rng: Generator) -> Wave:
    """A heavy drop into a puddle: the bubble that it leaves under the water rings and rises.

    A bubble of radius r metres rings at 3.26 / r Hz (Minnaert, "On musical air-bubbles", 1933): here 1.1 to 3.2 mm.
    """
    pitch = 3.26 / rng.uniform(0.0011, 0.0032)
    time = clock(0.09)
    fade = rng.uniform(0.008, 0.016)
    path = pitch * (1 + rng.uniform(0.3, 1.5) * time)  # it comes nearer to the surface
    ring = np.sin(2 * np.pi * np.cumsum(path) / RATE) * np.exp(-time / fade) * np.minimum(time / 0.001, 1)
    sound = silence(0.12)
    scatter(sound, 0.3 * splash(rng), 0.0)
    scatter(sound, ring, rng.uniform(0.008, 0.02))  # the bubble closes some time after the impact
    return sound


def heart_sound(rng: Generator, second: bool, split: float) -> Wave:
    """The first or the second heart sound: two valves `split` seconds apart; the second is shorter and higher.

    The first lies between 50 and 150 Hz and lasts 50 to 100 ms, the second between 50 and 200 Hz for 25 to 50 ms ("A Review of
    Computer-Aided Heart Sound Detection Techniques", BioMed Research International, 2020); both fall by about 6 dB an octave (Sakai,
    Feigen & Luisada, "Frequency distribution of the heart sounds in normal man", 1971). A small loudspeaker plays little of that; the
    bending at the end adds the overtones from which the ear makes the missing low tone up.
    """
    lowest, length = (58.0, 0.032) if second else (42.0, 0.05)
    sound = silence(0.35)
    for valve, share in ((0.0, 1.0), (split, 0.6)):
        time = clock(0.3)
        thump = np.zeros(len(time))
        for ratio in (1.0, 1.7, 2.6, 3.9, 5.6, 7.5):
            pitch = lowest * ratio * rng.normal(1, 0.02)
            hump = np.exp(-(((time - 0.03) / length) ** 2) * ratio**0.7)
            thump += ratio**-0.8 * np.sin(2 * np.pi * pitch * time + rng.normal(0, 0.3)) * hump
        scatter(sound, share * thump * np.minimum(time / 0.015, 1), valve)
    return faded(np.tanh(1.8 * sound), 0.08)
