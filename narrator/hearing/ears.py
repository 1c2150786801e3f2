"""What the table says, heard beside what it keys, and put into the same queue.

A process of its own listens (`narrator.hearing.listener`); one that hangs or ends is followed by another, and no key ever waits for it.
It listens only while a question is open to everyone, or the game is paused by day, and never while the narrator speaks; but with
`barge_in` also then, at such a question.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from narrator.clock import Clock
from narrator.hearing import Event, Spoken
from narrator.hearing.wire import fields_of, unpacked
from narrator.process import NoAnswer, Process, WorkerError, python
from narrator.rules import Ask

TAIL = 0.3
"""Seconds for which the narrator's voice is still in the room, and in the microphone, once its last sample has left: at a loudspeaker's
usual delay no echo was heard later than 0.2."""

LOADING = 60.0
"""Seconds that a process may take to load its model: a Raspberry Pi takes some ten."""

DEADLINE = 8.0
"""Seconds without a sign of life, also while it makes something of a phrase, after which it counts as hung."""

REST = 3.0
"""Seconds before another is started."""


class Ears:
    """Listens to a table.

    trouble  why nothing can be heard: a reason of `NoEars` or `NoMicrophone`, empty where all is well
    busy     something has been said, and is being made out
    """

    def __init__(self, put: Callable[[Event], None], clock: Clock, settings: dict[str, Any], *, barge_in: bool = False) -> None:
        """`put` takes what is heard, in a thread; `settings` are the listener's, see there. `barge_in`: the narrator does not hear
        itself, and may be interrupted."""
        self._barge_in = barge_in
        self._put, self._clock = put, clock
        self._command = python("narrator.hearing.listener", json.dumps(settings))
        self._attended: dict[str, object] = {"attend": None, "paused": False}
        self._deaf_until = 0.0
        self._process: Process | None = None
        self._lock = threading.RLock()      # `leave` may be called by a signal, in the midst of anything
        self._closed = threading.Event()
        self.trouble = "ears_start"
        self.busy = False
        threading.Thread(target=self._run, name="ears", daemon=True).start()

    def attend(self, ask: Ask | None) -> None:
        """From now on this is what may be answered. What is asked in secret is never listened to."""
        self._tell({"attend": fields_of(ask) if ask and ask.audience == "everyone" else None})

    def pause(self, on: bool) -> None:
        """While the game is paused only the narrator is spoken to."""
        self._tell({"paused": on})

    def deaf(self, seconds: float) -> None:
        """The narrator is heard for so long from now, and no longer where it was cut off: it must not hear itself."""
        with self._lock:
            if self._barge_in and self._attended["attend"] and not self._attended["paused"]:
                return
            self._deaf_until = time.monotonic() + seconds + TAIL
            if self._process:
                self._process.send({"deaf": seconds + TAIL})

    def leave(self) -> None:
        """Let go of the microphone, for the game is being put aside; another process follows when it goes on."""
        with self._lock:
            if self._process:
                self._process.kill()

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()
        self.leave()

    def _tell(self, changes: dict[str, object]) -> None:
        with self._lock:
            self._attended |= changes
            if self._process:
                self._process.send(self._attended)

    # --- the thread that follows the process --------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._follow()
            except (WorkerError, OSError, ValueError, KeyError, TypeError) as error:     # or an answer that is none
                self.trouble = getattr(error, "reason", "") or "ears_lost"
            self.busy = False
            with self._lock:
                if self._process:
                    self._process.kill()
                self._process = None
            self._closed.wait(REST)

    def _follow(self) -> None:
        """Start a process, and put in the queue what it hears, until it fails. Raises `WorkerError`, `OSError`."""
        with self._lock:
            process = self._process = Process(self._command)
            process.send(self._attended)
            process.send({"deaf": max(0.0, self._deaf_until - time.monotonic())})
        patience = LOADING
        while not self._closed.is_set():
            try:
                match process.receive(min(patience, 1.0)):
                    case {"microphone": rate, **more}:
                        self.trouble = "" if rate else str(more["reason"])
                        patience = DEADLINE if rate else LOADING
                    case {"alive": _, **more}:
                        patience, self.busy = DEADLINE, "phrase" in more
                    case {"meanings": meanings, "heard": heard}:
                        patience = DEADLINE
                        self._put(Event("speech", self._clock.now(), Spoken(tuple(map(unpacked, meanings)), heard)))
                        self.busy = False
            except NoAnswer:
                patience -= 1.0
                if patience <= 0:
                    raise
