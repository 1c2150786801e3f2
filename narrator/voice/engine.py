"""What says sentences that no pack holds: each engine in a process of its own, with a deadline, that may hang, crash or be killed.

espeak is a robot's voice and hard to understand; it exists so that a sentence which is new, or whose clip is lost, is not silence. A
table that has the Kokoro model hears those sentences in the voice of its pack.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Protocol

import soundfile

from narrator.clip import Clip
from narrator.process import NoAnswer, Process, WorkerError, python
from narrator.voice import shape
from narrator.voice.pack import Recipe

_VOICE = "cmn-latn-pinyin+f3"   # reads pinyin, so that it reads as the table says; f3 is the most intelligible of espeak-ng 1.52's timbres
_WORDS_A_MINUTE = 130
# -P: the folder of this file must not become a place to import from.
_WORKER = (sys.executable, "-P", str(Path(__file__).with_name("worker.py")), _VOICE, str(_WORDS_A_MINUTE))
_ATTEMPTS = 2           # for one sentence; the second has a fresh process
_PATIENCE = 3           # failures in a row before a rest


Maker = Literal["neural", "espeak"]


class EngineError(Exception):
    """A sentence could not be rendered; the message says why."""


class Engine(Protocol):
    """What renders sentences that no pack holds."""

    @property
    def name(self) -> Maker:
        """What it is."""

    @property
    def identity(self) -> str:
        """Names engine, voice and settings: clips of one identity sound alike."""

    def render(self, sentence: str) -> Clip:
        """The sound of a sentence, trimmed and levelled. Raises `EngineError`."""

    def close(self) -> None:
        """Give up its processes and files."""


class Worked:
    """An engine in a process of its own. Starts it with the first sentence.

    All times are in seconds: `deadline` is how long a sentence may take in all, whatever happens; `answer` how long its process may
    take for it, before it counts as hung and another is tried; `start` how long a process may take to start, sentences going unsaid
    meanwhile; `rest` how long nothing is tried after several failures in a row.
    """

    def __init__(self, identity: str, command: Sequence[str], *, start: float, answer: float, deadline: float, rest: float) -> None:
        self.identity = identity
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


class Espeak(Worked):
    """espeak's Mandarin through pyttsx3: everywhere, at once, and hard to understand."""

    name: Maker = "espeak"

    def __init__(
        self, command: Sequence[str] = _WORKER, start: float = 10.0, answer: float = 0.8, deadline: float = 2.5, rest: float = 12.0
    ) -> None:
        super().__init__(
            f"pyttsx3 espeak-ng {_VOICE} {_WORDS_A_MINUTE} {shape.LOUDNESS} LUFS", command,
            start=start, answer=answer, deadline=deadline, rest=rest,
        )  # fmt: skip


class Neural(Worked):
    """The Kokoro model with the speaker of a pack, so that what the pack lacks sounds like the rest. A small computer takes longer to say
    a sentence than the sentence lasts, hence the patience; each is said once, and kept."""

    name: Maker = "neural"

    def __init__(self, folder: Path, recipe: Recipe, model: Path) -> None:
        super().__init__(
            f"{recipe.model_dump_json()} {shape.LOUDNESS} LUFS",
            python("narrator.voice.neural", str(folder), str(model)),
            start=30.0, answer=15.0, deadline=20.0, rest=60.0,
        )  # fmt: skip
