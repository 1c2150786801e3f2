"""What a night costs: processor, memory, and the time to render a game."""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import time
from contextlib import redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import soundfile

from narrator.cli import main as narrator
from tests.sound.processes import children
from tests.virtual_audio import VirtualAudio

_TICKS = os.sysconf("SC_CLK_TCK")


def cost(options: argparse.Namespace) -> None:
    """Print all three. A game at its usual pace, whose nights are most of it, stands for an hour of them."""
    seconds = min(options.minutes * 60, 600.0)
    with VirtualAudio() as audio, TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "narrator", "rehearse", "--players", "18", "--seed", "4"]
        environment = os.environ | audio.environment
        game = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        time.sleep(20.0)   # it is open, and the roll call has begun
        processes = [game.pid, *children(game.pid)]
        before, began = sum(map(processor, processes)), time.monotonic()
        spent = lasted = 0.0
        memory = (0.0, 0.0)
        while game.poll() is None and lasted < seconds:
            with suppress(OSError):   # it has just ended
                memory = max(memory, memory_of(processes))
                spent, lasted = sum(map(processor, processes)) - before, time.monotonic() - began
            time.sleep(2.0)
        game.kill()
        game.wait()
        print(f"processor {100 * spent / lasted:.2f} % of a core over {lasted:.0f} s (aim: 3 %)")
        print(f"memory    {memory[0]:.0f} MB resident in {len(processes)} processes (aim: 120), {memory[1]:.0f} if shared pages count once")
        _rendered(Path(folder))


def _rendered(folder: Path) -> None:
    out, began = folder / "game.wav", time.perf_counter()
    with redirect_stdout(io.StringIO()):
        narrator(["rehearse", "--players", "12", "--seed", "1", "--out", str(out)])
    took, lasts = time.perf_counter() - began, soundfile.info(out).duration
    print(f"rendering {lasts:.0f} s of a game took {took:.1f} s: {lasts / took:.0f} times faster than time (aim: 50)")


def processor(process: int) -> float:
    """Seconds that a process has used. Raises `OSError` once it is gone."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_of(processes: list[int]) -> tuple[float, float]:
    """Resident megabytes, and proportional ones: what processes share counted once."""
    sums = [0.0, 0.0]
    for process in processes:
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:])
        for number, name in enumerate(("Rss", "Pss")):
            sums[number] += int(lines[name].split()[0]) / 1024
    return sums[0], sums[1]
