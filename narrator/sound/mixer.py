"""The mix, as a pure function of blocks: ambience, ducked under the voice, and effects, kept below the ceiling.

Two sides share a mixer. The game's side calls `play`, `effect`, `scene` and `hush`; each leaves a command. The sound's side calls
`mix`, which obeys all commands left so far and then fills a block. Commands pass through a deque, whose append and popleft are atomic,
so that nobody ever waits for a lock; every other attribute is written by one side only.

A block is cut into stretches within which nothing begins, ends or wraps. That makes joins exact to the sample, and the sound
independent of how it is cut into blocks. The buffers are made once; filling a block makes none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import cycle
from math import log, pi

import numpy as np

from narrator.clip import RATE, Clip
from narrator.sound import levels
from narrator.sound.scenes import Scenery, pick

_LONGEST = RATE
"""Samples of the scratch buffers; a longer block is filled in several stretches."""

_COUNT = np.arange(1, _LONGEST + 1, dtype=np.float32)

_HUSH = round(levels.HUSH * RATE)


class _Ramp:
    """A value that climbs or falls between 0 and 1 at a steady speed."""

    def __init__(self) -> None:
        self.value = 0.0
        self.step = 0.0

    def climb(self, seconds: float) -> None:
        """From now on, take so long from 0 to 1."""
        self.step = 1 / (seconds * RATE)

    def fall(self, seconds: float) -> None:
        """From now on, take so long from 1 to 0."""
        self.step = -1 / (seconds * RATE)

    def fill(self, out: Clip) -> None:
        """Write the next values, one per sample."""
        np.multiply(_COUNT[: len(out)], self.step, out=out)
        out += self.value
        np.clip(out, 0, 1, out=out)
        self.value = min(max(self.value + self.step * len(out), 0.0), 1.0)


class _Layer:
    """The loop of one scene, and how far it is faded in."""

    def __init__(self, loop: Clip) -> None:
        self.loop = loop
        self.fade = _Ramp()

    def audible(self) -> bool:
        return self.fade.value > 0 or self.fade.step > 0


class _Playing:
    """A clip or an effect, and how far it has been played."""

    def __init__(self, samples: Clip) -> None:
        self._samples = samples
        self._at = 0

    @property
    def begun(self) -> bool:
        return self._at > 0

    @property
    def left(self) -> int:
        """Samples still to come."""
        return len(self._samples) - self._at

    def take(self, count: int) -> Clip:
        """The next `count` samples."""
        self._at += count
        return self._samples[self._at - count : self._at]


class Mixer:
    """Mixes the sounds of a `Scenery` with the clips it is given."""

    def __init__(self, scenery: Scenery) -> None:
        self._commands: deque[Callable[[], None]] = deque()
        self._layers = {name: _Layer(loop) for name, loop in scenery.loops.items()}
        self._takes = {name: cycle(takes) for name, takes in scenery.effects.items()}
        self._position = 0
        self._ends = 0  # position at which the last clip queued will end: the game's side
        self._clips: deque[_Playing] = deque()  # from here on: the sound's side
        self._effects: list[_Playing] = []
        self._duck = _Ramp()
        self._fading = 0  # samples until the clip that was cut off has faded; 0: it was not
        self._gain = np.zeros(_LONGEST, np.float32)
        self._scratch = np.zeros(_LONGEST, np.float32)

    @property
    def position(self) -> int:
        """Samples mixed so far."""
        return self._position

    def play(self, clip: Clip) -> float:
        """Queue a clip. Returns the seconds of sound to be mixed until it has ended.

        They are exact, but for a hush that cut nothing yet begun: the fade it did not need is counted.
        """
        self._commands.append(partial(self._queue, clip))
        position = self._position
        self._ends = max(self._ends, position) + len(clip)
        return (self._ends - position) / RATE

    def effect(self, name: str) -> None:
        """Mix in the next take of an effect. Raises `ValueError` for an unknown name."""
        take = next(pick("effect", self._takes, name))
        self._commands.append(lambda: self._effects.append(_Playing(take)))

    def scene(self, name: str) -> None:
        """Cross-fade to a scene. Raises `ValueError` for an unknown name."""
        self._commands.append(partial(self._turn_to, pick("scene", self._layers, name)))

    def hush(self) -> None:
        """Fade out the clip that sounds and drop those behind it."""
        self._commands.append(self._cut)
        self._ends = min(self._ends, self._position + _HUSH)

    def mix(self, out: Clip) -> None:
        """Fill `out` with the next samples; it may have any length."""
        while self._commands:
            self._commands.popleft()()
        done = 0
        while done < len(out):
            stretch = out[done : done + self._steady(len(out) - done)]
            self._fill(stretch)
            done += len(stretch)
            self._position += len(stretch)

    # The commands, obeyed on the sound's side.

    def _queue(self, clip: Clip) -> None:
        if len(clip):
            self._clips.append(_Playing(clip))

    def _turn_to(self, chosen: _Layer) -> None:
        for layer in self._layers.values():
            layer.fade.fall(levels.CROSSFADE)
        chosen.fade.climb(levels.CROSSFADE)

    def _cut(self) -> None:
        while self._clips and not self._clips[-1].begun:
            self._clips.pop()
        if self._clips and not self._fading:
            self._fading = _HUSH

    # The block.

    def _steady(self, wanted: int) -> int:
        """Samples, at most `wanted`, before something ends or wraps."""
        steady = min(wanted, _LONGEST)
        for layer in self._layers.values():
            if layer.audible():
                steady = min(steady, len(layer.loop) - self._position % len(layer.loop))
        for effect in self._effects:
            steady = min(steady, effect.left)
        if self._clips:
            steady = min(steady, self._clips[0].left, self._fading or steady)
        return steady

    def _fill(self, out: Clip) -> None:
        out.fill(0)
        self._add_ambience(out)
        if self._clips:
            self._add_voice(out)
        self._add_effects(out)
        self._limit(out)

    def _add_ambience(self, out: Clip) -> None:
        gain, scratch = self._gain[: len(out)], self._scratch[: len(out)]
        for layer in filter(_Layer.audible, self._layers.values()):
            at = self._position % len(layer.loop)
            layer.fade.fill(gain)
            np.multiply(gain, pi / 2, out=gain)
            np.sin(gain, out=gain)  # equal power: two unlike loops keep their loudness half way
            np.multiply(layer.loop[at : at + len(out)], gain, out=scratch)
            out += scratch
        if self._clips:
            self._duck.climb(levels.ATTACK)
        else:
            self._duck.fall(levels.RELEASE)
        self._duck.fill(gain)
        np.multiply(gain, -levels.DUCK * log(10) / 20, out=gain)
        np.exp(gain, out=gain)  # steady in decibels, as the ear hears
        out *= gain

    def _add_voice(self, out: Clip) -> None:
        gain, scratch = self._gain[: len(out)], self._scratch[: len(out)]
        clip = self._clips[0]
        np.multiply(clip.take(len(out)), levels.VOICE, out=scratch)
        ended = not clip.left
        if self._fading:
            np.subtract(self._fading, _COUNT[: len(out)], out=gain)
            gain /= _HUSH
            scratch *= gain
            self._fading -= len(out)
            ended = ended or not self._fading
        out += scratch
        if ended:
            self._clips.popleft()
            self._fading = 0

    def _add_effects(self, out: Clip) -> None:
        for effect in self._effects:
            out += effect.take(len(out))
        if self._effects and not all(effect.left for effect in self._effects):
            self._effects = [effect for effect in self._effects if effect.left]

    def _limit(self, out: Clip) -> None:
        """Bend what is above the knee so that it never reaches the ceiling. Without memory, so without pumping."""
        excess = np.abs(out, out=self._scratch[: len(out)])
        if excess.max() <= levels.KNEE:
            return
        room = levels.CEILING - levels.KNEE
        np.subtract(excess, levels.KNEE, out=excess)
        np.maximum(excess, 0, out=excess)
        excess /= room
        np.tanh(excess, out=excess)
        excess *= room
        np.copysign(excess, out, out=excess)
        np.clip(out, -levels.KNEE, levels.KNEE, out=out)
        out += excess
