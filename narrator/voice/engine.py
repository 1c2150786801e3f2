"""The fallback for sentences that no pack holds: espeak through pyttsx3, in a process with a deadline.

It is a robot's voice and hard to understand; it exists so that a sentence which is new, or whose clip is lost, is not silence.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import soundfile

from narrator.clip import Clip
from narrator.process import NoAnswer, Process, WorkerError
from narrator.voice import shape

_VOICE = "cmn-latn-pinyin+f3"   # reads pinyin, so that it reads as the table says; f3 is the most intelligible of espeak-ng 1.52's timbres
_WORDS_A_MINUTE = 130
# -P: the folder of this file must not become a place to import from.
_WORKER = (sys.executable, "-P", str(Path(__file__).with_name("worker.py")), _VOICE, str(_WORDS_A_MINUTE))
_ATTEMPTS = 2           # for one sentence; the second has a fresh process
_PATIENCE = 3           # failures in a row before a rest


class EngineError(Exception):
    """A sentence could not be rendered; the message says why."""


class Engine(Protocol):
    """What renders sentences that no pack holds."""

    @property
    def identity(self) -> str:
        """Names engine, voice and settings: clips of one identity sound alike."""

    def render(self, sentence: str) -> Clip:
        """The sound of a sentence, trimmed and levelled. Raises `EngineError`."""

    def close(self) -> None:
        """Give up its processes and files."""


class Espeak:
    """espeak's Mandarin through pyttsx3. Starts its process with the first sentence.

    All times are in seconds: `deadline` is how long a sentence may take in all, whatever happens; `answer` how long its process may
    take for it, before it counts as hung and another is tried; `start` how long a process may take to start, sentences going unsaid
    meanwhile; `rest` how long nothing is tried after several failures in a row.
    """

    identity = f"pyttsx3 espeak-ng {_VOICE} {_WORDS_A_MINUTE} {shape.LOUDNESS} LUFS"

    def __init__(
        self, command: Sequence[str] = _WORKER, start: float = 10.0, answer: float = 0.8, deadline: float = 2.5, rest: float = 12.0
    ) -> None:
        self._command = command
        self._start, self._answer, self._deadline, self._rest = start, answer, deadline, rest
        self._process: Process | None = None
        self._started = 0.0
        self._ready = False
        self._failures = 0
        self._resting_until = 0.0
        self._reason = ""

    def render(self, sentence: str) -> Clip:
        """The sound of a sentence, trimmed and levelled. Raises `EngineError`, at the latest after `deadline`."""
        if not sentence.strip():
            raise EngineError("the sentence is empty")     # it has crashed espeak
        ends = time.monotonic() + self._deadline
        for _ in range(_ATTEMPTS):
            if time.monotonic() < self._resting_until:
                break
            try:
                clip = self._attempt(sentence, ends - self._answer)
            except (WorkerError, OSError) as error:
                self._fail(error)
            else:
                self._failures = 0
                return clip
        raise EngineError(self._reason)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(1.0)
            self._process = None

    def _attempt(self, sentence: str, latest: float) -> Clip:
        """Ask for a sentence, at the latest when the clock shows `latest`."""
        process = self._prepared(latest)
        with TemporaryDirectory(prefix="narrator-") as folder:
            path = Path(folder) / "sentence.wav"
            process.send({"sentence": sentence, "path": str(path)})
            process.receive(self._answer)
            try:
                samples, rate = soundfile.read(path, dtype="float32")
            except soundfile.LibsndfileError as error:
                raise WorkerError(f"its sound cannot be read: {error}") from error
        if not samples.any():
            raise WorkerError("it made no sound")
        return shape.even(shape.trim(shape.resample(samples, rate)))

    def _prepared(self, latest: float) -> Process:
        """The process, started. Raises `EngineError` when the clock shows `latest`, and leaves it to start in peace."""
        if self._process is None:
            self._process = Process(self._command)
            self._started = time.monotonic()
            self._ready = False
        if not self._ready:
            given_up = self._started + self._start
            try:
                self._process.receive(max(0.0, min(latest, given_up) - time.monotonic()))
            except NoAnswer:
                if time.monotonic() < given_up:
                    raise EngineError("its process is still starting") from None
                raise
            self._ready = True
        return self._process

    def _fail(self, error: Exception) -> None:
        self.close()
        self._failures += 1
        self._reason = str(error)
        if self._failures >= _PATIENCE:
            self._failures = 0
            self._resting_until = time.monotonic() + self._rest
            self._reason += f" (after {_PATIENCE} failures in a row it rests for {self._rest:g} s)"
