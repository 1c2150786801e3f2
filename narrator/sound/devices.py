"""Which loudspeakers and microphones there are. They are asked for in a process of its own: PortAudio's libraries print, and may wait for
ever."""

from __future__ import annotations

import json
import os
import sys

from narrator.process import Process, WorkerError, python

COMMON = 48_000, 44_100, 32_000, 16_000
"""Rates in Hz to try where a device takes neither ours nor the one that it names."""

_PATIENCE = 10.0
"""Seconds that the system may take to find them."""


def loudspeakers() -> list[str]:
    """The names of all that can play, as `device` takes them; none where PortAudio is missing or finds none."""
    return _names("max_output_channels")


def microphones() -> list[str]:
    """The same of all that can record."""
    return _names("max_input_channels")


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
