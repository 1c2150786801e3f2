"""Games back to back on whole boxes, in real time with shortened silences, while something goes wrong every few answers. A box that is
stuck, and an answer that is lost, fail a game."""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.box.driver import Box, Keypad
from tests.virtual_audio import VirtualAudio

BETWEEN = (2, 7)
"""Answers between two faults, at least and at most."""

AWAY = 3.0
"""Seconds that something is away."""


class _Evening:
    """Some games on one box. `counted` says what has gone wrong, and what has come of it."""

    def __init__(self, seed: int, folder: Path, audio: VirtualAudio, box: Box, counted: Counter[str]) -> None:
        self._rng, self._folder, self._audio, self._box, self._counted = random.Random(seed), folder, audio, box, counted
        self._faults: dict[str, Callable[[], None]] = {
            "power cut": self._power_cut, "keypad unplugged": self._keypad, "loudspeaker unplugged": self._loudspeaker,
            "sound server killed": self._sound_server, "worker killed": self._worker, "disk gone": self._disk, "frozen": self._frozen,
        }  # fmt: skip

    def play(self, number: int) -> None:
        """The game of this number of the evening, from the order to its end."""
        box = self._box
        if number == 1:
            box.switch_on()
            box.answer(players="6", edition="1", cards="", events="", pace="3", deal="", welcome="")
        else:
            box.keypad.key("\r")    # no story
            box.answer(last="", deal="")
        while True:
            upon = len(box.taken) if len(box.journals) == number else 0
            game = box.play(until=upon + self._rng.randint(*BETWEEN), games=number)
            if game.over:
                return
            name = self._rng.choice(list(self._faults))
            self._counted[name] += 1
            self._faults[name]()

    def _power_cut(self) -> None:
        self._box.kill()
        given = self._box.taken
        self._box.switch_on()
        self._box.answer(unfinished="")
        if self._box.taken[: len(given)] != given:
            raise AssertionError(f"of {len(given)} answers some are lost")

    def _keypad(self) -> None:
        self._box.keypad.unplug()
        time.sleep(AWAY)
        self._box.keypad = Keypad(self._folder / "input")

    def _loudspeaker(self) -> None:
        self._audio.unplug()
        time.sleep(AWAY)
        self._audio.plug_in()

    def _sound_server(self) -> None:
        self._audio.kill()
        time.sleep(AWAY)
        self._audio.start()

    def _worker(self) -> None:
        """One of the processes that the box has started for itself."""
        assert self._box.process
        children = subprocess.run(["pgrep", "-P", str(self._box.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        for child in children[:1]:
            subprocess.run(["kill", "-9", child], check=False)

    def _disk(self) -> None:
        """The folder of the games goes away, and comes back with what was in it."""
        games = self._folder / "data" / "narrator" / "games"
        games.rename(away := games.with_name("away"))
        time.sleep(AWAY)
        for path in games.glob("*"):       # what has been written meanwhile is whole
            path.replace(away / path.name)
        if games.exists():
            games.rmdir()
        away.rename(games)

    def _frozen(self) -> None:
        assert self._box.process
        self._box.process.send_signal(signal.SIGSTOP)
        time.sleep(AWAY)
        self._box.process.send_signal(signal.SIGCONT)


def soak(options: argparse.Namespace) -> None:
    """Play `--games` games, some boxes at a time, and print what came of them. Exit code 1 where one failed."""
    counted, failed = Counter[str](), list[str]()
    boxes = min(options.boxes, options.games)

    def evening(box_number: int) -> None:
        games = len(range(box_number, options.games, boxes))
        with tempfile.TemporaryDirectory(prefix="box.") as name, VirtualAudio() as audio:
            folder = Path(name)
            with Box(folder, audio.environment, seed=box_number) as box:
                one = _Evening(box_number, folder, audio, box, counted)
                for number in range(1, games + 1):
                    try:
                        one.play(number)
                    except AssertionError as error:
                        failed.append(f"box {box_number}, game {number}: {error}")
                        return
                    counted["games played to their end"] += 1
                    counted["answers"] += len(box.taken)
                    print(".", end="", flush=True)

    with ThreadPoolExecutor(boxes) as pool:
        list(pool.map(evening, range(boxes)))
    print()
    for what, count in sorted(counted.items()):
        print(f"{what:28s} {count}")
    print(f"{'failed':28s} {len(failed)}", *failed, sep="\n")
    if failed:
        raise SystemExit(1)
