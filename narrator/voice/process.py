"""A child process that answers one line of JSON with another, and that may be killed at any time."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO


class WorkerError(Exception):
    """The process did not answer, or answered that it could not."""


class Process:
    """A running child. Raises `OSError` if it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        # A session of its own: Ctrl-C at the game's terminal is not meant for it. Its words for people are pyttsx3's chatter.
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._requests: IO[bytes] = self._child.stdin
        self._replies: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_pump, args=(self._child.stdout, self._replies), daemon=True).start()

    def send(self, request: dict[str, str]) -> None:
        """Send a request. Raises `WorkerError` if the process has ended."""
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
        except OSError as error:
            raise WorkerError(f"its process is gone: {error}") from error

    def receive(self, seconds: float) -> None:
        """Wait for a good answer. Raises `WorkerError` if there is none in time or it is an error."""
        try:
            line = self._replies.get(timeout=seconds)
        except Empty:
            raise WorkerError(f"its process gave no answer within {seconds:g} s") from None
        if not line:
            raise WorkerError("its process ended")
        try:
            reply = json.loads(line)
        except ValueError as error:
            raise WorkerError(f"its process answered {line!r}, not JSON") from error
        if "error" in reply:
            raise WorkerError(str(reply["error"]))

    def kill(self) -> None:
        """End the process, also if it hangs or is stopped."""
        self._child.kill()
        with suppress(subprocess.TimeoutExpired):   # a process in the midst of a disk access dies later
            self._child.wait(1.0)
        with suppress(OSError):     # the pipe may still hold what nobody has read
            self._requests.close()


def _pump(source: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Move lines to where they can be waited for with a deadline, on every system; an empty one is the end."""
    with source:
        for line in source:
            lines.put(line)
    lines.put(b"")
