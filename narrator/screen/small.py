"""A small display of 128 × 64 dots, for whoever is awake. Needs the extra `oled`.

It has digits and a few signs, no words: seats, a card's number behind a # (`narrator.screen.code`), + for the village and - for the
werewolves, 0 for nobody; and below, what is wanted or typed. As long as a window is open, and whoever it is for, exactly as many
dots are lit: what the figures leave over is lit at the edge. So the room is as bright for a decoy as for a seer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narrator.errors import NoDevice
from narrator.rules import ROLES, Kind, Show
from narrator.screen.code import CARD_NUMBERS
from narrator.screen.view import View

if TYPE_CHECKING:
    from PIL.Image import Image

Model: TypeAlias = Literal["ssd1306", "sh1106"]

WIDTH, HEIGHT = 128, 64
LIT = 1700
"""Dots that are lit while a window is open."""

_TOP = 38           # rows for what is shown
_BELOW = 12         # rows for what is wanted; the rest is the edge, which makes up for the light
_ENTRY = 16         # characters of an entry: the last are shown
_SIZES = (46, 40, 32, 26, 20, 15, 11, 9)
_WANTED: dict[Kind, str] = {"yes_no": "1 / 0 ?", "wait": "..."}


def opened(model: Model) -> Any:
    """The display of this make on the I2C bus, at its usual address. Raises `NoDevice`."""
    try:
        from luma.core.error import Error
        from luma.core.interface.serial import i2c
        from luma.oled import device
    except ImportError as error:
        raise NoDevice(f"nothing drives the display: {error}", reason="needs_extra", extra="oled", why=error) from error
    try:
        return getattr(device, model)(i2c(port=1, address=0x3C), width=WIDTH, height=HEIGHT)
    except (Error, OSError) as error:
        raise NoDevice(f"no {model}: {error}", reason="no_display", why=error) from error


class Small:
    """A `Screen` on a display of luma's, or anything else with `display(image)`, `mode` and `cleanup()`."""

    readable = False

    def __init__(self, device: Any) -> None:
        """Raises `NoDevice` without what draws."""
        try:
            from luma.core.error import Error
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as error:
            raise NoDevice(f"nothing draws: {error}", reason="needs_extra", extra="oled", why=error) from error
        self._device, self._image, self._draw = device, Image, ImageDraw
        self._lost = (Error, OSError)
        self._fonts = {size: ImageFont.load_default(size) for size in _SIZES}
        self._awake = self._covered = self._hidden = self._refused = False
        self._shown: tuple[str, ...] = ()
        self._kind: Kind | None = None
        self._typed = ""
        self._last: bytes | None = None
        self._show()

    def public(self, view: View) -> None:
        """It is for who is awake alone."""

    def speaking(self, key: str, text: str) -> None:
        """What is spoken is heard."""

    def asking(self, text: str, secret: bool, kind: Kind | None = None) -> None:
        self._kind = kind if text and secret else None
        self._typed, self._refused = "", False
        self._show()

    def awake(self, on: bool) -> None:
        self._awake, self._refused = on, False
        self._show()

    def private(self, audience: str, text: str, large: Sequence[str] = (), show: Show | None = None) -> None:   # noqa: ARG002
        told = _figures(show) if show else ""
        if told and told not in self._shown:
            self._shown += (told,)
            self._show()

    def typed(self, text: str) -> None:
        self._typed, self._refused = text, self._refused and not text
        self._show()

    def refuse(self, text: str) -> None:   # noqa: ARG002
        """In a window. By day nobody looks: it must be heard."""
        self._typed, self._refused = "", True
        self._show()

    def notice(self, text: str) -> None:
        """It has no words."""

    def cover(self, on: bool) -> None:
        self._covered = on
        self._show()

    def hide(self, on: bool) -> None:
        self._hidden = on
        self._show()

    def wipe(self) -> None:
        self._shown, self._kind, self._typed = (), None, ""
        self._refused = self._hidden = False
        self._show()

    def close(self) -> None:
        """Leave the display dark."""
        self._awake = False
        self._show()
        with suppress(*self._lost):
            self._device.cleanup()

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Draw what has changed. A display that has been pulled out ends no game."""
        image = self._drawn()
        if image.tobytes() != self._last:
            self._last = image.tobytes()
            with suppress(*self._lost):
                self._device.display(image.convert(self._device.mode))

    def _drawn(self) -> Image:
        image: Image = self._image.new("1", (WIDTH, HEIGHT))
        if not self._awake:
            return image
        open_to_read = not (self._covered or self._hidden)
        self._write(image, "  ".join(self._shown) if open_to_read and self._shown else "--", 0, _TOP)
        self._write(image, self._line() if open_to_read else "", _TOP, _BELOW)
        _make_up(image)
        return image

    def _line(self) -> str:
        """What is typed, or wanted: the refused is crossed out."""
        if self._refused:
            return "x x x"
        return unicodedata.normalize("NFKC", self._typed)[-_ENTRY:] or (_WANTED.get(self._kind, "?") if self._kind else "")

    def _write(self, image: Image, text: str, top: int, height: int) -> None:
        """Write a text as large as it fits, in the middle; over several lines where it does not fit into one."""
        draw = self._draw.Draw(image)
        draw.fontmode = "1"
        for size in _SIZES:
            for lines in _folded(text):
                left, above, right, below = draw.multiline_textbbox((0, 0), lines, font=self._fonts[size], spacing=1)
                if right - left <= WIDTH and below - above <= height:
                    at = ((WIDTH - right - left) // 2, top + (height - below - above) // 2)
                    draw.multiline_text(at, lines, fill=255, font=self._fonts[size], spacing=1)
                    return


def _figures(show: Show) -> str:
    """What is shown, in figures: seats, cards by their numbers, sides as thumbs."""
    value: Any = show.value
    if not value:
        return _SENTENCES.get(show.key, "0")
    if isinstance(value, str):
        return _side(value) if show.key.endswith(".side") else f"#{CARD_NUMBERS[value]}"
    return " ".join(_figure(item) for item in value)


def _figure(item: Any) -> str:
    if isinstance(item, tuple):
        return f"{item[0]}{_side(item[1])}"
    return f"#{CARD_NUMBERS[item]}" if item in ROLES else str(item)


def _side(side: str) -> str:
    return "-" if side == "werewolf" else "+"


_SENTENCES = {"lovers.no_vote": "!", "backfire.turned": "-", "backfire.same": "+"}
"""What is shown without a value → its figure, where it is not that of nobody."""


def _folded(text: str) -> list[str]:
    """The text in one line, in two, in three and in four, each about as long."""
    words = text.split(" ")
    return ["\n".join(" ".join(words[len(words) * line // lines : len(words) * (line + 1) // lines]) for line in range(lines))
            for lines in range(1, 5) if lines <= len(words)]


def _make_up(image: Image) -> None:
    """Light dots at the lower edge, from below, until as many are lit as always."""
    lacking = LIT - image.histogram()[255]
    for dot in range(lacking):
        image.putpixel((dot % WIDTH, HEIGHT - 1 - dot // WIDTH), 255)
