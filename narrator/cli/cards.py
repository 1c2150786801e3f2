"""`narrator cards`: the event cards and the variants, and what one of them does."""

from __future__ import annotations

import argparse

from narrator.cli import _setup, _stage
from narrator.interface import Interface, about
from narrator.rules import MOONS, VARIANT_NAMES
from narrator.script import Script


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=words["card_name"])
    parser.add_argument("--edition", metavar="NAME", help=words["edition"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """List them with what each does in a sentence; or tell all of one. Raises `BadSetup` for a name that none has."""
    script = Script(args.edition or _stage.DEFAULT_EDITION)
    words = interface.cli
    if args.name is None:
        for title, group in script.events.items():
            print(words["cards_of"].format(title=title))
            for name, card in group.items():
                print(words["card_line"].format(id=name, name=card.name, effect=card.effect))
        return 0
    everything = (*(card for moon in MOONS.values() for card in moon), *VARIANT_NAMES)
    name = _setup.event(args.name, everything, "no_event", script)
    card = about(name, script)
    print(words["card_whole"].format(id=name, name=card.name, effect=card.effect, more=card.more))
    return 0
