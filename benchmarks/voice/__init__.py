"""How well, how soon and at what cost every sentence of the script is spoken.

    python -m benchmarks.voice [heard] [speed] [size] [--voices xiaoyi,yunjian] [--recogniser FOLDER] [--every N]
    python -m benchmarks.voice takes --voices NAME --recogniser FOLDER --model FOLDER

heard   every sentence of every voice, and a hundred of espeak-ng's beside them, are written down again by a speech recogniser: the
        share of characters, and of syllables (without tones, as homophones do not matter to a listener), that come back wrong. Listed:
        sentences of 8 or more syllables with more than 15 % wrong, shorter ones with more than one; marked are those that no voice gets
        through, which is the recogniser's own floor
speed   wanting a sentence to its clip in memory, each sentence once, in random order; beside espeak-ng rendering it
size    the packs on the disk; what an open pack takes of memory, with no clip and with as many as it keeps ready
takes   the clips of one voice that are misheard, alone or in the sentences that are joined from them, are rendered at other speeds, and
        the speed at which each is best understood is written to its takes.toml, for `narrator voices render` to use; takes hours

`heard` and `takes` need `pip install faster-whisper opencc` and FOLDER with a Whisper model in its form (the base one was used).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.voice import costs, heard, takes
from narrator.voice.pack import names

PARTS = {"heard": heard.heard, "speed": costs.speed, "size": costs.size, "takes": takes.takes}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the parts that are wanted."""
    parser = argparse.ArgumentParser(prog="benchmarks.voice")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--voices", type=lambda text: text.split(","), default=names())
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth sentence")
    for name in ("recogniser", "model"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in options.parts or ("heard", "speed", "size"):
        print(f"-- {name}", flush=True)
        PARTS[name](options)
    return 0
