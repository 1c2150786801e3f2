"""`narrator ambience render`: synthesise the night's and the day's sounds again."""

from __future__ import annotations

import argparse

from narrator.errors import CannotWrite
from narrator.interface import Interface
from narrator.resources import folder
from narrator.sound.ambience import render


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("render", help=words["ambience_render"], description=words["ambience_render"])


def run(_: argparse.Namespace, interface: Interface) -> int:
    """Write every loop and effect into voices/ambience."""
    target = folder("voices") / "ambience"
    try:
        render(target, print)
    except OSError as error:
        raise CannotWrite(target, error) from error
    print(interface.cli["ambience_ready"].format(folder=target))
    return 0
