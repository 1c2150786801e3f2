"""Keys → what they mean, in one queue: a `Hearing` that a device feeds, be it a terminal, a keypad, or buttons."""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
import unicodedata
from collections.abc import Iterable, Iterator

from narrator.clock import Clock
from narrator.hearing import Command, CommandName, Entered, Event, Louder, Payload, Typed
from narrator.hearing.grammar import LONGEST
from narrator.rules import Ask

_ESCAPE = "\x1b"

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


class Keys:
    """A `Hearing` of keys: each is the character that stands on it, Enter is a carriage return."""

    trouble: str | None = None

    def __init__(self, clock: Clock, source: str) -> None:
        """`source` names the device in what is heard."""
        self._clock, self._source = clock, source
        self._events: queue.Queue[Event] = queue.Queue()
        self._line = _Line(open=False)
        self._changing = threading.Lock()

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

    @property
    def begins(self) -> bool:
        """Whether a digit would begin an entry: nothing has been typed, and no pause gives digits another meaning."""
        with self._changing:
            return not (self._line.text or self._line.paused)

    @property
    def is_paused(self) -> bool:
        """Whether digits are commands."""
        with self._changing:
            return self._line.paused

    def press(self, keys: Iterable[str]) -> None:
        """These keys have been pressed, one right after the other. May be called by any thread."""
        with self._changing:
            heard = [payload for payload in map(self._line.press, keys) if payload is not None]
            for payload, after in itertools.zip_longest(heard, heard[1:]):
                if not (isinstance(payload, Typed) and isinstance(after, Typed)):   # of a paste, only where it ends
                    self.hear(payload)

    def hear(self, payload: Payload) -> None:
        """This has come from the device now."""
        self._events.put(Event(self._source, self._clock.now(), payload))

    def close(self) -> None:
        """There is no device to let go of."""

    def _waiting(self) -> Iterator[Event]:
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._events.get_nowait()


class _Line:
    """Keys → what they mean, and the entry that they make up. One that is not `open` takes commands only; one that is `paused` takes
    also digits that are commands then. In one that is `secret` a key hides what is private, and the next brings it back."""

    def __init__(self, *, open: bool, secret: bool = True, paused: bool = False) -> None:
        self._open = open
        self._secret = secret
        self.paused = paused
        self._hidden = False
        self.text = ""

    def press(self, key: str) -> Payload | None:
        """What this key means; None for nothing."""
        if self._hides(key):
            self._hidden = True
            return Command("hide")
        hidden, self._hidden = self._hidden, False
        if key in _COMMANDS:
            if _COMMANDS[key] == "pause":   # already here, or a digit right behind it would still be an answer
                self.paused = not self.paused
            return Command(_COMMANDS[key])
        if key in _WHY and not self.text:
            return Command("why")
        if self.paused:
            return _IN_A_PAUSE.get(unicodedata.normalize("NFKC", key))
        if hidden:      # who comes back looks first: this key does nothing else
            return Command("unhide")
        if not self._open:
            return None
        if key in ("\r", "\n"):
            entered, self.text = self.text, ""
            return Entered(entered)
        return self._edit(key)

    def _hides(self, key: str) -> bool:
        return self._secret and not self.paused and (key == _HIDE or (key in _PLUS and not self.text[-1:].isdecimal()))

    def _edit(self, key: str) -> Payload | None:
        before = self.text
        if key in ("\x7f", "\b"):
            self.text = before[:-1] if len(before) <= LONGEST else ""
        elif key == _ESCAPE:
            self.text = ""
        elif key.isprintable() and len(before) <= LONGEST:  # one too many is kept: by it the grammar knows
            self.text += key
        return Typed(self.text) if self.text != before else None
