"""A whole box: `narrator box run` with a loudspeaker of software and a keypad that is a pipe. Whoever plays reads in its journal what is
asked, and keys it as often as it takes."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from narrator.errors import BadJournal
from narrator.hearing.grammar import write
from narrator.hearing.keypad import RECORD
from narrator.journal import read_game
from narrator.rules import Ask, Game
from tests.players import legal
from tests.texts import the_interface

ROOT = Path(__file__).parents[2]

_CODES = {sign: code for code, sign in (
    (28, "\r"), (71, "7"), (72, "8"), (73, "9"), (74, "-"), (75, "4"), (76, "5"), (77, "6"), (78, "+"), (79, "1"), (80, "2"), (81, "3"),
    (82, "0"), (98, "/"), (55, "*"),
)}  # fmt: skip

PATIENCE = 2.0
"""Seconds after which an answer that has not been taken is keyed again: it was keyed too early, and nobody listened."""


class Keypad:
    """A keypad that is plugged in as long as its file is there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "usb-keypad-event-kbd"
        os.mkfifo(self.path)
        self._pipe = os.open(self.path, os.O_RDWR)

    def key(self, text: str) -> None:
        """Press these keys, one after the other."""
        for sign in text:
            for value in (1, 0):
                os.write(self._pipe, RECORD.pack(0, 0, 1, _CODES[sign], value))

    def unplug(self) -> None:
        """Take it away."""
        self.path.unlink()
        os.close(self._pipe)


class Box:
    """A running box, and who sits round it. `folder` is its home; what it says to systemd is heard at a socket there."""

    def __init__(self, folder: Path, environment: dict[str, str], more: Sequence[str] = ("--hurry",), seed: int = 0) -> None:
        self.folder, self._environment, self._more = folder, environment, more
        self._rng = random.Random(seed)
        self.keypad = Keypad(folder / "input")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Box:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()
        self._socket.close()

    def switch_on(self) -> None:
        """Start it, as systemd would, and wait until it says that it is ready."""
        homes = {f"XDG_{what}_HOME": str(self.folder / what.lower()) for what in ("DATA", "CONFIG", "CACHE")}
        environment = os.environ | self._environment | homes | {"NOTIFY_SOCKET": str(self.folder / "notify"), "PYTHONPATH": str(ROOT)}
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "narrator", "box", "run", "--keypads", str(self.folder / "input"), *self._more],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=self.folder,
        )  # fmt: skip
        log.close()
        self.wait_for("READY=1")

    def wait_for(self, state: str, deadline: float = 60.0) -> None:
        """Wait until it says this to systemd."""
        until = time.monotonic() + deadline
        while (left := until - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                if self._socket.recv(1000).decode() == state:
                    return
            except TimeoutError:
                break
        raise AssertionError(f"no {state} within {deadline} s:\n{(self.folder / 'log').read_text()}")

    def kill(self) -> None:
        """Pull the plug."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)

    def answer(self, **entries: str) -> None:
        """Key these entries, each when the menu asks for it: by the names of its questions."""
        for name, entry in entries.items():
            key = {"welcome": "welcome.offer"}.get(name, f"box.{name}")
            self.wait_for("STATUS=" + " ".join(the_interface().asks[key].split()))
            self.keypad.key(entry + "\r")

    @property
    def journals(self) -> list[Path]:
        """Of all games, the newest last."""
        return sorted((self.folder / "data" / "narrator" / "games").glob("*.jsonl"))

    @property
    def game(self) -> Game | None:
        """The newest game as it stands on the disk; None before there is one."""
        try:
            return read_game(self.journals[-1])[0] if self.journals else None
        except BadJournal:
            return None

    @property
    def taken(self) -> list[tuple[str, object]]:
        """The answers that the newest game has taken."""
        game = self.game
        return list(game.answers) if game else []

    def play(self, *, until: int | None = None, games: int = 1, deadline: float = 300.0) -> Game:
        """Answer what the newest game asks, which is this one of the `games` of the evening, until it is over or has so many answers.
        Returns it as it stands then."""
        end, given, keyed = time.monotonic() + deadline, -1, 0.0
        while (game := self.game) is None or len(self.journals) < games or not (game.over or 0 < (until or 0) <= len(game.answers)):
            now = time.monotonic()
            assert now < end, f"stuck at {game and game.turn.ask}:\n{(self.folder / 'log').read_text()[-2000:]}"
            if game and (ask := game.turn.ask) and (len(game.answers) != given or now > keyed + PATIENCE):
                given, keyed = len(game.answers), now
                self.keypad.key(self._answer(game, ask) + "\r")
            time.sleep(0.05)
        return game

    def _answer(self, game: Game, ask: Ask) -> str:
        """What may be keyed for this. Cards of a roll call are dealt as the deck lies."""
        cards = game.setup.deck
        return write(ask, legal(ask, self._rng, game.setup.seats, cards, game.answers)) or ""
