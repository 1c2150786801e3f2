"""`narrator play`: a real game at a real table."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys

from narrator import recap
from narrator.cli import _setup, _stage
from narrator.cli._devices import Devices
from narrator.clock import TableClock
from narrator.errors import NoTerminal
from narrator.hearing.ears import Ears
from narrator.hearing.keyboard import Keyboard
from narrator.interface import Interface
from narrator.journal import Journal, last_game, saved
from narrator.loop import Loop
from narrator.rules import Game, Setup
from narrator.screen.terminal import Terminal, restore
from narrator.script import Script
from narrator.welcome import Welcome


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    _stage.game_arguments(parser, words)
    parser.add_argument("--silent", action="store_true", help=words["silent"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Set a game up and play it."""
    wanted = _setup.Wanted.of(args)
    require_terminal()
    _stage.check_scenes(Script(wanted.edition.id))
    games = _stage.games_folder()
    with Devices(args, interface) as devices:
        last = last_game(games)
        if last and last.answers and not last.over:
            print(interface.cli["unfinished"].format(phase=interface.phase(last.phase)))
        hidden = last and not last.over and last.setup.variant == "black_death"     # to tell its deck would end it
        choice = _setup.choose(wanted, last.setup if last and not hidden else None, interface)
        game, journal = _begin(choice.setup, interface)
        first = saved(games) in ([], [journal.path])
        return at_table(game, journal, devices, "explain" if choice.explain else "offer" if first else None)


def _begin(setup: Setup, interface: Interface) -> tuple[Game, Journal]:
    """A new game, once its cards lie on the table."""
    _lay_out(setup, interface)
    journal = Journal.begin(_stage.games_folder(), setup)
    if journal.trouble:
        print(interface.cli["not_saved"].format(path=journal.path, why=interface.why(journal.trouble)))
        _stage.ask(interface.cli["play_unsaved"])
    return Game(setup), journal


def require_terminal() -> None:
    """Raise `NoTerminal` unless keys can be read and a screen drawn: anywhere else, secrets would be written to a file."""
    if not _stage.at_terminal():
        raise NoTerminal("standard input and output are no terminal", reason="no_terminal")
    if os.environ.get("TERM") == "dumb":
        raise NoTerminal("a terminal that cannot be drawn on", reason="dumb_terminal")
    restore(sys.stdout)


def at_table(game: Game, journal: Journal, devices: Devices, welcome: Welcome | None = None) -> int:
    """Play a game, new or resumed, at this terminal, and another one as often as the table wants. Returns the exit code."""
    while _played(game, journal, devices, welcome):
        setup, welcome = game.setup, None
        game, journal = _begin(_setup.again(setup, random.SystemRandom()), devices.interface)
    return 0


def _played(game: Game, journal: Journal, devices: Devices, welcome: Welcome | None) -> bool:
    """Play one game. Returns whether the table wants another one."""
    clock, interface, script = TableClock(), devices.interface, Script(game.setup.edition.id)
    if devices.voice:
        _stage.prepare(devices.voice, script, game.setup.seats, interface)
    with contextlib.ExitStack() as stack:
        stack.callback(journal.close)
        keyboard = Keyboard(clock, encoding=sys.stdin.encoding)
        stack.callback(keyboard.close)
        ears = devices.ears(keyboard, clock, script)
        stack.callback(ears.close if ears else lambda: None)
        screen = Terminal(interface, script, sys.stdout)
        stack.callback(screen.close)
        _heed_signals(keyboard, screen, ears)
        loop = Loop(devices.stage(clock, keyboard, screen, script, ears), game, interface, journal)
        outcome = loop.run(welcome, etiquette=devices.settings.etiquette)
    if journal.trouble:
        print(interface.cli["not_saved"].format(path=journal.path, why=interface.why(journal.trouble)))
    elif outcome is None:
        print(interface.cli["interrupted"])
    if outcome:
        print(interface.cli["game_over"].format(winner=interface.winners[outcome.winner]))
        _reveal(game, script, interface)
    return loop.again


def _heed_signals(keyboard: Keyboard, screen: Terminal, ears: Ears | None) -> None:
    """The orderly way out for whoever ends the process or closes the window, and a way to put it aside: no secret stays behind."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    def put_aside(*_: object) -> None:
        screen.leave()
        keyboard.leave()
        if ears:
            ears.leave()
        os.kill(os.getpid(), signal.SIGSTOP)

    def come_back(*_: object) -> None:
        keyboard.enter()
        screen.enter()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, end)
    signal.signal(signal.SIGTSTP, put_aside)
    signal.signal(signal.SIGCONT, come_back)


def _lay_out(setup: Setup, interface: Interface) -> None:
    """Say which cards are to be dealt, where they are real ones, and wait until they are."""
    if setup.deal is None:
        word = "lay_out_thief" if len(setup.deck) > setup.seats else "lay_out"
        print(interface.cli[word].format(cards=_stage.cards(Script(setup.edition.id), setup.deck)))
        if setup.second:
            print(interface.cli["lay_out_second"].format(cards=_stage.cards(Script(setup.edition.id), setup.second)))
        _stage.ask(interface.cli["when_ready"])


def _reveal(game: Game, script: Script, interface: Interface) -> None:
    """Once the game is over: who was who."""
    for seat in range(1, game.setup.seats + 1):
        role, alive = interface.held(recap.held(game, seat), script), interface.cli["survived"] if seat in game.alive else ""
        print(interface.cli["card"].format(seat=seat, name=game.setup.name(seat), role=role, alive=alive))
