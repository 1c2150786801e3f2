"""Every clip alike, whoever made it: one sample rate, little silence round it, one loudness, no clipping."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from narrator.clip import RATE, Clip

LOUDNESS = -18.0
"""LUFS. Loud enough for a small loudspeaker, and speech of this loudness seldom needs its peaks lowered."""
PEAK = -1.5
"""dBTP, so that what the encoder adds stays below -1."""

_SILENCE = -45.0
"""dB below the loudest frame: fainter frames at the ends are silence."""
_FRAME = RATE // 200
_LEAD = RATE * 40 // 1000   # what stays before the first sound: soft consonants begin below the threshold
_TAIL = RATE * 90 // 1000   # and after the last one: the voice dies away

# The two filters of ITU-R BS.1770 at 48 kHz, (b, a) each: the head's shelf, then the high pass.
_K_WEIGHTING = (
    ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585)),
    ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)),
)


def resample(samples: Clip, rate: int) -> Clip:
    """From `rate` samples a second to the product's, exactly up to the lower of the two limits (in the frequency domain)."""
    step = np.gcd(rate, RATE)
    blocks = -(-len(samples) * step // rate)    # whole blocks of rate/step samples, so that both lengths are whole
    before, after = blocks * (rate // step), blocks * (RATE // step)
    spectrum = np.fft.rfft(samples, before)
    return np.asarray(np.fft.irfft(spectrum, after) * (after / before), np.float32)


def trim(clip: Clip) -> Clip:
    """Without the silence at its ends, but for at most 95 ms, faded so that it neither starts nor ends with a click."""
    frames = len(clip) // _FRAME
    energy = np.square(clip[: frames * _FRAME], dtype=np.float64).reshape(frames, _FRAME).mean(axis=1)
    loud = np.flatnonzero(energy > energy.max(initial=1e-12) * 10 ** (_SILENCE / 10))
    if not len(loud):
        return clip[:0]
    kept = clip[max(0, loud[0] * _FRAME - _LEAD) : (loud[-1] + 1) * _FRAME + _TAIL].copy()
    fade = np.linspace(0, 1, min(_LEAD, len(kept) // 2), dtype=np.float32)
    kept[: len(fade)] *= fade
    kept[len(kept) - len(fade) :] *= fade[::-1]
    return kept


def level(clip: Clip, loudness: float = LOUDNESS, peak: float = PEAK) -> Clip:
    """With this loudness (LUFS), or as loud as its true peak (dBTP) allows. A silent clip stays as it is."""
    if not clip.any():
        return clip
    gain = min(loudness - measure_loudness(clip), peak - measure_peak(clip))
    return (clip * 10 ** (gain / 20)).astype(np.float32)


def measure_loudness(clip: Clip) -> float:
    """In LUFS: blocks of 0.4 s, weighted like the ear; those below -70 LUFS or 10 below the mean are not counted."""
    block, hop = RATE * 4 // 10, RATE // 10
    weighted = _weigh(np.pad(clip, (0, max(0, block - len(clip)))))
    power = np.array([np.mean(weighted[at : at + block] ** 2) for at in range(0, len(weighted) - block + 1, hop)])
    power = power[_lufs(power) > -70]
    if not len(power):
        return -70.0
    return float(_lufs(power[_lufs(power) > _lufs(power.mean()) - 10].mean()))


def measure_peak(clip: Clip) -> float:
    """In dBTP: the largest value of the wave that a loudspeaker makes of the samples (4 times oversampled)."""
    wave = np.fft.irfft(np.fft.rfft(clip), 4 * len(clip)) * 4
    return float(20 * np.log10(np.abs(wave).max(initial=1e-6)))


def _weigh(clip: Clip) -> NDArray[np.float64]:
    size = -(-2 * len(clip) // RATE) * RATE     # padded, so that the filter's tail does not come round; whole seconds are quick
    spectrum = np.fft.rfft(clip.astype(np.float64), size)
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(size, 1 / RATE) / 48_000)
    for numerator, denominator in _K_WEIGHTING:
        spectrum *= np.polyval(numerator[::-1], z) / np.polyval(denominator[::-1], z)
    return np.asarray(np.fft.irfft(spectrum, size)[: len(clip)], np.float64)


def _lufs(power: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-12))
