"""Where a sentence's clip comes from: pack, cache, engine, in this order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from narrator.clip import Clip
from narrator.voice.cache import Cache
from narrator.voice.engine import Engine, EngineError
from narrator.voice.pack import Pack

Source = Literal["pack", "cache", "engine"]


class Voice:
    """What the narration loop asks for clips. It never raises into a game: a sentence that cannot be said is None."""

    def __init__(self, pack: Pack | None, cache: Cache | None, engine: Engine | None) -> None:
        self._pack = pack
        self._cache = cache
        self._engine = engine
        self._order: tuple[tuple[Source, Callable[[str, Sequence[str]], Clip | None]], ...] = (
            ("pack", self._packed),
            ("cache", self._cached),
            ("engine", self._rendered),
        )
        self.source: Source | None = None
        """Where the last clip came from, None if there was none. "engine" and "cache" are the robot voice."""

    def clip(self, sentence: str, parts: Sequence[str] = ()) -> Clip | None:
        """The sound of a sentence; where the pack does not have it in one piece, joined from these parts. Takes milliseconds from pack and
        cache, and 2.5 s at the worst from the engine."""
        for source, find in self._order:
            clip = find(sentence, parts)
            if clip is not None:
                self.source = source
                return clip
        self.source = None
        return None

    def close(self) -> None:
        """End the engine's process."""
        if self._engine is not None:
            self._engine.close()

    def _packed(self, sentence: str, parts: Sequence[str]) -> Clip | None:
        return None if self._pack is None else self._pack.clip(sentence, parts)

    def _cached(self, sentence: str, _: Sequence[str]) -> Clip | None:
        if self._cache is None or self._engine is None:
            return None
        return self._cache.get(self._engine.identity, sentence)

    def _rendered(self, sentence: str, _: Sequence[str]) -> Clip | None:
        if self._engine is None:
            return None
        try:
            clip = self._engine.render(sentence)
        except EngineError:
            return None
        if self._cache is not None:
            self._cache.put(self._engine.identity, sentence, clip)
        return clip
