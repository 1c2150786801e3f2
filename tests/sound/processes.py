"""Finding the processes that somebody has started, and harming them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def children(of: int | None = None, named: str = "") -> list[int]:
    """The processes that this one, or another, has started, that still live and have a word in their command line."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # it ended while we looked
            fields = dict(line.split(":\t", 1) for line in status.read_text(errors="replace").splitlines() if ":\t" in line)
            command = status.with_name("cmdline").read_bytes()
            if int(fields["PPid"]) == (of or os.getpid()) and not fields["State"].startswith("Z") and named.encode() in command:
                found.append(int(status.parent.name))
    return found


def lives(process: int) -> bool:
    """Whether there is such a process, and it is no zombie."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@contextmanager
def killed(process: int) -> Iterator[None]:
    """It is gone at once."""
    os.kill(process, signal.SIGKILL)
    yield


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """It stands still while the block runs."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


@contextmanager
def slowed(process: int) -> Iterator[None]:
    """It runs for a sixth of the time, in pieces, while the block runs."""
    over = threading.Event()

    def alternate() -> None:
        with suppress(ProcessLookupError):
            while not over.wait(0.1):
                with stopped(process):
                    over.wait(0.5)

    thread = threading.Thread(target=alternate)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
