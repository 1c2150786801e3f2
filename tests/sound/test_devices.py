"""Loudspeakers as they are: with a rate of their own, unplugged in the midst of a game, shared by two, or not there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.sound import Speaker
from narrator.sound.devices import loudspeakers
from narrator.sound.resample import Resampler
from narrator.voice import Pack
from tests.command import ROOT
from tests.sound.test_speaker import loudness, place, similarity, sounds
from tests.virtual_audio import VirtualAudio, wait_until

pytestmark = pytest.mark.real_time


def low(clip: Clip, most: float = 5000.0) -> Clip:
    """What of a clip lies below so many Hz: 5 kHz can nearly any device play."""
    spectrum = np.fft.rfft(clip)
    spectrum[round(most * len(clip) / RATE) :] = 0
    return np.fft.irfft(spectrum, len(clip)).astype(np.float32)


@pytest.mark.parametrize("rate", [48_000, 44_100, 32_000, 16_000, 22_050])
@pytest.mark.parametrize("pitch", [150.0, 1000.0, 6000.0])
def test_a_tone_resampled_is_the_same_tone(rate: int, pitch: float) -> None:
    """At any rate of a device a tone comes out as loud and as high as it went in, in blocks of any length, with 90 dB to spare."""
    position = 0

    def tone(out: Clip) -> None:
        nonlocal position
        out[:, 0] = 0.5 * np.sin(2 * np.pi * pitch * np.arange(position, position + len(out)) / RATE)
        position += len(out)

    resampler, blocks = Resampler(tone, 1, rate, 1024), np.random.default_rng(0).integers(1, 1025, 60)
    heard = np.concatenate([block for size in blocks if resampler.fill(block := np.zeros((size, 1), np.float32)) is None])[500:, 0]
    angle = 2 * np.pi * pitch * np.arange(len(heard)) / rate
    waves = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    found, *_ = np.linalg.lstsq(waves, heard.astype(float), rcond=None)
    assert np.hypot(*found) == pytest.approx(0.5, rel=0.002)
    assert np.std(heard - waves @ found) < 0.35 * 10 ** (-90 / 20)


def test_nothing_is_folded_back() -> None:
    """What a slow device cannot play is left out, not heard as something else."""
    position = 0

    def tone(out: Clip) -> None:
        nonlocal position
        out[:, 0] = 0.5 * np.sin(2 * np.pi * 10_000 * np.arange(position, position + len(out)) / RATE)
        position += len(out)

    out = np.zeros((1000, 1), np.float32)
    resampler = Resampler(tone, 1, 16_000, 1000)
    resampler.fill(out)
    resampler.fill(out)
    assert np.abs(out).max() < 1e-4


def test_a_loudspeaker_with_a_rate_of_its_own(spoken: Clip, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that refuses our rate is opened at one that it takes, and plays the same sound at the same speed."""
    clip = low(spoken)
    with VirtualAudio(only_rate=16_000) as audio:
        for name, value in audio.environment.items():
            monkeypatch.setenv(name, value)
        code = "import sounddevice; sounddevice.check_output_settings(samplerate=24000)"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=20).returncode == 1
        with audio.record() as recorder, closing(Speaker()) as speaker:
            time.sleep(0.3)
            began, seconds = recorder.count, speaker.play(clip)
            time.sleep(seconds + 0.3)
            heard = recorder.samples()[began:]
    begin = place(heard, clip)
    assert similarity(heard[begin:], clip) > 0.95


def test_unplugged_and_plugged_again_five_times(audio: VirtualAudio) -> None:
    """Each time the loss is noticed within 2 s, and each time sound comes back."""
    with closing(Speaker()) as speaker:
        speaker.scene("night")
        for _ in range(5):
            began = time.monotonic()
            audio.kill()
            wait_until(lambda: speaker.trouble is not None, "the loss is noticed")
            assert time.monotonic() - began < 2.0
            audio.start()
            wait_until(lambda: speaker.trouble is None, "the loudspeaker is found again")
            with audio.record() as recorder:
                wait_until(lambda: sounds(recorder), "the ambience is heard again")


def test_a_named_loudspeaker_that_is_lost_is_followed_by_the_default(audio: VirtualAudio) -> None:
    """The game goes on with the default where the chosen device does not come back."""
    conf = Path(audio.environment["ALSA_CONFIG_PATH"])
    usual = conf.read_text()
    conf.write_text(usual + "pcm.kitchen { type pulse hint { show on description kitchen } }\n")
    assert "kitchen" in loudspeakers()
    with closing(Speaker("kitchen")) as speaker:
        speaker.scene("night")
        audio.kill()
        wait_until(lambda: speaker.trouble is not None, "the loss is noticed")
        conf.write_text(usual)
        assert "kitchen" not in loudspeakers()
        audio.start()
        with audio.record() as recorder:
            wait_until(lambda: speaker.trouble is None, "another loudspeaker is found")
            wait_until(lambda: sounds(recorder), "the ambience is heard again")


def test_two_games_at_once(audio: VirtualAudio, spoken: Clip) -> None:
    """Two narrators share one loudspeaker: each is heard, and neither disturbs the other."""
    with audio.record() as recorder, closing(Speaker()) as one, closing(Speaker()) as other:
        time.sleep(0.3)
        one.play(spoken)
        time.sleep(other.play(spoken[::-1].copy()) + 0.3)
        heard = recorder.samples()
        assert one.trouble is None
        assert other.trouble is None
    for clip in (spoken, spoken[::-1]):
        begin = place(heard, clip)
        assert similarity(heard[begin:], clip) > 0.4   # the other one lies over it


@pytest.mark.long
def test_a_game_is_heard_as_its_transcript_says(audio: VirtualAudio, tmp_path: Path) -> None:
    """A rehearsed game recorded from the loudspeaker holds every sentence of its transcript at its time; the ambience never drops out."""
    transcript = tmp_path / "game.jsonl"
    command = [sys.executable, "-m", "narrator", "rehearse", "--hurry", "--players", "5", "--seed", "42", "--transcript", str(transcript)]
    with audio.record() as recorder:
        ended = subprocess.run(command, cwd=ROOT, env=os.environ | audio.environment, capture_output=True, text=True, timeout=200)
        heard = recorder.samples()
    assert ended.returncode == 0, ended.stderr
    pack, began, found = Pack.load("xiaoyi"), 0, 0
    for record in map(json.loads, transcript.read_text("utf-8").splitlines()):
        if record["audience"] == "everyone" and record["text"]:
            clips = [pack.clip(sentence) for sentence in re.findall(r"[^。？！]+[。？！]?", record["text"])]
            for number, clip in enumerate(clips):
                assert clip is not None, record
                if not began:
                    began = place(heard, clip) - round(record["time"] * RATE)   # the recording may have begun earlier or later
                due = began + round(record["time"] * RATE)
                span = heard[max(0, due - RATE // 3) : due + round((record["duration"] + 0.6) * RATE)]
                at = place(span, clip)
                assert similarity(span[at:], clip) > 0.8, record
                assert number or abs(at - min(due, RATE // 3)) < RATE // 3, record
                found += 1
    assert found > 30
    loud = loudness(heard[began + 4 * RATE : -RATE])   # from when the first scene has faded in to when the loudspeaker is closed
    assert 20 * np.log10(np.sort(loud)[2]) > -70    # the machine itself may stall for a piece or two


@pytest.mark.long
def test_a_game_goes_on_however_often_it_is_unplugged(audio: VirtualAudio, tmp_path: Path) -> None:
    """A game whose loudspeaker is unplugged and plugged again five times says what it would have said, line by line, to its end."""
    told = []
    game = [sys.executable, "-m", "narrator", "rehearse", "--hurry", "--players", "5", "--seed", "42"]
    for number, more in enumerate((["--out", str(tmp_path / "game.wav")], [])):
        transcript = tmp_path / f"{number}.jsonl"
        playing = subprocess.Popen([*game, *more, "--transcript", str(transcript)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if not more:
            for _ in range(5):
                time.sleep(7)
                assert playing.poll() is None
                audio.kill()
                time.sleep(2)
                audio.start()
        printed, _ = playing.communicate(timeout=300)
        assert playing.returncode == 0
        if not more:
            assert printed.count("游戏停着等它") >= 4, "a loss in silence may be over before anybody looks"
        records = map(json.loads, transcript.read_text("utf-8").splitlines())
        told.append([(record["key"], record["text"]) for record in records if record["text"]])
    assert told[0] == told[1]


ONE_CHANNEL = """
import threading, time
import numpy as np

class PortAudioError(Exception):
    pass

def query_devices(device=None, kind=None):
    return {"name": "telephone", "max_output_channels": 1, "default_samplerate": 8000.0}

class OutputStream:
    '''A device with one channel at 8 kHz, which writes what it plays into a file.'''
    latency, device, active = 0.05, 0, True

    def __init__(self, samplerate, blocksize, device, channels, dtype, latency, callback):
        if channels != 1 or samplerate != 8000:
            raise PortAudioError("one channel at 8 kHz")
        self.samplerate, self.blocksize, self.channels, self._callback = samplerate, blocksize, channels, callback

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        block = np.zeros((self.blocksize, 1), np.float32)
        with open(FILE, "wb", buffering=0) as file:
            while True:
                self._callback(block, self.blocksize, None, None)
                file.write(block.tobytes())
                time.sleep(self.blocksize / 8000)
"""
"""What stands in for the module `sounddevice`: no virtual sound card has so little."""


def test_a_telephone(tmp_path: Path, spoken: Clip) -> None:
    """A device with one channel, at a rate that nobody asked for, plays a stereo mix all the same: both sides of it."""
    (tmp_path / "sounddevice.py").write_text(f"FILE = {str(tmp_path / 'heard')!r}\n{ONE_CHANNEL}")
    slow = 3 * low(spoken, 800.0)
    np.save(tmp_path / "clip.npy", slow)
    code = (
        "import numpy, sys, time; from narrator.sound import Speaker; speaker = Speaker(stereo=True); speaker.scene('guard');"
        "time.sleep(1); time.sleep(speaker.play(numpy.load(sys.argv[1])) + 0.5); assert speaker.trouble is None; speaker.close()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    ended = subprocess.run([sys.executable, "-c", code, tmp_path / "clip.npy"], env=environment, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 0, ended.stderr
    heard = np.fromfile(tmp_path / "heard", np.float32)
    clip = slow[::3]
    begin = place(heard, clip)
    assert similarity(heard[begin:], clip) > 0.9
    assert np.std(heard[8000 // 2 : 8000]) > 1e-3, "the ambience before it"
