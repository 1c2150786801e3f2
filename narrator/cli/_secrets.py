"""Where a box without a screen tells secrets, by the table's settings: lamps at pins, a keypad's own lamps, or a small display."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.errors import NoDevice
from narrator.pacing import PACES
from narrator.screen import Screen, pins
from narrator.screen.lights import BEAT, Lamps, Lights, Lit, pair, reading, single
from narrator.screen.small import Small, opened
from narrator.settings import Settings


def display(settings: Settings, leds: Sequence[str] = (), lit: Lit | None = None) -> Screen:
    """The secret display that has been chosen. `leds`: the names of the keypad's lamps, which `lit` lights. Raises `NoDevice`."""
    if settings.secrets == "oled":
        return Small(opened(settings.oled))
    lights = Lights(_lamps(settings, leds, lit), beat=_beat(settings))
    lights.begin()
    return lights


def seconds(settings: Settings, seats: int) -> float:
    """Seconds that it takes to read there what is shown; 0 where it is seen at once. For `Pacing.readable`."""
    return 0.0 if settings.secrets == "oled" else reading(seats, _beat(settings))


def _beat(settings: Settings) -> float:
    """A slow table has slow lamps."""
    return BEAT * PACES[settings.pace]


def _lamps(settings: Settings, leds: Sequence[str], lit: Lit | None) -> Lamps:
    if settings.lamp_pins and settings.secrets != "keypad":
        return pins.lamps(settings.lamp_pins)
    if lit and leds and settings.secrets != "gpio":
        return pair(lit, leds[0], leds[1]) if len(leds) > 1 else single(lit, leds[0])
    raise NoDevice(f"no lamps for {settings.secrets!r}", reason="no_secrets")
