"""manifest.json of a voice pack: an object with one line for each sentence, sorted, so that a change shows as few lines.

    "sentence": {"clip": "0123456789ab.ogg", "sha256": "...", "recipe": "..."},

A sentence is what is spoken, or a part of it, down to the sign that says how it ends. `clip` is a file in clips/, `sha256` the
first 16 digits of its checksum. `recipe` is a checksum of all that the clip was rendered from, and absent if a person recorded it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from narrator import files
from narrator.clip import Clip
from narrator.errors import BadVoice
from narrator.voice import codec


class Entry(BaseModel):
    """The clip of one sentence."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    clip: str = Field(pattern=r"^\w[\w-]*\.\w+$")
    sha256: str = Field(pattern=r"^[0-9a-f]{16}$")
    recipe: str | None = None


def read(folder: Path) -> dict[str, Entry]:
    """Read a pack's manifest. Raises `BadVoice` if it is missing or not of the form."""
    entries: dict[str, Entry] = files.from_json(folder / "manifest.json", dict[str, Entry], BadVoice)
    return entries


def write(folder: Path, entries: Mapping[str, Entry]) -> None:
    """Write a pack's manifest, whole or not at all. Raises `OSError`."""
    lines = (
        f"{json.dumps(sentence, ensure_ascii=False)}: {json.dumps(entry.model_dump(exclude_none=True))}"
        for sentence, entry in sorted(entries.items())
    )
    files.write(folder / "manifest.json", ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def keep(folder: Path, sentence: str, clip: Clip, recipe: str | None = None) -> Entry:
    """Write a sentence's clip into the folder. Returns its entry for the manifest. Raises `OSError`."""
    content = codec.encode(clip)
    entry = Entry(clip=clip_name(sentence), sha256=checksum(content), recipe=recipe)
    files.write(clip_path(folder, entry), content)
    return entry


def checksum(content: bytes) -> str:
    """The first 16 digits of a SHA-256: enough against accident."""
    return hashlib.sha256(content).hexdigest()[:16]


def clip_name(sentence: str) -> str:
    """The file name of a sentence's clip."""
    return f"{hashlib.sha256(sentence.encode()).hexdigest()[:12]}.ogg"


def clip_path(folder: Path, entry: Entry) -> Path:
    """Where an entry's clip is."""
    return folder / "clips" / entry.clip
