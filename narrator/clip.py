"""A clip: what a voice makes and the mixer plays. Mono float32 in -1..1 at one sample rate for the whole product."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE = 24_000
"""Samples a second. The voice model's own rate, so that its clips are never resampled."""

Clip = NDArray[np.float32]


def read(path: Path) -> Clip:
    """Decode a sound file of this rate. Raises `OSError` if it is missing, broken, or of another rate or channel count."""
    try:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise OSError(f"{path} is not a sound file: {error}") from error
    if rate != RATE or samples.shape[1] != 1:
        raise OSError(f"{path} has {samples.shape[1]} channels at {rate} Hz; expected 1 at {RATE} Hz")
    return np.ascontiguousarray(samples[:, 0])


def seconds(clip: Clip) -> float:
    """How long a clip lasts."""
    return len(clip) / RATE
