"""`narrator cards`: the event cards and the variants, and what those of one name do."""

from __future__ import annotations

import argparse

from narrator.cli import _setup, _stage
from narrator.interface import Interface, about
from narrator.rules import MOONS, VARIANT_NAMES
from narrator.script import Script

_APART = "（"
"""Begins what tells cards of one name apart."""


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=words["card_name"])
    parser.add_argument("--edition", metavar="NAME", help=words["edition"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """List them with what each does in a sentence; or tell all of those of one name. Raises `BadSetup` for a name that none has."""
    script = Script(args.edition or _stage.DEFAULT_EDITION)
    words = interface.cli
    if args.name is None:
        for title, group in script.events.items():
            print(words["cards_of"].format(title=title))
            for name, card in group.items():
                print(words["card_line"].format(id=name, name=card.name, effect=card.effect))
        return 0
    for name in _meant(args.name, script):
        card = about(name, script)
        print(words["card_whole"].format(id=name, name=card.name, effect=card.effect, more=card.more))
    return 0


def _meant(written: str, script: Script) -> tuple[str, ...]:
    """Those that go by this name without what tells them apart, such as the five of Spiritualism; else the one that goes by exactly this
    one, or by this identifier. Raises `BadSetup`."""
    everything = (*(card for moon in MOONS.values() for card in moon), *VARIANT_NAMES)
    alike = tuple(name for name in everything if about(name, script).name.partition(_APART)[0] == written)
    return alike or (_setup.event(written, everything, "no_event", script),)
