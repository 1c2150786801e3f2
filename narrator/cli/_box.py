"""`narrator box run`: what a box does from the moment it is switched on. It says that it is ready, asks aloud what is to be played, and
plays, one game after the other. At a terminal it is tried out: its keys are the keypad, and the lamps are drawn."""

from __future__ import annotations

import argparse
import contextlib
import random
import signal
import sys
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from narrator.box.notify import Manager
from narrator.cards import every_event
from narrator.cli import _secrets, _setup, _stage
from narrator.cli._devices import Devices
from narrator.clock import TableClock
from narrator.errors import BadJournal, BadSettings, CannotWrite, NoDevice, NothingToResume
from narrator.hearing.buttons import Buttons
from narrator.hearing.ears import Ears
from narrator.hearing.keyboard import Keyboard
from narrator.hearing.keypad import FOLDERS, LEDS, Keypads
from narrator.hearing.keys import Keys
from narrator.interface import Interface
from narrator.journal import Journal, last_game, saved
from narrator.loop import Loop
from narrator.menu import Menu, Order
from narrator.rules import Game, Setup, say
from narrator.screen import Screen
from narrator.screen.lights import Lights, Lit, single
from narrator.script import Script
from narrator.settings import Settings
from narrator.sound import Silence
from narrator.stage import Leave, Quit, RollAgain, Stage, Undo

AGAIN = 2.0
"""Seconds between two attempts to open the loudspeaker."""


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Be the box until the process is ended."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    manager = Manager()
    try:
        while True:
            with Devices(args, interface) as devices:
                if isinstance(devices.sound, Silence):      # there is nothing that a box could do without one
                    print("\n".join(devices.notes), file=sys.stderr)
                    manager.beat()
                    time.sleep(AGAIN)
                    continue
                _Box(args, interface, devices, manager).evening()
                return 0
    finally:
        manager.stopping()


class _Box:
    """Keys, lamps and a voice, over one game after the other."""

    def __init__(self, args: argparse.Namespace, interface: Interface, devices: Devices, manager: Manager) -> None:
        self._args, self._interface, self._devices, self._manager = args, interface, devices, manager
        self._lamps_by = devices.settings      # their beat stays, whatever pace is chosen later
        self._clock = TableClock()
        self._keys, lit, leds = _keys(self._clock, args.keypads or FOLDERS)
        devices.callback(self._keys.close)
        if pins := devices.settings.button_pins:
            devices.callback(Buttons(self._keys, pins).close)
        self._has_lamps = True
        try:
            self._screen: Screen = _secrets.display(devices.settings, leds, lit)
        except NoDevice as error:
            print(interface.error(error), file=sys.stderr)
            lights = Lights(single(lit, next(iter(LEDS))))      # a keypad that has one may come yet
            lights.begin()
            self._screen, self._has_lamps = lights, False
        devices.callback(self._screen.close)

    def evening(self) -> None:
        """One game after the other, until somebody at a terminal has enough."""
        stage = self._on_stage(Script(_stage.DEFAULT_EDITION), 0)
        stage.say(say("box.ready"))
        self._manager.ready()
        if not self._has_lamps:
            stage.say(say("box.no_lamps"))
        while True:
            try:
                self._game(self._menu())
            except (Undo, RollAgain, Leave):    # whatever is taken back: here it begins again
                pass
            except Quit:
                if _stage.at_terminal():
                    return

    def _on_stage(self, script: Script, seats: int, ears: Ears | None = None) -> Stage:
        reading = _secrets.seconds(self._lamps_by, seats) if self._has_lamps else 0.0
        return self._devices.stage(self._clock, self._keys, self._screen, script, ears, reading=reading, beat=self._manager.beat)

    def _menu(self, edition: str = _stage.DEFAULT_EDITION) -> Menu:
        return Menu(self._on_stage(Script(edition), 0), self._interface, _setup_of, self._manager.status)

    def _game(self, menu: Menu) -> None:
        """A game that was not played to its end, the last one again, or a new one; and then again, as often as the table wants."""
        unfinished = _unfinished(self._interface)
        if unfinished and menu.again("box.unfinished"):
            journal, game = unfinished
        else:
            if unfinished:
                unfinished[0].close()
            journal, game = self._begin(self._wanted(menu))
        while self._played(game, journal):
            journal, game = self._begin(_setup.again(game.setup, random.SystemRandom()))

    def _wanted(self, menu: Menu) -> Setup:
        last = last_game(_stage.games_folder())
        if last and menu.again("box.last"):
            return _setup.again(last.setup, random.SystemRandom())
        order = menu.order()
        self._devices.settings = _kept(self._devices.settings, order.pace, self._interface)
        self._devices.slowness = _stage.slowness(self._args, self._devices.settings)
        return _setup_of(order)

    def _begin(self, setup: Setup) -> tuple[Journal, Game]:
        """A new game, once its cards are dealt."""
        if setup.deal is None:
            self._menu(setup.edition.id).lay_out(setup)
        return Journal.begin(_stage.games_folder(), setup), Game(setup)

    def _played(self, game: Game, journal: Journal) -> bool:
        """Play one game. Returns whether the table wants another one like it."""
        script, devices = Script(game.setup.edition.id), self._devices
        if devices.voice:
            _stage.prepare(devices.voice, script, game.setup.seats, self._interface)
        with contextlib.ExitStack() as stack:
            stack.callback(journal.close)
            ears = devices.ears(self._keys, self._clock, script)
            stack.callback(ears.close if ears else lambda: None)
            stage = self._on_stage(script, game.setup.seats, ears)
            first = not game.answers and saved(_stage.games_folder()) in ([], [journal.path])      # who goes on has been greeted
            self._manager.status(self._interface.asks["welcome.offer"] if first else script.name)
            loop = Loop(stage, game, self._interface, journal)
            loop.run("offer" if first else None, etiquette=devices.settings.etiquette)
        return loop.again


def _keys(clock: TableClock, folders: Sequence[Path]) -> tuple[Keys, Lit, tuple[str, ...]]:
    """The keys of this box, what lights their lamps, and the names of those. Raises `NoKeypad`."""
    if _stage.at_terminal():
        return Keyboard(clock, encoding=sys.stdin.encoding), _drawn, _DRAWN
    keypads = Keypads(clock, folders)
    leds = keypads.leds
    return keypads, keypads.lit, tuple(name for name in LEDS if name in leds)


_DRAWN = ("a", "b")


def _drawn(names: Collection[str]) -> None:
    """Lamps on a terminal, in colours."""
    signs = ("\x1b[32m●" if "a" in names else "\x1b[90m·", "\x1b[31m●" if "b" in names else "\x1b[90m·")
    sys.stdout.write(f"\r{' '.join(signs)}\x1b[0m ")
    sys.stdout.flush()


def _unfinished(interface: Interface) -> tuple[Journal, Game] | None:
    """The game that was cut off, where there is one that can be gone on with."""
    try:
        return _stage.newest(interface, even_over=False)
    except NothingToResume:
        return None
    except BadJournal as error:
        print(interface.error(error), file=sys.stderr)
        return None


def _setup_of(order: Order) -> Setup:
    """The game that was ordered. Raises `BadSetup`."""
    wanted = _setup.Wanted(
        Script(order.edition).edition, (), order.players, order.put_in, order.taken_out, deal=False, variant="",
        events=every_event() if order.events else (), dark=(), open=False,
    )  # fmt: skip
    return wanted.setup(order.players, random.SystemRandom())


def _kept(settings: Settings, pace: str, interface: Interface) -> Settings:
    """The settings with this pace, written down where that can be."""
    changed = settings.changed(pace=pace)
    try:
        changed.save()
    except (BadSettings, CannotWrite) as error:
        print(interface.error(error), file=sys.stderr)
    return changed
