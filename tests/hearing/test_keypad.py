"""Keypads, as the kernel tells of them: its records come out of a pipe where a device would be."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from narrator.clock import RealClock
from narrator.errors import NoKeypad
from narrator.hearing import Command, Entered, Payload, Typed
from narrator.hearing.keypad import HOLD, LOOK, RECORD, TWICE, Keypads
from narrator.rules import Ask

pytestmark = pytest.mark.real_time

NUMLOCK, ENTER, BACKSPACE, SLASH, MINUS, STAR, PLUS, DOT = 69, 96, 14, 98, 74, 55, 78, 83
DIGIT = {"7": 71, "8": 72, "9": 73, "4": 75, "5": 76, "6": 77, "1": 79, "2": 80, "3": 81, "0": 82}
SEAT = Ask("seer.check", "seat", "seer", (1,), tuple(range(1, 13)))


class Keypad:
    """A recording of a keypad that is plugged in as long as its file is there."""

    def __init__(self, folder: Path, name: str = "one") -> None:
        self.path = folder / f"usb-{name}-event-kbd"
        os.mkfifo(self.path)
        self._pipe = os.open(self.path, os.O_RDWR)

    def event(self, code: int, value: int, kind: int = 1) -> None:
        os.write(self._pipe, RECORD.pack(0, 0, kind, code, value) + RECORD.pack(0, 0, 0, 0, 0))

    def press(self, *codes: int, held: float = 0.0) -> None:
        for code in codes:
            self.event(code, 1)
            time.sleep(held)
            self.event(code, 0)

    def write(self, text: str) -> None:
        for sign in text:
            self.press(DIGIT[sign])

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self._pipe)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Callable[..., Keypads]]:
    opened: list[Keypads] = []

    def open_(ask: Ask | None = SEAT) -> Keypads:
        opened.append(Keypads(RealClock(), [tmp_path]))
        opened[-1].attend(ask)
        return opened[-1]

    yield open_
    for keypads in opened:
        keypads.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "keypads"]


def heard(keypads: Keypads, seconds: float = 0.25) -> list[Payload]:
    """What comes until nothing has come for so long."""
    found: list[Payload] = []
    while event := keypads.wait(RealClock().now() + seconds):
        found.append(event.payload)
    return found


def entries(keypads: Keypads, seconds: float = 0.25) -> list[Payload]:
    return [payload for payload in heard(keypads, seconds) if not isinstance(payload, Typed)]


def test_a_seat_is_keyed(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """Digits, Enter; Backspace takes one back; every key with a meaning of its own has it."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.write("13")
    keypad.press(BACKSPACE)
    keypad.write("2")
    keypad.press(ENTER)
    assert heard(keypads)[-2:] == [Typed("12"), Entered("12")]
    keypad.press(STAR, SLASH, SLASH, MINUS, DOT, PLUS)
    assert entries(keypads) == [Command(name) for name in ("again", "pause", "pause", "undo", "why", "hide")]   # type: ignore[arg-type]


def test_numlock_and_repeats_are_no_keys(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """Many keypads press NumLock round each digit, and the kernel repeats a key that is held."""
    keypad, keypads = Keypad(tmp_path), plugged()
    for sign in "11":
        keypad.press(NUMLOCK)
        keypad.event(DIGIT[sign], 1)
        for _ in range(20):
            keypad.event(DIGIT[sign], 2)
        keypad.event(DIGIT[sign], 0)
        keypad.press(NUMLOCK)
    keypad.event(DIGIT["5"], 30, kind=4)    # a scan code is none either
    keypad.press(ENTER)
    assert heard(keypads) == [Typed("1"), Typed("11"), Entered("11")]


@pytest.mark.parametrize(
    ("code", "short", "long"), [(ENTER, Entered(""), "pause"), (DIGIT["0"], Typed("0"), "again"), (DOT, Command("why"), "undo")]
)
def test_a_key_that_is_held_means_another_thing(
    tmp_path: Path, plugged: Callable[..., Keypads], code: int, short: Payload, long: str
) -> None:
    """It counts while it is still held, and only once; pressed shortly it is what it is."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.press(code, held=0.1)
    assert heard(keypads, TWICE + 0.3) == [short]
    keypads.attend(SEAT)
    keypad.event(code, 1)
    event = keypads.wait(RealClock().now() + HOLD + 0.5)
    assert event
    assert event.payload == Command(long)   # type: ignore[arg-type]
    keypad.event(code, 0)
    assert heard(keypads, TWICE + 0.3) == []


def test_two_zeros_take_back(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """At the beginning of an entry, and at once; a lone one is a 0, also right before Enter, and so are those behind another digit."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.write("00")
    assert heard(keypads) == [Command("undo")]
    keypad.write("0")
    keypad.press(ENTER)
    assert heard(keypads) == [Typed("0"), Entered("0")]
    keypad.write("100")
    assert heard(keypads)[-1] == Typed("100")
    keypads.attend(SEAT)
    keypad.write("0")
    time.sleep(TWICE + 0.1)
    keypad.write("0")
    time.sleep(TWICE + 0.1)
    assert heard(keypads) == [Typed("0"), Typed("00")]


def test_what_was_begun_before_the_question_is_no_answer_to_it(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """Neither a 0 that waits for another, nor Enter that goes down before and up after; nor one that the kernel lost the end of."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.write("0")
    keypad.event(ENTER, 1)
    time.sleep(0.1)
    keypads.attend(SEAT)
    keypad.event(ENTER, 0)
    assert heard(keypads, TWICE + 0.3) == []
    keypad.event(ENTER, 1)
    keypad.event(3, 0, kind=0)
    assert heard(keypads, HOLD + 0.3) == []
    keypad.event(ENTER, 0)
    assert heard(keypads) == []


def test_in_a_pause_two_zeros_are_two(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """There 0 twice means to stop for today, pressed by a person."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.press(SLASH)
    for _ in range(2):
        keypad.write("0")
        time.sleep(0.1)
    assert entries(keypads) == [Command("pause"), Command("end"), Command("end")]
    keypad.write("00")
    assert entries(keypads) == [Command("end")]     # one key that sends two is one


def test_several_keypads_write_one_entry(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """Whoever sits nearest presses; one that is plugged in later counts as soon as it is found."""
    one, keypads = Keypad(tmp_path, "one"), plugged()
    other = Keypad(tmp_path, "two")
    time.sleep(LOOK + 0.3)
    one.write("1")
    time.sleep(0.1)
    other.write("2")
    other.press(ENTER)
    assert heard(keypads) == [Typed("1"), Typed("12"), Entered("12")]


def test_a_keypad_that_was_unplugged_is_found_again(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """Meanwhile there is trouble, and nothing is held on it; what had been typed is still there."""
    keypad, keypads = Keypad(tmp_path), plugged()
    keypad.write("1")
    keypad.event(ENTER, 1)
    time.sleep(0.2)
    keypad.unplug()
    time.sleep(LOOK + 0.3)
    assert keypads.trouble == "no_keypad"
    again = Keypad(tmp_path)
    time.sleep(LOOK + 0.3)
    assert keypads.trouble is None
    again.write("1")
    again.press(ENTER)
    assert heard(keypads) == [Typed("1"), Typed("11"), Entered("11")]


def test_no_keypad_at_all_is_waited_for(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """The box says so, and goes on when there is one."""
    keypads = plugged()
    assert keypads.trouble == "no_keypad"
    keypad = Keypad(tmp_path)
    time.sleep(LOOK + 0.3)
    keypad.press(ENTER)
    assert heard(keypads) == [Entered("")]
    assert keypads.leds == frozenset()
    keypads.lit(["numlock"])    # a keypad without lights shows nothing, and minds nothing


def test_half_a_record_waits_for_the_rest(tmp_path: Path, plugged: Callable[..., Keypads]) -> None:
    """However the kernel hands them over."""
    keypad, keypads = Keypad(tmp_path), plugged()
    records = b"".join(RECORD.pack(0, 0, 1, code, value) for code in (DIGIT["7"], 28) for value in (1, 0))
    for at in range(0, len(records), 7):
        os.write(keypad._pipe, records[at : at + 7])
        time.sleep(0.005)
    assert heard(keypads) == [Typed("7"), Entered("7")]


# --- what only a real device has: a stand-in for the package that opens one ---------------------------------------------


class InputDevice:
    """What evdev opens: grabbed or not, with two lights; its records come from a pipe."""

    opened: ClassVar[list[InputDevice]] = []
    refuses: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        if self.refuses:
            raise PermissionError(13, "Permission denied", name)
        self.fd, self.writer = os.pipe()
        os.set_blocking(self.fd, False)
        self.lights: dict[int, int] = {}
        self.grabbed = False
        self.opened.append(self)

    def grab(self) -> None:
        self.grabbed = True

    def capabilities(self) -> dict[int, list[int]]:
        return {1: [28], 17: [0, 2]}

    def set_led(self, led: int, value: int) -> None:
        if not self.grabbed:
            raise OSError(19, "No such device")
        self.lights[led] = value

    def close(self) -> None:
        self.grabbed = False
        os.close(self.fd)


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A device that evdev can open."""
    InputDevice.opened.clear()
    monkeypatch.setattr(InputDevice, "refuses", False)
    monkeypatch.setitem(sys.modules, "evdev", SimpleNamespace(InputDevice=InputDevice))
    path = tmp_path / "usb-real-event-kbd"
    path.symlink_to("/dev/null")
    return path


def test_a_keypad_is_held_for_the_box_alone(device: Path, plugged: Callable[..., Keypads]) -> None:
    """Grabbed once, under however many names it goes; lit as it is told to; given back in the end."""
    (device.parent / "pci-the-same-event-kbd").symlink_to("/dev/null")
    keypads = plugged()
    (opened,) = InputDevice.opened
    assert opened.grabbed
    assert keypads.leds == {"numlock", "scrolllock"}
    keypads.lit(["numlock", "capslock"])
    assert opened.lights == {0: 1, 2: 0}
    os.write(opened.writer, RECORD.pack(0, 0, 1, 28, 1) + RECORD.pack(0, 0, 1, 28, 0))
    assert heard(keypads) == [Entered("")]
    keypads.close()
    assert not opened.grabbed


@pytest.mark.usefixtures("device")
def test_one_that_goes_while_it_is_lit_ends_nothing(plugged: Callable[..., Keypads]) -> None:
    """It is lit again as it should be when it comes back."""
    keypads = plugged()
    InputDevice.opened[0].grabbed = False
    keypads.lit(["scrolllock"])
    os.close(InputDevice.opened[0].writer)
    time.sleep(LOOK + 0.3)
    assert len(InputDevice.opened) == 2
    assert InputDevice.opened[1].lights == {0: 0, 2: 1}


def test_who_may_not_open_it_is_told_why(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that there is none: he has to join a group, or to install a package."""
    monkeypatch.setattr(InputDevice, "refuses", True)
    with pytest.raises(NoKeypad) as refused:
        Keypads(RealClock(), [device.parent])
    assert refused.value.slots["reason"] == "no_input_group"
    monkeypatch.setitem(sys.modules, "evdev", None)
    with pytest.raises(NoKeypad) as missing:
        Keypads(RealClock(), [device.parent])
    assert missing.value.slots["reason"] == "no_evdev"
