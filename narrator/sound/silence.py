"""No loudspeaker: nothing sounds, but everything takes as long as if it did, so that the text keeps its pace."""

from __future__ import annotations

from narrator.clip import Clip, seconds
from narrator.clock import Clock, RealClock
from narrator.sound.levels import Part
from narrator.sound.scenes import effects, home, pick, scenes


class Silence:
    """Keeps the time that clips would take, by `clock`."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or RealClock()
        self._ends = 0.0
        self._scenes = scenes(home())
        self._effects = effects(home())

    def play(self, clip: Clip) -> float:
        """Seconds until the clip would have ended, behind the ones before it."""
        now = self._clock.now()
        self._ends = max(self._ends, now) + seconds(clip)
        return self._ends - now

    def effect(self, name: str) -> None:
        """Nothing, but an unknown name raises `ValueError` as it does aloud."""
        pick("effect", self._effects, name)

    def scene(self, name: str) -> None:
        """Nothing, but an unknown name raises `ValueError` as it does aloud."""
        pick("scene", self._scenes, name)

    def level(self, part: Part, decibels: float) -> None:
        """Nothing."""

    def hush(self) -> float:
        """The clips that would still sound have ended."""
        self._ends = 0.0
        return 0.0

    def close(self) -> None:
        """There is nothing to give back."""

    @property
    def trouble(self) -> str | None:
        """Silence never fails."""
        return None
