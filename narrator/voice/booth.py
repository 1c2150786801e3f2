"""Records a voice: a person's takes become a pack, line by line.

    with Booth(folder, about) as booth:
        flaw = booth.take("天黑请闭眼。", samples, 48_000)      # None: it is kept

Each take is on the disk before the next is asked for, so recording may be stopped at any time, also by a power cut, and goes on where
it stopped. Needs the extra `recording`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from narrator import resources
from narrator.clip import seconds
from narrator.errors import BadVoice
from narrator.voice import manifest, shape
from narrator.voice.check import Finding, fault
from narrator.voice.pack import About, Pack, Recorded, home
from narrator.voice.take import cut, syllables

LICENCE = "private"
"""A recorded voice is its speaker's own, unless something else is said."""

_PACE = 4.0     # syllables a second, until one has been measured


class Booth:
    """A pack that is being recorded.

    pack  what has been recorded so far
    """

    def __init__(self, folder: Path, about: About) -> None:
        """Raises `BadVoice` if the pack's manifest is not what it should be. Nothing is written before it is entered."""
        self._folder, self._about = folder, about
        self._entries = manifest.read(folder) if (folder / "manifest.json").exists() else {}
        self.pack = Pack(folder, about, self._entries)

    def __enter__(self) -> Self:
        """Raises `OSError` if nothing can be written there: before anyone has spoken for it."""
        (self._folder / "clips").mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        """Write down how fast the person speaks; of a pack without a single take leave nothing behind. Raises `OSError`."""
        if self._entries:
            manifest.write(self._folder, self._entries)     # Ctrl-C may have fallen between a clip and this
            self._write_about()
            return
        with suppress(OSError):
            (self._folder / "clips").rmdir()
            self._folder.rmdir()

    def take(self, text: str, samples: NDArray[np.float32], rate: int) -> Finding | None:
        """Keep a recording of this text, of `rate` samples a second and any number of channels, in the place of an earlier one; or say
        what is wrong with it, and leave everything as it was. Raises `OSError`, and `BadVoice` without the package that measures
        loudness."""
        speech = cut(text, samples, rate)
        if isinstance(speech, Finding):
            return speech
        clip = shape.level(speech, self._about.loudness)
        if flaw := fault(text, clip, self._about.loudness):
            return flaw
        self._entries[text] = manifest.keep(self._folder, text, clip)
        manifest.write(self._folder, self._entries)
        if not (self._folder / "voice.toml").exists():   # last: what has a voice.toml is a pack
            self._write_about()
        return None

    def _write_about(self) -> None:
        assert self._about.recorded
        recorded = Recorded(by=self._about.recorded.by, rate=self._pace())
        about = self._about.model_copy(update={"recorded": recorded})
        if not (self._folder / "voice.toml").exists() or About.read(self._folder) != about:
            about.write(self._folder)

    def _pace(self) -> float:
        """Syllables a second over all that has been recorded."""
        clips = {text: clip for text in self._entries if (clip := self.pack.clip(text)) is not None}
        spoken = sum(map(seconds, clips.values()))
        return round(sum(map(syllables, clips)) / spoken, 2) if spoken else _PACE


def place(name: str) -> Path:
    """The folder in which the voice of this name is recorded: a path as it is, a bare name among the table's own. Raises `BadVoice` for
    one that can be neither, or ships."""
    if Path(name).name != name:
        return Path(name)
    if not re.fullmatch(r"\w[\w-]*", name):
        raise BadVoice(f"a voice cannot be called {name!r}", reason="voice_name", what=name)
    if (resources.folder("voices") / name).exists():
        raise _not_recorded(name)
    return home() / name


def begun(folder: Path) -> About | None:
    """What a pack that is to be recorded says of itself; None where there is none yet, or none that names who speaks. Raises `BadVoice`
    for one that a model speaks."""
    if not (folder / "voice.toml").exists():
        return None
    about = About.read(folder)
    if about.render:
        raise _not_recorded(about.name)
    return about if about.recorded else None


def draft(folder: Path, by: str = "", title: str = "", licence: str = "") -> About:
    """What a new pack says of itself; it is called like its folder, and so is who speaks, unless something else is said."""
    name = "".join(filter(str.isprintable, folder.resolve().name)) or "voice"
    return About(
        name=name, title=title or by or name, language="zh-CN", licence=licence or LICENCE, source="narrator voices record",
        loudness=shape.LOUDNESS, recorded=Recorded(by=by or name, rate=_PACE),
    )  # fmt: skip


def _not_recorded(name: str) -> BadVoice:
    return BadVoice(f"the voice {name!r} is not a recorded one", reason="rendered_voice", what=name)
