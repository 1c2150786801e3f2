"""The cards of one game: which of them are taken out of the box, and who is dealt which."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from narrator.errors import BadSetup
from narrator.rules import ROLES, SPARE


def exchange(deck: Sequence[str], put_in: Iterable[str], taken_out: Iterable[str]) -> tuple[str, ...]:
    """A deck with some cards put in and some taken out, as big as it was: plain villagers make up for it. With a thief there are two
    cards more. Raises `BadSetup` where a card to be taken out is not there, or where there are not enough plain villagers."""
    cards = Counter(deck)
    for card in taken_out:
        if not cards[card]:
            raise BadSetup(f"no {card!r} in the deck", reason="not_in_deck", card=card)
        cards[card] -= 1
    cards.update(put_in)
    wanted = len(deck) + SPARE * (cards["thief"] - deck.count("thief"))
    cards["villager"] += wanted - cards.total()
    if cards["villager"] < 0:
        raise BadSetup(f"{-cards['villager']} cards too many", reason="no_room", what=-cards["villager"])
    return tuple(sorted(cards.elements(), key=list(ROLES).index))


def deal(deck: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """The deck shuffled: the card of seat 1, 2, 3, ..., and behind them the two that are left over where there is a thief. He himself is
    always dealt, or nobody could say which two they are."""
    cards = list(deck)
    rng.shuffle(cards)
    while "thief" in cards[-SPARE:] and len(cards) > SPARE:
        rng.shuffle(cards)
    return tuple(cards)
