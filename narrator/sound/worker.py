"""The process that holds the loudspeaker: PortAudio may hang or crash in it without harm to the game.

It is told on its command line, as JSON, what to open: {"device": NAME or null, "or_default": true, "stereo": false, "levels":
{PART: DECIBELS, ...}, "scenes": {NAME: {"beds": {...}, "sounds": {...}, "opens": [...]}, ...}}.
Its input, one line of JSON each:

    {"play": SIZE}      and behind the line SIZE bytes of float32: queue a clip
    {"effect": NAME}    mix in an effect
    {"scene": NAME, "opens": true}   cross-fade to a scene; false where it has been open before
    {"level": [PART, DECIBELS]}   make a part of the mix as loud as this
    {"hush": true}      cut off the clips

Its output:

    {"latency": SECONDS, "rate": HZ, "channels": N, "device": NAME}   its stream is open; SECONDS until what is mixed is heard
    {"beat": SAMPLES}                   four times a second, while sound flows and somebody listens: samples mixed so far
    {"error": WHY, "reason": KEY}       it ends; KEY only if it could not even open: "no_portaudio", "no_device", "bad_voice"

It ends with its input, or as soon as sound no longer flows. A stream fails in four ways, and only the first is told: it ends, it
stops asking for blocks, it asks for them more slowly than they are heard, or the system moves it to another device, which is no
trouble at all. It never closes its stream or PortAudio: that waits for ever where the sound server has stopped, and the system
closes both when a process ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import json
import os
import secrets
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from narrator.clip import RATE, Clip
from narrator.errors import BadVoice, NoSpeaker
from narrator.sound.devices import COMMON
from narrator.sound.levels import Levels
from narrator.sound.mixer import Mixer
from narrator.sound.resample import Resampler
from narrator.sound.scenes import Scene, home, load

_BLOCK = 384 / RATE
"""Seconds per block: 16 ms. Half of it is how long a key waits in the mean; each block costs a wake-up of the processor."""

_LATENCY = 0.2
"""Seconds of sound kept ready. A busy machine stalls for up to 0.19; an answer that late still feels prompt."""

_BEAT = 0.25
"""Seconds from one beat to the next."""

_FIRST = 3.0
"""Seconds that a device may take to ask for its first block."""

_STALL = 1.0
"""Seconds without a callback after which the stream counts as dead: five times what is kept ready."""

_WINDOW = 2.5
"""Seconds over which the pace of the stream is judged. A single stall of half a second passes."""

_PACE = 0.75
"""Share of the time for which there must have been sound: below it speech is in pieces."""


class _Lost(Exception):
    """Sound no longer flows."""


class _Output:
    """One stream that plays a mix. Raises `NoSpeaker`."""

    def __init__(self, mixer: Mixer, device: str | None) -> None:
        self._mixer = mixer
        self._due = float("inf")
        self._late = False
        self._pace: deque[tuple[float, int]] = deque()
        self._stream = _open(device, mixer.channels, self._fill)
        self.rate = int(self._stream.samplerate)
        block = self._stream.blocksize
        self._mix = mixer.mix if self.rate == RATE else Resampler(mixer.mix, mixer.channels, self.rate, block).fill
        self._both = np.zeros((block, mixer.channels), np.float32)
        try:
            self._stream.start()
        except _portaudio().PortAudioError as error:
            raise NoSpeaker(str(error), reason="no_device") from error
        self._due = time.monotonic() + _FIRST

    @property
    def latency(self) -> float:
        """Seconds that the device keeps ready."""
        return float(self._stream.latency)

    def opened(self) -> dict[str, object]:
        """What has been opened."""
        name = _portaudio().query_devices(self._stream.device)["name"]
        return {"latency": self.latency, "rate": self.rate, "channels": self._stream.channels, "device": name}

    def beat(self) -> int:
        """Samples taken so far. Raises `_Lost`."""
        now, position = time.monotonic(), self._mixer.position
        if not self._stream.active:
            raise _Lost("it has gone")
        if self._late or now > self._due:
            raise _Lost("it takes no more sound")
        if position:
            self._pace.append((now, position))
        while self._pace and now - self._pace[0][0] > _WINDOW:
            began, first = self._pace.popleft()
            if position - first < _PACE * RATE * (now - began):
                raise _Lost("it takes sound too slowly")
        return position

    def _fill(self, out: Clip, *_: object) -> None:
        now = time.monotonic()
        self._late = self._late or now > self._due
        if self._late:
            out.fill(0)  # whatever was to be heard before the gap would come too late
            return
        mine = out[:, : self._mixer.channels]
        if mine.shape[1] == self._mixer.channels:
            self._mix(mine)
            if mine.shape[1] < out.shape[1]:
                out[:, mine.shape[1] :] = mine[:, :1]  # a device of more channels plays one voice on all of them
        else:  # two sides on a device that has one
            both = self._both[: len(out)]
            self._mix(both)
            np.mean(both, axis=1, out=out[:, 0])
        self._due = now + _STALL


def main() -> None:
    """Serve the device that the command line names until the input ends or sound no longer flows."""
    replies = os.dup(1)
    os.set_blocking(replies, False)  # a line is written whole or not at all: it is short
    os.dup2(2, 1)  # PortAudio's libraries print; nothing but replies may go out here

    def reply(**message: object) -> None:
        os.write(replies, json.dumps(message).encode() + b"\n")

    try:
        _serve(reply, **json.loads(sys.argv[1]))
    except NoSpeaker as error:
        reply(error=str(error), reason=error.slots["reason"])
    except BadVoice as error:
        reply(error=str(error), reason="bad_voice")
    except _Lost as error:
        reply(error=str(error))
    except Exception as error:
        reply(error=repr(error))
    finally:
        os._exit(1)  # an orderly end waits for PortAudio


def _serve(
    reply: Callable[..., None], device: str | None, or_default: bool, stereo: bool, levels: dict[str, float], scenes: dict[str, Any]
) -> None:
    scenery = load(home(), {name: Scene(**scene) for name, scene in scenes.items()})
    mixer = Mixer(scenery, Levels(**levels), stereo=stereo, seed=secrets.randbits(32))
    # Before the device is opened, which may take for ever: with its input the process must end all the same.
    threading.Thread(target=_obey, args=(sys.stdin.buffer, mixer), daemon=True).start()
    try:
        output = _Output(mixer, device)
    except NoSpeaker:
        if not (device and or_default):
            raise
        output = _Output(mixer, None)
    gc.collect()
    gc.freeze()  # a full collection stops the callback for 100 ms on a large heap: leave what is loaded out of it
    reply(**output.opened())
    told = 0
    while True:
        time.sleep(_BEAT)
        mixer.supply()
        position = output.beat()
        if position > told:
            with contextlib.suppress(BlockingIOError):  # the game stands still, and the ambience must go on
                reply(beat=position)
            told = position


def _obey(requests: BinaryIO, mixer: Mixer) -> None:
    """Do what is asked until nobody asks any more, then end the process."""
    try:
        while line := requests.readline():
            match json.loads(line):
                case {"play": size}:
                    mixer.play(np.frombuffer(requests.read(size), np.float32))
                case {"effect": name}:
                    mixer.effect(name)
                case {"scene": name, "opens": opens}:
                    mixer.scene(name, opens=opens)
                case {"level": [part, decibels]}:
                    mixer.level(part, decibels)
                case {"hush": _}:
                    mixer.hush()
    finally:
        os._exit(0)


def _portaudio() -> Any:  # sounddevice ships no types
    """Raises `NoSpeaker`."""
    try:
        import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        raise NoSpeaker(str(error), reason="no_portaudio") from error
    return sounddevice


def _ask_often(portaudio: Any) -> None:
    """Have ALSA ask for sound every block. By itself PortAudio has it ask for four at once: a key would be heard up to 0.1 s later.
    With two periods to a block a sound server asks for one block at a time, as measured by `benchmarks.sound`."""
    with contextlib.suppress(AttributeError, OSError):   # there is no ALSA but on Linux
        ctypes.CDLL(portaudio._libname).PaAlsa_SetNumPeriods(2 * round(_LATENCY / _BLOCK))


def _open(device: str | None, channels: int, fill: Callable[..., None]) -> Any:  # an OutputStream
    """Open a stream at our own rate and channels, or else at those that the device takes. Raises `NoSpeaker`."""
    portaudio = _portaudio()
    _ask_often(portaudio)
    try:
        about = portaudio.query_devices(device, "output")
    except (portaudio.PortAudioError, ValueError) as error:  # ValueError: no device, or several, of that name
        raise NoSpeaker(str(error), reason="no_device") from error
    rates = dict.fromkeys((RATE, int(about["default_samplerate"]), *COMMON))
    counts = dict.fromkeys((channels, 2, int(about["max_output_channels"]), 1))
    for rate, count in itertools.product(rates, counts):
        try:
            return portaudio.OutputStream(rate, round(_BLOCK * rate), device, count, "float32", _LATENCY, callback=fill)
        except (portaudio.PortAudioError, ValueError) as error:
            refused = error
    raise NoSpeaker(str(refused), reason="no_device") from refused
