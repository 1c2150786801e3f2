"""What the fallback engine has rendered before, kept in the user's cache folder. Losing it costs a moment, never a game."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from narrator import clip as clips
from narrator import files, resources
from narrator.clip import Clip
from narrator.voice import codec


class Cache:
    """Clips by content: engine and sentence. A folder that cannot be read or written only means that nothing is found."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or resources.personal("XDG_CACHE_HOME", ".cache")

    def get(self, identity: str, sentence: str) -> Clip | None:
        """The clip that the engine of this identity once made of the sentence."""
        with suppress(OSError):
            return clips.read(self._path(identity, sentence))
        return None

    def put(self, identity: str, sentence: str, clip: Clip) -> None:
        """Keep a clip, if the folder can be written."""
        path = self._path(identity, sentence)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            files.write(path, codec.encode(clip))

    def _path(self, identity: str, sentence: str) -> Path:
        key = hashlib.sha256(f"{identity}\n{sentence}".encode()).hexdigest()[:24]
        return self._folder / "clips" / f"{key}.ogg"
