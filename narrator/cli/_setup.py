"""Which game is played: as the arguments say, as last time, or as the table answers."""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

from narrator.cli import _stage
from narrator.errors import BadSetup
from narrator.interface import Interface
from narrator.journal import last_setup
from narrator.practice import deal
from narrator.rules import Setup
from narrator.script import Script, editions

_EXPLAIN = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be played, and whether the table wants to hear first how it works."""

    setup: Setup
    explain: bool = False


def of(args: argparse.Namespace, players: int, rng: random.Random, names: tuple[str, ...] = ()) -> Setup:
    """The set-up that the arguments choose, for so many players. Raises `BadScript`, `BadSetup` or `BadArguments`."""
    script = Script(args.edition or _stage.DEFAULT_EDITION)
    deck = script.edition.deck(players)
    dealt = deal(deck, rng) if args.deal else None
    setup = Setup(edition=script.edition, seats=len(deck), deck=deck, deal=dealt, names=names or _stage.names(args.names))
    return setup.by_rules(**_stage.rules(args.rule)) if args.rule else setup


def choose(args: argparse.Namespace, interface: Interface, games: Path) -> Choice:
    """The table's game: one of so many players as the arguments say, or the last one again, or what it answers now."""
    rng = random.SystemRandom()
    if args.players is not None:
        return Choice(of(args, _stage.whole(args.players, "--players", 0), rng))
    last = None if _chosen(args) else _last(games)
    if last:
        print(_described(last, interface))
    prompt = interface.cli["how_many_or_last" if last else "how_many"]
    explain = False
    while True:
        entry = input(prompt).strip()
        explain = explain or entry == _EXPLAIN
        if last and not entry:
            return Choice(_dealt_anew(last, rng), explain)
        if entry == _EXPLAIN:
            print(interface.cli["will_explain"])
        elif setup := _asked(args, entry, rng, interface):
            return Choice(setup, explain)


def _chosen(args: argparse.Namespace) -> bool:
    return bool(args.edition or args.names or args.rule or args.deal)


def _last(games: Path) -> Setup | None:
    """The last game's set-up, where its edition is still to be had."""
    last = last_setup(games)
    return last if last and last.edition.id in editions() else None


def _asked(args: argparse.Namespace, entry: str, rng: random.Random, interface: Interface) -> Setup | None:
    """The set-up for the number that was entered; None, with a word why, where there is none."""
    try:
        if not entry.isdecimal():
            raise BadSetup(f"{entry!r} is not a number of players", reason="not_a_number", what=entry[:20])
        setup = of(args, int(entry[:4]), rng)
        if args.names is None:
            setup = of(args, setup.seats, rng, _stage.names(input(interface.cli["which_names"]).strip()))
        return setup
    except BadSetup as error:
        print(interface.error(error))
        return None


def _dealt_anew(setup: Setup, rng: random.Random) -> Setup:
    """The same game with the cards shuffled, where the narrator deals them."""
    return setup if setup.deal is None else setup.model_copy(update={"deal": deal(setup.deck, rng)})


def _described(setup: Setup, interface: Interface) -> str:
    """The last game in a line or two: what it was played by, and by whom."""
    script = Script(setup.edition.id)
    words = interface.cli
    now, then = script.edition.rules.model_dump(), setup.rules.model_dump()
    changed = "、".join(switch for switch in then if then[switch] != now[switch])
    lines = [words["last_time"].format(players=setup.seats, edition=script.name, cards=_stage.cards(script, setup.deck))]
    if setup.deal:
        lines.append(words["last_dealt"])
    if setup.names:
        lines.append(words["last_names"].format(names="、".join(setup.names)))
    if changed:
        lines.append(words["last_rules"].format(rules=changed))
    return "\n".join(lines)


