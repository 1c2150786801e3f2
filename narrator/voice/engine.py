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
from narrator.voice import shape
from narrator.voice.process import Process, WorkerError

_VOICE = "cmn+f3"       # the most intelligible of espeak-ng 1.52's Mandarin voices
_WORDS_A_MINUTE = 150
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

    All times are in seconds: `start` is how long the process may take to start, `deadline` how long a sentence may take,
    `rest` how long nothing is tried after several failures in a row.
    """

    identity = f"pyttsx3 espeak-ng {_VOICE} {_WORDS_A_MINUTE} {shape.LOUDNESS} LUFS"

    def __init__(self, command: Sequence[str] = _WORKER, start: float = 10.0, deadline: float = 3.0, rest: float = 60.0) -> None:
        self._command = command
        self._start = start
        self._deadline = deadline
        self._rest = rest
        self._process: Process | None = None
        self._failures = 0
        self._resting_until = 0.0
        self._reason = ""

    def render(self, sentence: str) -> Clip:
        """The sound of a sentence, trimmed and levelled. Raises `EngineError`."""
        if not sentence.strip():
            raise EngineError("the sentence is empty")     # it has crashed espeak
        for _ in range(_ATTEMPTS):
            if time.monotonic() < self._resting_until:
                break
            try:
                clip = self._attempt(sentence)
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
            self._process = None

    def _attempt(self, sentence: str) -> Clip:
        if self._process is None:
            self._process = Process(self._command)
            self._process.receive(self._start)
        with TemporaryDirectory(prefix="narrator-") as folder:
            path = Path(folder) / "sentence.wav"
            self._process.send({"sentence": sentence, "path": str(path)})
            self._process.receive(self._deadline)
            try:
                samples, rate = soundfile.read(path, dtype="float32")
            except soundfile.LibsndfileError as error:
                raise WorkerError(f"its sound cannot be read: {error}") from error
        if not samples.any():
            raise WorkerError("it made no sound")
        return shape.level(shape.trim(shape.resample(samples, rate)))

    def _fail(self, error: Exception) -> None:
        self.close()
        self._failures += 1
        self._reason = str(error)
        if self._failures >= _PATIENCE:
            self._failures = 0
            self._resting_until = time.monotonic() + self._rest
            self._reason += f" (after {_PATIENCE} failures in a row it rests for {self._rest:g} s)"
