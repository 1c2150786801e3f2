"""Renders a voice pack: every sentence of the script that has no clip yet, or whose clip was made differently.

A pack needs nothing but its voice.toml with a table `[render]` to begin with. Rendering may be stopped at any time and goes on
where it stopped. Needs the extra `studio`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from narrator import files, resources
from narrator.clip import Clip
from narrator.errors import BadVoice
from narrator.voice import codec, manifest, shape
from narrator.voice.kokoro import Files, Kokoro
from narrator.voice.manifest import Entry
from narrator.voice.pack import About, Recipe
from narrator.voice.pronunciation import Table

__all__ = ["Files", "Progress", "Speaker", "record", "render"]

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

    def speak(self, phonemes: str) -> Clip:
        """The sound, at any loudness and with any silence round it."""


def render(folder: Path, files: Files, sentences: Iterable[str], progress: Callable[[Progress], None]) -> None:
    """Make the pack in `folder` hold exactly these sentences, as Kokoro speaks them: only what is missing or changed is rendered.

    Raises `BadVoice` if voice.toml, the model or the pronunciation table is not what it should be, if there is nothing to
    say, or if a sentence cannot be said; `OSError` if the folder cannot be written.
    """
    recipe = _recipe(folder)
    table = Table.read(resources.folder("voices") / "pronunciation.toml")
    record(folder, Kokoro(files, table, recipe.speaker, recipe.speed), sentences, progress)


def record(folder: Path, speaker: Speaker, sentences: Iterable[str], progress: Callable[[Progress], None]) -> None:
    """The same with any speaker."""
    recipe = _recipe(folder)
    phonemes = {sentence: speaker.phonemes(sentence) for sentence in sentences}
    if not phonemes:
        raise BadVoice("there are no sentences to render")     # an empty pack would be the result
    wanted = {sentence: _checksum(recipe, sounds) for sentence, sounds in phonemes.items()}
    (folder / "clips").mkdir(exist_ok=True)
    entries = manifest.read(folder) if (folder / "manifest.json").exists() else {}
    missing = [sentence for sentence, made in wanted.items() if not _is_made(folder, entries.get(sentence), made)]
    try:
        for done, sentence in enumerate(missing, 1):
            clip = shape.level(shape.trim(speaker.speak(phonemes[sentence])), recipe.loudness, recipe.peak)
            entries[sentence] = _keep(folder, sentence, clip, wanted[sentence])
            if done % _SAVE_EVERY == 0:
                manifest.write(folder, entries)
            progress(Progress(done, len(missing), sentence))
    finally:
        manifest.write(folder, entries)
    _drop_others(folder, {sentence: entries[sentence] for sentence in wanted})


def _recipe(folder: Path) -> Recipe:
    about = About.read(folder)
    if about.render is None:
        raise BadVoice(f"{folder / 'voice.toml'} has no table [render]: this voice is recorded, not rendered")
    return about.render


def _checksum(recipe: Recipe, phonemes: str) -> str:
    return hashlib.sha256(f"{recipe.model_dump_json()}\n{phonemes}".encode()).hexdigest()[:16]


def _is_made(folder: Path, entry: Entry | None, recipe: str) -> bool:
    if entry is None or entry.recipe != recipe:
        return False
    try:
        return manifest.checksum(manifest.clip_path(folder, entry).read_bytes()) == entry.sha256
    except OSError:
        return False


def _keep(folder: Path, sentence: str, clip: Clip, recipe: str) -> Entry:
    content = codec.encode(clip)
    entry = Entry(clip=manifest.clip_name(sentence), sha256=manifest.checksum(content), recipe=recipe)
    files.write(manifest.clip_path(folder, entry), content)
    return entry


def _drop_others(folder: Path, entries: dict[str, Entry]) -> None:
    """Forget sentences that are no longer said. The manifest first: a clip that it does not name harms nobody."""
    manifest.write(folder, entries)
    kept = {entry.clip for entry in entries.values()}
    for path in (folder / "clips").iterdir():
        if path.name not in kept:
            path.unlink()
