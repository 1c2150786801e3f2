"""What the microphone promises: it is heard at whatever rate it has, and one that is none, or is silent, is told and never waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.command import ROOT
from tests.virtual_audio import VirtualAudio

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


def listen(path: Path = ROOT, **environment: str) -> list[str]:
    """What is printed by a process that listens twice for half a second."""
    command = [sys.executable, "-c", LISTEN]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=30, cwd=ROOT, env=os.environ | {"PYTHONPATH": f"{path}:{ROOT}"} | environment
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def test_a_microphone_of_another_rate_is_heard() -> None:
    """A device that refuses the product's rate is heard at its own, and nothing of what came before `begin` is in a take."""
    with VirtualAudio(only_rate=16_000) as audio:
        for line in listen(**audio.environment):
            rate, seconds = line.split()
            assert rate == "16000"
            assert 0.2 < float(seconds) < 1.5


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
