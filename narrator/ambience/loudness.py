"""How loud a sound is to the ear: K-weighting and momentary loudness of ITU-R BS.1770-4."""

from __future__ import annotations

import numpy as np

from narrator.ambience.synth import Wave, frequencies
from narrator.clip import RATE

_STAGES = (
    ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585)),
    ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)),
)
"""Numerator and denominator of the standard's two filters, written for 48 kHz."""


def weighted(sound: Wave) -> Wave:
    """The sound as the ear weighs it: less bass, more treble. Its response at any rate is that of the filters for 48 kHz."""
    delay = np.exp(-2j * np.pi * frequencies(len(sound)) / 48_000)
    gain = np.ones(len(delay))
    for above, below in _STAGES:
        gain = gain * np.abs(np.polyval(above[::-1], delay) / np.polyval(below[::-1], delay))
    heard: Wave = np.fft.irfft(np.fft.rfft(sound) * gain, len(sound))
    return heard


def momentary(sound: Wave) -> Wave:
    """Loudness in LUFS of each 0.4 s, a new one every 0.1 s."""
    block = RATE // 10
    power = np.mean(weighted(sound)[: len(sound) // block * block].reshape(-1, block) ** 2, axis=1)
    return -0.691 + 10 * np.log10(np.convolve(power, np.full(4, 0.25), "valid") + 1e-12)
