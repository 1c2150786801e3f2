"""Which game is played: as the arguments say, as last time, or as the table answers."""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from narrator.cards import deal, exchange
from narrator.cli import _stage
from narrator.errors import BadSetup
from narrator.interface import Interface, written
from narrator.rules import Edition, Setup
from narrator.script import Script, is_there

_EXPLAIN = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be played, and whether the table wants to hear first how it works."""

    setup: Setup
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the arguments say of a game.

    players  how many, or as many as have names; None where nothing says so
    open     whether they leave everything open, so that the last game may be meant
    """

    edition: Edition
    names: tuple[str, ...]
    players: int | None
    put_in: tuple[str, ...]
    taken_out: tuple[str, ...]
    deal: bool
    open: bool

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """Raises `BadScript`, `BadSetup` or `BadArguments`, before anything is asked."""
        script = Script(args.edition or _stage.DEFAULT_EDITION)
        put_in, taken_out = (tuple(map(script.card, _stage.names(given))) for given in (args.put_in, args.taken_out))
        edition = script.edition.by_rules(**_stage.rules(args.rule))
        names = _stage.names(args.names)
        players = _stage.whole(args.players, "--players")
        if players is None and names:
            players = len(names)
        anything = args.edition or args.names or args.rule or args.deal or put_in or taken_out
        return cls(edition, names, players, put_in, taken_out, args.deal, open=not anything)

    def setup(self, players: int, rng: random.Random) -> Setup:
        """The game for so many players. Raises `BadSetup`."""
        with _in_words_of(Script(self.edition.id)):
            deck = exchange(self.edition.deck(players), self.put_in, self.taken_out)
            setup = Setup(edition=self.edition, seats=players, deck=deck, names=self.names)
        return dealt(setup, rng) if self.deal else setup


def choose(wanted: Wanted, last: Setup | None, interface: Interface) -> Choice:
    """The table's game: as the arguments say, or the last one again, or what it answers now."""
    rng = random.SystemRandom()
    if wanted.players is not None:
        return Choice(wanted.setup(wanted.players, rng))
    if last and not (wanted.open and is_there(last.edition.id)):
        last = None
    if last:
        print(_described(last, interface))
    prompt = interface.cli["how_many_or_last" if last else "how_many"]
    explain = False
    while True:
        entry = _stage.ask(prompt).strip()
        explain = explain or entry == _EXPLAIN
        if last and not entry:
            return Choice(dealt(last, rng) if last.deal else last, explain)
        if entry == _EXPLAIN:
            print(interface.cli["will_explain"])
            continue
        try:
            setup = wanted.setup(_players(entry), rng)
        except BadSetup as error:
            print(interface.error(error))
        else:
            return Choice(_named(_exchanged(setup, interface), interface), explain)


def _players(entry: str) -> int:
    if not entry.isdecimal():
        raise BadSetup(f"{entry!r} is not a number of players", reason="not_a_number" if entry else "no_number", what=entry[:20])
    return int(entry[:4])


@contextlib.contextmanager
def _in_words_of(script: Script) -> Iterator[None]:
    """Within it a card that a set-up cannot have is called as this edition calls it."""
    try:
        yield
    except BadSetup as error:
        if "card" in error.slots:
            error.slots["card"] = script.word("role", error.slots["card"])
        raise


def _exchanged(setup: Setup, interface: Interface) -> Setup:
    """The set-up with the cards that the table wants."""
    script = Script(setup.edition.id)
    example = {"put_in": script.word("role", "thief"), "taken_out": script.word("role", "cupid")}
    while True:
        entry = _stage.ask(interface.cli["which_cards"].format(cards=_stage.cards(script, setup.deck), **example)).split()
        if not entry:
            return setup
        try:
            put_in: list[str] = []
            taken_out: list[str] = []
            for word in entry:
                if word[0] not in "+-＋－" or len(word) < 2:
                    raise BadSetup(f"{word!r} is no exchange", reason="no_exchange", what=word)
                (put_in if word[0] in "+＋" else taken_out).append(script.card(word[1:]))
            with _in_words_of(script):
                setup = setup.altered(deck=exchange(setup.deck, put_in, taken_out))
        except BadSetup as error:
            print(interface.error(error))


def _named(setup: Setup, interface: Interface) -> Setup:
    """The set-up with the names that the players have, if they want to be called by any."""
    while True:
        names = _stage.names(_stage.ask(interface.cli["which_names"]).strip())
        try:
            return setup.altered(names=names)
        except BadSetup as error:
            print(interface.error(error))


def dealt(setup: Setup, rng: random.Random) -> Setup:
    """The same game with the cards shuffled and dealt by the narrator."""
    cards = deal(setup.deck, rng)
    return setup.altered(deal=cards[: setup.seats], spare=cards[setup.seats :])


def _described(setup: Setup, interface: Interface) -> str:
    """The last game in a line or two: what it was played by, and by whom."""
    script = Script(setup.edition.id)
    words = interface.cli
    now, then = script.edition.rules.model_dump(), setup.rules.model_dump()
    changed = "、".join(f"{switch} = {written(value)}" for switch, value in then.items() if value != now[switch])
    lines = [words["last_time"].format(players=setup.seats, edition=script.name, cards=_stage.cards(script, setup.deck))]
    if setup.deal:
        lines.append(words["last_dealt"])
    if setup.names:
        lines.append(words["last_names"].format(names="、".join(setup.names)))
    if changed:
        lines.append(words["last_rules"].format(rules=changed))
    return "\n".join(lines)
