"""The loudspeaker, heard through a virtual one: a real stream in its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.errors import NoSpeaker
from narrator.sound import Speaker, levels
from narrator.sound.levels import Levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import Scenery
from tests.virtual_audio import Recorder, VirtualAudio, wait_until

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[2]


def run(code: str, *path: Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh Python that imports from `path`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=20)


def place(heard: Clip, pattern: Clip) -> int:
    """Where in `heard` the pattern fits best; `heard` is taken as a circle."""
    size = max(len(heard), len(pattern))
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(pattern, size))
    return int(np.argmax(np.fft.irfft(spectrum, size)))


def mixed(scenery: Scenery, scene: str, count: int, clip: Clip | None = None, at: int = 0) -> Clip:
    """The first samples of a scene, with a clip from `at` on."""
    mixer, out = Mixer(scenery), np.empty((count, 1), np.float32)
    mixer.scene(scene)
    for begin in range(0, count, RATE):
        for stretch in np.split(out[begin : begin + RATE], [at - begin]) if begin < at < begin + RATE else [out[begin : begin + RATE]]:
            if clip is not None and mixer.position == at:
                mixer.play(clip)
            mixer.supply()
            mixer.mix(stretch)
    return out[:, 0]


def similarity(heard: Clip, expected: Clip) -> float:
    """How well all that is expected is heard: the likeness of its quarter seconds, the worst tenth of them left out. A busy machine may
    stall: the piece it falls into is lost, and what follows is shifted, so each is looked for within 0.4 s of its place."""
    size, room = RATE // 4, round(0.4 * RATE)
    found = []
    for begin in range(0, len(expected) - size + 1, size):
        piece, span = expected[begin : begin + size], heard[max(0, begin - room) : begin + size + room]
        part = span[(at := place(span, piece)) : at + size]
        if piece.any():
            found.append(float(np.dot(part, piece[: len(part)]) / (np.linalg.norm(part) * np.linalg.norm(piece) + 1e-9)))
    return sorted(found)[-(-len(found) // 10) if len(found) > 3 else 0]


def loudness(heard: Clip) -> Clip:
    """RMS of each 50 ms."""
    window = round(0.05 * RATE)
    windows = heard[: len(heard) // window * window].reshape(-1, window)
    return np.asarray(np.sqrt(np.mean(windows**2, axis=1)), np.float32)


def test_what_is_heard_is_what_was_mixed(audio: VirtualAudio, shipped: Scenery, spoken: Clip) -> None:
    """A real stream brings the mixer's samples to the loudspeaker, ends a clip when `play` said, and never lets the ambience drop out."""
    with audio.record() as recorder, closing(Speaker()) as speaker:
        assert speaker.trouble is None
        speaker.scene("guard")  # beds alone: what comes by chance comes otherwise every evening
        time.sleep(levels.CROSSFADE + 0.6)
        before, seconds = recorder.count, speaker.play(spoken)
        time.sleep(seconds)
        ended = recorder.count
        time.sleep(0.3)
        heard = recorder.samples()
    begin = place(heard, spoken)
    assert before <= begin
    assert -0.1 < (ended - begin - len(spoken)) / RATE < 0.4
    second = heard[before - RATE : before]
    position = place(mixed(shipped, "guard", 10 * RATE), second) + RATE + begin - before  # of the mixer when the clip began
    expected = mixed(shipped, "guard", position + len(heard) - begin, spoken, position)
    assert similarity(heard[begin:], expected[position:]) > 0.99
    assert similarity(second, expected[position - begin + before - RATE :][:RATE]) > 0.99
    assert loudness(heard[before - RATE // 2 :]).min() > 10 ** (-60 / 20)


@pytest.mark.parametrize("depth", [levels.DUCK, 20.0])
def test_the_ambience_is_heard_to_step_back(audio: VirtualAudio, depth: float) -> None:
    """Under a voice, here a silent one, the recorded ambience is so many decibels softer as is set."""
    with audio.record() as recorder, closing(Speaker(None, Levels(duck=depth))) as speaker:
        speaker.scene("guard")
        time.sleep(levels.CROSSFADE + 0.6)
        before, seconds = recorder.count, speaker.play(np.zeros(4 * RATE, np.float32))
        time.sleep(seconds)
        heard = recorder.samples()
    under = heard[before + RATE : before + 3 * RATE]
    assert 20 * np.log10(np.std(heard[before - 2 * RATE : before]) / np.std(under)) == pytest.approx(depth, abs=2.5)


def test_clips_queue_and_are_hushed(audio: VirtualAudio, spoken: Clip) -> None:
    """A clip behind another ends when both have been heard; after a hush the next one follows at once, and the ones before are gone."""
    with audio.record() as recorder, closing(Speaker()) as speaker:
        alone = speaker.play(spoken[::-1])
        assert speaker.play(spoken[::-1]) == pytest.approx(alone + 1.5, abs=0.1)
        time.sleep(0.5)
        speaker.hush()
        began, seconds = recorder.count, speaker.play(spoken)
        assert seconds == pytest.approx(alone, abs=0.1)
        time.sleep(seconds + 0.3)
        heard = recorder.samples()[began:]
    begin = place(heard, spoken)
    assert similarity(heard[begin:], spoken) > 0.99
    assert begin < 0.4 * RATE
    assert not heard[begin + len(spoken) + RATE // 10 :].any()


def test_unknown_names_are_refused(audio: VirtualAudio) -> None:
    """A scene or effect that does not exist raises at once and names those that do, also when nothing can be heard."""
    with closing(Speaker()) as speaker:
        for _ in range(2):
            with pytest.raises(ValueError, match=r"'nigth' is no scene; there are .*night"):
                speaker.scene("nigth")
            with pytest.raises(ValueError, match="'night' is no effect; there are knock"):
                speaker.effect("night")
            audio.kill()
            wait_until(lambda: speaker.trouble is not None, "the loss is noticed")


def test_levels_are_kept_by_the_next_process(audio: VirtualAudio) -> None:
    """How loud a part has been set holds for a loudspeaker that is found again."""
    with closing(Speaker()) as speaker:
        speaker.scene("guard")
        with audio.record() as recorder:
            wait_until(lambda: sounds(recorder), "the ambience is heard")
            speaker.level("ambience", levels.OFF)
            wait_until(lambda: not sounds(recorder), "it is silent")
        audio.kill()
        wait_until(lambda: speaker.trouble is not None, "the loss is noticed")
        audio.start()
        wait_until(lambda: speaker.trouble is None, "the loudspeaker is found again")
        with audio.record() as recorder:
            wait_until(lambda: recorder.count > 2 * RATE, "two seconds are recorded")
            assert not np.abs(recorder.samples()).max() > 1e-4


def sounds(recorder: Recorder) -> bool:
    """Whether anything was heard in the last 0.2 s."""
    return recorder.count > 0 and bool(np.abs(recorder.samples()[-RATE // 5 :]).max() > 1e-3)


def test_a_lost_loudspeaker_is_found_again(audio: VirtualAudio, spoken: Clip) -> None:
    """When the sound server dies nothing raises, durations go on, `trouble` says so; when it is back, so is the ambience."""
    with closing(Speaker()) as speaker:
        speaker.scene("night")
        audio.kill()
        wait_until(lambda: speaker.trouble is not None, "the loss is noticed")
        assert "loudspeaker" in str(speaker.trouble)
        assert speaker.play(spoken) == pytest.approx(1.5, abs=0.01)
        speaker.effect("knock")
        speaker.scene("dawn")
        speaker.hush()
        assert speaker.play(spoken) == pytest.approx(1.5, abs=0.01)
        audio.start()
        wait_until(lambda: speaker.trouble is None, "the loudspeaker is found again")
        with audio.record() as recorder:
            wait_until(lambda: sounds(recorder), "the ambience is heard again")


def test_a_stalled_loudspeaker_is_noticed(audio: VirtualAudio) -> None:
    """A loudspeaker that falls asleep without telling anyone is noticed, stays noticed while it sleeps, and sounds again afterwards."""
    with audio.record() as recorder, closing(Speaker()) as speaker:
        speaker.scene("night")
        audio.suspend(True)
        wait_until(lambda: speaker.trouble is not None, "the stall is noticed")
        for _ in range(60):
            assert speaker.trouble is not None
            time.sleep(0.05)
        asleep = recorder.count
        audio.suspend(False)
        wait_until(lambda: speaker.trouble is None, "the loudspeaker is found again")
        wait_until(lambda: recorder.count > asleep + RATE // 5 and sounds(recorder), "the ambience is heard again")


@pytest.mark.parametrize("device", [None, "Bathroom"])
def test_no_loudspeaker(audio: VirtualAudio, device: str | None, capfd: pytest.CaptureFixture[str]) -> None:
    """Without a device, or with one that is not there, opening raises NoSpeaker in one line that names the device, and prints nothing."""
    if not device:
        audio.kill()
    with pytest.raises(NoSpeaker) as raised:
        Speaker(device)
    assert str(raised.value).startswith(f"the loudspeaker {device or '(default)'} cannot be opened: ")
    assert "\n" not in str(raised.value)
    assert raised.value.slots["reason"] == "no_device"
    assert capfd.readouterr() == ("", "")


def test_no_portaudio(tmp_path: Path) -> None:
    """Where PortAudio is not installed, NoSpeaker says what to install."""
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')")  # what the real module does
    done = run("from narrator.sound import Speaker; Speaker()", tmp_path, ROOT)
    last = done.stderr.splitlines()[-1]
    assert last.endswith("NoSpeaker: PortAudio library not found; on Debian and Raspberry Pi OS: sudo apt install libportaudio2")


def test_its_process_is_the_same_narrator(audio: VirtualAudio, tmp_path: Path) -> None:
    """Wherever the narrator was started and whatever PYTHONPATH says, the loudspeaker's process runs the same code."""
    assert audio.environment
    (tmp_path / "narrator.py").write_text("raise SystemExit('another narrator')")
    code = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); from narrator.sound import Speaker; os.chdir('/'); Speaker().close()"
    done = run(code, tmp_path, folder=tmp_path)
    assert done.returncode == 0, done.stderr
