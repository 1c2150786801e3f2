"""The process that holds the microphone: PortAudio may hang, crash or chatter in it without harm to whoever records.

It is told on its command line, as JSON, what to open, and where to write what it hears, as raw float32: {"device": NAME or null,
"path": FILE}. Its input, one line of JSON each, and its answers:

    (it has started)    {"rate": HZ}
    {"begin": true}     {"begun": true}     the file is empty, and the first block of a new take in it
    {"end": true}       {"ended": true}     the take is in the file

Or {"error": WHY, "reason": KEY}, and it ends: "no_portaudio" or "no_input" if it could not open, "mute_microphone" where nothing comes,
"lost_microphone" where nothing more does. It ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time

from narrator.clip import Clip
from narrator.errors import NoMicrophone
from narrator.sound.devices import listening

FIRST = 3.0
"""Seconds that a device may take to deliver its first block."""

_STALL = 1.0
"""Seconds without a block after which it counts as lost."""

_LONGEST = 120
"""Seconds that are kept of a take: somebody who has gone for tea fills no disk."""


class _Input:
    """An open stream, which writes to a file what it hears between `begin` and `end`. Raises `NoMicrophone`."""

    def __init__(self, device: str | None, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY)
        self._room = 0      # samples that may still be written
        self._arrived = threading.Event()
        self._heard = 0.0
        self._stream = listening(device, self._keep)
        self.rate = int(self._stream.samplerate)

    def begin(self) -> None:
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        self._arrived.clear()
        self._room = _LONGEST * self.rate
        if not self._arrived.wait(FIRST):
            raise NoMicrophone("it delivers nothing", reason="mute_microphone")

    def end(self) -> None:
        self._room = 0
        if not self._stream.active or time.monotonic() - self._heard > _STALL:
            raise NoMicrophone("it has gone", reason="lost_microphone")

    def _keep(self, block: Clip) -> None:
        self._heard = time.monotonic()
        if self._room > 0:
            os.write(self._file, block.tobytes())
            self._room -= len(block)
            self._arrived.set()


def main() -> None:
    """Serve the device that the command line names until the input ends or nothing more is heard."""
    replies = os.dup(1)
    os.dup2(2, 1)  # PortAudio's libraries print; nothing but replies may go out here

    def reply(**message: object) -> None:
        os.write(replies, json.dumps(message).encode() + b"\n")

    try:
        source = _Input(**json.loads(sys.argv[1]))
        reply(rate=source.rate)
        for line in sys.stdin:
            if "begin" in json.loads(line):
                source.begin()
                reply(begun=True)
            else:
                source.end()
                reply(ended=True)
    except NoMicrophone as error:
        reply(error=str(error), reason=error.slots["reason"])
    except Exception as error:
        reply(error=repr(error))
    finally:
        os._exit(0)  # an orderly end waits for PortAudio
