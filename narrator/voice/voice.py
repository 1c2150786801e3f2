"""Where a sentence's clip comes from: pack, cache, engine, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from narrator.clip import Clip
from narrator.voice.cache import Cache
from narrator.voice.engine import Engine, EngineError, Maker
from narrator.voice.pack import Pack

Source = Literal["pack"] | Maker


class Voice:
    """What the narration loop asks for clips. It never raises into a game: a sentence that cannot be said is None.

    Of several engines the first that can say a sentence does.
    """

    def __init__(self, pack: Pack | None, cache: Cache | None, *engines: Engine) -> None:
        self._pack, self._cache, self._engines = pack, cache, engines
        self.source: Source | None = None
        """Who made the last clip, now or some time ago; None if there was none."""

    @property
    def title(self) -> str:
        """What lists call the voice; empty where only engines speak."""
        return self._pack.about.title if self._pack else ""

    def clip(self, sentence: str, parts: Sequence[str] = ()) -> Clip | None:
        """The sound of a sentence; where the pack does not have it in one piece, joined from these parts. Takes milliseconds from pack and
        cache, and from an engine its deadline at the worst."""
        self.source = "pack"
        clip = self._pack.clip(sentence, parts) if self._pack else None
        if clip is None:
            self.source, clip = next(self._made(sentence), (None, None))
        return clip

    def keep(self, parts: Iterable[str]) -> None:
        """Have these parts of sentences ready. Takes 2 ms for each."""
        if self._pack:
            self._pack.keep(parts)

    def prepare(self, sentences: Iterable[tuple[str, Sequence[str]]], tell: Callable[[int, int], None]) -> None:
        """Where an engine takes as long as to be waited for, have every sentence that the pack lacks made now; each time one is, `tell` how
        many are, of how many."""
        if not any(engine.name == "neural" for engine in self._engines):
            return
        lacking = [text for text, parts in sentences if not (self._pack and self._pack.can_say(text, parts))]
        for done, text in enumerate(lacking, 1):
            next(self._made(text), None)
            tell(done, len(lacking))

    def close(self) -> None:
        """End the engines' processes."""
        for engine in self._engines:
            engine.close()

    def _made(self, sentence: str) -> Iterator[tuple[Source, Clip]]:
        """What engines make of a sentence, the best first."""
        for engine in self._engines:
            kept = self._cache.get(engine.identity, sentence) if self._cache else None
            if kept is not None:
                yield engine.name, kept
                continue
            try:
                clip = engine.render(sentence)
            except EngineError:
                continue
            if self._cache:
                self._cache.put(engine.identity, sentence, clip)
            yield engine.name, clip
