"""The mix, as a pure function of blocks: ambience, ducked under the voice, and effects, kept below the ceiling.

Two sides share a mixer. The game's side calls `play`, `effect`, `scene`, `level` and `hush`; each leaves a command, and calls `supply`
a few times a second. The sound's side calls `mix`, which obeys all commands left so far and then fills a block. Commands pass through a
deque, whose append and popleft are atomic, so that nobody ever waits for a lock; every other attribute is written by one side only.

A block is cut into stretches within which nothing begins, ends or wraps. That makes joins exact to the sample, and the sound
independent of how it is cut into blocks. The buffers are made once; filling a block makes none. What comes by chance, an owl, comes
from the mixer's own seed: the same commands at the same samples are the same sound.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import cycle
from math import exp, log, sqrt

import numpy as np

from narrator.clip import RATE, Clip
from narrator.sound import levels
from narrator.sound.bed import Bed
from narrator.sound.levels import Levels, Part
from narrator.sound.scenes import Scene, Scenery, pick

_LONGEST = RATE
"""Samples of the scratch buffers; a longer block is filled in several stretches."""

_COUNT = np.arange(1, _LONGEST + 1, dtype=np.float32)

_HUSH = round(levels.HUSH * RATE)

_ASIDE = 0.7
"""How far to one side of a stereo mix a sound may come from; 1 would leave the other side silent."""


class _Ramp:
    """A value on its way to another at a steady pace."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = self.target = value
        self._step = 0.0

    def turn(self, target: float, seconds: float) -> None:
        """From now on, go to `target`, and take so long; no time is at once."""
        self.target = target
        if seconds:
            self._step = (target - self.value) / (seconds * RATE)
        else:
            self.value = target

    def over(self, out: Clip) -> Clip | float:
        """The next values, one per sample, written into `out`; the value alone where it stays the same, which is nearly always."""
        if self.value == self.target:
            return self.value
        np.multiply(_COUNT[: len(out)], self._step, out=out)
        out += self.value
        np.clip(out, min(self.value, self.target), max(self.value, self.target), out=out)
        self.value += self._step * len(out)
        if (self.value - self.target) * self._step >= 0:
            self.value = self.target
        return out


class _Layer:
    """One bed, with a place in it for each channel, and how loud it is: its power, so that two of them cross without a dip."""

    def __init__(self, beds: list[Bed]) -> None:
        self.beds = beds
        self.power = _Ramp()


class _Playing:
    """A clip, a sound or an effect, and how far it has been played; `balance` is its share in each channel."""

    def __init__(self, samples: Clip, balance: tuple[float, ...] = (1.0, 1.0)) -> None:
        self._samples = samples
        self._at = 0
        self.balance = balance

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
    """Mixes the sounds of a `Scenery` with the clips it is given, into one channel or, `stereo`, into two.

    Raises `OSError` if a bed cannot be read.
    """

    def __init__(self, scenery: Scenery, set_to: Levels | None = None, *, stereo: bool = False, seed: int = 0) -> None:
        set_to = set_to or Levels()
        self.channels = 2 if stereo else 1
        self._commands: deque[Callable[[], None]] = deque()
        self._scenes = scenery.scenes
        # The second channel lies half a loop further on: wind from the left is not the wind from the right.
        self._layers = {name: _Layer([Bed(path, side / 2) for side in range(self.channels)]) for name, path in scenery.beds.items()}
        self._sounds = {name: cycle(takes) for name, takes in scenery.sounds.items()}
        self._effects = {name: cycle(takes) for name, takes in scenery.effects.items()}
        self._position = 0
        self._ends = 0  # position at which the last clip queued will end: the game's side
        self._scene: Scene | None = None  # from here on: the sound's side
        self._audible: list[_Layer] = []
        self._fading_out = False  # whether one of them may be about to fall silent
        self._dice = random.Random(seed)
        self._due: dict[str, int] = {}  # the position at which a sound comes next
        self._clips: deque[_Playing] = deque()
        self._afar: list[_Playing] = []  # sounds of the ambience that are on
        self._near: list[_Playing] = []  # effects that are on
        self._duck = _Ramp()
        self._duck_depth = set_to.duck * log(10) / 20
        self._levels = {part: _Ramp(set_to.factor(part)) for part in levels.PARTS}
        self._fading = 0  # samples until the clip that was cut off has faded; 0: it was not
        self._gain = np.zeros(_LONGEST, np.float32)
        self._scratch = np.zeros(_LONGEST, np.float32)
        self.supply()

    @property
    def position(self) -> int:
        """Samples mixed so far."""
        return self._position

    def supply(self) -> None:
        """Make ready what the next seconds need. Reads files, so never from where sound must flow. Raises `OSError`."""
        for layer in self._layers.values():
            for bed in layer.beds:
                bed.supply()

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
        take = next(pick("effect", self._effects, name))
        self._commands.append(lambda: self._near.append(_Playing(take)))

    def scene(self, name: str, *, opens: bool = True) -> None:
        """Cross-fade to a scene, with what is heard as it opens unless it has been open before. Raises `ValueError` for an unknown name."""
        self._commands.append(partial(self._turn_to, pick("scene", self._scenes, name), opens))

    def level(self, part: Part, decibels: float) -> None:
        """Set how loud a part of the mix is, against what is planned for it; at `levels.OFF` and below it is silent."""
        self._commands.append(partial(self._turn_up, part, levels.factor(decibels)))

    def hush(self) -> None:
        """Fade out the clip that sounds and drop those behind it."""
        self._commands.append(self._cut)
        self._ends = min(self._ends, self._position + _HUSH)

    def mix(self, out: Clip) -> None:
        """Fill `out`, of shape (samples, channels), with what comes next; it may have any length."""
        while self._commands:
            self._commands.popleft()()
        done = 0
        while done < len(out):
            self._throw_in()
            stretch = out[done : done + self._steady(len(out) - done)]
            self._fill(stretch)
            done += len(stretch)
            self._position += len(stretch)

    # The commands, obeyed on the sound's side.

    def _queue(self, clip: Clip) -> None:
        if len(clip):
            self._clips.append(_Playing(clip))

    def _turn_to(self, scene: Scene, opens: bool) -> None:
        if scene is self._scene:
            return
        self._scene = scene
        for name, layer in self._layers.items():
            layer.power.turn(10 ** (scene.beds[name] / 10) if name in scene.beds else 0.0, levels.CROSSFADE)
        self._audible = [layer for layer in self._layers.values() if layer.power.value or layer.power.target]
        self._fading_out = True
        for name in scene.opens if opens else ():
            self._afar.append(_Playing(next(self._sounds[name])))
        self._due = {name: self._due.get(name) or self._next(0, most) for name, (_, most) in scene.sounds.items()}

    def _turn_up(self, part: Part, factor: float) -> None:
        sounding = {"voice": self._clips, "ambience": True, "effects": self._near}[part]
        self._levels[part].turn(factor, levels.TURN if sounding else 0.0)

    def _cut(self) -> None:
        while self._clips and not self._clips[-1].begun:
            self._clips.pop()
        if self._clips and not self._fading:
            self._fading = _HUSH

    # What comes by chance.

    def _next(self, least: float, most: float) -> int:
        """A position at random, so many seconds from here."""
        return self._position + 1 + round(self._dice.uniform(least, most) * RATE)

    def _throw_in(self) -> None:
        """Begin the sounds that are due here."""
        for name, due in self._due.items():
            if due <= self._position and self._scene:
                self._afar.append(_Playing(next(self._sounds[name]), self._somewhere()))
                self._due[name] = self._next(*self._scene.sounds[name])

    def _somewhere(self) -> tuple[float, ...]:
        """The share of each channel in a sound that comes from anywhere."""
        aside = self._dice.uniform(-_ASIDE, _ASIDE)
        return (min(1.0, 1 - aside), min(1.0, 1 + aside)) if self.channels > 1 else (1.0,)

    # The block.

    def _steady(self, wanted: int) -> int:
        """Samples, at most `wanted`, before something begins, ends or wraps."""
        steady = min(wanted, _LONGEST)
        for layer in self._audible:
            for bed in layer.beds:
                steady = bed.steady(steady)
        for due in self._due.values():
            steady = min(steady, due - self._position)
        for playing in (*self._afar, *self._near):
            steady = min(steady, playing.left)
        if self._clips:
            steady = min(steady, self._clips[0].left, self._fading or steady)
        return steady

    def _fill(self, out: Clip) -> None:
        out.fill(0)
        self._add_beds(out)
        if self._afar:
            self._afar = self._added(self._afar, out)
        self._duck_under_voice(out)
        if self._clips:
            self._add_voice(out)
        if self._near:
            self._near = self._added(self._near, out, self._levels["effects"].over(self._gain[: len(out)]))
        self._limit(out)

    def _add_beds(self, out: Clip) -> None:
        scratch = self._scratch[: len(out)]
        for layer in self._audible:
            power = layer.power.over(self._gain[: len(out)])
            gain = sqrt(power) if isinstance(power, float) else np.sqrt(power, out=power)
            for channel, bed in enumerate(layer.beds):
                ready = bed.take(len(out))
                if ready is not None:
                    np.multiply(ready, gain, out=scratch)
                    out[:, channel] += scratch
        if self._fading_out:
            self._audible = [layer for layer in self._audible if layer.power.value or layer.power.target]
            self._fading_out = any(not layer.power.target for layer in self._audible)

    def _duck_under_voice(self, out: Clip) -> None:
        """What is in `out`, the ambience, as loud as the table wants it, and quieter where somebody speaks."""
        if self._clips:
            self._duck.turn(1.0, levels.ATTACK * (1 - self._duck.value))
        else:
            self._duck.turn(0.0, levels.RELEASE * self._duck.value)
        depth = self._duck.over(self._gain[: len(out)])
        if isinstance(depth, float):
            gain: Clip | float = exp(-self._duck_depth * depth)
        else:
            np.multiply(depth, -self._duck_depth, out=depth)
            gain = np.exp(depth, out=depth)  # steady in decibels, as the ear hears
        level = self._levels["ambience"].over(self._scratch[: len(out)])
        for channel in range(self.channels):
            out[:, channel] *= gain
            out[:, channel] *= level

    def _add_voice(self, out: Clip) -> None:
        gain, scratch = self._gain[: len(out)], self._scratch[: len(out)]
        clip = self._clips[0]
        np.multiply(clip.take(len(out)), self._levels["voice"].over(gain), out=scratch)
        scratch *= levels.VOICE
        ended = not clip.left
        if self._fading:
            np.subtract(self._fading, _COUNT[: len(out)], out=gain)
            gain /= _HUSH
            scratch *= gain
            self._fading -= len(out)
            ended = ended or not self._fading
        for channel in range(self.channels):
            out[:, channel] += scratch
        if ended:
            self._clips.popleft()
            self._fading = 0

    def _added(self, playing: list[_Playing], out: Clip, gain: Clip | float = 1.0) -> list[_Playing]:
        """Add them to `out`. Returns those that have not ended."""
        scratch = self._scratch[: len(out)]
        for one in playing:
            samples = one.take(len(out))
            for channel in range(self.channels):
                np.multiply(samples, one.balance[channel], out=scratch)
                scratch *= gain
                out[:, channel] += scratch
        return playing if all(one.left for one in playing) else [one for one in playing if one.left]

    def _limit(self, out: Clip) -> None:
        """Bend what is above the knee so that it never reaches the ceiling. Without memory, so without pumping."""
        for channel in range(self.channels):
            self._bend(out[:, channel])

    def _bend(self, out: Clip) -> None:
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
