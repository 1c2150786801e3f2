"""`narrator why`: the last ruling of the last game, and the switch and the edition that it comes from."""

from __future__ import annotations

import argparse

from narrator.cli import _stage
from narrator.errors import NothingToResume
from narrator.interface import Interface
from narrator.journal import last_game
from narrator.script import Script


def arguments(parser: argparse.ArgumentParser, _: dict[str, str]) -> None:
    """Add this command's arguments: there are none."""


def run(_: argparse.Namespace, interface: Interface) -> int:
    """Print it. What has been decided so far counts, also in a game that another window is playing."""
    game = last_game(_stage.games_folder())
    if game is None:
        raise NothingToResume("no game has been played")
    print(interface.ruling(game.events, game.setup, Script(game.setup.edition.id)))
    return 0
