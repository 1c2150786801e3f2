"""Renders a voice pack: everything of the script that has no clip yet, or whose clip was made differently.

A pack needs nothing but its voice.toml with a table `[render]` to begin with. Rendering may be stopped at any time and goes on
where it stopped. Needs the extra `studio`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from narrator import files
from narrator.clip import Clip
from narrator.errors import BadVoice
from narrator.pronunciation import Table
from narrator.voice import manifest, shape
from narrator.voice.kokoro import Files, Kokoro
from narrator.voice.manifest import Entry
from narrator.voice.pack import About, Recipe, Speed

__all__ = ["Files", "Progress", "Speaker", "kokoro", "render"]

_SAVE_EVERY = 20    # clips; this many are rendered again at most after a power cut


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` missing clips are rendered, `sentence` being the latest."""

    done: int
    total: int
    sentence: str


class Speaker(Protocol):
    """Who reads the sentences to be recorded."""

    def phonemes(self, sentence: str) -> str:
        """How the sentence is read: if this changes, its clip is made anew. Raises `BadVoice` if it cannot be said."""

    def speak(self, phonemes: str, speed: float) -> Clip:
        """The sound at this speed, at any loudness and with any silence round it."""


def kokoro(folder: Path, files: Files) -> Kokoro:
    """Who speaks the pack in `folder`. Raises `BadVoice` if voice.toml, the model or the pronunciation table is not what it should be."""
    return Kokoro(files, Table.shipped(), _recipe(About.read(folder), folder).speaker)


def render(folder: Path, speaker: Speaker, sentences: Iterable[str], progress: Callable[[Progress], None]) -> None:
    """Make the pack in `folder` hold exactly these sentences: only what is missing or changed is rendered.

    Raises `BadVoice` if voice.toml or takes.toml is not what it should be, if there is nothing to say, or if a sentence cannot be said;
    `OSError` if the folder cannot be written.
    """
    about = About.read(folder)
    recipe = _recipe(about, folder)
    takes = _takes(folder / "takes.toml")
    phonemes = {sentence: speaker.phonemes(sentence) for sentence in sentences}
    if not phonemes:
        raise BadVoice("there are no sentences to render")     # an empty pack would be the result
    recipes = {sentence: recipe.model_copy(update={"speed": takes.get(sentence, recipe.speed)}) for sentence in phonemes}
    wanted = {sentence: _checksum(recipes[sentence], about.loudness, sounds) for sentence, sounds in phonemes.items()}
    (folder / "clips").mkdir(exist_ok=True)
    entries = manifest.read(folder) if (folder / "manifest.json").exists() else {}
    missing = [sentence for sentence, made in wanted.items() if not _is_made(folder, entries.get(sentence), made)]
    try:
        for done, sentence in enumerate(missing, 1):
            clip = shape.level(shape.trim(speaker.speak(phonemes[sentence], recipes[sentence].speed)), about.loudness)
            entries[sentence] = manifest.keep(folder, sentence, clip, wanted[sentence])
            if done % _SAVE_EVERY == 0:
                manifest.write(folder, entries)
            progress(Progress(done, len(missing), sentence))
    finally:
        manifest.write(folder, entries)
    _drop_others(folder, {sentence: entries[sentence] for sentence in wanted})


def _recipe(about: About, folder: Path) -> Recipe:
    if about.render is None:
        raise BadVoice(f"{folder / 'voice.toml'} has no table [render]: this voice is recorded", reason="recorded_voice", what=about.name)
    return about.render


def _takes(path: Path) -> dict[str, float]:
    takes: dict[str, float] = files.toml(path, dict[str, Speed], BadVoice) if path.exists() else {}
    return takes


def _checksum(recipe: Recipe, loudness: float, phonemes: str) -> str:
    return hashlib.sha256(f"{recipe.model_dump_json()}\n{loudness}\n{phonemes}".encode()).hexdigest()[:16]


def _is_made(folder: Path, entry: Entry | None, recipe: str) -> bool:
    if entry is None or entry.recipe != recipe:
        return False
    try:
        return manifest.checksum(manifest.clip_path(folder, entry).read_bytes()) == entry.sha256
    except OSError:
        return False


def _drop_others(folder: Path, entries: dict[str, Entry]) -> None:
    """Forget sentences that are no longer said. The manifest first: a clip that it does not name harms nobody."""
    manifest.write(folder, entries)
    kept = {entry.clip for entry in entries.values()}
    for path in (folder / "clips").iterdir():
        if path.name not in kept:
            path.unlink()
