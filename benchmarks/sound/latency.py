"""How long it takes until something is heard."""

from __future__ import annotations

import argparse
import json
import os
import pty
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.sound.timed import LOUD
from narrator.clip import RATE, Clip
from narrator.clock import RealClock
from narrator.hearing.keyboard import Keyboard
from narrator.process import Process, python
from narrator.resources import folder
from narrator.script import every_sentence, whole
from narrator.sound.levels import OFF, Levels
from narrator.sound.scenes import home, scenes
from narrator.voice import Espeak, Pack
from narrator.voice.pack import About
from narrator.voice.studio import Files, kokoro
from tests.virtual_audio import VirtualAudio

QUIET = Levels(ambience=OFF, effects=OFF)

CLICK = np.full(RATE // 20, 0.9, np.float32)
"""What a key causes here: something that begins at once."""


class Ears:
    """Hears a virtual loudspeaker, and notes when it becomes loud."""

    def __init__(self, audio: VirtualAudio) -> None:
        command = ["parec", "--device=speaker.monitor", f"--rate={RATE}", "--channels=1", "--format=float32le", "--raw", "--latency-msec=5"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | audio.environment)
        self.heard: list[float] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Hear no more."""
        self._process.kill()
        self._process.wait(10)

    def _listen(self) -> None:
        assert self._process.stdout
        loud, descriptor = False, self._process.stdout.fileno()
        while received := os.read(descriptor, 65536):
            now = time.monotonic()
            samples = np.abs(np.frombuffer(received[: len(received) // 4 * 4], np.float32)) > LOUD
            if samples.any() and not loud:
                self.heard.append(now - (len(samples) - int(np.argmax(samples))) / RATE)
            loud = bool(samples.any())


class Loudspeaker:
    """The narrator's loudspeaker process, with the times at which its callback began to mix something loud."""

    def __init__(self, notes: Path) -> None:
        self._times = notes / "times"
        os.environ["NARRATOR_TIMES"] = str(self._times)
        known = {name: asdict(scene) for name, scene in scenes(home()).items()}
        wanted = {"device": None, "or_default": False, "stereo": False, "levels": asdict(QUIET), "scenes": known}
        self._process = Process(python("benchmarks.sound.timed", json.dumps(wanted)))
        self.opened = self._process.receive(20)

    def play(self, clip: Clip) -> None:
        """Queue a clip, as the game does."""
        samples = np.ascontiguousarray(clip, np.float32).tobytes()
        self._process.send({"play": len(samples)}, samples)

    def mixed(self) -> list[float]:
        """The times so far."""
        return [float(line) for line in self._times.read_text().splitlines()] if self._times.exists() else []

    def hush(self) -> None:
        """Cut off what sounds."""
        self._process.send({"hush": True})

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait(5)


@contextmanager
def bench() -> Iterator[tuple[Loudspeaker, Ears]]:
    """A loudspeaker, and somebody who hears it."""
    with VirtualAudio() as audio, TemporaryDirectory() as notes:
        os.environ.update(audio.environment)
        loudspeaker = Loudspeaker(Path(notes))
        ears = Ears(audio)
        time.sleep(1.0)
        try:
            yield loudspeaker, ears
        finally:
            loudspeaker.close()
            ears.close()


def measured(loudspeaker: Loudspeaker, ears: Ears, cause: Callable[[], object]) -> tuple[float, float] | None:
    """Seconds from before the cause until the callback mixed, and until the recording had, the first loud sample. None if it was missed."""
    mixed, heard, began = len(loudspeaker.mixed()), len(ears.heard), time.monotonic()
    cause()
    while len(ears.heard) == heard:
        if time.monotonic() - began > 20:
            return None
        time.sleep(0.005)
    return loudspeaker.mixed()[mixed] - began, ears.heard[heard] - began


def told(name: str, taken: list[float]) -> None:
    """Print the median and the tail, in milliseconds."""
    median, *tail = np.quantile(np.array(taken) * 1000, [0.5, 0.95, 0.99])
    print(f"{name:44}{len(taken):5}{median:9.1f}{tail[0]:9.1f}{tail[1]:9.1f}", flush=True)


def keys(options: argparse.Namespace) -> None:
    """A key on a terminal to the first sample that it causes."""
    master, slave = pty.openpty()
    clock, rng = RealClock(), np.random.default_rng(0)
    keyboard = Keyboard(clock, slave)
    with bench() as (loudspeaker, ears):
        print(f"{loudspeaker.opened}\n{'ms':44}{'n':>5}{'median':>9}{'p95':>9}{'p99':>9}")

        def press() -> None:
            os.write(master, b"*")
            if keyboard.wait(clock.now() + 5):
                loudspeaker.play(CLICK)

        taken = []
        for _ in range(options.presses):
            time.sleep(rng.uniform(0.25, 0.35))   # at no fixed place between two blocks
            taken.append(measured(loudspeaker, ears, press))
    keyboard.close()
    found = [times for times in taken if times]
    told("key to callback", [callback for callback, _ in found])
    told("key to recording", [recording for _, recording in found])


def sentences(options: argparse.Namespace) -> None:
    """Wanting a sentence to its first sample: recorded, and rendered."""
    robot, count = Espeak(), max(20, options.presses // 5)
    warm, *wanted = random.Random(0).sample(sorted(whole(every_sentence())), count + 1)   # each is wanted once: nobody has it ready
    ways: dict[str, Callable[[str], Clip | None]] = {"recorded": Pack.load("xiaoyi").clip, "pyttsx3 (espeak), warm": robot.render}
    if options.model:
        ways["Kokoro-82M, live"] = _neural(options)
    else:
        print("no neural engine: --model, --voices and --vocab name its files")
    print(f"{'ms':44}{'n':>5}{'median':>9}{'p95':>9}{'p99':>9}")
    with bench() as (loudspeaker, ears):
        for name, way in ways.items():
            way(warm)   # whoever must warm up has done so
            taken = []
            for sentence in wanted:
                taken.append(measured(loudspeaker, ears, partial(_speak, loudspeaker, way, sentence)))
                loudspeaker.hush()
                time.sleep(0.6)
            told(f"{name}: to callback", [times[0] for times in taken if times])
            told(f"{name}: to recording", [times[1] for times in taken if times])
    robot.close()


def _speak(loudspeaker: Loudspeaker, way: Callable[[str], Clip | None], sentence: str) -> None:
    """Make the sentence and play it. A click stands before it, as its own first samples may be too faint to be found."""
    clip = way(sentence)
    assert clip is not None, sentence
    loudspeaker.play(np.concatenate([CLICK, clip]))


def _neural(options: argparse.Namespace) -> Callable[[str], Clip]:
    """Kokoro with the shipped pack's own speaker. Raises `BadVoice`."""
    pack = folder("voices") / "xiaoyi"
    recipe = About.read(pack).render
    assert recipe
    engine = kokoro(pack, Files.found(options.model))
    return lambda sentence: engine.speak(engine.phonemes(sentence), recipe.speed)
