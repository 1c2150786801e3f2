"""Buttons at the pins of a Raspberry Pi, each in the place of one key. Needs the extra `pi`.

A button connects its pin with ground. It is one key more of the `Keys` that it is given, so that a keypad and buttons make up one entry.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial

from narrator.errors import NoDevice
from narrator.hearing.keys import Keys

KEYS = {
    "enter": "\r",
    "undo": "-",
    "again": "*",
    "pause": "/",
    "hide": "\t",
    "why": "?",
    "next": "+",
    "erase": "\x7f",
    **{str(digit): str(digit) for digit in range(10)},
}
"""What a button may be called → the key that it stands for."""

BOUNCE = 0.03
"""Seconds for which contacts may chatter."""


class Buttons:
    """Buttons that press keys."""

    def __init__(self, keys: Keys, pins: Mapping[str, int]) -> None:
        """`pins`: each button's name, of `KEYS`, and its pin as the chip numbers it. Raises `NoDevice`."""
        try:
            from gpiozero import Button
            from gpiozero.exc import GPIOZeroError, PinFactoryFallback
        except ImportError as error:
            raise NoDevice(f"nothing reads the pins: {error}", reason="needs_extra", extra="pi", why=error) from error
        with ExitStack() as taken, warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)     # where none is left that is the error
            for name, pin in pins.items():
                try:
                    button = taken.enter_context(Button(pin, bounce_time=BOUNCE))
                except GPIOZeroError as error:
                    raise NoDevice(f"no button at {pin}: {error}", reason="no_pins", what=pin, why=error) from error
                button.when_pressed = partial(keys.press, KEYS[name])
            self._taken = taken.pop_all()

    def close(self) -> None:
        """Let go of the pins."""
        self._taken.close()
