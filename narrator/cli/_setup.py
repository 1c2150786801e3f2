"""Which game is played: as the arguments say, as last time, or as the table answers."""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from narrator.cards import DEALT, deck_of, every_event, exchange, second, shuffled
from narrator.cli import _stage
from narrator.errors import BadSetup
from narrator.interface import Interface, about, written
from narrator.rules import MOONS, SPARE, VARIANT_NAMES, Edition, Setup
from narrator.script import Script, is_there

_EXPLAIN = "*"

_MOST_DARK = 2
"""How many dark-moon cards are laid at the start, at most."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be played, and whether the table wants to hear first how it works."""

    setup: Setup
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the arguments say of a game.

    players  how many, or as many as have names; None where nothing says so
    events, dark  the event cards to draw from, and those that lie on the table from the beginning
    open     whether they leave everything open, so that the last game may be meant
    """

    edition: Edition
    names: tuple[str, ...]
    players: int | None
    put_in: tuple[str, ...]
    taken_out: tuple[str, ...]
    deal: bool
    variant: str
    events: tuple[str, ...]
    dark: tuple[str, ...]
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
        anything = args.edition or args.names or args.rule or args.deal or put_in or taken_out or args.variant or args.events or args.dark
        variant = event(args.variant, VARIANT_NAMES, "no_variant", script) if args.variant else ""
        dark = _dark(_stage.names(args.dark), script)
        events = _events(_stage.names(args.events), script)
        twice = next((card for card in MOONS["dark"] if (*events, *dark).count(card) > 1), "")
        if twice:
            raise BadSetup(f"{twice!r} twice", reason="dark_twice", what=about(twice, script).name)
        dealt = args.deal or variant in DEALT
        return cls(edition, names, players, put_in, taken_out, dealt, variant, events, dark, open=not anything)

    def setup(self, players: int, rng: random.Random) -> Setup:
        """The game for so many players. Raises `BadSetup`."""
        return shuffled(self.unshuffled(players), rng, dealt=self.deal)

    def unshuffled(self, players: int) -> Setup:
        """The same, before anything is shuffled and dealt. Raises `BadSetup`."""
        with _in_words_of(Script(self.edition.id)):
            spare = 0 if self.variant == "harvest" else SPARE
            deck = exchange(deck_of(self.edition, players, self.variant), self.put_in, self.taken_out, spare)
            return Setup(
                edition=self.edition, seats=players, deck=deck, names=self.names, variant=self.variant,
                second=second(deck, self.variant, players), events=self.events, dark=self.dark,
            )  # fmt: skip


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
            return Choice(again(last, rng), explain)
        if entry == _EXPLAIN:
            print(interface.cli["will_explain"])
            continue
        try:
            setup = wanted.unshuffled(_players(entry))
        except BadSetup as error:
            print(interface.error(error))
        else:
            if setup.variant != "black_death":      # the deck is a secret
                setup = _exchanged(setup, interface)
            return Choice(shuffled(_named(setup, interface), rng, dealt=wanted.deal), explain)


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


def again(setup: Setup, rng: random.Random) -> Setup:
    """The same game once more: what was shuffled in it is shuffled anew."""
    return shuffled(setup, rng, dealt=setup.deal is not None)


def _events(written: tuple[str, ...], script: Script) -> tuple[str, ...]:
    """The event cards that are meant: all that are drawn, none, or some of any moon. Raises `BadSetup`."""
    known = tuple(card for moon in MOONS.values() for card in moon)
    match written:
        case () | ("none",):
            return ()
        case ("all",):
            return every_event()
    return tuple(event(name, known, "no_event", script) for name in written)


def _dark(written: tuple[str, ...], script: Script) -> tuple[str, ...]:
    """The dark-moon cards that are meant. Raises `BadSetup`."""
    dark = tuple(event(name, MOONS["dark"], "not_dark", script) for name in written)
    if len(dark) > _MOST_DARK:
        raise BadSetup(f"{len(dark)} dark-moon cards; expected at most {_MOST_DARK}", reason="dark_count", what=len(dark))
    return dark


def event(written: str, known: tuple[str, ...], reason: str, script: Script) -> str:
    """The event card or variant that is meant among these: its identifier, or its name. Raises `BadSetup` for this reason."""
    names = {about(name, script).name: name for name in known}
    plain = names.get(written, written.lower().replace("-", "_"))
    if plain not in known:
        raise BadSetup(f"{written!r} is none of {', '.join(known)}", reason=reason, what=written, known=tuple(names))
    return plain


def _described(setup: Setup, interface: Interface) -> str:
    """The last game in a line or two: what it was played by, and by whom."""
    script = Script(setup.edition.id)
    words = interface.cli
    now, then = script.edition.rules.model_dump(), setup.edition.rules.model_dump()
    changed = "、".join(f"{switch} = {written(value)}" for switch, value in then.items() if value != now[switch])
    lines = [words["last_time"].format(players=setup.seats, edition=script.name, cards=_stage.cards(script, setup.deck))]
    if setup.deal:
        lines.append(words["last_dealt"])
    if setup.variant:
        lines.append(words["last_variant"].format(variant=about(setup.variant, script).name))
    if setup.events:
        lines.append(words["last_events"].format(count=len(setup.events)))
    if setup.dark:
        lines.append(words["last_dark"].format(cards="、".join(about(card, script).name for card in setup.dark)))
    if setup.names:
        lines.append(words["last_names"].format(names="、".join(setup.names)))
    if changed:
        lines.append(words["last_rules"].format(rules=changed))
    return "\n".join(lines)
