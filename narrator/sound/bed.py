"""A bed: a loop that lies under a scene, minutes long, of which only seconds are held decoded.

Two sides share it. `supply`, on a side that may wait, decodes ahead; `take`, on the side that must not, hands out what is ready.
Each side writes its own count of samples and only reads the other's, so that neither needs a lock.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

from narrator.clip import RATE, Clip

AHEAD = 3 * RATE
"""Samples kept ready: several times the longest stall of a machine that still plays."""

SHORTEST = 900
"""Samples that a loop has at least; a shorter one would be no bed, but a tone, and cut each block into many pieces."""

_CHUNK = RATE // 4
"""Samples decoded at a time."""


class Bed:
    """Plays a loop round and round, from `start` (a share of its length) on. Raises `OSError` if it is no mono sound of this rate."""

    def __init__(self, path: Path, start: float = 0.0) -> None:
        try:
            self._file = soundfile.SoundFile(path)
        except soundfile.LibsndfileError as error:
            raise OSError(f"{path} is not a sound file: {error}") from error
        rate, channels, samples = self._file.samplerate, self._file.channels, self._file.frames
        if rate != RATE or channels != 1 or samples < SHORTEST:
            raise OSError(f"{path} has {samples} samples of {channels} channels at {rate} Hz; expected {SHORTEST}, of 1 at {RATE} Hz")
        self._file.seek(int(start * self._file.frames))
        self._ring = np.zeros(AHEAD, np.float32)
        self._supplied = 0  # samples so far: written by `supply` only
        self._taken = 0  # samples so far: written by `take` only

    def supply(self) -> None:
        """Decode until as much is ready as is kept; what was taken last, and may still be in use, is left alone."""
        while self._supplied - self._taken <= AHEAD - 2 * _CHUNK:
            at = self._supplied % AHEAD
            self._supplied += len(self._decode(self._ring[at : at + _CHUNK]))

    def steady(self, wanted: int) -> int:
        """Samples, at most `wanted`, that can be taken in one piece; also where there are none, then they are silent."""
        return min(wanted, AHEAD - self._taken % AHEAD, self._supplied - self._taken or wanted)

    def take(self, count: int) -> Clip | None:
        """The next `count` samples, which must be steady; None if they are not ready."""
        if self._supplied - self._taken < count:
            return None
        at = self._taken % AHEAD
        self._taken += count
        return self._ring[at : at + count]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _decode(self, out: Clip) -> Clip:
        """Fill `out`, or its beginning where the loop ends."""
        try:
            read: Clip = self._file.read(out=out)
            if len(read) < len(out):
                self._file.seek(0)
        except (soundfile.LibsndfileError, RuntimeError) as error:
            raise OSError(f"{self._file.name} cannot be decoded: {error}") from error
        return read
