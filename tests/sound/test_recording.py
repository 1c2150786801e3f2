"""The WAV file of a rehearsal, and silence, which keeps the same time."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.clip import RATE, Clip, read
from narrator.clock import SimulatedClock
from narrator.sound import Recording, Silence, Sound, levels


@settings(max_examples=12, deadline=None)
@given(steps=st.lists(st.floats(0, 2.5, allow_subnormal=False), max_size=12))
def test_as_many_samples_as_time_has_passed(steps: list[float]) -> None:
    """The file holds exactly round(now * RATE) samples of the time until it was closed, however odd the steps of the clock."""
    with tempfile.TemporaryDirectory() as folder:
        path, clock = Path(folder) / "game.wav", SimulatedClock()
        recording = Recording(path, clock)
        for step in steps:
            recording.scene("night")
            clock.wait(clock.now() + step)
        recording.close()
        ended = clock.now()
        clock.wait(ended + 1)
        recording.close()
        assert soundfile.info(path).frames == round(ended * RATE)


def test_the_same_requests_are_the_same_samples(tmp_path: Path, spoken: Clip) -> None:
    """The file depends on what was asked of it and when, not on how the clock got there."""
    files = []
    for number, steps in enumerate(([9.0], [0.1, 0.7, 1.3, 4.4444, 9.0])):
        clock = SimulatedClock()
        recording = Recording(tmp_path / f"{number}.wav", clock)
        recording.scene("night")
        recording.play(spoken)
        for step in steps:
            clock.wait(step)
        recording.scene("dawn")
        clock.wait(12.0)
        recording.close()
        files.append((tmp_path / f"{number}.wav").read_bytes())
    assert files[0] == files[1]


def test_a_clock_that_already_runs(tmp_path: Path) -> None:
    """A recording begun late begins with the silence before it."""
    clock = SimulatedClock()
    clock.wait(2.5)
    Recording(tmp_path / "late.wav", clock).close()
    assert not read(tmp_path / "late.wav").any()
    assert len(read(tmp_path / "late.wav")) == 2.5 * RATE


def test_the_file_is_what_the_table_would_hear(tmp_path: Path, spoken: Clip) -> None:
    """A clip stands in the file where it was played, ends when `play` said, and the file is 24 kHz mono 16-bit WAV."""
    clock = SimulatedClock()
    recording = Recording(tmp_path / "game.wav", clock)
    clock.wait(0.7)
    clock.wait(clock.now() + recording.play(spoken))
    recording.close()
    info = soundfile.info(tmp_path / "game.wav")
    assert (info.samplerate, info.channels, info.format, info.subtype) == (RATE, 1, "WAV", "PCM_16")
    heard = read(tmp_path / "game.wav")[round(0.7 * RATE) :]
    np.testing.assert_allclose(heard, spoken * levels.VOICE, atol=1 / 32768)
    assert recording.trouble is None


def test_a_loud_game_is_not_clipped(tmp_path: Path) -> None:
    """Full-scale clips over every scene with knocks never reach full scale in the file."""
    clock = SimulatedClock()
    recording = Recording(tmp_path / "loud.wav", clock)
    for scene in ("nightfall", "werewolf", "dawn", "village"):
        recording.scene(scene)
        recording.play(np.sign(np.sin(np.arange(4 * RATE) / 9)).astype(np.float32))
        for _ in range(8):
            recording.effect("knock")
            clock.wait(clock.now() + 0.5)
    recording.close()
    assert 0.8 < np.abs(read(tmp_path / "loud.wav")).max() <= levels.CEILING + 1 / 32768


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """A recording into a folder that is not there raises OSError and names the path."""
    with pytest.raises(OSError, match=r"missing/game\.wav"):
        Recording(tmp_path / "missing" / "game.wav", SimulatedClock())


def test_silence_keeps_the_pace(tmp_path: Path, spoken: Clip) -> None:
    """Without a loudspeaker every clip takes exactly as long as it would aloud: alone, queued, and after a hush that cut nothing."""

    def durations(clock: SimulatedClock, sound: Sound) -> list[float]:
        sound.scene("night")
        found = [sound.play(spoken), sound.play(spoken)]
        clock.wait(1)
        sound.effect("knock")
        found.append(sound.play(spoken[:999]))
        clock.wait(60)
        sound.hush()
        found.append(sound.play(spoken))
        sound.close()
        return found

    aloud, silent = SimulatedClock(), SimulatedClock()
    expected = durations(aloud, Recording(tmp_path / "game.wav", aloud))
    assert durations(silent, Silence(silent)) == pytest.approx(expected)
    assert Silence().trouble is None


@pytest.mark.parametrize("call", ["scene", "effect"])
def test_silence_refuses_what_sound_refuses(call: str) -> None:
    """A wrong name is found without a loudspeaker, too."""
    with pytest.raises(ValueError, match="'owls' is no"):
        getattr(Silence(), call)("owls")
