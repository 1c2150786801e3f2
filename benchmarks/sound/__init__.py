"""How soon, how steadily and how cheaply the narrator is heard, on a virtual loudspeaker.

    python -m benchmarks.sound [latency] [sentences] [gaps] [cost] [--presses 250] [--minutes 10] [--model FOLDER]

latency     a key pressed on a real (pseudo-)terminal to the first sample of what it causes: in the stream's callback, and in a recording
sentences   wanting a whole sentence to its first sample: recorded, rendered by pyttsx3 and by a neural engine (Kokoro, a download)
            in its place
gaps        how often a recording of each falls silent for 5 ms and more where sound should be: the narrator's loudspeaker, and beside it
            in the same minutes a bare rtmixer stream fed from a ring buffer (`pip install rtmixer`); idle, beside two busy processes,
            with a busy Python thread, and with a garbage collection over a million objects every second
cost        processor and memory of a whole game's night, and how much faster than time a game is rendered to a file

Needs what the tests need: PulseAudio as a virtual sound card (`tests/virtual_audio.py`). What is not installed is left out, with a word.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sound import cost, gaps, latency

PARTS = {"latency": latency.keys, "sentences": latency.sentences, "gaps": gaps.gaps, "cost": cost.cost}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the parts that are wanted."""
    parser = argparse.ArgumentParser(prog="benchmarks.sound")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--presses", type=int, default=250)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in options.parts or PARTS:
        print(f"-- {name}", flush=True)
        PARTS[name](options)
    return 0
