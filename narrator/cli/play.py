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
    players = args.players or _ask_players(interface)
    deck = _stage.setup(script, players).deck
    setup = _stage.setup(script, players, deal(deck, random.SystemRandom()) if args.deal else None)
    if not args.deal:
        print(interface.cli["lay_out"].format(cards=_stage.cards(script, deck)))
        input(interface.cli["when_ready"])
    journal = Journal.create(_next_file(), setup)
    return at_table(Game(setup), journal, script, interface, args)


def require_terminal() -> None:
    """Raise `NoTerminal` unless keys can be read and a screen drawn: anywhere else, secrets would be written to a file."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise NoTerminal("standard input and output are not a terminal that can be drawn on")


def at_table(game: Game, journal: Journal, script: Script, interface: Interface, args: argparse.Namespace) -> int:
    """Play a game, new or resumed, at this terminal. Returns the exit code."""
    clock = RealClock()
    # The orderly way out, also for whoever ends the process or closes the window: no secret stays on the screen.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with contextlib.ExitStack() as stack:
        stack.callback(journal.close)
        voice, sound, reason = _devices(args, interface, stack)
        keyboard = Keyboard(clock)
        stack.callback(keyboard.close)
        screen = Terminal(interface, script, sys.stdout)
        stack.callback(screen.close)
        if reason:
            screen.notice(reason)
        windows = Windows(script.pacing.scaled(_stage.HURRY if args.fast else 1.0), random.Random())
        stage = Stage(clock, sound, keyboard, screen, script=script, interface=interface, windows=windows, voice=voice)
        outcome = Loop(stage, game, interface, journal).run()
    if outcome is None:
        print(interface.cli["interrupted"])
    else:
        print(interface.cli["game_over"].format(winner=interface.winners[outcome.winner]))
    return 0


def _devices(args: argparse.Namespace, interface: Interface, stack: contextlib.ExitStack) -> tuple[Voice | None, Sound, str]:
    """The voice, the loudspeaker, and why there is none although one was wanted."""
    if args.silent:
        return None, Silence(), ""
    voice = _stage.voice(args.voice, interface)
    stack.callback(voice.close)
    sound, reason = _stage.loudspeaker(interface)
    stack.callback(sound.close)
    return voice, sound, reason


def _ask_players(interface: Interface) -> int:
    entry = input(interface.cli["how_many"]).strip()
    if not entry.isdecimal():
        raise BadSetup(f"{entry!r} is not a number of players", reason="not_a_number", what=entry)
    return int(entry)


def _next_file() -> Path:
    """A new file for this game, numbered: a Raspberry Pi's clock cannot be trusted to name it."""
    folder = _stage.games_folder()
    numbers = [int(path.stem) for path in folder.glob("*.jsonl") if path.stem.isdecimal()]
    return folder / f"{max(numbers, default=0) + 1:06}.jsonl"
