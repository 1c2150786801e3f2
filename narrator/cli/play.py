"""`narrator play`: a real game at a real table."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
from pathlib import Path

from narrator.cli import _stage
from narrator.clock import RealClock
from narrator.errors import BadSetup, NoTerminal
from narrator.hearing.keyboard import Keyboard
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.loop import Loop
from narrator.pacing import Windows
from narrator.practice import deal
from narrator.rules import Game
from narrator.screen.terminal import Terminal
from narrator.script import Script
from narrator.sound import Silence, Sound
from narrator.stage import Stage
from narrator.voice import Voice


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    _stage.game_arguments(parser, words)
    parser.add_argument("--silent", action="store_true", help=words["silent"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Set a game up and play it."""
    require_terminal()
    script = Script(args.edition)
    with Devices(args, interface) as devices:
        deck = _ask_deck(script, interface) if args.players is None else script.edition.deck(args.players)
        setup = _stage.setup(script, deck, deal(deck, random.SystemRandom()) if args.deal else None)
        if not args.deal:
            print(interface.cli["lay_out"].format(cards=_stage.cards(script, deck)))
            input(interface.cli["when_ready"])
        return at_table(Game(setup), Journal.create(_next_file(), setup), script, devices)


def require_terminal() -> None:
    """Raise `NoTerminal` unless keys can be read and a screen drawn: anywhere else, secrets would be written to a file."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise NoTerminal("standard input and output are not a terminal that can be drawn on")


class Devices(contextlib.ExitStack):
    """The voice and the loudspeaker of a real table, opened before anything is asked of anyone.

    notes  sentences that the table should read when the game begins: why there is no loudspeaker, say

    Raises `BadVoice` for a voice that was asked for by name and is not to be had.
    """

    def __init__(self, args: argparse.Namespace, interface: Interface) -> None:
        super().__init__()
        self.interface = interface
        self.hurry = _stage.HURRY if args.fast else 1.0
        self.voice: Voice | None = None
        self.sound: Sound = Silence()
        self.notes: list[str] = []
        if not args.silent:
            self.voice = _stage.voice(args.voice, interface)
            self.callback(self.voice.close)
            self.sound, reason = _stage.loudspeaker(args.device, interface)
            self.callback(self.sound.close)
            self.notes += [reason] if reason else []


def at_table(game: Game, journal: Journal, script: Script, devices: Devices) -> int:
    """Play a game, new or resumed, at this terminal. Returns the exit code."""
    clock, interface = RealClock(), devices.interface
    # The orderly way out, also for whoever ends the process or closes the window: no secret stays on the screen.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with contextlib.ExitStack() as stack:
        stack.callback(journal.close)
        keyboard = Keyboard(clock)
        stack.callback(keyboard.close)
        screen = Terminal(interface, script, sys.stdout)
        stack.callback(screen.close)
        screen.notice("\n".join(devices.notes))
        windows = Windows(script.pacing.scaled(devices.hurry), random.Random())
        stage = Stage(
            clock, devices.sound, keyboard, screen, script=script, interface=interface, windows=windows, voice=devices.voice
        )
        outcome = Loop(stage, game, interface, journal).run()
    if outcome is None:
        print(interface.cli["interrupted"])
    else:
        print(interface.cli["game_over"].format(winner=interface.winners[outcome.winner]))
        _reveal(game, script, interface)
    return 0


def _ask_deck(script: Script, interface: Interface) -> tuple[str, ...]:
    """Ask how many play until there is a deck for them."""
    while True:
        entry = input(interface.cli["how_many"]).strip()
        try:
            if not entry.isdecimal():
                raise BadSetup(f"{entry!r} is not a number of players", reason="not_a_number", what=entry)
            return script.edition.deck(int(entry[:4]))
        except BadSetup as error:
            print(interface.error(error))


def _reveal(game: Game, script: Script, interface: Interface) -> None:
    """Once the game is over: who was who."""
    for seat in range(1, game.setup.seats + 1):
        role, alive = script.word("role", game.role(seat)), interface.cli["survived"] if seat in game.alive else ""
        print(interface.cli["card"].format(seat=seat, role=role, alive=alive))


def _next_file() -> Path:
    """A new file for this game, numbered: a Raspberry Pi's clock cannot be trusted to name it."""
    folder = _stage.games_folder()
    numbers = [int(path.stem) for path in folder.glob("*.jsonl") if path.stem.isdecimal()]
    return folder / f"{max(numbers, default=0) + 1:06}.jsonl"
