"""A child process that is spoken to in lines of JSON, and that may stop, hang or be killed at any time without harm to the game.

Each way has a thread and a queue: whoever sends is never held up by a full pipe, and whoever receives has a deadline, on every system.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

_PATH = [str(Path(entry).absolute()) for entry in sys.path]
"""Where this process imports from, in its order: taken down before anybody can have left the folder it was started in."""


class WorkerError(Exception):
    """The process has ended, or answered that it could not; `reason` is its own word for why, if it gave one."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class NoAnswer(WorkerError):
    """The process has not answered in time."""


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs `main` of a module in a fresh Python, which imports from where this one does, whatever its folder or
    PYTHONPATH may be."""
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {_PATH!r}; from {module} import main; main()", *arguments]


class Process:
    """A running child. Raises `OSError` if it cannot be started.

    heard   when it last said something, or was started, on the monotonic clock in seconds
    """

    def __init__(self, command: Sequence[str]) -> None:
        # A session of its own: Ctrl-C at the game's terminal is not meant for it. What its libraries say to people is mere noise.
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.heard = time.monotonic()
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._replies: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True)
        self._reader.start()
        threading.Thread(target=self._write, args=(self._child.stdin,), daemon=True).start()

    def send(self, request: Mapping[str, object], data: bytes = b"") -> None:
        """Send a request, and raw bytes behind it. Takes no time; whether it ever arrives, only an answer tells."""
        self._requests.put(json.dumps(request).encode() + b"\n" + data)

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next answer. Raises `NoAnswer` if there is none in time, `WorkerError` if it is an error or the process has ended."""
        try:
            line = self._replies.get(timeout=seconds)
        except Empty:
            raise NoAnswer(f"its process gave no answer within {seconds:.2g} s") from None
        if not line:
            raise WorkerError("its process ended")
        try:
            reply: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise WorkerError(f"its process answered {line!r}, not JSON") from error
        if "error" in reply:
            raise WorkerError(reply["error"], reply.get("reason", ""))
        return reply

    def kill(self) -> None:
        """End the process, also if it hangs or is stopped. Does not wait for its end."""
        self._child.kill()
        self._requests.put(None)

    def wait(self, seconds: float) -> None:
        """Wait for the process to be gone; one in the midst of a disk access may take longer."""
        self._reader.join(seconds)

    def _read(self, source: IO[bytes]) -> None:
        """Queue the child's lines; an empty one is the end."""
        with source:
            for line in source:
                self.heard = time.monotonic()
                self._replies.put(line)
        self._replies.put(b"")
        self._child.wait()

    def _write(self, sink: IO[bytes]) -> None:
        """Write what is queued, for as long as there is somebody to read it."""
        with suppress(OSError), sink:
            while (request := self._requests.get()) is not None:
                sink.write(request)
                sink.flush()
