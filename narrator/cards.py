"""The cards of one game: which of them are taken out of the box, who is dealt which, and in which order event cards are drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from narrator.errors import BadSetup
from narrator.rules import MOONS, ROLES, SPARE, Edition, Setup

DEALT = frozenset({"black_death"})
"""The variants in which the narrator deals: to lay out the deck would tell."""

CHARACTERS = ("seer", "witch", "hunter", "cupid", "guard", "elder", "scapegoat")
"""The cards with a power that the double roles are played with."""

_SMALL = range(7, 10)
"""How many may play the small double role."""


def deck_of(edition: Edition, players: int, variant: str = "") -> tuple[str, ...]:
    """The cards for a number of players in an edition, or in a variant of it. Raises `BadSetup` where so many cannot play it."""
    if variant == "double_small":
        if players not in _SMALL:
            told = f"{players} players of the small double role; expected {_SMALL[0]} to {_SMALL[-1]}"
            raise BadSetup(told, reason="double_seats", what=players, least=_SMALL[0], most=_SMALL[-1])
        return _sorted((*CHARACTERS, *["villager"] * (players - len(CHARACTERS))))
    cards = Counter(edition.deck(players))
    if variant == "black_death":
        cards["villager"] += cards.pop("werewolf", 0)
    if variant == "double_great":
        del cards["thief"]
    if variant in ("double_great", "harvest"):      # a thief's two cards are not laid on the table
        cards["villager"] += players - cards.total()
    return _sorted(cards.elements())


def second(deck: Sequence[str], variant: str, players: int) -> tuple[str, ...]:
    """The other card of everyone, where there is one: an allegiance; or what powers the deck leaves over, and plain villagers."""
    if variant == "double_small":
        others: tuple[str, ...] = ("werewolf", "werewolf")
    elif variant == "double_great":
        others = tuple(role for role in CHARACTERS if role not in deck)
    else:
        return ()
    return (*others, *["villager"] * players)[:players]


def every_event() -> tuple[str, ...]:
    """Every event card that is drawn, where nobody has said which: the dark moon's are laid on the table from the beginning."""
    return (*MOONS["full"], *MOONS["wolf_fang"])


def shuffled(setup: Setup, rng: random.Random, *, dealt: bool) -> Setup:
    """The same game with everything in it shuffled that is: the event cards; the cards too, where the narrator deals them."""
    changed: dict[str, tuple[str, ...]] = {}
    if dealt:
        cards = deal(setup.deck, rng)
        changed = {"deal": cards[: setup.seats], "spare": cards[setup.seats :]}
    for pile in ("second", "events"):
        if lying := getattr(setup, pile):
            changed[pile] = tuple(rng.sample(lying, len(lying)))
    return setup.altered(**changed) if changed else setup


def exchange(deck: Sequence[str], put_in: Iterable[str], taken_out: Iterable[str], spare: int = SPARE) -> tuple[str, ...]:
    """A deck with some cards put in and some taken out, as big as it was: plain villagers make up for it. With a thief there are `spare`
    cards more. Raises `BadSetup` where a card to be taken out is not there, or where there are not enough plain villagers."""
    cards = Counter(deck)
    for card in taken_out:
        if not cards[card]:
            raise BadSetup(f"no {card!r} in the deck", reason="not_in_deck", card=card)
        cards[card] -= 1
    cards.update(put_in)
    wanted = len(deck) + spare * (cards["thief"] - deck.count("thief"))
    cards["villager"] += wanted - cards.total()
    if cards["villager"] < 0:
        raise BadSetup(f"{-cards['villager']} cards too many", reason="no_room", what=-cards["villager"])
    return _sorted(cards.elements())


def deal(deck: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """The deck shuffled: the card of seat 1, 2, 3, ..., and behind them the two that are left over where there is a thief. He himself is
    always dealt, or nobody could say which two they are."""
    cards = list(deck)
    rng.shuffle(cards)
    while "thief" in cards[-SPARE:] and len(cards) > SPARE:
        rng.shuffle(cards)
    return tuple(cards)


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=list(ROLES).index))
