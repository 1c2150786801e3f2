"""`narrator resume`: go on with the last game that was not played to its end."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from narrator.cli import _stage
from narrator.cli._devices import Devices
from narrator.cli.play import at_table, require_terminal
from narrator.errors import BadJournal
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.rules import Game
from narrator.script import Script


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", nargs="?", type=Path, metavar="FILE", help=words["journal"])
    parser.add_argument("--undo", action="store_true", help=words["undo"])
    _stage.rule_argument(parser, words)
    _stage.device_arguments(parser, words)
    parser.add_argument("--silent", action="store_true", help=words["silent"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Resume a game: the one named, else the newest that is not over. Nothing of it is shown before the table says that it sits."""
    rules = _stage.rules(args.rule)
    require_terminal()
    with Devices(args, interface) as devices:
        journal, game = Journal.resume(args.path) if args.path else _stage.newest(interface, even_over=bool(rules or args.undo))
        devices.callback(journal.close)
        given = len(game.answers)
        if args.undo:
            _undo(game)
        if rules:
            game = _by_other_rules(game, rules)
        if game.over:
            raise BadJournal(f"{journal.path}: played to its end", reason="over", path=journal.path)
        _stage.check_scenes(Script(game.setup.edition.id))
        if journal.dropped:
            word = "damaged_from" if journal.dropped.copy else "dropped"
            print(interface.cli[word].format(line=journal.dropped.line, path=journal.dropped.copy))
        print(_described(game, interface))
        if len(game.answers) < given:
            print(interface.cli["taken_back"].format(count=given - len(game.answers)))
        _stage.ask(interface.cli["when_seated"])
        if rules:
            journal.change(game.setup, len(game.answers), game.question_began)
        elif args.undo:
            journal.undo(len(game.answers), game.question_began)
        return at_table(game, journal, devices)


def _described(game: Game, interface: Interface) -> str:
    """Which game it is, and where it goes on."""
    told = interface.cli["playing_again"].format(
        phase=interface.phase(game.phase), players=game.setup.seats, edition=Script(game.setup.edition.id).name
    )
    return "　".join([told, *game.setup.names])


def _by_other_rules(game: Game, rules: dict[str, Any]) -> Game:
    """The game as it would stand by these rules: a ruling that the table does not agree with, and what followed from it, is gone."""
    changed = Game(game.setup.altered(edition=game.setup.edition.by_rules(**rules)))
    changed.go_on(game.answers)
    return changed


def _undo(game: Game) -> None:
    """Take the last answer back; of a night, or a roll call, all that was answered in it."""
    game.undo(max(0, len(game.answers) - 1))
    if game.wake and game.wake.asleep:
        game.undo(game.phase_began)
