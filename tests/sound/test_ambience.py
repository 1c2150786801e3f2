"""The beds, sounds and effects that ship, decoded, and the command that makes them."""

from __future__ import annotations

from itertools import combinations
from math import gcd
from pathlib import Path

import numpy as np
import pytest

from benchmarks.ambience import measure
from benchmarks.ambience.figures import figures
from narrator import ambience, resources
from narrator.ambience import BEDS, EFFECTS, SOUNDS
from narrator.clip import RATE, read
from narrator.sound import levels

HOME = resources.folder("voices") / "ambience"
TAKES = [f"{kind}/{name}_{number}" for kind, table in (("sounds", SOUNDS), ("effects", EFFECTS))
         for name, (_, takes, _) in table.items() for number in range(1, takes + 1)]  # fmt: skip
MEASURED = sorted({figure.file for figure in figures()})


@pytest.fixture
def bed(request: pytest.FixtureRequest) -> np.ndarray:
    """One bed, decoded."""
    return measure.load(f"beds/{request.param}")


every_bed = pytest.mark.parametrize(("name", "bed"), [(name, name) for name in BEDS], indirect=["bed"], ids=list(BEDS))


def test_the_folder_holds_what_render_makes() -> None:
    """Every bed and take is there, nothing else is, and all of it weighs less than 6 MB."""
    files = [path for kind in ("beds", "sounds", "effects") for path in (HOME / kind).iterdir()]
    assert sorted(str(path.relative_to(HOME)) for path in files) == sorted(
        f"{name}.ogg" for name in [*(f"beds/{name}" for name in BEDS), *TAKES]
    )
    assert sum(path.stat().st_size for path in files) < 6_000_000


@pytest.mark.parametrize("name", ["air", "owl", "drum", "knock"])
def test_what_ships_is_what_render_makes(tmp_path: Path, name: str) -> None:
    """`render` makes the very sounds that ship, here of one name, and says so one by one."""
    told: list[str] = []
    ambience.render(tmp_path, told.append, [name])
    assert told
    assert {Path(file).name.partition("_")[0] for file in told} == {name}
    for file in told:
        made, shipped = read(tmp_path / f"{file}.ogg"), read(HOME / f"{file}.ogg")
        assert np.corrcoef(made, shipped)[0, 1] > 0.999


def test_beds_never_meet_again() -> None:
    """Every bed lasts 125 to 150 whole seconds without a common divisor, so two layers repeat together after four hours at the earliest."""
    lengths = [seconds for _, seconds in BEDS.values()]
    assert all(125 <= seconds <= 150 for seconds in lengths)
    assert all(gcd(one, other) == 1 for one, other in combinations(lengths, 2))


@every_bed
def test_beds_have_no_seam(name: str, bed: np.ndarray) -> None:
    """Across the loop point a bed goes on as anywhere else, in its wave, slope, treble and loudness, and not a sample is missing."""
    assert len(bed) == BEDS[name][1] * RATE
    for order in (1, 2, 3):
        changes = np.abs(np.diff(np.concatenate([bed[-32:], bed[:32]]), order))
        assert changes.max() <= np.quantile(np.abs(np.diff(bed, order)), 0.9999)
    for heard in (bed, measure.banded(bed, 3000, RATE / 2)):
        loudness = measure.envelope(heard, 50)
        around = np.sqrt(np.mean(np.concatenate([heard[-240:], heard[:240]]) ** 2))
        assert loudness.min() * 0.9 <= around <= loudness.max()


@every_bed
def test_beds_are_level(name: str, bed: np.ndarray) -> None:
    """A bed has an RMS of -34 dB, or that loudness in its loud moments if it is mostly silence; no offset; a peak below 0.12."""
    level = measure.loud(bed) if name in ambience.SPARSE else measure.decibels(np.mean(bed**2))
    assert level == pytest.approx(ambience.BED_LEVEL, abs=1.0)
    assert abs(bed.mean()) < 1e-4
    assert np.abs(bed).max() < 0.12


@every_bed
def test_beds_do_not_repeat(name: str, bed: np.ndarray) -> None:
    """From 5 s to two minutes neither the wave nor the loudness is more like itself than chance makes it, a clock's own second aside.

    A heart's beats fall in step with themselves now and then, and snaps that stand out of a fire seldom meet: hence half as much again.
    """
    assert measure.wave_repetition(name, bed).ratio < 1.6
    assert measure.envelope_repetition(name, bed).ratio < 1.6


def test_a_repetition_is_found() -> None:
    """What the test above would see: a minute of noise, twice, with as much other noise over it."""
    rng = np.random.default_rng(0)
    minute = rng.standard_normal(60 * 1000)
    twice = np.concatenate([minute, minute]) + rng.standard_normal(120 * 1000)
    found = measure.repetition(twice, 1000, (20, 400), (5, 115))
    assert found.ratio > 10
    assert found.lag == pytest.approx(60)


@pytest.mark.parametrize("name", TAKES)
def test_takes_are_clean(name: str) -> None:
    """A sound begins and ends in silence, and is as high as it is meant to be: at most 0.15."""
    sound = measure.load(name)
    table = SOUNDS if name.startswith("sounds") else EFFECTS
    peak = table[name.partition("/")[2].rpartition("_")[0]][2]
    assert abs(sound[0]) < 0.01
    assert np.abs(sound[-240:]).max() < 0.002
    assert np.abs(sound).max() == pytest.approx(peak, rel=0.12)
    assert np.abs(sound).max() <= 0.15


def test_knocks_are_small() -> None:
    """A knock is over in 0.2 s and no take is louder than another."""
    for number in (1, 2, 3):
        knock = measure.load(f"effects/knock_{number}")
        assert len(knock) < 0.2 * RATE
        assert np.abs(knock).max() == pytest.approx(levels.EFFECT_PEAK, rel=0.1)


@pytest.mark.parametrize("file", MEASURED)
def test_sounds_are_what_their_literature_says(file: str) -> None:
    """The figures by which each thing is known, from a cricket's carrier to a bell's partials, lie where they were measured."""
    sound = measure.load(file)
    for figure in figures():
        if figure.file == file:
            assert figure.low <= figure.measured(sound) <= figure.high, figure.what


def test_colours_are_in_order() -> None:
    """From a heart to rain, each bed is brighter than the one before it."""
    order = [measure.centroid(measure.load(f"beds/{name}")) for name in ("heartbeat", "drone", "murmur", "birds", "rain")]
    assert order == sorted(order)


def test_takes_differ() -> None:
    """No two takes of a sound are one recording shifted or scaled."""
    for name, (_, takes, _) in SOUNDS.items():
        for one, other in combinations([measure.load(f"sounds/{name}_{number}") for number in range(1, takes + 1)], 2):
            length = 1 << int(np.ceil(np.log2(len(one) + len(other))))
            likeness = np.fft.irfft(np.fft.rfft(one, length) * np.conj(np.fft.rfft(other, length)))
            assert np.abs(likeness).max() < 0.95 * np.linalg.norm(one) * np.linalg.norm(other)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Rendering into a place that is no folder raises OSError."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        ambience.render(tmp_path / "file", only=["knock"])
