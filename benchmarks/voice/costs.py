"""How soon a clip is there, and what the packs take of disk and memory."""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from narrator.rules import MOST_SEATS
from narrator.script import Script, Sentence, editions, every_sentence
from narrator.voice import Espeak, Pack
from narrator.voice.pack import locate

_SAMPLE = 60        # sentences that espeak renders: enough for a median, and the slow part

_MEMORY = """
import resource, sys
from narrator.script import every_sentence, whole
from narrator.voice import Pack
def now():
    return int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize() / 1e6
texts, before = sorted(whole(every_sentence()))[:64], now()
pack = Pack.load(sys.argv[1])
opened = now()
for text in texts:
    pack.clip(text)
print(f'{opened - before:.1f} {now() - opened:.1f}')
"""


def speed(options: argparse.Namespace) -> None:
    """Print how long it takes from wanting a sentence to having its clip, in ms."""
    sentences = sorted(every_sentence())
    random.Random(0).shuffle(sentences)
    espeak = Espeak()
    try:
        espeak.render(sentences[0].text)    # its process has started
        robot = _times(lambda sentence: espeak.render(sentence.text), sentences[:_SAMPLE])
    finally:
        espeak.close()
    for name in options.voices:
        pack = Pack.load(name)
        pack.keep(Script(editions()[0]).seats_in_lists(MOST_SEATS))     # as a game does that begins
        times = _times(lambda sentence, pack=pack: pack.clip(sentence.text, sentence.parts), sentences)   # type: ignore[misc]
        print(f"{name:10s} {_percentiles(times)}; {np.median(robot) / np.median(times):.0f} times as soon as espeak-ng", flush=True)
    print(f"espeak-ng  {_percentiles(robot)}, its process running")


def size(options: argparse.Namespace) -> None:
    """Print the size of each pack, and the memory that it takes in a process of its own."""
    total = 0.0
    for name in options.voices:
        folder = locate(name)
        disk = sum(path.stat().st_size for path in folder.rglob("*")) / 1e6
        total += disk
        ended = subprocess.run([sys.executable, "-c", _MEMORY, name], capture_output=True, text=True, check=True, timeout=120)
        opened, kept = map(float, ended.stdout.split())
        clips = len(Pack.load(name).sentences())
        print(f"{name:10s} {disk:.1f} MB in {clips} clips; opened it takes {opened} MB of memory, the 64 clips that it keeps {kept} MB")
    print(f"together   {total:.1f} MB")


def _times(speak: Callable[[Sentence], object], sentences: list[Sentence]) -> list[float]:
    times = []
    for sentence in sentences:
        began = time.perf_counter()
        speak(sentence)
        times.append(1000 * (time.perf_counter() - began))
    return times


def _percentiles(times: list[float]) -> str:
    median, p95, p99 = np.percentile(times, [50, 95, 99])
    return f"{median:.2f} / {p95:.2f} / {p99:.2f} ms (median, p95, p99) for {len(times)} sentences"
