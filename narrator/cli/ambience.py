"""`narrator ambience render [NAME ...]`: synthesise the night's and the day's sounds again, all or some."""

from __future__ import annotations

import argparse

from narrator.ambience import BEDS, EFFECTS, SOUNDS, render
from narrator.errors import BadArguments, CannotWrite
from narrator.interface import Interface
from narrator.resources import folder


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    action = actions.add_parser("render", help=words["ambience_render"], description=words["ambience_render"])
    action.add_argument("names", nargs="*", metavar="NAME", help=words["ambience_names"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Write the beds, sounds and effects into voices/ambience."""
    target, names = folder("voices") / "ambience", [*BEDS, *SOUNDS, *EFFECTS]
    for name in args.names:
        if name not in names:
            known = "、".join(names)
            raise BadArguments(f"no sound {name!r}; there are {known}", reason="no_sound_named", what=name, known=known)
    try:
        render(target, print, args.names)
    except OSError as error:
        raise CannotWrite(target, error) from error
    print(interface.cli["ambience_ready"].format(folder=target))
    return 0
