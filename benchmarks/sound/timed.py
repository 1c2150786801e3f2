"""The loudspeaker's own process, but that it notes when the callback mixes the first sample of something loud.

The times, on the system's monotonic clock, go one to a line into the file that NARRATOR_TIMES names.
"""

from __future__ import annotations

import os
import time
from typing import Any

from narrator.clip import Clip
from narrator.sound import worker
from narrator.sound.mixer import Mixer

LOUD = 0.2
"""Amplitude from which on a click has begun; the ambience is off."""


class _Noting(Mixer):
    """A mixer that notes when it becomes loud."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._file = os.open(os.environ["NARRATOR_TIMES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._loud = False

    def mix(self, out: Clip) -> None:
        """Fill the block, and note when it was asked for if it is the first loud one."""
        asked = time.monotonic()
        super().mix(out)
        loud = bool(abs(out).max() > LOUD)
        if loud and not self._loud:
            os.write(self._file, f"{asked}\n".encode())
        self._loud = loud


def main() -> None:
    """Serve as the loudspeaker's process does."""
    worker.Mixer = _Noting  # type: ignore[attr-defined]  # the one thing in it that is not the product's
    worker.main()
