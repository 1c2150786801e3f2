"""The loudspeaker, heard through a virtual one: a real stream, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE, Clip
from narrator.sound import levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import Scenery
from tests.virtual_audio import Recorder, VirtualAudio, wait_until

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(Path(__file__).with_name("speaker_process.py"))]


class Remote:
    """A `Speaker` in another process. Whatever it raises ends that process, and the next call fails here."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def answer(self) -> object:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def call(self, *words: str) -> object:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return self.answer()


def environment(audio: VirtualAudio, *path: Path) -> dict[str, str]:
    return os.environ | audio.environment | {"PYTHONPATH": os.pathsep.join(map(str, [*path, ROOT]))}


@contextmanager
def speaker(audio: VirtualAudio) -> Iterator[Remote]:
    """A speaker on the virtual device, which must end by itself once closed."""
    with subprocess.Popen(COMMAND, env=environment(audio), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            remote = Remote(process)
            assert remote.answer() == "open"
            yield remote
            remote.call("close")
            process.communicate(timeout=10)
            assert process.returncode == 0
        finally:
            process.kill()


def place(heard: Clip, pattern: Clip) -> int:
    """Where in `heard` the pattern fits best; `heard` is taken as a circle."""
    size = max(len(heard), len(pattern))
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(pattern, size))
    return int(np.argmax(np.fft.irfft(spectrum, size)))


def similarity(heard: Clip, expected: Clip) -> float:
    """Correlation, once a shift of up to 0.2 s is made good: a stall of the machine may have moved the sound."""
    room = round(0.2 * RATE)
    shift = (place(np.pad(heard, room), expected) + room) % (len(heard) + 2 * room) - 2 * room
    moved = np.roll(heard, -shift)
    return float(np.corrcoef(moved[room:-room], expected[room:-room])[0, 1])


def loudness(heard: Clip) -> Clip:
    """RMS of each 50 ms."""
    window = round(0.05 * RATE)
    windows = heard[: len(heard) // window * window].reshape(-1, window)
    return np.asarray(np.sqrt(np.mean(windows**2, axis=1)), np.float32)


def test_what_is_heard_is_what_was_mixed(tmp_path: Path, shipped: Scenery, spoken: Clip) -> None:
    """A real stream brings the mixer's samples to the loudspeaker, ends a clip when `play` said, and never lets the ambience drop out."""
    soundfile.write(tmp_path / "spoken.wav", spoken, RATE, subtype="FLOAT")
    with VirtualAudio() as audio, audio.record() as recorder, speaker(audio) as remote:
        assert remote.call("trouble") is None
        remote.call("scene", "night")
        time.sleep(levels.CROSSFADE + 0.6)
        before, seconds = recorder.count, remote.call("play", str(tmp_path / "spoken.wav"))
        assert isinstance(seconds, float)
        time.sleep(seconds)
        ended = recorder.count
        time.sleep(0.3)
        heard = recorder.samples()
    begin = place(heard, spoken)
    assert before <= begin
    assert -0.1 < (ended - begin - len(spoken)) / RATE < 0.4
    second = heard[before - RATE : before]
    position = (place(shipped.loops["night"], second) - before + RATE) + begin  # of the mixer when the clip began
    mixer = Mixer(shipped)
    mixer.scene("night")
    mixer.mix(np.empty(position, np.float32))
    mixer.play(spoken)
    expected = np.empty(len(heard) - begin, np.float32)
    mixer.mix(expected)
    assert similarity(heard[begin:], expected) > 0.99
    assert similarity(second, np.roll(shipped.loops["night"], begin - position - before + RATE)[:RATE]) > 0.99
    assert loudness(heard[before - RATE // 2 :]).min() > 10 ** (-60 / 20)


def sounds(recorder: Recorder) -> bool:
    """Whether anything was heard in the last 0.2 s."""
    return bool(np.abs(recorder.samples()[-RATE // 5 :]).max() > 1e-3)


def test_a_lost_loudspeaker_is_found_again(tmp_path: Path, spoken: Clip) -> None:
    """When the sound server dies nothing raises, durations go on, `trouble` says so; when it is back, so is the ambience."""
    soundfile.write(tmp_path / "spoken.wav", spoken, RATE, subtype="FLOAT")
    with VirtualAudio() as audio, speaker(audio) as remote:
        remote.call("scene", "night")
        audio.kill()
        wait_until(lambda: remote.call("trouble") is not None, "the loss is noticed")
        assert "loudspeaker" in str(remote.call("trouble"))
        assert remote.call("play", str(tmp_path / "spoken.wav")) == pytest.approx(1.5, abs=0.01)
        remote.call("effect", "knock")
        remote.call("scene", "dawn")
        remote.call("hush")
        assert remote.call("play", str(tmp_path / "spoken.wav")) == pytest.approx(1.5, abs=0.01)
        audio.start()
        wait_until(lambda: remote.call("trouble") is None, "the loudspeaker is found again")
        with audio.record() as recorder:
            wait_until(lambda: sounds(recorder), "the ambience is heard again")


def test_a_stalled_loudspeaker_is_noticed() -> None:
    """A loudspeaker that falls asleep without telling anyone is noticed, stays noticed while it sleeps, and sounds again afterwards."""
    with VirtualAudio() as audio, audio.record() as recorder, speaker(audio) as remote:
        remote.call("scene", "night")
        audio.suspend(True)
        wait_until(lambda: remote.call("trouble") is not None, "the stall is noticed")
        for _ in range(30):
            assert remote.call("trouble") is not None
            time.sleep(0.05)
        asleep = recorder.count
        audio.suspend(False)
        wait_until(lambda: remote.call("trouble") is None, "the loudspeaker is found again")
        wait_until(lambda: recorder.count > asleep + RATE // 5 and sounds(recorder), "the ambience is heard again")


@pytest.mark.parametrize(("device", "reason"), [((), "(default)"), (("Bathroom",), "Bathroom")])
def test_no_loudspeaker(device: tuple[str, ...], reason: str) -> None:
    """Without a device, or with one that is not there, opening raises NoSpeaker in one line that names the device."""
    with VirtualAudio() as audio:
        if not device:
            audio.kill()
        done = subprocess.run([*COMMAND, *device], env=environment(audio), capture_output=True, text=True, timeout=20)
        assert done.stderr.startswith(f"NoSpeaker: the loudspeaker {reason} cannot be opened")
        assert done.stderr.count("\n") == 1


def test_no_portaudio(tmp_path: Path) -> None:
    """Where PortAudio is not installed, NoSpeaker says what to install."""
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')")  # what the real module does
    with VirtualAudio() as audio:
        done = subprocess.run(COMMAND, env=environment(audio, tmp_path), capture_output=True, text=True, timeout=20)
    assert done.stderr == "NoSpeaker: PortAudio library not found; on Debian and Raspberry Pi OS: sudo apt install libportaudio2\n"
