"""A person who reads lines in a room: clips of a voice that ships, as a microphone hears them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

from narrator.clip import RATE, Clip
from narrator.voice import Pack

HZ = 48_000
"""Samples a second of the recordings."""


def spoken(text: str) -> Clip:
    """A line in the voice that ships."""
    clip = Pack.load("xiaoyi").clip(text)
    assert clip is not None, text
    return clip


def recorded(speech: Clip, gain: float = 0.5, noise: float = 0.001, click: float = 0.5) -> Clip:
    """This speech as a microphone delivers it: twice as many samples a second, softer, with more than half a second of the room before
    and after, the hum of the mains in all of it, and the click of a key at either end. `noise` is the room's effective value, `click` the
    height of the key's."""
    rng = np.random.default_rng(1)
    quiet = np.zeros(int(0.7 * HZ), np.float32)
    heard = np.concatenate([quiet, np.repeat(speech, HZ // RATE) * gain, quiet])
    heard += noise * rng.standard_normal(len(heard)) + 2 * noise * np.sin(2 * np.pi * 50 * np.arange(len(heard)) / HZ)
    for place in (0.2, len(heard) / HZ - 0.3):
        begin = int(place * HZ)
        heard[begin : begin + HZ // 50] += click * rng.uniform(-1, 1, HZ // 50)
    return heard.astype(np.float32)


def write(path: Path, samples: Clip, rate: int = HZ) -> None:
    """Write a recording as a sound file of the form that its name ends in."""
    soundfile.write(path, samples, rate)
