"""`narrator resume`: go on with the last game that was not played to its end."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.cli import _stage
from narrator.cli.play import Devices, at_table, require_terminal
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
    """Resume a game: the one named, else the newest that is not over."""
    require_terminal()
    with Devices(args, interface) as devices:
        journal, game = Journal.resume(args.path) if args.path else _newest(devices)
        if game.over:
            raise BadJournal(f"{journal.path}: played to its end", reason="over", path=journal.path)
        if journal.dropped:
            devices.notes.append(interface.cli["dropped"])
        devices.notes.append(interface.cli["playing_again"].format(number=len(game.answers) + 1, phase=interface.phase(game.phase)))
        return at_table(game, journal, Script(game.setup.edition.id), devices)


def _newest(devices: Devices) -> tuple[Journal, Game]:
    """The newest game that was not played to its end. One that was cut off before it began is passed over with a word."""
    for path in sorted(_stage.games_folder().glob("*.jsonl"), reverse=True):
        try:
            journal, game = Journal.resume(path)
        except BadJournal as error:
            if error.slots.get("reason") != "empty":
                raise
            devices.notes.append(devices.interface.error(error))
            continue
        if not game.over:
            return journal, game
        journal.close()
    raise BadJournal("no game is left unfinished", reason="nothing_to_resume")
