"""Synthetic voices."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from narrator.clip import Clip
from narrator.pronunciation import Table
from narrator.voice import shape
from narrator.voice.kokoro import Files, Kokoro


class Speakers:
    """The Kokoro model with all of its speakers."""

    def __init__(self, folder: Path) -> None:
        self._files = Files.found(folder)
        self._speaker = lru_cache(lambda name: Kokoro(self._files, Table.shipped(), name))
        self.say = lru_cache(maxsize=None)(self._say)

    def _say(self, voice: str, text: str, speed: float) -> Clip:
        """A sentence, without the silence round it."""
        speaker = self._speaker(voice)
        return shape.trim(speaker.speak(speaker.phonemes(f"{text}。"), speed))
