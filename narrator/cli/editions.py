"""`narrator editions`: which editions there are, and how one is played."""

from __future__ import annotations

import argparse

from narrator.cli import _stage
from narrator.interface import Interface, written
from narrator.rules import Rules
from narrator.script import Script, editions


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=words["name"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """List the editions, or print one's source, set-ups and switches."""
    if args.name is None:
        for name in editions():
            print(interface.cli["edition_line"].format(id=name, name=Script(name).name))
    else:
        _print(Script(args.name), interface)
    return 0


def _print(script: Script, interface: Interface) -> None:
    words = interface.cli
    edition = script.edition
    print(words["edition_line"].format(id=edition.id, name=script.name))
    print(words["edition_source"].format(source=script.source))
    print(words["edition_file"].format(path=script.path))
    print(words["edition_setups"])
    for players in edition.setups:
        print("  " + words["edition_setup"].format(players=players, cards=_stage.cards(script, edition.deck(players))))
    print(words["edition_rules"])
    for switch, value in edition.rules.model_dump().items():
        print(f"  {switch} = {written(value)}".ljust(50) + f"  # {' '.join(Rules.choices(switch))}")
