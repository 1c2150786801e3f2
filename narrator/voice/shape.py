"""Every clip alike, whoever made it: one sample rate, little silence round it, one loudness, no clipping."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from narrator.clip import RATE, Clip
from narrator.errors import BadVoice

LOUDNESS = -18.0
"""LUFS. Loud enough for a small loudspeaker, and speech of this loudness seldom needs its peaks lowered."""
PEAK = -2.5
"""dBTP. The encoder adds up to 1 dB, and no clip may reach -1."""

_SILENCE = -45.0
"""dB below the loudest frame: fainter frames at the ends are silence."""
_FRAME = RATE // 200
_LEAD = RATE * 40 // 1000   # what stays before the first sound: soft consonants begin below the threshold
_TAIL = RATE * 70 // 1000   # and after the last one: the voice dies away

_POWER = -1.2       # LUFS of a mean square of 1: -0.691 by the norm, and what its weighting takes from speech, measured on 30 sentences
_LOOK_AHEAD = RATE // 200
_NEAR = 0.1         # LU
_ROUNDS = 4         # of levelling: what the limiter takes from the loudness is given back


def resample(samples: Clip, rate: int) -> Clip:
    """From `rate` samples a second to the product's, exactly up to the lower of the two limits (in the frequency domain)."""
    step = np.gcd(rate, RATE)
    blocks = -(-len(samples) * step // rate)    # whole blocks of rate/step samples, so that both lengths are whole
    before, after = blocks * (rate // step), blocks * (RATE // step)
    spectrum = np.fft.rfft(samples, before)
    return np.asarray(np.fft.irfft(spectrum, after) * (after / before), np.float32)


def trim(clip: Clip) -> Clip:
    """Without the silence at its ends, but for at most 75 ms, faded so that it neither starts nor ends with a click."""
    loud = _loud_frames(clip, _SILENCE)
    if not len(loud):
        return clip[:0]
    return faded(clip[max(0, loud[0] * _FRAME - _LEAD) : (loud[-1] + 1) * _FRAME + _TAIL])


def faded(clip: Clip) -> Clip:
    """With 40 ms at either end, or half of it, in which it comes up and dies away."""
    clip = clip.copy()
    fade = np.linspace(0, 1, min(_LEAD, len(clip) // 2), dtype=np.float32)
    clip[: len(fade)] *= fade
    clip[len(clip) - len(fade) :] *= fade[::-1]
    return clip


def edges(clip: Clip) -> tuple[float, float]:
    """Seconds of silence at either end; both the whole length of a clip without a sound."""
    loud = _loud_frames(clip, _SILENCE)
    if not len(loud):
        return len(clip) / RATE, len(clip) / RATE
    return float(loud[0] * _FRAME / RATE), float((len(clip) - (loud[-1] + 1) * _FRAME) / RATE)


def level(clip: Clip, loudness: float = LOUDNESS, peak: float = PEAK) -> Clip:
    """With this loudness (LUFS), and no true peak above `peak` (dBTP): those that would be are held down. A silent clip stays as it is.
    Raises `BadVoice` without the package that measures loudness."""
    if not clip.any():
        return clip
    for _ in range(_ROUNDS):
        clip = limit(_louder(clip, loudness - measure_loudness(clip)), peak)
        if abs(measure_loudness(clip) - loudness) < _NEAR:
            break
    return clip


def even(clip: Clip) -> Clip:
    """About as loud as `level` makes it, by the power of its louder half: without the package, which takes seconds to load."""
    if not clip.any():
        return clip
    loud = _power(clip)[_loud_frames(clip, -20.0)].mean()
    return limit(_louder(clip, LOUDNESS - _POWER - 10 * np.log10(loud)), PEAK)


def limit(clip: Clip, peak: float) -> Clip:
    """Without a true peak above `peak` (dBTP): round one that would be, the clip is softer for some milliseconds."""
    ceiling = 10 ** (peak / 20) * 0.99
    over = np.pad(np.abs(_wave(clip)).reshape(-1, 4).max(axis=1), _LOOK_AHEAD) / ceiling
    if over.max(initial=0) <= 1:
        return clip
    held = 1 / np.maximum(1, sliding_window_view(over, _LOOK_AHEAD).max(axis=1))     # for this long before and after each peak
    gain = sliding_window_view(held, _LOOK_AHEAD).mean(axis=1)
    return np.asarray(clip * gain[1 : len(clip) + 1], np.float32)


def measure_loudness(clip: Clip) -> float:
    """In LUFS, by EBU R 128; a clip of less than 1 s is measured repeated. Raises `BadVoice` without the package that does it."""
    if not clip.any():
        return -70.0
    return float(_meter().integrated_loudness(np.tile(clip, -(-RATE // len(clip))).astype(np.float64)))


def measure_peak(clip: Clip) -> float:
    """In dBTP: the largest value of the wave that a loudspeaker makes of the samples (4 times oversampled)."""
    return float(20 * np.log10(np.abs(_wave(clip)).max(initial=1e-6)))


def need_meter() -> None:
    """Raise `BadVoice` without the package that measures loudness."""
    _meter()


@lru_cache
def _meter() -> Any:
    try:
        import pyloudnorm
    except ImportError as error:
        raise BadVoice(f"no meter of loudness: {error}", reason="needs_extra", extra="recording", why=error) from error
    return pyloudnorm.Meter(RATE)


def _wave(clip: Clip) -> NDArray[np.float64]:
    """4 times oversampled; with silence round it, for to this transform the end of a wave is the neighbour of its beginning."""
    around = np.pad(clip, _LOOK_AHEAD)
    wave = np.fft.irfft(np.fft.rfft(around), 4 * len(around)) * 4
    return np.asarray(wave[4 * _LOOK_AHEAD : -4 * _LOOK_AHEAD], np.float64)


def _power(clip: Clip) -> NDArray[np.float64]:
    frames = len(clip) // _FRAME
    power: NDArray[np.float64] = np.square(clip[: frames * _FRAME], dtype=np.float64).reshape(frames, _FRAME).mean(axis=1)
    return power


def _loud_frames(clip: Clip, threshold: float) -> NDArray[np.intp]:
    """Those at most so many dB (below 0) fainter than the loudest."""
    power = _power(clip)
    return np.flatnonzero(power > power.max(initial=1e-12) * 10 ** (threshold / 10))


def _louder(clip: Clip, decibels: float) -> Clip:
    return np.asarray(clip * 10 ** (decibels / 20), np.float32)
