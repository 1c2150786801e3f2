"""What a table has chosen once and for all: `settings.toml` in the user's configuration folder, one line for each choice.

An argument of a command wins over it. What is not written there is as the narrator ships.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from narrator import files, resources
from narrator.errors import BadSettings, CannotWrite
from narrator.sound.levels import DUCK, LOUDEST, OFF, PARTS, Levels


def _printable(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("not_printable", "not printable")
    return text


_Text = Annotated[str, AfterValidator(_printable)]
_Level = Annotated[float, Field(ge=OFF, le=LOUDEST)]

BUTTONS = ("enter", "undo", "again", "pause", "hide", "why", "next", "erase", *map(str, range(10)))
"""What a button at a pin can be: one of the keys of `narrator.hearing.buttons`."""

_PINS = range(2, 28)
"""The pins of a Raspberry Pi that are free to use, as its chip numbers them."""


def _lamps(text: str) -> str:
    pins = list(map(_pin, filter(None, text.split(","))))
    if len(pins) > 2 or None in pins or len(set(pins)) < len(pins):
        raise PydanticCustomError("lamps", "not one pin or two", {"expected": f"{_PINS[0]}-{_PINS[-1]}"})
    return text


def _buttons(text: str) -> str:
    named = [button.partition("=") for button in filter(None, text.split(","))]
    pins = [_pin(pin) for _, _, pin in named]
    if None in pins or len(set(pins)) < len(pins) or not {name for name, _, _ in named} <= set(BUTTONS):
        raise PydanticCustomError("buttons", "not buttons and their pins", {"expected": (f"{_PINS[0]}-{_PINS[-1]}", "、".join(BUTTONS))})
    return text


def _pin(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) in _PINS else None


class Settings(BaseModel):
    """The choices.

    voice     a voice pack, empty for the one that ships
    model     a folder with the Kokoro model, for sentences that no pack holds; empty without one
    device    a loudspeaker by a part of its name, empty for the system's default
    ears      what hears words said at the table, one of `narrator.hearing.recognisers.ENGINES`; off: keys alone
    ears_model  the folder of its model
    microphone  a microphone by a part of its name, empty for the system's default
    barge_in  whether what is said is also heard while the narrator speaks, at a question to everyone: where it does not hear itself
    stereo    whether the ambience is heard from two sides
    etiquette whether a new game begins with a word on how to behave at night
    pace      how long the silences last, one of `narrator.pacing.PACES`
    secrets   where a box without a screen tells a role what only it may know; auto: the lamps at the pins where there are any, else the
              keypad's own
    gpio_lamps    the pins of one lamp or two, with a comma between: 23,24; empty without any
    gpio_buttons  buttons and their pins: enter=17,pause=27; empty without any
    oled      the make of the small display
    voice_level, ambience_level, effects_level   decibels against the plan of `narrator.sound.levels`; OFF is silent
    duck      decibels by which the ambience steps back under a voice
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    voice: _Text = ""
    model: _Text = ""
    device: _Text = ""
    ears: Literal["off", "whisper", "vosk", "sherpa", "google"] = "off"
    ears_model: _Text = ""
    microphone: _Text = ""
    barge_in: bool = False
    stereo: bool = False
    pace: Literal["slow", "normal", "fast"] = "normal"
    etiquette: bool = True
    secrets: Literal["auto", "keypad", "gpio", "oled"] = "auto"
    gpio_lamps: Annotated[str, AfterValidator(_lamps)] = ""
    gpio_buttons: Annotated[str, AfterValidator(_buttons)] = ""
    oled: Literal["ssd1306", "sh1106"] = "ssd1306"
    voice_level: _Level = 0.0
    ambience_level: _Level = 0.0
    effects_level: _Level = 0.0
    duck: Annotated[float, Field(ge=0.0, le=-OFF)] = DUCK

    @model_validator(mode="after")
    def _no_pin_twice(self) -> Self:
        if both := set(self.lamp_pins) & set(self.button_pins.values()):
            raise PydanticCustomError("pin_twice", "a pin with a lamp and a button", {"expected": min(both)})
        return self

    @classmethod
    def load(cls) -> Settings:
        """The user's. Raises `BadSettings` if the file cannot be read or is not what it should be."""
        path = home()
        settings: Settings = files.toml(path, cls, BadSettings) if path.exists() else cls()
        return settings

    @classmethod
    def mended(cls) -> Settings:
        """The user's, but that what is wrong in the file is as the narrator ships. Raises `BadSettings` if it cannot be read at all."""
        written = files.toml(home(), dict[str, Any], BadSettings) if home().exists() else {}
        settings = cls()
        for name, value in written.items():
            with suppress(BadSettings):
                settings = settings.changed(**{name: value})
        return settings

    @property
    def lamp_pins(self) -> tuple[int, ...]:
        """The pins of the lamps."""
        return tuple(int(pin) for pin in self.gpio_lamps.split(",") if pin)

    @property
    def button_pins(self) -> dict[str, int]:
        """Button → its pin."""
        return {name: int(pin) for name, pin in (button.split("=") for button in self.gpio_buttons.split(",") if button)}

    @property
    def levels(self) -> Levels:
        """How loud the parts of the sound are."""
        return Levels(self.voice_level, self.ambience_level, self.effects_level, self.duck)

    def changed(self, **choices: object) -> Settings:
        """With these chosen otherwise. Raises `BadSettings` for a choice that there is none of, or a value that it cannot have."""
        kept: dict[str, Any] = self.model_dump()
        return files.checked(Path("settings"), kept | choices, Settings, BadSettings)   # type: ignore[no-any-return]

    def save(self) -> None:
        """Write what differs from the narrator's own choice. Raises `CannotWrite`."""
        path = home()
        chosen = self.model_dump(exclude_defaults=True)
        text = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in chosen.items())
        try:
            files.make_folder(path.parent)
            files.write(path, text.encode())
        except OSError as error:
            raise CannotWrite(path, error) from error


def levelled(settings: Settings, before: Levels, after: Levels) -> Settings:
    """The settings with those levels that a table has changed while it played; what it had otherwise for one game is left alone."""
    usual = asdict(settings.levels)
    then, now = asdict(before), asdict(after)
    return settings.changed(**{f"{part}_level": now[part] for part in PARTS if now[part] != then[part] == usual[part]})


def home() -> Path:
    """The file: in the user's configuration folder."""
    return resources.personal("XDG_CONFIG_HOME", ".config") / "settings.toml"
