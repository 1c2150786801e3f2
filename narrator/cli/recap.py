"""`narrator recap`: the story of a game that is over, as a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.cli import _stage
from narrator.errors import BadArguments, BadJournal, CannotWrite, NothingToRetell
from narrator.interface import Interface
from narrator.journal import games, read_game
from narrator.recap.page import page
from narrator.rules import Game
from narrator.script import Script

DEFAULT_FILE = Path("recap.html")


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", nargs="?", type=Path, metavar="FILE", help=words["recap_journal"])
    parser.add_argument("--out", type=Path, metavar="FILE", help=words["recap_out"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Write the page of a game: the one named, else the last that was played to its end."""
    path, game = _named(args.path) if args.path else _last_over()
    out: Path = args.out or _stage.unused(DEFAULT_FILE)
    if out.resolve() == path.resolve():
        raise BadArguments(f"{out} is the journal", reason="out_is_journal", what=out)
    content = page(game, interface, Script(game.setup.edition.id))
    try:
        out.write_text(content, "utf-8")
    except OSError as error:
        raise CannotWrite(out, error) from error
    print(interface.cli["recap_written"].format(path=out))
    return 0


def _named(path: Path) -> tuple[Path, Game]:
    game, dropped = read_game(path)
    if not game.over and dropped:
        raise BadJournal(f"{path}: line {dropped.line} is damaged", reason="damaged", path=path, line=dropped.line)
    if not game.over:   # its secrets are nobody's business yet
        raise BadJournal(f"{path}: not over; expected a game that was played to its end", reason="not_over", path=path)
    return path, game


def _last_over() -> tuple[Path, Game]:
    for path, game in games(_stage.games_folder()):
        if game.over:
            return path, game
    raise NothingToRetell("no game has been played to its end")
