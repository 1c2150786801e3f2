"""Keyboard and numeric keypad, read from the terminal.

A thread reads the terminal and puts an `Event` into one queue for each thing that was heard. The terminal hands over every key
as it comes, Ctrl-C among them, and echoes none: what is typed at night is a secret.

An ESC alone and the beginning of a key that sends several characters look the same. What tells them apart is time: the rest
of such a key follows at once.
"""

from __future__ import annotations

import atexit
import codecs
import contextlib
import os
import re
import select
import termios
import threading
from typing import Any, TypeAlias

from narrator.clock import Clock
from narrator.errors import NoTerminal
from narrator.hearing import Command
from narrator.hearing.keys import Keys

_PATIENCE = 0.05
"""How long the rest of a key may take, in seconds."""

_KEY = re.compile(r"\x1b\[\[[A-E]|\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]|\x1bO[ -~]|.", re.DOTALL)
_UNFINISHED = re.compile(r"\x1b(?:O|\[\[|\[[0-?]{0,32}[ -/]{0,8})?\Z")

_Settings: TypeAlias = list[Any]

_KEYPAD = {f"\x1bO{chr(ord('p') + digit)}": str(digit) for digit in range(10)} | {
    "\x1bOM": "\r",
    "\x1bOk": "+",
    "\x1bOm": "-",
    "\x1bOj": "*",
    "\x1bOo": "/",
    "\x1bOn": ".",
    "\x1bOl": ",",
}
"""What a numeric keypad sends in application mode → the character on the key."""

class Keyboard(Keys):
    """The keys of the terminal behind the file descriptor `terminal`."""

    def __init__(self, clock: Clock, terminal: int = 0, encoding: str = "utf-8") -> None:
        """Take the terminal over, which sends characters in this encoding. Raises `NoTerminal` when there is none."""
        if not os.isatty(terminal):
            raise NoTerminal(f"file descriptor {terminal} is no terminal")
        super().__init__(clock, "keyboard")
        self._terminal = terminal
        self._encoding = encoding
        self._found = termios.tcgetattr(terminal)
        atexit.register(self.close)
        self.enter()
        self._stop, self._stopper = os.pipe()
        self._reader = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._reader.start()

    def enter(self) -> None:
        """Have every key at once, again after `leave`."""
        _set(self._terminal, _each_key(self._found))

    def leave(self) -> None:
        """Leave the terminal as it was found, for a while."""
        with contextlib.suppress(termios.error):    # the terminal has gone
            _set(self._terminal, self._found)

    def close(self) -> None:
        """Stop reading and leave the terminal as it was found. What was typed and not read goes to nobody."""
        if self._stopper < 0:
            return
        atexit.unregister(self.close)
        os.close(self._stopper)
        self._stopper = -1
        self._reader.join()
        os.close(self._stop)
        self.leave()

    # --- the reader's thread ------------------------------------------------------------------------------------------

    def _read(self) -> None:
        keys = _Decoder(self._encoding)
        while True:
            ready, _, _ = select.select([self._terminal, self._stop], [], [], _PATIENCE if keys.unfinished else None)
            if self._stop in ready:
                return
            if not ready:
                self.press(keys.finish())
                continue
            received = self._receive()
            if not received:
                self.hear(Command("quit"))
                return
            self.press(keys.feed(received))

    def _receive(self) -> bytes:
        try:
            return os.read(self._terminal, 4096)
        except OSError:     # hung up
            return b""


class _Decoder:
    """Bytes → keys: a character, or all that one key sent. What is cut off waits for its rest."""

    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="ignore")
        self.unfinished = ""

    def feed(self, received: bytes) -> list[str]:
        """The keys that are complete with these bytes."""
        text = self.unfinished + self._decoder.decode(received)
        cut = _UNFINISHED.search(text)
        end = cut.start() if cut else len(text)
        self.unfinished = text[end:]
        return [_KEYPAD.get(key, key) for key in _KEY.findall(text[:end])]

    def finish(self) -> list[str]:
        """The key that is complete because its rest has not come."""
        key, self.unfinished = self.unfinished, ""
        return [key]


def _each_key(found: _Settings) -> _Settings:
    """These settings, changed so that every key comes at once, is not echoed, and stops or suspends nothing."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, characters = found
    iflag &= ~(termios.IXON | termios.ISTRIP)
    lflag &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
    characters = list(characters)
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    return [iflag, oflag, cflag, lflag, ispeed, ospeed, characters]


def _set(terminal: int, settings: _Settings) -> None:
    """Change the settings without waiting for a terminal that takes no output, and drop what has been typed."""
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    termios.tcflush(terminal, termios.TCIFLUSH)
