"""What a speaker box costs, on one core and 512 MB as a small Raspberry Pi has them, and whether all that it needs can be installed there.

    python -m benchmarks.box [start] [night] [imports] [--command "box run"] [--times 5] [--minutes 3]
    python -m benchmarks.box wheels
    python -m benchmarks.box soak [--games 50] [--boxes 8]

start    the start of the process to the first sample heard of it, and to its READY=1 where it tells systemd so; and the processor's
         time until then. With what it reads in memory: a machine that has just been switched on reads it from its card
night    processor and memory of a game, from its twentieth second on
imports  what takes longest to import
soak     `--games` games back to back on `--boxes` boxes at a time, with faults: power cuts, a keypad or loudspeaker that is away, a sound
         server or a worker that is killed, a disk that has gone, a process that stood still; none may be stuck, no answer lost
wheels   whether each package of the base and of the extras has a wheel for 64-bit ARM Linux, for the Python that runs this (its markers
         are what pip looks at): asks PyPI, installs nothing

`--command` is what is measured; `rehearse` alone is what needs no keypad. Needs what the tests need: PulseAudio as a virtual sound card.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks.box import costs, wheels
from benchmarks.box.soak import soak

PARTS = {"start": costs.start, "night": costs.night, "imports": costs.imports, "wheels": wheels.wheels, "soak": soak}

ALONE = ("soak", "wheels")
"""The parts that run only where they are named."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the parts that are wanted."""
    parser = argparse.ArgumentParser(prog="benchmarks.box")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--command", default="rehearse --players 18 --seed 4")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--boxes", type=int, default=8)
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in options.parts or [name for name in PARTS if name not in ALONE]:
        print(f"-- {name}", flush=True)
        PARTS[name](options)
    return 0
