"""Soak: a hundred thousand random games over all editions. None may crash or hang, and each must end as the rulebook says.

    nice python -m benchmarks.soak [--games 100000] [--seed 0] [--jobs CORES]

What a random game is, and what is looked at in it, is in `tests/random_games.py`; every game of CI's smaller number is one of these.
The games of a run are those of the seeds SEED, SEED + 1, ...: one that failed is played again by its own seed and `--games 1`.
The exit code is 1 when a game failed. After ten that did, no more are played.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from tests import random_games
from tests.random_games import TABLE_EVERY, Played

MOST_FAILURES = 10
"""Games that fail before no more are played."""

CHUNK = 50
"""Games that a process plays before it tells of them."""

Play = Callable[[int], Played]


@dataclass(frozen=True, slots=True)
class Failed:
    """One game that broke a promise; `why` is its traceback, with a note how to play it again."""

    seed: int
    why: str


@dataclass(slots=True)
class Sum:
    """What has come of the games so far."""

    began: float = field(default_factory=time.monotonic)
    games: int = 0
    at_table: int = 0
    answers: int = 0
    refused: int = 0
    longest: Played | None = None
    failed: list[Failed] = field(default_factory=list)

    def add(self, one: Played | Failed) -> None:
        """Count one more game in."""
        self.games += 1
        if isinstance(one, Failed):
            self.failed.append(one)
            return
        self.at_table += one.at_table
        self.answers += one.answers
        self.refused += one.refused
        if self.longest is None or one.answers > self.longest.answers:
            self.longest = one

    def __str__(self) -> str:
        seconds = time.monotonic() - self.began
        longest = f"{self.longest.answers} answers (seed {self.longest.seed})" if self.longest else "none"
        return "\n".join((
            f"games            {self.games}, {self.at_table} of them (1 in {TABLE_EVERY}) on the simulated table",
            f"failed           {len(self.failed)}",
            f"answers          {self.answers}",
            f"refused answers  {self.refused}",
            f"longest game     {longest}",
            f"games a second   {self.games / seconds:.0f}",
            f"seconds          {seconds:.0f}",
        ))  # fmt: skip


def main(arguments: Sequence[str] | None = None, play: Play = random_games.play) -> int:
    """Play the games and tell what came of them. Returns the exit code."""
    options = _parser().parse_args(arguments)
    total, progress = Sum(), _Progress(options.games)
    try:
        for one in _games(range(options.seed, options.seed + options.games), options.jobs, play):
            total.add(one)
            progress.show(total)
            if isinstance(one, Failed):
                print(f"\nseed {one.seed} failed:\n{one.why}", flush=True)
                if len(total.failed) == MOST_FAILURES:
                    break
    except BrokenProcessPool:
        seed = options.seed + total.games
        print(f"\na process died; from seed {seed} on nothing is known: --seed {seed} --jobs 1 finds the game", flush=True)
        return 1
    progress.end()
    print(total)
    return 1 if total.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="Plays random games and checks each.")
    parser.add_argument("--games", type=_number, default=100_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed (default: %(default)s)")
    parser.add_argument("--jobs", type=_number, default=os.cpu_count() or 1, help="processes (default: one for each core)")
    return parser


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}; expected 1 or more")
    return number


# --- playing ------------------------------------------------------------------------------------------------------------


def _games(seeds: range, jobs: int, play: Play) -> Iterator[Played | Failed]:
    """What came of each game, in the order of the seeds; in this process alone where there is one job."""
    if jobs == 1:
        yield from map(partial(_game, play), seeds)
        return
    pool = ProcessPoolExecutor(jobs)
    try:
        chunks = [seeds[first : first + CHUNK] for first in range(0, len(seeds), CHUNK)]
        yield from chain.from_iterable(pool.map(partial(_chunk, play), chunks))
    finally:
        pool.shutdown(cancel_futures=True)


def _chunk(play: Play, seeds: range) -> list[Played | Failed]:
    return [_game(play, seed) for seed in seeds]


def _game(play: Play, seed: int) -> Played | Failed:
    try:
        return play(seed)
    except Exception:
        return Failed(seed, traceback.format_exc())


# --- telling ------------------------------------------------------------------------------------------------------------


class _Progress:
    """How far it is, on one line, told once a second."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._told = time.monotonic()

    def show(self, total: Sum) -> None:
        """Tell how far it is, if it is time to."""
        now = time.monotonic()
        if now - self._told < 1.0:
            return
        self._told = now
        rate = total.games / (now - total.began)
        line = f"{total.games} of {self._games} games, {rate:.0f} a second, {len(total.failed)} failed"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Wipe the line."""
        print(f"\r{' ' * 79}\r", end="", file=sys.stderr, flush=True)
