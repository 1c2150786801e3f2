"""What a person's recording of a line is worth: cut out of the room's noise, or told what is wrong with it.

A model's clip begins in silence; a person's begins in a room that hums, and often with the click of the key that started it. So the
level of a recording is the running median of its frames' power: what is shorter than half the median's window is not there. The room
is the quietest moment of that level, and speech is what stands out from it.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from narrator.clip import RATE, Clip
from narrator.voice import shape
from narrator.voice.check import Finding

FAINT = -45.0
"""dBFS: fainter than this the loudest moment of a line is not worth raising."""
NOISY = 15.0
"""dB by which speech must stand above the room's noise, in the mean."""
QUICKEST, SLOWEST, PAUSES = 0.1, 0.6, 1.0
"""Seconds that a syllable takes at least and at most, and what a whole line may take besides: else it is another line, or half of it."""
LONGEST = 60.0
"""Seconds of a recording that are looked at: no line takes as long."""

_FULL = 0.99                    # of full scale: so high no wave has a flat top by itself
_FLAT = 3                       # samples
_FRAME = RATE // 200
_WINDOW = 17                    # frames, 85 ms: a click of less than 40 ms does not count, and the shortest vowel does
_ABOVE = 8.0                    # dB above the room from which on a frame is speech: noise seldom rises so far
_BELOW = -40.0                  # dB below the loudest, where the room is quieter still
_CLOSE = 20                     # frames, 100 ms
_NOTHING = -90.0                # dBFS: below it is no room, but a file's padding
_LEAD = RATE * 80 // 1000       # what stays before the first sound: consonants drown in noise before vowels do
_TAIL = RATE * 90 // 1000       # and after the last
_RUMBLE = 70.0                  # Hz round which hum and steps fade out: no voice reaches as low
_TOP = 5 / 6                    # of the highest pitch that a recording has, which ends between this and 1. Both edges are soft, as a
                                # click rings for long at a steep one


def cut(text: str, samples: NDArray[np.float32], rate: int) -> Clip | Finding:
    """The speech in a recording of this text, at the product's rate and as loud as it was; or what is wrong with it. `samples` may have
    channels in their second dimension: the loudest is taken."""
    heard = _loudest_channel(np.nan_to_num(samples[: round(LONGEST * rate)]))
    if not len(heard):
        return Finding("silent", text)
    clip = _in_band(shape.resample(heard, rate), rate)
    level = _level(clip)
    if level.max() <= _NOTHING:
        return Finding("silent", text)
    room = _room(level)
    spoken = np.flatnonzero(level > max(room + _ABOVE, level.max() + _BELOW))
    if level.max() < FAINT or not len(spoken):
        return Finding("faint", text, float(level.max()))
    begin, end = int(spoken[0]) * _FRAME, (int(spoken[-1]) + 1) * _FRAME
    clear = float(_mean(level[spoken]) - room)
    flaw = _flaw(text, heard[begin * rate // RATE : end * rate // RATE], (end - begin) / RATE, clear)
    return flaw or shape.faded(clip[max(0, begin - _LEAD) : end + _TAIL])


def syllables(text: str) -> int:
    """How many a text has: in Chinese one for each character."""
    return sum(map(str.isalpha, text))


def _flaw(text: str, speech: Clip, seconds: float, clear: float) -> Finding | None:
    """What is wrong with the speech as it was recorded; `clear` are the dB that it stands above the room."""
    flat = sliding_window_view(np.abs(speech), _FLAT).min(axis=1) if len(speech) >= _FLAT else speech
    if flat.max(initial=0) >= _FULL:
        return Finding("overdriven", text)
    if clear < NOISY:
        return Finding("noisy", text, clear)
    if seconds < QUICKEST * syllables(text):
        return Finding("short", text, seconds)
    if seconds > SLOWEST * syllables(text) + PAUSES:
        return Finding("long", text, seconds)
    return None


def _loudest_channel(samples: NDArray[np.float32]) -> Clip:
    if samples.ndim == 1:
        return samples
    return np.ascontiguousarray(samples[:, np.square(samples, dtype=np.float64).sum(axis=0).argmax()])


def _in_band(clip: Clip, rate: int) -> Clip:
    """Only what a voice may hold: without hum and steps, and without what rings at the upper limit of the recording's rate."""
    pitch = np.fft.rfftfreq(len(clip), 1 / RATE)
    highest = min(rate, RATE) / 2
    passed = (1 - np.exp(-np.square(pitch / _RUMBLE))) * np.square(np.cos(np.interp(pitch / highest, (_TOP, 1), (0, np.pi / 2))))
    return np.asarray(np.fft.irfft(np.fft.rfft(clip) * passed, len(clip)), np.float32)


def _level(clip: Clip) -> NDArray[np.float64]:
    """The running median of the frames' power, in dBFS; at least one."""
    frames = np.resize(np.square(clip, dtype=np.float64), (max(1, len(clip) // _FRAME), _FRAME)).mean(axis=1)
    around = sliding_window_view(np.pad(frames, _WINDOW // 2, mode="edge"), _WINDOW)
    return np.asarray(10 * np.log10(np.median(around, axis=1) + 1e-12))


def _room(level: NDArray[np.float64]) -> float:
    """The quietest moment, in dBFS, but for the padding of a file and what lies close to it, where the room fades in."""
    around = sliding_window_view(np.pad(level, _CLOSE, mode="edge"), 2 * _CLOSE + 1).min(axis=1)
    apart, present = level[around > _NOTHING], level[level > _NOTHING]
    heard = level.max() - NOISY     # a file that is padded close to the voice holds nothing of the room but what fades in
    return float(apart.min() if len(apart) and (apart.min() < heard or len(present) == len(level)) else present.min())


def _mean(level: NDArray[np.float64]) -> float:
    return float(10 * np.log10(np.mean(10 ** (level / 10))))
