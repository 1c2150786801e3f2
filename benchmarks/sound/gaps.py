"""How steadily sound flows: the narrator's loudspeaker beside a bare stream of rtmixer's, in the same minutes.

Each plays into a sink of its own on one virtual sound card. A gap is 5 ms or more of exact silence in what the sink has recorded: what is
played never has that. What troubles them troubles both: two busy processes the whole machine; a busy thread, or a garbage collection over a
million objects every second, the process that plays the game, which for the narrator is another than the loudspeaker's.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib.util
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from narrator.clip import RATE
from narrator.process import python
from narrator.sound import Speaker
from tests.virtual_audio import VirtualAudio

SHORTEST = RATE * 5 // 1000
"""Samples of silence that are a gap."""

BLOCK, LATENCY = 384, 0.2
"""Both streams' block in samples and latency in seconds; both have ALSA ask for sound block by block."""


def gaps(options: argparse.Namespace) -> None:
    """Print the gaps of both, condition by condition."""
    players = {"narrator": narrator, "rtmixer": rtmixer} if importlib.util.find_spec("rtmixer") else {"narrator": narrator}
    if len(players) == 1:
        print("rtmixer is not installed: pip install rtmixer")
    print(f"{'':28}" + "".join(f"{name:>28}" for name in players))
    for condition in CONDITIONS:
        found = _recorded(tuple(players), condition, options.minutes * 60)
        print(f"{condition:28}" + "".join(f"{count:12} gaps, {seconds:5.2f} s" for count, seconds in found), flush=True)


def _recorded(players: tuple[str, ...], condition: str, seconds: float) -> list[tuple[int, float]]:
    """Let them play at once. Returns for each the number of gaps, and seconds of silence in all."""
    with VirtualAudio(more_speakers=players) as audio, TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in players]
        environment = os.environ | audio.environment
        playing = [subprocess.Popen(python("benchmarks.sound.gaps", name, condition, str(seconds)), env=environment) for name in players]
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (condition == "two busy processes"))]
        time.sleep(6.0)   # everything is open, and the first scene has faded in
        recording = [subprocess.Popen(_parec(name, file), env=environment) for name, file in zip(players, files, strict=True)]
        time.sleep(seconds)
        for process in (*recording, *playing, *others):
            process.kill()
            process.wait()
        return [_silences(np.memmap(file, np.float32)) for file in files]


def _parec(name: str, file: Path) -> list[str]:
    return ["sh", "-c", f"exec parec --device={name}.monitor --rate={RATE} --channels=1 --format=float32le --raw > {file}"]


def _silences(heard: np.ndarray[Any, np.dtype[np.float32]]) -> tuple[int, float]:
    """The gaps: how many, and how many seconds in all. The first half second may be lost to the recorder's own start."""
    silent = np.concatenate([[False], heard[RATE // 2 :] == 0, [False]])
    changes = np.flatnonzero(silent[1:] != silent[:-1])
    lengths = changes[1::2] - changes[::2]
    long = lengths[lengths >= SHORTEST]
    return len(long), float(long.sum() / RATE)


# --- in a process of each one's own -------------------------------------------------------------------------------------


def main() -> None:
    """Play what the command line names until the end, with its trouble."""
    name, condition, seconds = sys.argv[1:]
    threading.Thread(target=CONDITIONS[condition], daemon=True).start()
    PLAYERS[name](float(seconds) + 60)


def narrator(seconds: float) -> None:
    """The game's side of the narrator, which asks how its loudspeaker is, as it does in a game."""
    speaker = Speaker("narrator")
    speaker.scene("night")
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        time.sleep(0.5)
        if speaker.trouble:
            print(speaker.trouble, file=sys.stderr)


def rtmixer(seconds: float) -> None:
    """A stream in C that plays a ring buffer, which a thread in Python keeps full."""
    import rtmixer  # type: ignore[import-not-found]
    import sounddevice

    ctypes.CDLL(sounddevice._libname).PaAlsa_SetNumPeriods(2 * round(LATENCY * RATE / BLOCK))
    rng, block = np.random.default_rng(0), RATE // 4
    ring = rtmixer.RingBuffer(4, 1 << 17)   # five seconds
    stream = rtmixer.Mixer(channels=1, samplerate=RATE, blocksize=BLOCK, latency=LATENCY, device="rtmixer")
    ring.write(rng.uniform(-0.1, 0.1, 1 << 16).astype(np.float32))
    with stream:
        stream.play_ringbuffer(ring)
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            while ring.write_available >= block:
                ring.write(rng.uniform(-0.1, 0.1, block).astype(np.float32))
            time.sleep(0.5)


PLAYERS: dict[str, Callable[[float], None]] = {"narrator": narrator, "rtmixer": rtmixer}


def _nothing() -> None:
    """No trouble, or one that is made elsewhere."""


def _busy() -> None:
    while True:
        sum(range(1000))


def _collect() -> None:
    heap = [[number] for number in range(1_000_000)]
    while heap:
        gc.collect()
        time.sleep(1.0)


CONDITIONS: dict[str, Callable[[], None]] = {
    "idle": _nothing,
    "two busy processes": _nothing,
    "a busy Python thread": _busy,
    "a million objects collected": _collect,
}
