"""Numeric keypads and keyboards, read from the kernel: for a box that has no terminal.

Every keypad is grabbed, so that its keys reach nothing else, and found again after it was unplugged. A thread reads them all. The keys mean
what they mean everywhere (`narrator.hearing.keys`); some mean another thing when they are held, and 00 takes back, for keypads that have
no key of their own for it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import stat
import struct
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from narrator.clock import Clock
from narrator.errors import NoKeypad
from narrator.hearing.keys import Keys
from narrator.rules import Ask

FOLDERS = (Path("/dev/input/by-id"), Path("/dev/input/by-path"))
"""Where the kernel names what is plugged in; a Bluetooth keypad stands in the second only."""

HOLD = 0.8
"""Seconds after which a key that is held means the other thing."""

TWICE = 0.3
"""Seconds within which a second 0 makes 00: one key of some keypads, or two quick presses."""

ONE_KEY = 0.06
"""Seconds within which no person presses 0 twice: it was one key that sends two."""

LOOK = 1.0
"""Seconds between two looks for a keypad that has been plugged in."""

HELD = {"\r": "/", "0": "*", ".": "-"}
"""What a key means that is held: Enter pauses, 0 says again, . takes back."""

RECORD = struct.Struct("@llHHi")
"""The kernel's `input_event` (linux/input.h): seconds, microseconds, type, code, value."""

_SYN, _KEY, _LED = 0, 1, 17     # types of events; of a key the value is 0 up, 1 down, 2 repeated
_DROPPED = 3    # of a _SYN: the kernel has thrown events away
_UP, _DOWN = 0, 1

_CHARACTERS = {
    1: "\x1b", 14: "\x7f", 15: "\t", 28: "\r", 96: "\r",
    **dict(zip(range(2, 12), "1234567890", strict=True)),
    71: "7", 72: "8", 73: "9", 75: "4", 76: "5", 77: "6", 79: "1", 80: "2", 81: "3", 82: "0",
    12: "-", 13: "+", 51: ",", 52: ".", 53: "/", 55: "*", 74: "-", 78: "+", 83: ".", 98: "/", 117: "+", 121: ",",
}  # fmt: skip
"""A key's code (linux/input-event-codes.h) → the character on it, be NumLock on or off. NumLock itself is none: many keypads press it
round each digit."""

LEDS = {"numlock": 0, "capslock": 1, "scrolllock": 2}
"""The lights that a keypad may have, by their codes."""


class _Pending(NamedTuple):
    """A key that has not counted yet: since when, and at which question, for at the next one it counts no more."""

    since: float
    question: int


@dataclass
class _Device:
    """One keypad. `evdev` is None for a recording of one, which cannot be grabbed and has no lights."""

    name: str
    descriptor: int
    evdev: Any = None
    down: dict[str, _Pending] = field(default_factory=dict)     # keys that are down and mean another thing when they are held
    rest: bytes = b""

    @property
    def leds(self) -> frozenset[str]:
        codes = self.evdev.capabilities().get(_LED, ()) if self.evdev else ()
        return frozenset(name for name, code in LEDS.items() if code in codes)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            if self.evdev:
                self.evdev.close()      # which gives it back to everyone
            else:
                os.close(self.descriptor)


class Keypads(Keys):
    """All keypads that are plugged in, now or later.

    trouble  "no_keypad" while there is none; "no_input_group" where none may be opened, "no_evdev" without the package that opens them
    """

    def __init__(self, clock: Clock, folders: Sequence[Path] = FOLDERS) -> None:
        """Raises `NoKeypad` where keypads are there and none can be opened, for a reason that plugging in will not mend."""
        super().__init__(clock, "keypad")
        self._folders = folders
        self._selector = selectors.DefaultSelector()
        self._devices: dict[str, _Device] = {}
        self._lit: frozenset[str] = frozenset()
        self._lighting = threading.Lock()
        self._question = 0
        self._zero: _Pending | None = None      # a 0 at the beginning of an entry waits for another
        self._last_zero = 0.0
        self._look()
        if self.trouble in ("no_input_group", "no_evdev"):
            raise NoKeypad("keypads are there, and none can be opened", reason=self.trouble)
        self._stop, self._stopper = os.pipe()
        self._selector.register(self._stop, selectors.EVENT_READ)
        self._reader = threading.Thread(target=self._read, name="keypads", daemon=True)
        self._reader.start()

    def attend(self, ask: Ask | None) -> None:
        self._question += 1
        super().attend(ask)

    @property
    def leds(self) -> frozenset[str]:
        """The lights that there are on any keypad, by their names in `LEDS`."""
        with self._lighting:
            return frozenset().union(*(device.leds for device in self._devices.values()))

    def lit(self, names: Collection[str]) -> None:
        """Light these on every keypad that has them, and no others."""
        with self._lighting:
            self._lit = frozenset(names)
            for device in self._devices.values():
                self._light(device)

    def close(self) -> None:
        """Stop reading, and give the keypads back."""
        if self._stopper < 0:
            return
        os.close(self._stopper)
        self._stopper = -1
        self._reader.join()
        os.close(self._stop)
        for name in list(self._devices):
            self._drop(name)
        self._selector.close()

    # --- what is plugged in -------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Let go of what has gone, and take what has come."""
        found = dict(self._found())
        for name in [name for name in self._devices if name not in found]:
            self._drop(name)
        trouble = ""
        for name in [name for name in found if name not in self._devices]:
            try:
                self._take(_opened(name))
            except PermissionError:
                trouble = "no_input_group"
            except ImportError:
                trouble = "no_evdev"
            except OSError:
                pass    # it has gone again, or another program holds it
        self.trouble = None if self._devices else trouble or "no_keypad"

    def _found(self) -> Iterator[tuple[str, None]]:
        for folder in self._folders:
            for path in sorted(folder.glob("*-event-kbd")):
                yield str(path.resolve()), None     # one keypad has several names

    def _take(self, device: _Device) -> None:
        with self._lighting:
            self._devices[device.name] = device
            self._light(device)
        self._selector.register(device.descriptor, selectors.EVENT_READ, device)

    def _drop(self, name: str) -> None:
        """Nothing is held any more on a keypad that has gone."""
        with self._lighting:
            device = self._devices.pop(name)
        self._selector.unregister(device.descriptor)
        device.close()

    def _light(self, device: _Device) -> None:
        for name in device.leds:
            with contextlib.suppress(OSError):      # it has gone; the next look notices
                device.evdev.set_led(LEDS[name], int(name in self._lit))

    # --- the reader's thread ------------------------------------------------------------------------------------------

    def _read(self) -> None:
        look_at = time.monotonic() + LOOK
        while True:
            ready = self._selector.select(max(0.0, min((look_at, *self._due())) - time.monotonic()))
            for key, _ in ready:
                if key.fd == self._stop:
                    return
                self._receive(key.data)
            self._come_due()
            if time.monotonic() >= look_at:
                self._look()
                look_at = time.monotonic() + LOOK

    def _receive(self, device: _Device) -> None:
        try:
            received = os.read(device.descriptor, 64 * RECORD.size)
        except BlockingIOError:
            return
        except OSError:     # unplugged
            received = b""
        if not received:
            self._drop(device.name)
            self.trouble = None if self._devices else "no_keypad"
            return
        records = device.rest + received
        whole = len(records) // RECORD.size * RECORD.size
        device.rest = records[whole:]
        for _, _, kind, code, value in RECORD.iter_unpack(records[:whole]):
            if kind == _KEY and code in _CHARACTERS:
                self._moved(device, _CHARACTERS[code], value)
            elif kind == _SYN and code == _DROPPED:     # a key may have been let go among them
                device.down.clear()

    def _moved(self, device: _Device, character: str, value: int) -> None:
        """A key has gone down or up. One that can be held counts when it is let go; the others at once."""
        if character in HELD:
            if value == _DOWN:
                device.down[character] = self._pending()
            elif value == _UP and (pending := device.down.pop(character, None)) and pending.question == self._question:
                self._pressed(character)
        elif value == _DOWN:
            self._pressed(character)

    def _pressed(self, character: str) -> None:
        """A key counts, unless it is a 0 that another may follow."""
        waiting, self._zero = self._zero is not None and self._zero.question == self._question, None
        if character == "0":
            before, self._last_zero = self._last_zero, time.monotonic()
            if self.is_paused and self._last_zero < before + ONE_KEY:
                return      # or the key 00 alone would end the evening
        if character != "0" or not self.begins:
            self.press(("0", character) if waiting else (character,))
        elif waiting:
            self.press("-")
        else:
            self._zero = self._pending()

    def _pending(self) -> _Pending:
        return _Pending(time.monotonic(), self._question)

    def _due(self) -> Iterator[float]:
        """When something happens though no key moves."""
        yield from (pending.since + HOLD for device in self._devices.values() for pending in device.down.values())
        if self._zero:
            yield self._zero.since + TWICE

    def _come_due(self) -> None:
        now = time.monotonic()
        for device in self._devices.values():
            for character in [key for key, pending in device.down.items() if now >= pending.since + HOLD]:
                if device.down.pop(character).question == self._question:
                    self._pressed(HELD[character])
        if self._zero and now >= self._zero.since + TWICE:
            zero, self._zero = self._zero, None
            if zero.question == self._question:
                self.press("0")


def _opened(name: str) -> _Device:
    """The keypad of this file, grabbed; or a recording of one, where the file is no device. Raises `OSError`, or `ImportError` without
    evdev."""
    if not stat.S_ISCHR(Path(name).stat().st_mode):
        return _Device(name, os.open(name, os.O_RDONLY | os.O_NONBLOCK))
    import evdev

    device = evdev.InputDevice(name)
    try:
        device.grab()
    except OSError:
        device.close()
        raise
    return _Device(name, device.fd, device)
