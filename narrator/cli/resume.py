"""`narrator resume`: go on with the last game that was not played to its end."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from narrator.cli import _stage
from narrator.cli.play import Devices, at_table, require_terminal
from narrator.errors import BadJournal, NothingToResume
from narrator.interface import Interface
from narrator.journal import Journal, saved
from narrator.rules import Game


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
        journal, game = Journal.resume(args.path) if args.path else _newest(interface, even_over=bool(rules or args.undo))
        if args.undo:
            _undo(journal, game)
        if rules:
            game = _by_other_rules(journal, game, rules)
        if game.over:
            raise BadJournal(f"{journal.path}: played to its end", reason="over", path=journal.path)
        if journal.dropped:
            word = "damaged_from" if journal.dropped.copy else "dropped"
            print(interface.cli[word].format(line=journal.dropped.line, path=journal.dropped.copy))
        print(interface.cli["playing_again"].format(phase=interface.phase(game.phase)))
        input(interface.cli["when_seated"])
        return at_table(game, journal, devices)


def _by_other_rules(journal: Journal, game: Game, rules: dict[str, Any]) -> Game:
    """The game as it would stand by these rules: a ruling that the table does not agree with, and what followed from it, is gone."""
    changed = Game(game.setup.altered(edition=game.setup.edition.by_rules(**rules)))
    keep = changed.go_on(game.answers)
    journal.change(changed.setup, keep)
    return changed


def _undo(journal: Journal, game: Game) -> None:
    """Take the last answer back; of a night, or a roll call, all that was answered in it."""
    game.undo(max(0, len(game.answers) - 1))
    if game.wake and game.wake.asleep:
        game.undo(game.phase_began)
    journal.undo(len(game.answers), None)


def _newest(interface: Interface, even_over: bool) -> tuple[Journal, Game]:
    """The newest game that was not played to its end, or the newest of all. One that was cut off before it began is passed over
    with a word."""
    for path in reversed(saved(_stage.games_folder())):
        try:
            journal, game = Journal.resume(path)
        except BadJournal as error:
            if error.slots.get("reason") != "empty":
                raise
            print(interface.error(error))
            continue
        if even_over or not game.over:
            return journal, game
        journal.close()
    raise NothingToResume("no game is left unfinished")
