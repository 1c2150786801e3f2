"""Buttons at pins: each is a key."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from narrator.clock import SimulatedClock
from narrator.errors import NoDevice
from narrator.hearing import Command, Entered, Typed
from narrator.hearing.buttons import KEYS, Buttons
from narrator.hearing.keys import Keys
from narrator.rules import Ask
from narrator.settings import BUTTONS, Settings
from tests.texts import the_interface

ASK = Ask("seer.check", "seat", "seer", (1,), (2, 3), may_pass=True)


@pytest.fixture
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """gpiozero's own pins that are none."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


def pressed(pins: Any, *numbers: int) -> None:
    """Press and let go of the buttons at these pins, which connect them with ground."""
    for number in numbers:
        pins.pin(number).drive_low()
        pins.pin(number).drive_high()


def test_a_button_is_a_key(mock_pins: Any) -> None:
    """Buttons and a keypad that feed the same `Keys` make up one entry; a press counts once, and letting go is nothing."""
    keys = Keys(SimulatedClock(), "keypad")
    buttons = Buttons(keys, Settings(gpio_buttons="enter=17,pause=27,undo=22,1=5").button_pins)
    keys.attend(ASK)
    pressed(mock_pins, 5)
    keys.press("2")
    pressed(mock_pins, 17, 27, 27, 22)
    heard = [event.payload for event in iter(lambda: keys.wait(0.0), None)]
    assert heard == [Typed("1"), Typed("12"), Entered("12"), Command("pause"), Command("pause"), Command("undo")]
    buttons.close()
    mock_pins.pin(17).drive_low()
    assert keys.wait(0.0) is None, "its pins are let go"


def test_every_name_is_a_key_of_its_own(mock_pins: Any) -> None:
    """What the settings know as a button there is, and no two do the same."""
    assert set(BUTTONS) == set(KEYS)
    assert len(set(KEYS.values())) == len(KEYS)
    keys = Keys(SimulatedClock(), "buttons")
    keys.attend(ASK)
    names = [name for name in BUTTONS if name not in ("enter", "next", "erase", "pause") and not name.isdecimal()]
    buttons = Buttons(keys, {name: pin for pin, name in enumerate(names, start=5)})
    for pin, name in enumerate(names, start=5):
        pressed(mock_pins, pin)
        event = keys.wait(0.0)
        assert event
        assert event.payload == Command(name)   # type: ignore[arg-type]
    buttons.close()


def test_a_pin_that_cannot_be_used(mock_pins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is taken, or a machine without any, is told in a sentence, and the pins before it are let go."""
    keys = Keys(SimulatedClock(), "buttons")
    first = Buttons(keys, {"enter": 17})
    with pytest.raises(NoDevice) as raised:
        Buttons(keys, {"undo": 22, "pause": 17})
    assert "17" in the_interface().error(raised.value)
    Buttons(keys, {"undo": 22}).close()
    first.close()
    from gpiozero import Device

    del mock_pins
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none_such")
    with pytest.raises(NoDevice):
        Buttons(keys, {"enter": 17})


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(NoDevice) as raised:
        Buttons(Keys(SimulatedClock(), "buttons"), {"enter": 17})
    assert ".[pi]" in the_interface().error(raised.value)
