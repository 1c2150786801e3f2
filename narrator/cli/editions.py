"""`narrator editions`: which editions there are, and how one is played."""

from __future__ import annotations

import argparse
import random

from narrator.cli import _stage
from narrator.errors import BadArguments
from narrator.interface import Interface, written
from narrator.practice import shares
from narrator.rules import MOST_SEATS, Rules
from narrator.script import Script, editions


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=words["name"])
    parser.add_argument("--balance", metavar="N", help=words["balance"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """List the editions, or print one's source, set-ups and switches; or who wins its set-ups."""
    games = _stage.whole(args.balance, "--balance")
    if games is not None and games < 1:
        raise BadArguments(f"{games} games", reason="not_positive", name="--balance", what=games)
    if games and args.name is None:
        raise BadArguments(interface.argument("the following arguments are required: NAME"))
    if args.name and games:
        _balance(Script(args.name), games, interface)
    elif args.name is None:
        for name in editions():
            print(interface.cli["edition_line"].format(id=name, name=Script(name).name))
    else:
        _print(Script(args.name), interface)
    return 0


def _balance(script: Script, games: int, interface: Interface) -> None:
    """Who wins the games of every number of players, as far as simulated ones tell."""
    rng = random.Random(0)
    for players in range(min(script.edition.setups), MOST_SEATS + 1):
        won = shares(script.edition, players, games, rng)
        told = "　".join(f"{interface.winners[winner]} {share:.0%}" for winner, share in won.items())
        print(interface.cli["edition_setup"].format(players=players, cards=told), flush=True)


def _print(script: Script, interface: Interface) -> None:
    words = interface.cli
    edition = script.edition
    print(words["edition_line"].format(id=edition.id, name=script.name))
    print(words["edition_source"].format(source=script.source))
    print(words["edition_file"].format(path=script.path))
    print(words["edition_setups"])
    for players in range(min(edition.setups), MOST_SEATS + 1):
        print("  " + words["edition_setup"].format(players=players, cards=_stage.cards(script, edition.deck(players))))
    print(words["edition_rules"])
    for switch, value in edition.rules.model_dump().items():
        print(f"  {switch} = {written(value)}".ljust(50) + f"  # {' '.join(Rules.choices(switch))}")
