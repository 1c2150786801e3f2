"""Time, in seconds since some start: real for a table, simulated for a rehearsal and for tests.

Nothing in the narrator reads the wall clock: a Raspberry Pi has none that can be trusted.
"""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Something that tells the time."""

    def now(self) -> float:
        """Seconds since some start; never runs backwards."""

    def wait(self, until: float) -> None:
        """Let the time pass until the clock shows `until`; a time already past costs none."""


class RealClock:
    """The computer's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, until: float) -> None:
        time.sleep(max(0.0, until - self.now()))


class SimulatedClock:
    """A clock that stands still until somebody waits for it."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def wait(self, until: float) -> None:
        self._now = max(self._now, until)
