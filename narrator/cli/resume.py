"""`narrator resume`: go on with the last game that was not played to its end."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.cli import _stage
from narrator.cli.play import at_table, require_terminal
from narrator.errors import BadJournal
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.rules import Game
from narrator.script import Script


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", nargs="?", type=Path, metavar="FILE", help=words["journal"])
    _stage.device_arguments(parser, words)
    parser.add_argument("--silent", action="store_true", help=words["silent"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Resume a game: the one named, else the newest."""
    require_terminal()
    newest = sorted(_stage.games_folder().glob("*.jsonl"))[-1:]
    paths = [args.path] if args.path else newest
    if not paths:
        raise BadJournal("no game has been saved", reason="nothing_to_resume")
    journal, game = Journal.resume(paths[0])
    if game.over:
        journal.close()
        raise BadJournal("the last game was played to its end", reason="nothing_to_resume")
    if journal.dropped:
        print(interface.cli["dropped"])
    return _go_on(journal, game, args, interface)


def _go_on(journal: Journal, game: Game, args: argparse.Namespace, interface: Interface) -> int:
    print(interface.cli["playing_again"].format(number=len(game.answers) + 1, phase=interface.phase(game.phase)))
    script = Script(game.setup.edition.id)
    return at_table(game, journal, script, interface, args)
