"""A voice pack: the folder voices/NAME/ with the prerendered clips of one voice.

voice.toml      what the voice is: `name`, `language`, `licence`, `source` (whose voice, from where);
                and, if clips are rendered by a model rather than recorded by a person, a table `[render]`:
                `engine`, `speaker` (the model's name of the voice), `speed` (1 = the model's own pace),
                `loudness` (LUFS), `peak` (dBTP). Unknown keys are refused.
manifest.json   sentence -> its clip, see `narrator.voice.manifest`
clips/          one sound file for each sentence
LICENSE         the licence's text
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from narrator import clip as clips
from narrator import files, resources
from narrator.clip import Clip
from narrator.errors import BadVoice, NoVoice
from narrator.voice import manifest

_DECODED = 64   # clips kept ready, about 200 kB each


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Recipe(_Strict):
    """How a model renders the clips."""

    engine: Literal["kokoro"]
    speaker: str = Field(pattern=r"^\w+$")
    speed: float = Field(ge=0.5, le=2)
    loudness: float = Field(ge=-40, le=-10)
    peak: float = Field(ge=-20, le=-1)


class About(_Strict):
    """What voice.toml says."""

    name: str = Field(min_length=1)
    language: str = Field(min_length=2)
    licence: str = Field(min_length=1)
    source: str = Field(min_length=1)
    render: Recipe | None = None

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a pack's voice.toml. Raises `BadVoice` with the file's name and what was expected."""
        about: Self = files.toml(folder / "voice.toml", cls, BadVoice)
        return about


class Pack:
    """An open voice pack. Clips are decoded when they are asked for, and the latest are kept."""

    def __init__(self, folder: Path, about: About, entries: dict[str, manifest.Entry]) -> None:
        self.about = about
        self._folder = folder
        self._entries = entries
        self._decoded = lru_cache(maxsize=_DECODED)(self._decode)

    @classmethod
    def load(cls, name_or_folder: str | Path) -> Pack:
        """Open a voice by its name in voices/, or from a folder. Raises `BadVoice` if it is missing or not a voice pack."""
        folder = locate(name_or_folder)
        about = About.read(folder)
        return cls(folder, about, manifest.read(folder))

    def clip(self, sentence: str) -> Clip | None:
        """The clip of a sentence (read-only samples), None if there is none or its file is not whole."""
        entry = self._entries.get(sentence)
        return None if entry is None else self._decoded(entry)

    def sentences(self) -> Set[str]:
        """The sentences that have a clip."""
        return self._entries.keys()

    def is_whole(self, sentence: str) -> bool:
        """Whether a sentence has a clip and its file is as it was made; it is not decoded."""
        entry = self._entries.get(sentence)
        return entry is not None and self._content(entry) is not None

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


def locate(name_or_folder: str | Path) -> Path:
    """The folder of a voice: a path as it is, a bare name in voices/. Raises `BadVoice` if there is none."""
    voices = resources.folder("voices")
    folder = Path(name_or_folder)
    if isinstance(name_or_folder, str) and folder.name == name_or_folder:
        folder = voices / folder
    if not folder.is_dir():
        known = ", ".join(sorted(path.parent.name for path in voices.glob("*/voice.toml"))) or "-"
        raise NoVoice(f"no voice {name_or_folder!r}; there are {known}", what=name_or_folder, known=known)
    return folder
