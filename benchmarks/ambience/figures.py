"""What each sound must have to pass for the real thing: our figure beside that of the literature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.ambience import measure
from narrator.sound.synth import Wave

SPEECH_BANDS = [(200.0, 400.0), (400.0, 800.0), (800.0, 1600.0)]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one file, and the range that the literature gives."""

    file: str
    what: str
    measured: Callable[[Wave], float]
    low: float
    high: float
    source: str

    def value(self) -> float:
        return self.measured(measure.load(self.file))


def _rate(sound: Wave, above: float, rest: float) -> float:
    return len(measure.onsets(sound, above, rest)) / (len(sound) / measure.RATE)


def _chirp_rate(bed: Wave, low: float, high: float, slowest: float, fastest: float) -> float:
    return measure.modulation(bed, [(low, high)], slowest, fastest)


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


def _partial(ratio: float) -> Callable[[Wave], float]:
    """A bell's partial as a ratio to its nominal over two, which is what the ear takes for its pitch."""

    def found(sound: Wave) -> float:
        nominal = measure.strongest(sound, 820, 900) / 2
        return measure.strongest(sound, nominal * ratio * 0.96, nominal * ratio * 1.04) / nominal

    return found


def _mode(ratio: float) -> Callable[[Wave], float]:
    def found(sound: Wave) -> float:
        first = measure.strongest(sound[6_000:], 70, 100)
        return measure.strongest(sound[6_000:], first * ratio * 0.95, first * ratio * 1.05) / first

    return found


def _pitch(low: float, high: float, quantile: float, floor: float = 20.0) -> Callable[[Wave], float]:
    return lambda sound: float(np.quantile(measure.pitches(sound, low, high, floor), quantile))


def _reach(share: float) -> Callable[[Wave], float]:
    """The frequency below which this share of the power lies."""

    def found(sound: Wave) -> float:
        frequency, power = measure.spectrum(sound)
        return float(frequency[np.searchsorted(np.cumsum(power) / power.sum(), share)])

    return found


def _heard_small(bed: Wave) -> float:
    """Share of the power, in dB, that a small loudspeaker plays."""
    return measure.decibels(measure.share(bed, 150, 12_000))


def figures() -> Iterator[Figure]:
    """Every figure, file by file."""
    yield Figure("beds/wind", "strongest third below 1 kHz, Hz", _third, 80, 400, "bare branches 200: wigtonphysics 2023")
    yield Figure("beds/wind", "slope 0.3-4 kHz, dB/octave", lambda x: measure.slope(x, 300, 4000), -9, -3, "brown to pink: falls with frequency")
    yield Figure("beds/wind", "louder is brighter, correlation", _gust_brightness, 0.3, 1, "vortex shedding: pitch grows with speed")
    yield Figure("beds/crickets", "carrier, Hz", lambda x: measure.strongest(x, 3500, 6000), 4000, 5000, "Gryllus, 4 to 5 kHz: Ragge & Reynolds")
    yield Figure("beds/crickets", "tree cricket, Hz", lambda x: measure.strongest(x, 1800, 3200), 2200, 2700, "2.7 kHz at 25 °C, less at 19: Walker")
    yield Figure("beds/crickets", "pulses a second", lambda x: _chirp_rate(x, 4000, 5200, 15, 60), 20, 35, "25 to 35 warm, fewer by night: Ragge & Reynolds")
    yield Figure("beds/crickets", "chirps a second", lambda x: _chirp_rate(x, 4000, 5200, 0.7, 6), 1, 4, "2 to 4 in sun, below 1 when cold: Ragge & Reynolds")
    yield Figure("beds/crickets", "tree chirps a second", lambda x: _chirp_rate(x, 2200, 2500, 0.7, 6), 1.8, 2.3, "2.0 at 19 °C: Dolbear's law")
    yield Figure("beds/rain", "power in 1 to 10 kHz, %", lambda x: 100 * measure.share(x, 1000, 10_000), 70, 100, "hiss of 1 to 10 kHz")
    yield Figure("beds/fire", "power below 500 Hz, %", lambda x: 100 * measure.share(x, 0, 500), 40, 95, "lapping: Farnell, Designing Sound")
    yield Figure("beds/fire", "lapping's slope 0.4-2 kHz, dB/oct", lambda x: measure.slope(x, 400, 2000), -15, -4, "power law: Chadwick & James 2011")
    yield Figure("beds/fire", "crackles' power law, exponent", _crackle_exponent, 1, 3, "1.5 of sizes: Sethna et al. 2001 give 1 to 2")
    yield Figure("beds/fire", "crackles a second", lambda x: _rate(measure.banded(x, 2000, 9000), 0.1, 0.02), 1, 10, "uncertain: fires differ")
    yield Figure("beds/murmur", "syllables a second (2 to 16)", lambda x: measure.modulation(x, SPEECH_BANDS, 2, 16), 3, 7, "about 5: Ding et al. 2017")
    yield Figure("beds/murmur", "strongest third, Hz", _third, 125, 630, "some 250 to 500: Byrne et al. 1994")
    yield Figure("beds/murmur", "slope 0.6-4 kHz, dB/octave", lambda x: measure.slope(x, 600, 4000), -18, -7, "some -9 near by (Byrne et al. 1994), steeper far off")
    yield Figure("beds/air", "slope 0.3-4 kHz, dB/octave", lambda x: measure.slope(x, 300, 4000), -9, -2, "falls with frequency")
    yield Figure("beds/drone", "breaths a minute", lambda x: 60 * measure.modulation(x, [(60, 2000)], 0.06, 0.3), 4, 15, "a sleeper's 12 and slower")
    yield Figure("beds/heartbeat", "beats a minute", _heart_rate, 55, 65, "60 at rest")
    yield Figure("beds/heartbeat", "standard deviation of beats, ms", _heart_variation, 20, 100, "some 50 in healthy people")
    yield Figure("beds/heartbeat", "systole, ms", _systole, 270, 370, "about a third of a second")
    yield Figure("beds/heartbeat", "strongest, Hz", lambda x: measure.strongest(x, 20, 300), 30, 150, "S1 50 to 150: BioMed Res. Int. 2020")
    yield Figure("beds/heartbeat", "power above 150 Hz, dB", _heard_small, -12, 0, "our own: small loudspeakers")
    yield Figure("beds/ticking", "seconds a tick", _tick_gap, 0.99, 1.01, "a seconds pendulum")
    yield Figure("beds/ticking", "strongest, Hz", lambda x: measure.strongest(x, 150, 8000), 200, 1500, "uncertain: a wooden case")
    yield Figure("beds/birds", "power in 1.5 to 8 kHz, %", lambda x: 100 * measure.share(x, 1500, 8000), 80, 100, "2 to 9 kHz: Stap; blackbird 1.5: Simpson")
    yield Figure("beds/birds", "syllables a second", lambda x: _rate(measure.banded(x, 1500, 9000), 0.12, 0.03), 2, 15, "uncertain: choruses differ")
    for number in (1, 2, 3):
        yield Figure(f"sounds/owl_{number}", "fundamental, Hz", _pitch(300, 2000, 0.5), 500, 1200, "500 to 1200: NocMigR's Strix aluco")
    yield Figure("sounds/owl_1", "whole call, s", measure.lasting, 4, 7, "long, pause of 2 to 4, short, long")
    for number in (1, 2, 3, 4):
        yield Figure(f"sounds/wolf_{number}", "median fundamental, Hz", _pitch(150, 900, 0.5), 270, 720, "270 to 720: Palacios et al. 2007")
    yield Figure("sounds/wolf_1", "one howl, s", measure.lasting, 1.1, 12.8, "1.1 to 12.8: Palacios et al. 2007")
    for number in (1, 2):
        for name, ratio, low, high in (("hum", 0.5, 0.48, 0.53), ("prime", 1, 0.97, 1.03), ("tierce", 1.2, 1.17, 1.23), ("superquint", 3, 2.9, 3.1)):
            yield Figure(f"sounds/bell_{number}", f"{name} / strike pitch", _partial(ratio), low, high, f"{ratio}: Hibberts, The Sound of Bells")
        yield Figure(f"sounds/bell_{number}", "tierce, s to -60 dB", lambda x: measure.decay(x, 516, 8, 0.5, 6), 6, 30, "low partials last longest")
        yield Figure(f"sounds/rooster_{number}", "crow, s", measure.lasting, 1.4, 2.6, "1.4 jungle fowl: Koene 1996; farm about 2")
        yield Figure(f"sounds/rooster_{number}", "strongest, Hz", _pitch(300, 6000, 0.5), 1400, 2600, "about 2 kHz: besgroup 2014")
    for number in range(1, 7):
        yield Figure(f"sounds/bird_{number}", "median pitch, Hz", _pitch(1000, 9000, 0.5), 1500, 8000, "1.5 to 9 kHz: Simpson; Stap")
    for number in (1, 2, 3):
        yield Figure(f"sounds/drum_{number}", "first mode, Hz", lambda x: measure.strongest(x, 40, 100), 40, 110, "a big drum")
    for ratio in (1.594, 2.136, 2.296):
        yield Figure("sounds/drum_1", f"mode {ratio} / first", _mode(ratio), ratio * 0.97, ratio * 1.03, "zeros of the Bessel functions")


def _third(sound: Wave) -> float:
    """The middle of the strongest third of an octave below 1 kHz, in Hz."""
    middles = 1000 * 2 ** (np.arange(-12, 1) / 3)
    return float(max(middles, key=lambda middle: measure.share(sound, middle * 2 ** (-1 / 6), middle * 2 ** (1 / 6))))
