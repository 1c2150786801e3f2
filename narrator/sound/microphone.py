"""A microphone, open for as long as somebody records: what it hears is kept only between `begin` and `end`.

The stream lives in a process of its own (`narrator.sound.listener`). One that is lost is followed by another when the next take begins.
"""

from __future__ import annotations

import json
from tempfile import NamedTemporaryFile

import numpy as np

from narrator.clip import Clip
from narrator.errors import NoMicrophone
from narrator.process import Process, WorkerError, python
from narrator.sound.devices import microphones
from narrator.sound.listener import FIRST

_OPENING = 10.0
"""Seconds that a process may take to start and open the device: a Raspberry Pi takes some, a stopped sound server for ever."""

_ANSWER = 2.0
"""Seconds that it may take to answer."""


class Microphone:
    """Listens to `device`, a part of a device's name, or to the system's default. Raises `NoMicrophone` if PortAudio is missing, or the
    device cannot be opened; it never waits for one that hangs.

    rate  samples a second: the product's, or the device's own where it refuses that
    """

    def __init__(self, device: str | None = None) -> None:
        self._device = device
        self._file = NamedTemporaryFile(prefix="narrator.take.")  # noqa: SIM115 - it lasts as long as this does
        self._process: Process | None = None
        self._open()

    def begin(self) -> None:
        """From now on keep what is heard; returns as soon as something is. A device that has gone is opened anew. Raises `NoMicrophone`
        if it cannot be, or delivers nothing."""
        if self._process is None:
            self._open()
        self._ask("begin", FIRST + _ANSWER, "mute_microphone")

    def end(self) -> Clip:
        """What has been heard since `begin`. Raises `NoMicrophone` if the device has gone meanwhile."""
        self._ask("end", _ANSWER, "lost_microphone")
        return np.fromfile(self._file.name, np.float32)

    def close(self) -> None:
        """Give back the device."""
        if self._process:
            self._process.kill()
            self._process.wait(1.0)
            self._process = None
        self._file.close()

    def _open(self) -> None:
        try:
            self._process = Process(python("narrator.sound.listener", json.dumps({"device": self._device, "path": self._file.name})))
            self.rate: int = self._process.receive(_OPENING)["rate"]
        except (WorkerError, OSError) as error:
            raise self._lost(error, "no_input") from error

    def _ask(self, what: str, seconds: float, otherwise: str) -> None:
        if self._process is None:
            raise NoMicrophone("it has gone", reason=otherwise)
        self._process.send({what: True})
        try:
            self._process.receive(seconds)
        except WorkerError as error:
            raise self._lost(error, otherwise) from error

    def _lost(self, error: Exception, otherwise: str) -> NoMicrophone:
        """End the process, and say why; where it did not say itself, for this reason."""
        if self._process:
            self._process.kill()
            self._process = None
        reason = (error.reason if isinstance(error, WorkerError) else "") or otherwise
        known = microphones() if self._device and reason == "no_input" else []
        if known and not any(str(self._device).lower() in name.lower() for name in known):
            return NoMicrophone(str(error), reason="no_such_device", what=self._device, known="、".join(known))
        return NoMicrophone(str(error), reason=reason)
