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
import itertools
import os
import queue
import re
import select
import termios
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from narrator.clock import Clock
from narrator.errors import NoTerminal
from narrator.hearing import Command, CommandName, Entered, Event, Louder, Payload, Typed
from narrator.hearing.grammar import LONGEST
from narrator.rules import Ask

_PATIENCE = 0.05
"""How long the rest of a key may take, in seconds."""

_KEY = re.compile(r"\x1b\[\[[A-E]|\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]|\x1bO[ -~]|.", re.DOTALL)
_UNFINISHED = re.compile(r"\x1b(?:O|\[\[|\[[0-?]{0,32}[ -/]{0,8})?\Z")
_ESCAPE = "\x1b"

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

_COMMANDS: dict[str, CommandName] = {
    "-": "undo",
    "－": "undo",
    "*": "again",
    "＊": "again",
    "/": "pause",
    "／": "pause",
    "?": "why",
    "？": "why",
    "\x03": "quit",
    "\x04": "quit",
}


_IN_A_PAUSE: dict[str, Payload] = {
    "1": Command("status"), "2": Command("leave"), "0": Command("end"),
    "7": Louder("voice", 1), "8": Louder("ambience", 1), "9": Louder("effects", 1),
    "4": Louder("voice", -1), "5": Louder("ambience", -1), "6": Louder("effects", -1),
}  # fmt: skip
"""In a pause, where digits are no answers: what is asked of the narrator; and three columns of a keypad, each louder above and softer
below."""

_HIDE = "\t"
"""The key of a keyboard that hides what is private, whatever has been typed."""

_PLUS = "+＋"
"""The biggest key of a keypad that stands between two numbers: where no number stands before it, it hides what is private. Hit once or
twice, it does so in any case."""

_WHY = ".．。"
"""The key between two numbers of a keypad, which has none to spare: before any number it asks why."""


class Keyboard:
    """A `Hearing` on the terminal behind the file descriptor `terminal`."""

    def __init__(self, clock: Clock, terminal: int = 0, encoding: str = "utf-8") -> None:
        """Take the terminal over, which sends characters in this encoding. Raises `NoTerminal` when there is none."""
        if not os.isatty(terminal):
            raise NoTerminal(f"file descriptor {terminal} is no terminal")
        self._clock = clock
        self._terminal = terminal
        self._encoding = encoding
        self._events: queue.Queue[Event] = queue.Queue()
        self._line = _Line(open=False)
        self._changing = threading.Lock()
        self._found = termios.tcgetattr(terminal)
        atexit.register(self.close)
        self.enter()
        self._stop, self._stopper = os.pipe()
        self._reader = threading.Thread(target=self._read, name="keyboard", daemon=True)
        self._reader.start()

    def attend(self, ask: Ask | None) -> None:
        """From now on listen for an answer to this; for commands alone when it is None.

        Entries that came before are forgotten, confirmed ones too: nobody answers a question that has not been put.
        """
        with self._changing:
            secret = ask is None or ask.audience != "everyone"
            self._line = _Line(open=ask is not None, secret=secret, paused=self._line.paused)
            for event in list(self._waiting()):
                if isinstance(event.payload, Command):
                    self._events.put(event)

    def pause(self, on: bool) -> None:
        """While paused, listen for commands, digits among them."""
        with self._changing:
            self._line.paused = on

    def wait(self, until: float) -> Event | None:
        """The next event, waited for until the clock shows `until`."""
        while True:   # again where the process was stopped meanwhile, and the table's clock stood still
            seconds = min(max(0.0, until - self._clock.now()), threading.TIMEOUT_MAX)
            with contextlib.suppress(queue.Empty):
                return self._events.get(timeout=seconds)
            if self._clock.now() >= until:
                return None

    def put(self, event: Event) -> None:
        """Put what was heard by other means behind what was keyed."""
        self._events.put(event)

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

    def _waiting(self) -> Iterator[Event]:
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._events.get_nowait()

    # --- the reader's thread ------------------------------------------------------------------------------------------

    def _read(self) -> None:
        keys = _Keys(self._encoding)
        while True:
            ready, _, _ = select.select([self._terminal, self._stop], [], [], _PATIENCE if keys.unfinished else None)
            if self._stop in ready:
                return
            if not ready:
                self._press(keys.finish())
                continue
            received = self._receive()
            if not received:
                self._put(Command("quit"))
                return
            self._press(keys.feed(received))

    def _receive(self) -> bytes:
        try:
            return os.read(self._terminal, 4096)
        except OSError:     # hung up
            return b""

    def _press(self, keys: Iterable[str]) -> None:
        with self._changing:
            heard = [payload for payload in map(self._line.press, keys) if payload is not None]
            for payload, after in itertools.zip_longest(heard, heard[1:]):
                if not (isinstance(payload, Typed) and isinstance(after, Typed)):   # of a paste, only where it ends
                    self._put(payload)

    def _put(self, payload: Payload) -> None:
        self._events.put(Event("keyboard", self._clock.now(), payload))


class _Keys:
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
        return _KEY.findall(text[:end])

    def finish(self) -> list[str]:
        """The key that is complete because its rest has not come."""
        key, self.unfinished = self.unfinished, ""
        return [key]


class _Line:
    """Keys → what they mean, and the entry that they make up. One that is not `open` takes commands only; one that is `paused` takes
    also digits that are commands then. In one that is `secret` a key hides what is private, and the next brings it back."""

    def __init__(self, *, open: bool, secret: bool = True, paused: bool = False) -> None:
        self._open = open
        self._secret = secret
        self.paused = paused
        self._hidden = False
        self._text = ""

    def press(self, key: str) -> Payload | None:
        """What this key means; None for nothing."""
        key = _KEYPAD.get(key, key)
        if self._hides(key):
            self._hidden = True
            return Command("hide")
        hidden, self._hidden = self._hidden, False
        if key in _COMMANDS:
            if _COMMANDS[key] == "pause":   # already here, or a digit right behind it would still be an answer
                self.paused = not self.paused
            return Command(_COMMANDS[key])
        if key in _WHY and not self._text:
            return Command("why")
        if self.paused:
            return _IN_A_PAUSE.get(unicodedata.normalize("NFKC", key))
        if hidden:      # who comes back looks first: this key does nothing else
            return Command("unhide")
        if not self._open:
            return None
        if key in ("\r", "\n"):
            entered, self._text = self._text, ""
            return Entered(entered)
        return self._edit(key)

    def _hides(self, key: str) -> bool:
        return self._secret and not self.paused and (key == _HIDE or (key in _PLUS and not self._text[-1:].isdecimal()))

    def _edit(self, key: str) -> Payload | None:
        before = self._text
        if key in ("\x7f", "\b"):
            self._text = before[:-1] if len(before) <= LONGEST else ""
        elif key == _ESCAPE:
            self._text = ""
        elif key.isprintable() and len(before) <= LONGEST:  # one too many is kept: by it the grammar knows
            self._text += key
        return Typed(self._text) if self._text != before else None


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
