"""`narrator ambience render [NAME ...]`: synthesise the night's and the day's sounds again, all or some."""

from __future__ import annotations

import argparse

from narrator.ambience import BEDS, EFFECTS, SOUNDS, render
from narrator.errors import CannotWrite
from narrator.interface import Interface
from narrator.resources import folder


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    action = actions.add_parser("render", help=words["ambience_render"], description=words["ambience_render"])
    action.add_argument("names", nargs="*", type=_known, metavar="NAME", help=words["ambience_names"])


def _known(name: str) -> str:
    names = [*BEDS, *SOUNDS, *EFFECTS]
    if name not in names:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(names)}")
    return name


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Write the beds, sounds and effects into voices/ambience."""
    target = folder("voices") / "ambience"
    try:
        render(target, print, args.names)
    except OSError as error:
        raise CannotWrite(target, error) from error
    print(interface.cli["ambience_ready"].format(folder=target))
    return 0
