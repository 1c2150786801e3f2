"""What each sound must have to pass for the real thing: our figure beside that of the literature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.ambience import measure
from narrator.ambience import SOUNDS
from narrator.ambience.synth import Wave

SPEECH_BANDS = [(200.0, 400.0), (400.0, 800.0), (800.0, 1600.0)]


Measured = Callable[[Wave], float]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one file, and the range that the literature gives."""

    file: str
    what: str
    measured: Measured
    low: float
    high: float
    source: str

    def value(self) -> float:
        return self.measured(measure.load(self.file))


def _rate(sound: Wave, above: float, rest: float) -> float:
    return len(measure.onsets(sound, above, rest)) / (len(sound) / measure.RATE)


def _gust_brightness(bed: Wave) -> float:
    """Correlation between the level in 2 s and the logarithm of the centroid there."""
    pieces = bed[: len(bed) // 48_000 * 48_000].reshape(-1, 48_000)
    level = np.log(np.sqrt(np.mean(pieces**2, axis=1)))
    return float(np.corrcoef(level, [np.log(measure.centroid(piece)) for piece in pieces])[0, 1])


def _crackle_exponent(bed: Wave) -> float:
    """Exponent of the power law of the crackles' heights: Hill's estimate over the highest peaks of the treble."""
    treble = measure.envelope(measure.banded(bed, 1500, 9000))
    tops = treble[1:-1][(treble[1:-1] > treble[:-2]) & (treble[1:-1] >= treble[2:])]
    highest = np.sort(tops)[-300:-30] - np.median(treble)  # the very highest are bent by the bed's peak
    return float(1 / np.mean(np.log(highest / highest[0])))


def _thumps(bed: Wave) -> Wave:
    """Times of all heart sounds."""
    return measure.onsets(measure.banded(bed, 20, 400), 0.2, 0.2)


def _beats(bed: Wave) -> Wave:
    """Times of the first heart sounds: those that a longer pause goes before."""
    times = _thumps(bed)
    return times[1:][np.diff(times) > 0.45]


def _heart_rate(bed: Wave) -> float:
    return float(60 / np.median(np.diff(_beats(bed))))


def _heart_variation(bed: Wave) -> float:
    gaps = np.diff(_beats(bed))
    return float(1000 * np.std(gaps[(gaps > 0.7) & (gaps < 1.3)]))


def _systole(bed: Wave) -> float:
    gaps = np.diff(_thumps(bed))
    return float(1000 * np.median(gaps[gaps < 0.45]))


def _tick_gap(bed: Wave) -> float:
    return float(np.mean(np.diff(measure.onsets(bed, 0.4, 0.4))))


def _partial(ratio: float) -> Measured:
    """A bell's partial as a ratio to its nominal over two, which is what the ear takes for its pitch."""

    def found(sound: Wave) -> float:
        nominal = measure.strongest(sound, 820, 900) / 2
        return measure.strongest(sound, nominal * ratio * 0.96, nominal * ratio * 1.04) / nominal

    return found


def _mode(ratio: float) -> Measured:
    """A drum's mode as a ratio to its first."""

    def found(sound: Wave) -> float:
        ringing = sound[6_000:]  # the blow is over, and the skin no longer tighter than at rest
        first = measure.strongest(ringing, 70, 100)
        return measure.strongest(ringing, first * ratio * 0.97, first * ratio * 1.03) / first

    return found


def _pitch(low: float, high: float) -> Measured:
    """The median pitch between two frequencies."""
    return lambda sound: float(np.median(measure.pitches(sound, low, high)))


def _heard_small(bed: Wave) -> float:
    """Share of the power, in dB, that a small loudspeaker plays."""
    return measure.decibels(measure.share(bed, 150, 12_000))


def _third(sound: Wave) -> float:
    """The middle of the strongest third of an octave below 1 kHz, in Hz."""
    middles = 1000 * 2 ** (np.arange(-12, 1) / 3)
    return float(max(middles, key=lambda middle: measure.share(sound, middle * 2 ** (-1 / 6), middle * 2 ** (1 / 6))))


def _percent(low: float, high: float) -> Measured:
    return lambda sound: 100 * measure.share(sound, low, high)


def _slope(low: float, high: float) -> Measured:
    return lambda sound: measure.slope(sound, low, high)


def _strongest(low: float, high: float) -> Measured:
    return lambda sound: measure.strongest(sound, low, high)


def _changes(low: float, high: float, slowest: float, fastest: float) -> Measured:
    """Changes of loudness a second in a band, the strongest between two rates."""
    return lambda sound: measure.modulation(sound, [(low, high)], slowest, fastest)


_RAGGE = "Ragge & Reynolds 1998"
_PALACIOS = "Palacios et al. 2007"
_HIBBERTS = "Hibberts, The Sound of Bells"

TABLE: dict[str, list[tuple[str, Measured, float, float, str]]] = {
    "beds/wind": [
        ("strongest third below 1 kHz, Hz", _third, 80, 400, "bare branches 200: wigtonphysics 2023"),
        ("slope 0.3-4 kHz, dB/octave", _slope(300, 4000), -9, -3, "uncertain: pink to brown"),
        ("louder is brighter, correlation", _gust_brightness, 0.3, 1, "vortex shedding: pitch grows with speed"),
    ],
    "beds/crickets": [
        ("carrier, Hz", _strongest(3500, 6000), 4000, 5000, "field crickets 4 to 5 kHz"),
        ("pulses a second", _changes(4000, 5200, 15, 60), 20, 35, f"25 to 35 warm, fewer by night: {_RAGGE}"),
        ("chirps a second", _changes(4000, 5200, 0.7, 6), 1, 4, f"2 to 4 in sun, below 1 when cold: {_RAGGE}"),
        ("tree cricket, Hz", _strongest(1800, 3200), 2200, 2700, "2.7 kHz at 25 °C, lower at 20: Walker"),
        ("tree cricket's chirps a second", _changes(2200, 2500, 0.7, 6), 1.9, 2.4, "2.15 at 20 °C: Dolbear's law"),
    ],
    "beds/rain": [("power in 1 to 10 kHz, %", _percent(1000, 10_000), 70, 100, "uncertain: a hiss")],
    "beds/fire": [
        ("power below 500 Hz, %", _percent(0, 500), 40, 95, "lapping: Farnell, Designing Sound"),
        ("lapping's slope 0.4-2 kHz, dB/octave", _slope(400, 2000), -15, -4, "a power law: Chadwick & James 2011"),
        ("crackles' power law, exponent", _crackle_exponent, 1, 3, "power laws of 1 to 2 in sizes: Sethna et al. 2001"),
        ("crackles a second", lambda x: _rate(measure.banded(x, 2000, 9000), 0.1, 0.02), 1, 10, "uncertain: fires differ"),
    ],
    "beds/murmur": [
        ("syllables a second (2 to 16)", lambda x: measure.modulation(x, SPEECH_BANDS, 2, 16), 3, 7, "about 5: Ding et al. 2017"),
        ("strongest third, Hz", _third, 125, 630, "some 250 to 500: Byrne et al. 1994"),
        ("slope 0.6-4 kHz, dB/octave", _slope(600, 4000), -18, -7, "some -9: Byrne et al. 1994; steeper far off"),
    ],
    "beds/air": [("slope 0.3-4 kHz, dB/octave", _slope(300, 4000), -9, -2, "uncertain: it falls")],
    "beds/drone": [("breaths a minute", lambda x: 60 * measure.modulation(x, [(60, 2000)], 0.06, 0.3), 4, 15, "uncertain: a sleeper's")],
    "beds/heartbeat": [
        ("beats a minute", _heart_rate, 55, 65, "60 at rest"),
        ("standard deviation of beats, ms", _heart_variation, 20, 100, "uncertain: some 50"),
        ("systole, ms", _systole, 270, 370, "about a third of a second"),
        ("strongest, Hz", _strongest(20, 300), 30, 150, "first sound 50 to 150: BioMed Res. Int. 2020"),
        ("power above 150 Hz, dB", _heard_small, -12, 0, "our own: small loudspeakers"),
    ],
    "beds/ticking": [
        ("seconds a tick", _tick_gap, 0.99, 1.01, "a seconds pendulum"),
        ("strongest, Hz", _strongest(150, 8000), 200, 1500, "uncertain: a wooden case"),
    ],
    "beds/birds": [
        ("power in 1.5 to 9 kHz, %", _percent(1500, 9000), 80, 100, "2 to 9 kHz: Stap; blackbirds from 1.5: Simpson"),
        ("syllables a second", lambda x: _rate(measure.banded(x, 1500, 9000), 0.12, 0.03), 2, 15, "uncertain: choruses differ"),
    ],
    "sounds/owl": [
        ("fundamental, Hz", _pitch(300, 2000), 500, 1200, "500 to 1200: NocMigR's Strix aluco"),
        ("whole call, s", measure.lasting, 4, 7, "uncertain: long, pause, short, long"),
    ],
    "sounds/wolf": [
        ("median fundamental, Hz", _pitch(150, 900), 270, 720, f"270 to 720: {_PALACIOS}"),
        ("howling, s", measure.lasting, 1.1, 12.8, f"1.1 to 12.8 a howl: {_PALACIOS}"),
    ],
    "sounds/bell": [
        ("hum / strike pitch", _partial(0.5), 0.48, 0.53, f"0.5: {_HIBBERTS}"),
        ("prime / strike pitch", _partial(1.0), 0.97, 1.03, f"1: {_HIBBERTS}"),
        ("tierce / strike pitch", _partial(1.2), 1.17, 1.23, f"1.2: {_HIBBERTS}"),
        ("superquint / strike pitch", _partial(3.0), 2.9, 3.1, f"3: {_HIBBERTS}"),
        ("tierce, s to -60 dB", lambda x: measure.decay(x, 516, 8, 0.5, 6), 6, 30, "uncertain: low partials last"),
    ],
    "sounds/rooster": [
        ("crow, s", measure.lasting, 1.4, 2.6, "1.4 in jungle fowl: Koene 1996; a farm's about 2"),
        ("strongest, Hz", _pitch(300, 6000), 1000, 2600, "uncertain: 2 kHz in the crow of besgroup 2014"),
    ],
    "sounds/bird": [("median pitch, Hz", _pitch(1000, 10_000), 1500, 9000, "1.5 to 9 kHz: Simpson; Stap")],
    "sounds/drum": [("first mode, Hz", _strongest(40, 105), 40, 110, "uncertain: a big drum")],
    "sounds/drum_1": [
        ("mode 1.594 / first", _mode(1.594), 1.55, 1.64, "zeros of the Bessel functions"),
        ("mode 2.136 / first", _mode(2.136), 2.08, 2.2, "zeros of the Bessel functions"),
    ],
}
"""For each bed, sound (all its takes) or single take: what is measured, how, the range that the literature gives, and the source."""


def figures() -> Iterator[Figure]:
    """Every figure, file by file."""
    for place, rows in TABLE.items():
        takes = SOUNDS[place.removeprefix("sounds/")][1] if place.removeprefix("sounds/") in SOUNDS else 0
        for file in [f"{place}_{number}" for number in range(1, takes + 1)] or [place]:
            yield from (Figure(file, *row) for row in rows)
