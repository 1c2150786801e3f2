"""Every clip alike: rate, silence, loudness."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.voice import Pack, shape

from .helpers import tone


def test_resampling_keeps_a_tone() -> None:
    """espeak's 22,050 samples a second become the product's rate without change of pitch, length or loudness."""
    seconds = 0.7
    before = (0.5 * np.sin(2 * np.pi * 1000 * np.arange(round(22_050 * seconds)) / 22_050)).astype(np.float32)
    after = shape.resample(before, 22_050)
    expected = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(len(after)) / RATE)
    assert len(after) == pytest.approx(RATE * seconds, abs=160)
    assert np.abs(after - expected)[1000:-1000].max() < 0.01


@pytest.mark.parametrize("background", [0.0, 0.0003])
def test_silence_is_trimmed(background: float) -> None:
    """Silence, also a faintly hissing one, is cut to less than 120 ms at either end, and the voice is not touched."""
    hiss = (background * np.random.default_rng(1).standard_normal(3 * RATE)).astype(np.float32)
    voice = tone(1.0)
    hiss[RATE : 2 * RATE] += voice
    kept = shape.trim(hiss)
    loud = np.flatnonzero(np.abs(kept) > 0.01)
    assert 0 < loud[0] <= 0.12 * RATE
    assert 0 < len(kept) - loud[-1] <= 0.12 * RATE
    assert loud[-1] - loud[0] == pytest.approx(RATE, abs=10)
    assert kept[0] == kept[-1] == 0


def test_silent_clip_becomes_empty() -> None:
    """Of a clip without any sound nothing is left."""
    assert len(shape.trim(np.zeros(RATE, np.float32))) == 0


def test_loudness_is_that_of_the_norm() -> None:
    """A sine of 997 Hz at -20 dBFS is measured as -23.05 LUFS, as BS.1770 says of one channel."""
    sine: Clip = (0.1 * np.sin(2 * np.pi * 997 * np.arange(5 * RATE) / RATE)).astype(np.float32)
    assert shape.measure_loudness(sine) == pytest.approx(-23.0, abs=0.1)


def test_pauses_do_not_count_for_loudness() -> None:
    """A sentence is not taken for quieter because it has a pause in it."""
    paused = np.concatenate([tone(2.0), np.zeros(3 * RATE, np.float32), tone(2.0)])
    assert shape.measure_loudness(paused) == pytest.approx(shape.measure_loudness(tone(2.0)), abs=0.5)


@pytest.mark.parametrize("gain", [0.01, 0.3, 3.0])
def test_clips_are_made_equally_loud(gain: float) -> None:
    """However loud a clip was, it gets the loudness asked for."""
    assert shape.measure_loudness(shape.level(tone() * np.float32(gain))) == pytest.approx(shape.LOUDNESS, abs=0.1)


def test_peaks_are_held_down() -> None:
    """A voice whose peaks would clip has them held down, and is as loud as the others all the same."""
    rng = np.random.default_rng(1)
    voice = (0.02 * rng.standard_normal(2 * RATE)).astype(np.float32)
    voice[[0, 100, RATE, 2 * RATE - 1]] = 0.9
    levelled = shape.level(voice)
    assert shape.measure_peak(levelled) < shape.PEAK + 0.05
    assert shape.measure_loudness(levelled) == pytest.approx(shape.LOUDNESS, abs=0.3)
    quiet = levelled[RATE // 4 : RATE // 2] / voice[RATE // 4 : RATE // 2]
    assert quiet.std() < 1e-3 * quiet.mean()    # far from the peaks it is the same wave


def test_short_clip_is_measured_repeated() -> None:
    """The norm's blocks are longer than some words: a word is as loud as the same word said several times."""
    word = tone(0.3)
    assert shape.measure_loudness(word) == pytest.approx(shape.measure_loudness(np.tile(word, 8)), abs=0.3)


def test_robot_is_about_as_loud_without_the_meter() -> None:
    """What is levelled by its power alone comes within 1.5 LU of what is levelled by the norm, with no peak above the limit."""
    pack = Pack.load("xiaoyi")
    for sentence in sorted(pack.sentences())[::40]:
        clip = pack.clip(sentence)
        assert clip is not None
        even = shape.even(clip * np.float32(0.2))
        assert shape.measure_loudness(even) == pytest.approx(shape.LOUDNESS, abs=1.5)
        assert shape.measure_peak(even) < shape.PEAK + 0.05


@pytest.mark.parametrize("silence", [0.0, 0.05, 0.3])
def test_silence_at_the_ends_is_measured(silence: float) -> None:
    """The silence before and after a sound, in seconds; of a silent clip its whole length."""
    padding = np.zeros(round(silence * RATE), np.float32)
    assert shape.edges(np.concatenate([padding, tone(), padding])) == pytest.approx((silence, silence), abs=0.01)
    assert shape.edges(np.zeros(RATE, np.float32)) == (1.0, 1.0)


def test_peak_between_samples_is_seen() -> None:
    """The true peak is that of the wave, not of its samples."""
    quarter = np.sin(2 * np.pi * np.arange(RATE) / 4 + np.pi / 4).astype(np.float32)
    assert np.abs(quarter).max() == pytest.approx(0.707, abs=0.001)
    assert shape.measure_peak(quarter) == pytest.approx(0, abs=0.3)
