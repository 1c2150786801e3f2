"""What voices/ambience holds. `NAME.ogg` is the loop of the scene NAME; `NAME_1.ogg`, `NAME_2.ogg` ... are takes of the effect NAME."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from narrator import resources
from narrator.clip import Clip, read
from narrator.errors import BadVoice

T = TypeVar("T")

_TAKE = re.compile(r"(?P<name>.+)_\d+")


@dataclass(frozen=True, slots=True)
class Scenery:
    """The decoded sounds of a folder: a loop for each scene, one or more takes of each effect."""

    loops: Mapping[str, Clip]
    effects: Mapping[str, tuple[Clip, ...]]


def home() -> Path:
    """Where the narrator's own ambience lies."""
    return resources.folder("voices") / "ambience"


def scene_files(folder: Path) -> dict[str, Path]:
    """The file of each scene. Raises `BadVoice` if there is none."""
    found = {path.stem: path for path in sorted(folder.glob("*.ogg")) if not _TAKE.fullmatch(path.stem)}
    if not found:
        raise BadVoice(f"{folder} holds no ambience; `narrator ambience render` makes it", reason="no_ambience", path=folder)
    return found


def effect_files(folder: Path) -> dict[str, list[Path]]:
    """The takes of each effect, in the order of their numbers' spelling."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.ogg")):
        if take := _TAKE.fullmatch(path.stem):
            found.setdefault(take["name"], []).append(path)
    return found


def load(folder: Path) -> Scenery:
    """Decode a whole folder. Raises `BadVoice` if it holds no scene, or a file that cannot be read."""
    return Scenery(
        loops={name: _decode(path) for name, path in scene_files(folder).items()},
        effects={name: tuple(map(_decode, paths)) for name, paths in effect_files(folder).items()},
    )


def _decode(path: Path) -> Clip:
    try:
        sound = read(path)
    except OSError as error:
        raise BadVoice(f"{path}: {error}", reason="broken_sound", path=path, why=error) from error
    if not len(sound):
        raise BadVoice(f"{path} holds no sound", reason="broken_sound", path=path, why=OSError("no sound"))
    return sound


def pick(kind: str, table: Mapping[str, T], name: str) -> T:
    """`table[name]`. Raises `ValueError` that names what there is."""
    if name not in table:
        raise ValueError(f"{name!r} is no {kind}; there are {', '.join(table) or 'none'}")
    return table[name]
