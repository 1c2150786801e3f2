"""What a table has chosen once and for all: `settings.toml` in the user's configuration folder, one line for each choice.

An argument of a command wins over it. What is not written there is as the narrator ships.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
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
    voice_level: _Level = 0.0
    ambience_level: _Level = 0.0
    effects_level: _Level = 0.0
    duck: Annotated[float, Field(ge=0.0, le=-OFF)] = DUCK

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
