"""What the microphone promises: it is heard at whatever rate it has, and one that is none, or is silent, is told and never waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT
from tests.virtual_audio import VirtualAudio

pytestmark = pytest.mark.real_time

LISTEN = """
import time
from narrator.errors import NoMicrophone
from narrator.sound.microphone import Microphone
try:
    microphone = Microphone()
    for _ in range(2):
        microphone.begin()
        time.sleep(0.5)
        print(microphone.rate, len(microphone.end()) / microphone.rate)
except NoMicrophone as error:
    print(error.slots["reason"])
"""

PARTICULAR = """
import threading, time
import numpy as np

class PortAudioError(Exception):
    pass

def query_devices(device, kind):
    return {"default_samplerate": 44100.0, "max_input_channels": 4}

class InputStream:
    def __init__(self, samplerate, blocksize, device, channels, dtype, latency, callback):
        if (samplerate, channels) != (44100, 4):
            raise PortAudioError("Invalid sample rate")
        self.samplerate, self.active, self.callback = 44100.0, False, callback

    def start(self):
        self.active = True
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            time.sleep(0.01)
            self.callback(np.zeros((441, 4), np.float32), 441, None, None)
"""
"""A device that takes nothing but 44,100 samples a second on four channels, as sounddevice has it."""


def listen(path: Path = ROOT, **environment: str) -> list[str]:
    """What is printed by a process that listens twice for half a second."""
    command = [sys.executable, "-c", LISTEN]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=30, cwd=ROOT, env=os.environ | {"PYTHONPATH": f"{path}:{ROOT}"} | environment
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def test_what_is_heard_is_kept_only_between_begin_and_end() -> None:
    """A take holds as much as was heard since it began, at the product's rate where the device takes that."""
    with VirtualAudio() as audio:
        takes = [line.split() for line in listen(**audio.environment)]
    assert [rate for rate, _ in takes] == ["24000", "24000"]
    assert all(0.2 < float(seconds) < 1.5 for _, seconds in takes)


def test_a_microphone_of_another_rate_is_heard(tmp_path: Path) -> None:
    """A device that refuses the product's rate and a single channel is heard at its own rate, on the channels that it has."""
    (tmp_path / "sounddevice.py").write_text(PARTICULAR)
    takes = [line.split() for line in listen(tmp_path)]
    assert [rate for rate, _ in takes] == ["44100", "44100"]
    assert all(0.2 < float(seconds) < 1.5 for _, seconds in takes)


def test_without_a_microphone_the_reason_is_told(tmp_path: Path) -> None:
    """No PortAudio, no device: each has its reason, and PortAudio's own noise is kept to itself."""
    assert listen(PULSE_SERVER="none", ALSA_CONFIG_PATH="/dev/null") == ["no_input"]
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')")    # what the real module does
    assert listen(tmp_path) == ["no_portaudio"]


def test_a_microphone_that_delivers_nothing_is_told() -> None:
    """One that is opened and stays dumb is not waited for."""
    with VirtualAudio() as audio:
        audio.suspend(True, "mic")
        assert listen(**audio.environment) == ["mute_microphone"]
