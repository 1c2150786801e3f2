"""A voice pack: the folder voices/NAME/ with the prerendered clips of one voice.

voice.toml      what the voice is: `name`; `title` (how a list calls it, in Chinese); `language`; `licence` and `source` (of the model, or
                of the recordings); `loudness` (LUFS) of every clip; and who speaks, one of two tables:
                `[render]` for a model: `engine`, `speaker` (the model's name of the voice), `speed` (1 = the model's own pace);
                `[recorded]` for a person: `by`, `rate` (syllables a second). Unknown keys are refused.
manifest.json   sentence -> its clip, see `narrator.voice.manifest`
clips/          one sound file for each sentence, or part of one
takes.toml      sentence -> `speed`, where it is understood better at another than the voice's own; there may be none
LICENSE         the licence's text
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from narrator import clip as clips
from narrator import files, resources
from narrator.clip import RATE, Clip
from narrator.errors import BadVoice, NoVoice
from narrator.voice import manifest

JOINT = 0.06
"""Seconds between two parts of a sentence, besides the silence that they have at their ends: together a short breath."""

_DECODED = 64   # clips kept ready, about 200 kB each

Speed = Annotated[float, Field(ge=0.5, le=2)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Recipe(_Strict):
    """How a model renders the clips."""

    engine: Literal["kokoro"]
    speaker: str = Field(pattern=r"^\w+$")
    speed: Speed


class Recorded(_Strict):
    """Who has spoken the clips, and at how many syllables a second."""

    by: str = Field(min_length=1)
    rate: float = Field(gt=0)


class About(_Strict):
    """What voice.toml says."""

    name: str = Field(min_length=1)
    title: str = Field(min_length=1)
    language: str = Field(min_length=2)
    licence: str = Field(min_length=1)
    source: str = Field(min_length=1)
    loudness: float = Field(ge=-40, le=-10)
    render: Recipe | None = None
    recorded: Recorded | None = None

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a pack's voice.toml. Raises `BadVoice` with the file's name and what was expected."""
        about: Self = files.toml(folder / "voice.toml", cls, BadVoice)
        return about

    def write(self, folder: Path) -> None:
        """Write a pack's voice.toml. Raises `OSError`."""
        lines: list[str] = []
        tables: list[str] = []
        for key, value in self.model_dump(exclude_none=True).items():
            if isinstance(value, dict):
                tables += ["", f"[{key}]", *(_line(*item) for item in value.items())]
            else:
                lines.append(_line(key, value))
        files.write(folder / "voice.toml", "\n".join([*lines, *tables, ""]).encode())


def _line(key: str, value: str | float) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"     # what JSON writes of texts and numbers is TOML too


class Pack:
    """An open voice pack. Clips are decoded when they are asked for, and the latest are kept."""

    def __init__(self, folder: Path, about: About, entries: dict[str, manifest.Entry]) -> None:
        self.about = about
        self._folder = folder
        self._entries = entries
        self._decoded = lru_cache(maxsize=_DECODED)(self._decode)
        self._parts: dict[str, Clip | None] = {}

    @classmethod
    def load(cls, name_or_folder: str | Path) -> Pack:
        """Open a voice by its name in voices/, or from a folder. Raises `BadVoice` if it is missing or not a voice pack."""
        folder = locate(name_or_folder)
        about = About.read(folder)
        return cls(folder, about, manifest.read(folder))

    def clip(self, sentence: str, parts: Sequence[str] = ()) -> Clip | None:
        """The clip of a sentence (read-only samples), joined from these parts where it has none in one piece; None if they have none
        either, or a file is not whole."""
        clip = self._one(sentence)
        if clip is not None or not parts:
            return clip
        clips = [self._one(part) for part in parts]
        return joined([clip for clip in clips if clip is not None]) if all(clip is not None for clip in clips) else None

    def keep(self, parts: Iterable[str]) -> None:
        """Have these parts of sentences ready for as long as the pack is open: to open five clips takes twice as long as to decode one
        sentence."""
        self._parts |= {part: self._one(part) for part in parts}

    def sentences(self) -> Set[str]:
        """The sentences, and parts of sentences, that have a clip."""
        return self._entries.keys()

    def is_whole(self, sentence: str) -> bool:
        """Whether a sentence has a clip and its file is as it was made; it is not decoded."""
        entry = self._entries.get(sentence)
        return entry is not None and self._content(entry) is not None

    def can_say(self, sentence: str, parts: Sequence[str] = ()) -> bool:
        """Whether a sentence has a clip, or all of these parts have."""
        return self.is_whole(sentence) or (bool(parts) and all(map(self.is_whole, parts)))

    def _one(self, sentence: str) -> Clip | None:
        if sentence in self._parts:
            return self._parts[sentence]
        entry = self._entries.get(sentence)
        return None if entry is None else self._decoded(entry)

    def _content(self, entry: manifest.Entry) -> bytes | None:
        try:
            content = manifest.clip_path(self._folder, entry).read_bytes()
        except OSError:
            return None
        return content if manifest.checksum(content) == entry.sha256 else None

    def _decode(self, entry: manifest.Entry) -> Clip | None:
        if self._content(entry) is None:
            return None
        try:
            samples = clips.read(manifest.clip_path(self._folder, entry))
        except OSError:
            return None
        samples.flags.writeable = False     # it is handed out again
        return samples


def joined(clips: Sequence[Clip]) -> Clip:
    """The parts of a sentence one behind the other, with a short breath between."""
    breath = np.zeros(round(JOINT * RATE), np.float32)
    return np.concatenate([piece for clip in clips for piece in (breath, clip)][1:])


def home() -> Path:
    """Where a table's own voices lie: in the user's data folder."""
    return resources.personal("XDG_DATA_HOME", ".local/share") / "voices"


def names() -> list[str]:
    """The voices there are: those that ship, and the table's own."""
    return sorted({path.parent.name for folder in _homes() for path in folder.glob("*/voice.toml")})


def locate(name_or_folder: str | Path) -> Path:
    """The folder of a voice: a path as it is; a bare name among the table's own, then among those that ship. Raises `BadVoice` if there
    is none."""
    folder = Path(name_or_folder)
    named = isinstance(name_or_folder, str) and folder.name == name_or_folder
    for place in [home / folder for home in _homes()] if named else [folder]:
        if place.is_dir():
            return place
    known = ", ".join(names()) or "-"
    raise NoVoice(f"no voice {name_or_folder!r}; there are {known}", what=name_or_folder, known=known)


def _homes() -> tuple[Path, Path]:
    return home(), resources.folder("voices")
