"""Time, in seconds since some start: real for a table, simulated for a rehearsal and for tests.

Nothing in the narrator reads the wall clock: a Raspberry Pi has none that can be trusted.
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

STOPPED = 5.0
"""Seconds between two looks at a table's clock from which on the process must have been stopped: it is looked at every two."""


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


class TableClock(RealClock):
    """A real clock that stands still while the process is stopped, as nobody at the table can do anything then."""

    def __init__(self) -> None:
        self._looked = time.monotonic()
        self._stood = 0.0
        self._looking = threading.Lock()

    def now(self) -> float:
        with self._looking:
            seen = time.monotonic()
            if seen - self._looked > STOPPED:
                self._stood += seen - self._looked
            self._looked = seen
            return seen - self._stood


class SimulatedClock:
    """A clock that stands still until somebody waits for it."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def wait(self, until: float) -> None:
        self._now = max(self._now, until)
