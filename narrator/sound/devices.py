"""Which loudspeakers and microphones there are, and a microphone opened. They are asked for in a process of its own: PortAudio's libraries
print, and may wait for ever."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from narrator.clip import RATE, Clip
from narrator.errors import NoMicrophone
from narrator.process import Process, WorkerError, python

COMMON = 48_000, 44_100, 32_000, 16_000
"""Rates in Hz to try where a device takes neither ours nor the one that it names."""

_PATIENCE = 10.0
"""Seconds that the system may take to find them."""

_SOON = 1.0
"""Seconds that a sound server may take to answer."""


def loudspeakers() -> list[str]:
    """The names of all that can play, as `device` takes them; none where PortAudio is missing or finds none."""
    return _names("max_output_channels")


def microphones() -> list[str]:
    """The same of all that can record."""
    return _names("max_input_channels")


def listening(device: str | None, keep: Callable[[Clip], None]) -> Any:     # an InputStream: sounddevice ships no types
    """A running stream from a microphone, named by a part of its name, at our own rate, or else as the device has it; `keep` gets each
    block, in one channel, in PortAudio's thread. Only for processes that have nothing else to do. Raises `NoMicrophone`."""
    try:
        import sounddevice as portaudio
    except OSError as error:  # not ImportError: the module is there, the library is not
        raise NoMicrophone(str(error), reason="no_portaudio") from error
    try:
        about = portaudio.query_devices(device, "input")
    except (portaudio.PortAudioError, ValueError) as error:  # ValueError: no device, or several, of that name
        raise NoMicrophone(str(error), reason="no_input") from error

    def heard(block: Any, *_: object) -> None:
        keep(block.mean(axis=1))

    rates = dict.fromkeys((RATE, int(about["default_samplerate"]), *COMMON))
    for rate, channels in itertools.product(rates, dict.fromkeys((1, 2, int(about["max_input_channels"])))):
        try:
            stream = portaudio.InputStream(rate, 0, device, channels, "float32", "high", callback=heard)
            stream.start()
            return stream
        except (portaudio.PortAudioError, ValueError) as error:
            refused = error
    raise NoMicrophone(str(refused), reason="no_input") from refused


def hears_itself(stream: Any) -> bool:
    """Whether a running stream hears the loudspeaker: a sound server that has lost its last microphone puts the monitor of its loudspeaker
    in its place, and tells nobody. PulseAudio, and PipeWire in its place, are asked by `pactl`; where that is missing it is not known."""
    import sounddevice as portaudio

    if "hw:" in portaudio.query_devices(stream.device)["name"]:     # a device itself, with no server in between
        return False
    try:
        told = subprocess.run(["pactl", "info"], env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, timeout=_SOON)
    except (OSError, subprocess.TimeoutExpired):
        return False
    defaults = dict(line.split(": ", 1) for line in told.stdout.splitlines() if line.startswith("Default S") and ": " in line)
    return defaults.get("Default Source") == f"{defaults.get('Default Sink')}.monitor"


def _names(channels: str) -> list[str]:
    try:
        process = Process(python("narrator.sound.devices", channels))
    except OSError:
        return []
    try:
        names: list[str] = process.receive(_PATIENCE)["names"]
    except WorkerError:
        names = []
    process.kill()
    return names


def main() -> None:
    """Print those that have channels of the kind that the command line names, as one line of JSON."""
    replies = os.dup(1)
    os.dup2(2, 1)
    try:
        import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        reply: dict[str, object] = {"error": str(error)}
    else:
        reply = {"names": [device["name"] for device in sounddevice.query_devices() if device[sys.argv[1]]]}
    os.write(replies, json.dumps(reply).encode() + b"\n")
