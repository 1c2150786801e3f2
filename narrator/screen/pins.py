"""Lamps at the pins of a Raspberry Pi. Needs the extra `pi`."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from typing import Any

from narrator.errors import NoDevice
from narrator.screen.lights import Lamps, pair, single


def lamps(pins: Sequence[int]) -> Lamps:
    """LEDs at one pin or two, numbered as the chip does (GPIO 23, not the 16th of the row). Raises `NoDevice`."""
    try:
        from gpiozero import LED
        from gpiozero.exc import GPIOZeroError, PinFactoryFallback
    except ImportError as error:
        raise NoDevice(f"nothing drives the pins: {error}", reason="needs_extra", extra="pi", why=error) from error
    leds: dict[str, Any] = {}
    with ExitStack() as taken, warnings.catch_warnings():
        warnings.simplefilter("ignore", PinFactoryFallback)     # where none is left that is the error
        for pin in pins:
            try:
                leds[str(pin)] = taken.enter_context(LED(pin))
            except GPIOZeroError as error:
                raise NoDevice(f"no lamp at {pin}: {error}", reason="no_pins", what=pin, why=error) from error
        close = taken.pop_all().close

    def lit(wanted: Collection[str]) -> None:
        for name, led in leds.items():
            led.value = name in wanted

    a, *b = leds
    return pair(lit, a, b[0], close) if b else single(lit, a, close)
