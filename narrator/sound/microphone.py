"""A microphone, open for as long as somebody records: what it hears is kept only between `begin` and `end`."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from narrator.clip import RATE, Clip
from narrator.errors import NoMicrophone

_FIRST = 3.0
"""Seconds that a device may take to deliver its first block."""

_STALL = 1.0
"""Seconds without a block after which it counts as lost."""


class Microphone:
    """Listens to `device`, a part of a device's name, or to the system's default. Raises `NoMicrophone` if PortAudio is missing, or the
    device cannot be opened.

    rate  samples a second: the product's, or the device's own where it refuses that
    """

    def __init__(self, device: str | None = None) -> None:
        self._device = device
        self._blocks: list[Clip] = []
        self._keeps = False
        self._arrived = threading.Event()
        self._heard = 0.0
        self._stream = self._opened()
        self.rate = int(self._stream.samplerate)

    def begin(self) -> None:
        """From now on keep what is heard; returns as soon as something is. A device that has gone is opened anew. Raises
        `NoMicrophone` if it cannot be, or delivers nothing."""
        if not self._stream.active:
            self.close()
            self._stream = self._opened()
            self.rate = int(self._stream.samplerate)
        self._blocks = []
        self._arrived.clear()
        self._keeps = True
        if not self._arrived.wait(_FIRST):
            self._keeps = False
            raise NoMicrophone("it delivers nothing", reason="mute_microphone")

    def end(self) -> Clip:
        """What has been heard since `begin`. Raises `NoMicrophone` if the device has gone meanwhile."""
        self._keeps = False
        if not self._stream.active or time.monotonic() - self._heard > _STALL:
            raise NoMicrophone("it has gone", reason="lost_microphone")
        return np.concatenate(self._blocks)

    def close(self) -> None:
        """Give back the device."""
        self._stream.close()

    def _opened(self) -> Any:  # an InputStream: sounddevice ships no types
        with _quiet():      # PortAudio's libraries print what they do not find
            portaudio = _portaudio()
            try:
                own = int(portaudio.query_devices(self._device, "input")["default_samplerate"])
            except (portaudio.PortAudioError, ValueError) as error:     # ValueError: no device, or several, of that name
                raise _not_found(portaudio, self._device) from error
            for rate in dict.fromkeys((RATE, own)):
                try:
                    stream = portaudio.InputStream(rate, 0, self._device, 1, "float32", "high", callback=self._keep)
                    stream.start()
                    return stream
                except (portaudio.PortAudioError, ValueError) as error:
                    refused = error
        raise NoMicrophone(str(refused), reason="no_input") from refused

    def _keep(self, block: Clip, *_: object) -> None:
        self._heard = time.monotonic()
        if self._keeps:
            self._blocks.append(block[:, 0].copy())
            self._arrived.set()


def _portaudio() -> Any:
    """Raises `NoMicrophone`."""
    try:
        import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        raise NoMicrophone(str(error), reason="no_portaudio") from error
    return sounddevice


def _not_found(portaudio: Any, device: str | None) -> NoMicrophone:
    """The error, with the names that there are where one was asked for."""
    known = [about["name"] for about in portaudio.query_devices() if about["max_input_channels"]]
    if not device or not known:
        return NoMicrophone("there is none", reason="no_input")
    return NoMicrophone(f"no single microphone {device!r}", reason="no_such_device", what=device, known="、".join(known))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the error output to ourselves."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
