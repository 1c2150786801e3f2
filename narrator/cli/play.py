"""`narrator play`: a real game at a real table."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
from collections.abc import Callable

from narrator import recap
from narrator.cli import _setup, _stage
from narrator.clock import TableClock
from narrator.errors import BadSettings, CannotWrite, NoTerminal
from narrator.hearing.ears import Ears
from narrator.hearing.keyboard import Keyboard
from narrator.hearing.keys import Keys
from narrator.interface import Interface
from narrator.journal import Journal, last_game, saved
from narrator.loop import Loop
from narrator.pacing import Windows
from narrator.rules import Game, Setup
from narrator.screen import Screen
from narrator.screen.terminal import Terminal, restore
from narrator.script import Script
from narrator.settings import Settings, levelled
from narrator.sound import Levels, Silence, Sound
from narrator.stage import Stage
from narrator.voice import Pack, Voice
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


class Devices(contextlib.ExitStack):
    """The voice and the loudspeaker of a real table, opened before anything is asked of anyone.

    notes     sentences that the table should read when the game begins: why there is no loudspeaker, say
    settings  what the table has chosen once and for all
    slowness  what every silence is to be multiplied by
    levels    how loud the sound was when the game began, or when that was last kept

    Raises `BadVoice` for a voice that was asked for by name and is not to be had, `BadSettings` for a pace that there is none of.
    """

    def __init__(self, args: argparse.Namespace, interface: Interface) -> None:
        super().__init__()
        self.interface = interface
        self.voice: Voice | None = None
        self.sound: Sound = Silence()
        self.notes: list[str] = []
        self.settings = Settings.load()
        self.slowness = _stage.slowness(args, self.settings)
        self.levels = _stage.levels(args, self.settings)
        if not args.silent:
            self.voice = _stage.voice(args.voice, self.settings, interface)
            self.callback(self.voice.close)
            speaker, note = _stage.loudspeaker(args, self.settings, interface)
            self.sound = speaker or self.sound
            self.callback(self.sound.close)
            self.notes += [note] if note else []
            self.notes += [_stage.introduced(self.voice, interface)] if speaker else []
        elif args.voice:    # nobody is to speak: whoever was asked for must be there all the same
            Pack.load(args.voice)

    def keep(self, levels: Levels) -> str:
        """Remember how loud the table has set what it has not otherwise for one game alone. Returns a sentence if that cannot be."""
        try:
            levelled(Settings.load(), self.levels, levels).save()
        except (BadSettings, CannotWrite) as error:
            return self.interface.error(error)
        self.levels = levels   # the next pause is compared with what has been kept now
        return ""

    def stage(
        self,
        clock: TableClock,
        keys: Keys,
        screen: Screen,
        script: Script,
        ears: Ears | None = None,
        *,
        reading: float = 0.0,
        beat: Callable[[], None] = lambda: None,
    ) -> Stage:
        """The stage on which an edition is played with these. `reading`: in how many seconds what the screen shows can be read."""
        stage = Stage(
            clock, self.sound, keys, screen, script=script, interface=self.interface,
            windows=Windows(script.pacing.scaled(self.slowness).readable(reading), random.Random()),
            voice=self.voice, set_to=self.levels, keep=self.keep, ears=ears, beat=beat,
        )  # fmt: skip
        stage.notice("start", "\n".join(self.notes))
        return stage

    def ears(self, keyboard: Keys, clock: TableClock, script: Script) -> Ears | None:
        """What listens to the table, where it has been chosen."""
        chosen = self.settings
        if chosen.ears == "off":
            return None
        return Ears(keyboard.put, clock, _stage.listener(chosen, script), barge_in=chosen.barge_in)


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
