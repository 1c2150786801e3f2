"""What voices/ambience holds, and how a scene is made of it.

    beds/NAME.ogg               a seamless loop that lies under a scene
    sounds/NAME_1.ogg ...       takes of a sound that comes now and then, or once when a scene opens
    effects/NAME_1.ogg ...      takes of an effect that the game calls for: a knock
    scenes.toml                 the scenes, one table each:

        [night]
        beds = { wind = 0, crickets = -7 }      # decibels against the file's own loudness
        sounds = { owl = [25, 70] }             # comes again after 25 to 70 seconds
        opens = ["bell"]                        # is heard as the scene opens

The loudspeaker's process reads the sounds, but is told the scenes: to check a file it would need the larger half of its memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

from narrator import resources
from narrator.clip import Clip, read
from narrator.errors import BadVoice
from narrator.sound.bed import Bed

T = TypeVar("T")

_TAKE = re.compile(r"(?P<name>.+)_\d+")


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its beds with their level in dB, what comes now and then after how many seconds at least and at most, what opens it."""

    __pydantic_config__: ClassVar = {"extra": "forbid", "allow_inf_nan": False}

    beds: Mapping[str, float]
    sounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    opens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenery:
    """The scenes, and everything that they are made of: where each bed lies, and the decoded takes of sounds and effects."""

    scenes: Mapping[str, Scene]
    beds: Mapping[str, Path]
    sounds: Mapping[str, tuple[Clip, ...]]
    effects: Mapping[str, tuple[Clip, ...]]


def home() -> Path:
    """Where the narrator's own ambience lies."""
    return resources.folder("voices") / "ambience"


def scenes(folder: Path) -> dict[str, Scene]:
    """The scenes of a folder. Raises `BadVoice` if they cannot be read, or want what is not there."""
    from narrator import files

    path = folder / "scenes.toml"
    found: dict[str, Scene] = files.toml(path, dict[str, Scene], BadVoice)
    beds, sounds = _beds(folder), _takes(folder / "sounds")
    for name, scene in found.items():
        _check(path, name, scene.beds, beds)
        _check(path, name, (*scene.sounds, *scene.opens), sounds)
        for sound, (least, most) in scene.sounds.items():
            if not 0 < least <= most:
                raise BadVoice(f"{path}: {name}.{sound} {least} to {most}", reason="bad_span", path=path, scene=name, what=sound)
    return found


def effects(folder: Path) -> dict[str, list[Path]]:
    """The takes of each effect."""
    return _takes(folder / "effects")


def load(folder: Path, known: Mapping[str, Scene] | None = None) -> Scenery:
    """All of a folder, every file of it tried; its scenes are `known` where they have been read before. Raises `BadVoice` if something
    cannot be read or is missing."""
    beds = _beds(folder)
    for path in beds.values():
        _tried(path, lambda path: Bed(path).close())
    return Scenery(scenes(folder) if known is None else known, beds, _decoded(_takes(folder / "sounds")), _decoded(effects(folder)))


def _beds(folder: Path) -> dict[str, Path]:
    found = {path.stem: path for path in sorted((folder / "beds").glob("*.ogg"))}
    if not found:
        raise BadVoice(f"{folder} holds no ambience; `narrator ambience render` makes it", reason="no_ambience", path=folder)
    return found


def _takes(folder: Path) -> dict[str, list[Path]]:
    """The takes of each name, in the order of their numbers' spelling."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.ogg")):
        if take := _TAKE.fullmatch(path.stem):
            found.setdefault(take["name"], []).append(path)
    return found


def _check(path: Path, scene: str, wanted: Iterable[str], there: Iterable[str]) -> None:
    for missing in sorted(set(wanted) - set(there)):
        raise BadVoice(f"{path}: {scene} wants {missing}", reason="no_such_sound", path=path, scene=scene, what=missing)


def _decoded(takes: Mapping[str, list[Path]]) -> dict[str, tuple[Clip, ...]]:
    return {name: tuple(_tried(path, _sound) for path in paths) for name, paths in takes.items()}


def _sound(path: Path) -> Clip:
    sound = read(path)
    if not len(sound):
        raise OSError("no sound")
    return sound


def _tried(path: Path, read: Callable[[Path], T]) -> T:
    """What `read` makes of a file. Raises `BadVoice` if it cannot be read."""
    try:
        return read(path)
    except OSError as error:
        reason = "broken_sound" if error.errno else "wrong_sound"   # the system's fault, or the file's own
        raise BadVoice(f"{path}: {error}", reason=reason, path=path, why=error) from error


def pick(kind: str, table: Mapping[str, T], name: str) -> T:
    """`table[name]`. Raises `ValueError` that names what there is."""
    if name not in table:
        raise ValueError(f"{name!r} is no {kind}; there are {', '.join(table) or 'none'}")
    return table[name]
