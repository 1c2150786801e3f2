"""Clips and ambience go in, sound comes out: of a loudspeaker, into a WAV file, or nowhere at all."""

from __future__ import annotations

from typing import Protocol

from narrator.clip import Clip
from narrator.sound.levels import Levels, Part
from narrator.sound.recording import Recording
from narrator.sound.silence import Silence
from narrator.sound.speaker import Speaker

__all__ = ["Levels", "Part", "Recording", "Silence", "Sound", "Speaker"]


class Sound(Protocol):
    """What the narration loop knows of sound. Nothing here waits, and a lost device never raises."""

    def play(self, clip: Clip) -> float:
        """Start the clip at once, or right behind the one still sounding. Returns the seconds from now until its last sample has left."""

    def effect(self, name: str) -> None:
        """Mix in one short effect (`knock`), beside whatever sounds; its takes follow in turn. Raises `ValueError` for others."""

    def scene(self, name: str) -> None:
        """Cross-fade the ambience to a scene of voices/ambience; the same again changes nothing. Raises `ValueError` for others."""

    def level(self, part: Part, decibels: float) -> None:
        """From now on, how loud a part of the mix is, against what is planned for it."""

    def hush(self) -> float:
        """Cut off the clips still sounding, without a click; those played from now on follow at once. Returns the seconds from now until
        the last sample has left."""

    def close(self) -> None:
        """Give back the device or finish the file. Nothing may be called afterwards."""

    @property
    def trouble(self) -> str | None:
        """None while sound flows, else the reason in English. Asking now and then is what finds a lost device again."""
