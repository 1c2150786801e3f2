"""What is heard beside a voice: the room, the narrator's own ambience, other people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import speech_recognition

from narrator import clip as clips
from narrator.clip import RATE, Clip
from narrator.resources import folder

_QUIET = np.zeros(2 * RATE // 5, np.float32)
_REVERB = 0.35      # seconds until it has died away by 60 dB: a small room
_WET = 0.25         # of the voice's own power
_PEOPLE = 5         # who talk at once, and make babble
_LOUD = 0.5         # full scale of a recording's loudest moment


class Surroundings:
    """`quiet`, or a kind of noise and the dB that the voice stands above it, as in babble-10."""

    def __init__(self, condition: str) -> None:
        kind, _, decibels = condition.partition("-")
        self._noise = [] if kind == "quiet" else ambience() if kind == "ambience" else _talk()
        self._people = _PEOPLE if kind == "babble" else 1
        self._above = float(decibels or "inf")

    def recorded(self, voice: Clip, number: int) -> Any:
        """The voice as a microphone hears it, an `AudioData`; `number` draws what is heard beside it."""
        chance = np.random.default_rng(number)
        heard = np.concatenate([_QUIET, voice, _QUIET])
        if self._noise:
            power = np.mean(voice[np.abs(voice) > 0.01 * np.abs(voice).max()] ** 2)
            noise = np.sum([self._piece(len(heard), chance) for _ in range(self._people)], axis=0)
            heard = room(heard) + noise * np.sqrt(power / np.mean(noise**2) / 10 ** (self._above / 10))
        heard = heard / np.abs(heard).max() * _LOUD
        return speech_recognition.AudioData((heard * 32767).astype("<i2").tobytes(), RATE, 2)

    def _piece(self, length: int, chance: np.random.Generator) -> Clip:
        pieces: list[Clip] = []
        while sum(map(len, pieces)) < 2 * length:
            pieces.append(self._noise[chance.integers(len(self._noise))])
        whole = np.concatenate(pieces)
        at = chance.integers(len(whole) - length)
        return whole[at : at + length]


def room(voice: Clip) -> Clip:
    """A voice in a small room."""
    length = round(_REVERB * RATE)
    tail = np.random.default_rng(0).standard_normal(length) * np.exp(-6.9 * np.arange(length) / length)
    response = tail * _WET / np.sqrt(np.sum(tail**2))
    response[0] += 1
    return np.asarray(np.convolve(voice, response)[: len(voice)], np.float32)


def ambience() -> list[Clip]:
    """The narrator's own."""
    return _all(folder("voices") / "ambience" / "beds")


def _talk() -> list[Clip]:
    return [clip for clip in _all(folder("voices"), "*/clips") if len(clip) > RATE][::9]


def _all(home: Path, where: str = ".") -> list[Clip]:
    return [clips.read(path) for path in sorted(home.glob(f"{where}/*.ogg"))]
