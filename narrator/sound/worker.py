"""The process that holds the loudspeaker: PortAudio may hang or crash in it without harm to the game.

Its input, one line of JSON each:

    {"play": SIZE}      and behind the line SIZE bytes of float32: queue a clip
    {"effect": NAME}    mix in an effect
    {"scene": NAME}     cross-fade to a scene
    {"hush": true}      cut off the clips

Its output:

    {"latency": SECONDS}                its stream is open; SECONDS until what is mixed is heard
    {"beat": SAMPLES}                   four times a second, while sound flows: samples mixed so far
    {"error": WHY, "reason": KEY}       it ends; KEY only if it could not even open: "no_portaudio", "no_device", "bad_voice"

It ends with its input, or as soon as sound no longer flows. A stream fails in four ways, and only the first is told: it ends, it
stops asking for blocks, it asks for them more slowly than they are heard, or the system moves it to another device, which is no
trouble at all. It never closes its stream or PortAudio: that waits for ever where the sound server has stopped, and the system
closes both when a process ends.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from narrator.clip import RATE, Clip
from narrator.errors import BadVoice, NoSpeaker
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import home, load

_BLOCK = 512
"""Samples per block: 21 ms, small beside the latency, large beside the cost of a callback."""

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
        self._stream = _open(device, self._fill)
        self._due = time.monotonic() + _FIRST

    @property
    def latency(self) -> float:
        """Seconds that the device keeps ready."""
        return float(self._stream.latency)

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
        self._mixer.mix(out[:, 0])
        self._due = now + _STALL


def main() -> None:
    """Serve the device that the command line names, or the default, until the input ends or sound no longer flows."""
    replies = os.dup(1)
    os.dup2(2, 1)  # PortAudio's libraries print; nothing but replies may go out here

    def reply(**message: object) -> None:
        os.write(replies, json.dumps(message).encode() + b"\n")

    try:
        _serve(reply, *sys.argv[1:])
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


def _serve(reply: Callable[..., None], device: str | None = None) -> None:
    mixer = Mixer(load(home()))
    # Before the device is opened, which may take for ever: with its input the process must end all the same.
    threading.Thread(target=_obey, args=(sys.stdin.buffer, mixer), daemon=True).start()
    output = _Output(mixer, device)
    gc.collect()
    gc.freeze()  # a full collection stops the callback for 100 ms on a large heap: leave what is loaded out of it
    reply(latency=output.latency)
    told = 0
    while True:
        time.sleep(_BEAT)
        position = output.beat()
        if position > told:
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
                case {"scene": name}:
                    mixer.scene(name)
                case {"hush": _}:
                    mixer.hush()
    finally:
        os._exit(0)


def _open(device: str | None, fill: Callable[..., None]) -> Any:  # an OutputStream; sounddevice ships no types
    """Open and start a stream. Raises `NoSpeaker`."""
    try:
        import sounddevice
    except OSError as error:  # not ImportError: the module is there, the library is not
        raise NoSpeaker(str(error), reason="no_portaudio") from error
    try:
        stream = sounddevice.OutputStream(RATE, _BLOCK, device, channels=1, dtype="float32", latency=_LATENCY, callback=fill)
        stream.start()
    except (sounddevice.PortAudioError, ValueError) as error:  # ValueError: no device, or several, of that name
        raise NoSpeaker(str(error), reason="no_device") from error
    return stream
