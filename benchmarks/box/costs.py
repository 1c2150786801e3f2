"""Until the first word, and then for a night: time, processor, memory."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.box.cage import Cage
from benchmarks.sound.cost import memory_of, processor
from tests.sound.processes import children
from tests.virtual_audio import VirtualAudio

HEARD = 0.001
"""The sample that counts as heard, of full scale."""

PATIENCE = 60.0
"""Seconds that a start may take."""

RATE = 24_000


def _command(options: argparse.Namespace, *more: str) -> list[str]:
    return [sys.executable, "-m", "narrator", *shlex.split(options.command), *more]


def start(options: argparse.Namespace) -> None:
    """Print what each start takes: to the first sample, to READY=1, and of the processor."""
    quiet = ["--quiet"] if options.command.startswith("rehearse") else []   # else the ambience would be heard before the first word
    took: list[float] = []
    for _ in range(options.times):
        with VirtualAudio(speaker_rate=RATE) as audio, TemporaryDirectory(prefix="box.") as folder, Cage() as cage:
            seconds, ready, spent = _started(_command(options, *quiet), audio, Path(folder), cage)
            took.append(seconds)
            print(f"heard after {seconds:.2f} s, ready after {ready}, {spent:.2f} s of the processor; limited by {cage.how}", flush=True)
    print(f"median {median(took):.2f} s to the first word (aim: 4 s on a Raspberry Pi 3)")


def _started(command: list[str], audio: VirtualAudio, folder: Path, cage: Cage) -> tuple[float, str, float]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified, audio.record() as recorder:
        notified.bind(str(folder / "notify"))
        notified.setblocking(False)
        before, began = recorder.count, time.monotonic()
        personal = {f"XDG_{name}_HOME": str(folder) for name in ("CONFIG", "DATA", "CACHE")}
        game = cage.start(command, os.environ | audio.environment | personal | {"NOTIFY_SOCKET": str(folder / "notify")})
        ready, spent = "(not told)", 0.0
        try:
            while time.monotonic() < began + PATIENCE and game.poll() is None:
                with suppress(BlockingIOError):
                    if b"READY=1" in notified.recv(4096):
                        ready = f"{time.monotonic() - began:.2f} s"
                with suppress(OSError):
                    spent = sum(map(processor, _family(game.pid)))
                heard = np.flatnonzero(np.abs(recorder.samples()[before:]) > HEARD)
                if len(heard):
                    return float(heard[0]) / RATE, ready, spent
                time.sleep(0.02)
        finally:
            _end(game)
    raise SystemExit(f"nothing was heard: {game.stderr.read().decode() if game.stderr else ''}")


def night(options: argparse.Namespace) -> None:
    """Print what a game takes of the processor and the memory."""
    with VirtualAudio(speaker_rate=RATE) as audio, TemporaryDirectory(prefix="box.") as folder, Cage() as cage:
        personal = {f"XDG_{name}_HOME": folder for name in ("CONFIG", "DATA", "CACHE")}
        game = cage.start(_command(options), os.environ | audio.environment | personal)
        try:
            time.sleep(20.0)
            family = _family(game.pid)
            before, began = sum(map(processor, family)), time.monotonic()
            spent, lasted, highest = 0.0, 1.0, (0.0, 0.0)
            while game.poll() is None and lasted < 60 * options.minutes:
                time.sleep(2.0)
                with suppress(OSError):     # it has just ended
                    highest = max(highest, memory_of(family))
                    spent, lasted = sum(map(processor, family)) - before, time.monotonic() - began
        finally:
            _end(game)
    print(f"processor {100 * spent / lasted:.2f} % of a core over {lasted:.0f} s (aim: 5 %)")
    print(f"memory    {highest[0]:.0f} MB resident in {len(family)} processes (aim: 120), {highest[1]:.0f} with shared pages counted once")
    print(f"limited by {cage.how}")


def imports(options: argparse.Namespace) -> None:
    """Print the packages, and the modules, that take longest to import, in milliseconds of their own."""
    words = [word for word in shlex.split(options.command) if not word.startswith("-")]
    line = [sys.executable, "-X", "importtime", "-m", "narrator", *words[:1], "--help"]
    told = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE).stderr
    packages: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for own, name in re.findall(r"import time: +(\d+) \| +\d+ \| +(\S+)", told):
        packages[name.partition(".")[0]] += int(own)
        modules[name] += int(own)
    print(f"all {packages.total() / 1000:.0f} ms of {len(modules)} modules")
    for counted in (packages, modules):
        print(", ".join(f"{name} {own / 1000:.0f}" for name, own in counted.most_common(10)))


def _family(process: int) -> list[int]:
    """A process and all that it, or one that it started, has started."""
    return [process, *(member for child in children(process) for member in _family(child))]


def _end(game: subprocess.Popen[bytes]) -> None:
    for member in _family(game.pid):
        with suppress(ProcessLookupError):
            os.kill(member, 9)
    game.wait()
    time.sleep(0.1)     # its control group is empty now
