"""The loudspeaker: one output stream, open for the whole game, so that no first syllable is lost to a device waking up.

A stream dies in three ways, and only the first is told: it ends (`active` is false), it stops asking for blocks, or the system moves it
to another device, which is no trouble at all. So a heartbeat counts. A dead stream is closed and opened again when the game next uses
the loudspeaker or asks how it is, at most once every `_RETRY` seconds. Meanwhile everything takes as long as if it were heard.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from narrator.clip import RATE, Clip
from narrator.clock import RealClock
from narrator.errors import NoSpeaker
from narrator.sound import levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import home, load
from narrator.sound.silence import Silence

_BLOCK = 512
"""Samples per block: 21 ms, small beside the latency, large beside the cost of a callback."""

_LATENCY = 0.2
"""Seconds of sound kept ready. A busy machine stalls for up to 0.19; an answer that late still feels prompt."""

_STALL = 1.0
"""Seconds without a callback after which the stream counts as dead: five times what is kept ready."""

_PROOF = 0.5
"""Seconds that a device found again must take sound before it is trusted: one that sleeps fills its buffers first."""

_RETRY = 2.0
"""Seconds between two attempts to open a lost device."""


class Speaker:
    """Plays on `device`, a part of a device's name, or on the system's default.

    Raises `NoSpeaker` if PortAudio is missing or the device cannot be opened; once open it never raises for a device.
    """

    def __init__(self, device: str | None = None) -> None:
        self._device = device
        self._portaudio = _import_portaudio()
        self._mixer = Mixer(load(home()))
        self._clock = RealClock()
        self._pace = Silence(self._clock)
        self._trouble: str | None = None
        self._tried = self._opened = self._beat = self._clock.now()
        self._stream = self._open()
        gc.collect()
        gc.freeze()  # a full collection stops the callback for 100 ms on a large heap: leave what is loaded out of it

    def play(self, clip: Clip) -> float:
        """Queue the clip. The seconds returned include the way through the device."""
        self._tend()
        if not self._stream.active:
            return self._pace.play(clip)
        return self._mixer.play(clip) + float(self._stream.latency) + _BLOCK / RATE

    def effect(self, name: str) -> None:
        """Mix in an effect; one that falls while the device is lost is not made up for."""
        self._tend()
        (self._mixer if self._stream.active else self._pace).effect(name)

    def scene(self, name: str) -> None:
        """Cross-fade to a scene; a device found again comes back in it."""
        self._mixer.scene(name)
        self._tend()

    def hush(self) -> None:
        """Cut off the clips; what the device already holds still sounds, for less than 0.3 seconds."""
        self._mixer.hush()
        self._pace.hush()

    def close(self) -> None:
        """Close the stream. The samples that the device still holds may be lost: wait for the last clip first."""
        self._stream.close()

    @property
    def trouble(self) -> str | None:
        """Why nothing is heard. Asking looks for a lost device, so a game that waits should ask now and then."""
        self._tend()
        return self._trouble

    def _fill(self, out: Clip, *_: object) -> None:
        self._mixer.mix(out[:, 0])
        self._beat = self._clock.now()

    def _open(self) -> Any:  # an OutputStream; sounddevice ships no types
        stream = None
        try:
            with _quiet():
                stream = self._portaudio.OutputStream(
                    RATE, _BLOCK, self._device, channels=1, dtype="float32", latency=_LATENCY, callback=self._fill
                )
                stream.start()
        except (self._portaudio.PortAudioError, ValueError) as error:  # ValueError: no device, or several, of that name
            if stream:
                stream.close()
            raise NoSpeaker(f"the loudspeaker {self._device or '(default)'} cannot be opened: {error}", reason="no_device") from error
        self._opened = self._clock.now()
        return stream

    def _tend(self) -> None:
        """See whether sound flows; if not, look for the device again."""
        now = self._clock.now()
        if self._stream.active and now - max(self._beat, self._opened) < _STALL:
            if self._beat - self._opened > _PROOF:
                self._trouble = None
            return
        if self._trouble is None:
            self._trouble = "the loudspeaker takes no more sound"
        elif now - self._tried < _RETRY:
            return
        self._tried = now
        self._stream.close()
        self._drop_clips()
        try:
            self._stream = self._reopen()
        except NoSpeaker as error:
            self._trouble = str(error)

    def _drop_clips(self) -> None:
        """Nobody wants to hear, minutes later, what was said when the device was lost."""
        self._mixer.hush()
        self._mixer.mix(np.zeros(round(levels.HUSH * RATE), np.float32))

    def _reopen(self) -> Any:
        try:
            return self._open()
        except NoSpeaker:
            _restart(self._portaudio)
            return self._open()


def _import_portaudio() -> Any:  # the module sounddevice, which ships no types
    """Imported late, as only who wants a loudspeaker needs the system's library."""
    try:
        with _quiet():
            import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        raise NoSpeaker(f"{error}; on Debian and Raspberry Pi OS: sudo apt install libportaudio2", reason="no_portaudio") from error
    return sounddevice


def _restart(portaudio: Any) -> None:
    """Let PortAudio look for devices again; it does so only when it starts. All streams of this process must be closed."""
    try:
        with _quiet():
            portaudio._terminate()
            portaudio._initialize()
    except portaudio.PortAudioError as error:
        raise NoSpeaker(f"PortAudio does not start again: {error}", reason="no_device") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what ALSA prints, each time it looks in vain, off the players' screen. The error raised says it better."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
