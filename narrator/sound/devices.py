"""Which loudspeakers there are. They are asked for in a process of its own: PortAudio's libraries print, and may wait for ever."""

from __future__ import annotations

import json
import os

from narrator.process import Process, WorkerError, python

_PATIENCE = 10.0
"""Seconds that the system may take to find them."""


def loudspeakers() -> list[str]:
    """The names of all that can play, as `device` takes them; none where PortAudio is missing or finds none."""
    try:
        process = Process(python("narrator.sound.devices"))
    except OSError:
        return []
    try:
        names: list[str] = process.receive(_PATIENCE)["names"]
    except WorkerError:
        names = []
    process.kill()
    return names


def main() -> None:
    """Print them as one line of JSON."""
    replies = os.dup(1)
    os.dup2(2, 1)
    try:
        import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        reply: dict[str, object] = {"error": str(error)}
    else:
        reply = {"names": [device["name"] for device in sounddevice.query_devices() if device["max_output_channels"]]}
    os.write(replies, json.dumps(reply).encode() + b"\n")
