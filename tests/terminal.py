"""A pseudo-terminal with a person before it: it runs a command, shows what is on the screen, and types.

    with Session([sys.executable, "-m", "narrator", "play"]) as table:
        table.wait_for("请闭眼")
        table.type("3\\r")
        table.wait_for_end()

`Screen` alone shows what any text of escape sequences looks like.
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROOT = Path(__file__).parent.parent
DEADLINE = 10.0
"""Seconds that anything may take on a busy machine."""


class Screen:
    """An emulated screen: what a person sees, and what has scrolled away."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self._screen = pyte.HistoryScreen(columns, lines)
        self._stream = pyte.Stream(self._screen)

    def feed(self, text: str) -> None:
        """Show what a program has written."""
        self._stream.feed(text)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window."""
        self._screen.resize(lines, columns)

    @property
    def rows(self) -> list[str]:
        """The rows of the screen, from the top, without the blanks at their ends."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """All that can be read on the screen, rows joined by line breaks."""
        return "\n".join(self.rows)

    @property
    def scrolled(self) -> int:
        """How many rows have left the screen at its top."""
        return len(self._screen.history.top)

    def drawn(self, row: int) -> str:
        """What is drawn large in a row: a # for each dot, which is two blanks in reverse video."""
        cells = self._screen.buffer[row]
        return "".join("#" if cells[at].reverse else " " for at in range(0, self._screen.columns, 2)).rstrip()

    def colours(self, row: int) -> set[str]:
        """The background colours of a row."""
        return {self._screen.buffer[row][column].bg for column in range(self._screen.columns)}


class Session:
    """A command running in a pseudo-terminal of its own, as its controlling terminal."""

    def __init__(self, command: Sequence[str], columns: int = 80, lines: int = 24, **environment: str) -> None:
        self.screen = Screen(columns, lines)
        self.written = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._terminal, theirs = pty.openpty()
        _set_size(self._terminal, columns, lines)
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=_environment(environment), start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.hang_up()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(DEADLINE)

    def type(self, keys: str | bytes) -> None:
        """Press these keys, Enter being \\r."""
        os.write(self._terminal, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window; the program is told."""
        self.screen.resize(columns, lines)
        _set_size(self._terminal, columns, lines)

    def wait_for(self, text: str, deadline: float = DEADLINE) -> None:
        """Wait until this text can be read on the screen."""
        self.wait_until(lambda: text in self.screen.text, f"{text!r} on the screen", deadline)

    def wait_until(self, condition: Callable[[], bool], what: str, deadline: float = DEADLINE) -> None:
        """Show what the program writes until the condition holds. Fails with the screen when it does not in time."""
        end = time.monotonic() + deadline
        while not condition():
            if not self._show(min(0.1, end - time.monotonic())) and not condition():
                raise AssertionError(f"the command ended without {what}:\n{self.screen.text}")
            if time.monotonic() > end:
                raise AssertionError(f"no {what} within {deadline} s:\n{self.screen.text}")

    def wait_for_end(self, deadline: float = DEADLINE) -> int:
        """Show what the program writes until it ends. Returns its exit code."""
        end = time.monotonic() + deadline
        while self._show(0.1):
            if time.monotonic() > end:
                raise AssertionError(f"the command has not ended within {deadline} s:\n{self.screen.text}")
        return self._process.wait(DEADLINE)

    def hang_up(self) -> None:
        """Take the terminal away, as a closed window or a lost connection does."""
        if self._terminal >= 0:
            os.close(self._terminal)
            self._terminal = -1

    def send(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    @property
    def pid(self) -> int:
        """The program's process."""
        return self._process.pid

    def stopped(self) -> bool:
        """Whether the program has been put aside."""
        return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    def _show(self, seconds: float) -> bool:
        """Feed what comes within this time to the screen. False when the program has let go of the terminal."""
        if self._terminal < 0:
            return False
        if select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            received = b""
            with contextlib.suppress(OSError):
                received = os.read(self._terminal, 65536)
            text = self._decoder.decode(received)
            self.written += text
            self.screen.feed(text)
            return bool(received)
        return True


def _set_size(terminal: int, columns: int, lines: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES", "COLORTERM")}
    return kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), **changes}
