"""What a role is shown and asked, as lights tell it: rows of places, some of them marked.

A light goes round the table, once for each seat: where it is marked, that seat is meant. A card is the place that it has in
`CARD_NUMBERS`. A side is the whole row: marked from end to end for the werewolves, nowhere for the village, which also means nobody.

Where one row does not tell all of it, others follow that mark a part of the first, so that it does not matter where one begins to look:

    two cards of the thief's    both, then the first alone
    three cards of a seer's     all, then those that are there twice
    the lovers with their sides both seats, then those that are werewolves
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

from narrator.rules import ROLES, Show

Row: TypeAlias = frozenset[int]
"""The marked places, from 1."""

GROUP = 5
"""Places after which a row takes a breath, so that nobody has to count further."""

PLACES = 20
"""Places that no row exceeds: the seats of the largest table."""

CARD_NUMBERS = {role: number for number, role in enumerate(ROLES, start=1)}
"""Each card's place: in the order of a roll call."""

NOBODY: Row = frozenset()
EVERYWHERE: Row = frozenset(range(1, PLACES + 1))
ALTERNATING: Row = frozenset(range(2, PLACES + 1, 2))
IN_TWOS: Row = frozenset(place for place in EVERYWHERE if (place - 1) // 2 % 2)
IN_GROUPS: Row = frozenset(place for place in EVERYWHERE if (place - 1) // GROUP % 2)


def rows(show: Show) -> tuple[Row, ...]:
    """How this is told: one row, or several that follow each other again and again."""
    return _ROWS[show.key](show.value)


def _card(role: Any) -> tuple[Row, ...]:
    return (frozenset({CARD_NUMBERS[role]}),)


def _all_then_first(cards: Any) -> tuple[Row, ...]:
    numbers = [CARD_NUMBERS[card] for card in cards]
    return frozenset(numbers), frozenset(numbers[:1])


def _all(cards: Any) -> tuple[Row, ...]:
    return (frozenset(CARD_NUMBERS[card] for card in cards),)


def _all_then_doubled(cards: Any) -> tuple[Row, ...]:
    there = Counter(CARD_NUMBERS[card] for card in cards)
    doubled = frozenset(number for number, times in there.items() if times > 1)
    return (frozenset(there), doubled) if doubled else (frozenset(there),)


def _seats(seats: Any) -> tuple[Row, ...]:
    return (frozenset(seats),)


def _side(side: Any) -> tuple[Row, ...]:
    return (EVERYWHERE if side == "werewolf" else NOBODY,)


def _sides(pairs: Any) -> tuple[Row, ...]:
    return frozenset(seat for seat, _ in pairs), frozenset(seat for seat, side in pairs if side == "werewolf")


def _sentence(row: Row) -> Callable[[Any], tuple[Row, ...]]:
    return lambda _: (row,)


_ROWS: dict[str, Callable[[Any], tuple[Row, ...]]] = {
    "deal.card": _card,
    "deal.cards": _all_then_first,
    "roll.cards": _all,
    "roll.first": _card,
    "thief.cards": _all_then_first,
    "cupid.tap": _seats,
    "lovers.no_vote": _sentence(IN_TWOS),
    "lovers.who": _seats,
    "lovers.side": _sides,
    "seer.card": _card,
    "seer.side": _side,
    "witch.victim": _seats,
    "witch.nobody": _sentence(NOBODY),
    "piper.tap": _seats,
    "charmed.who": _seats,
    "look.nothing": _sentence(NOBODY),
    "agent.wolves": _seats,
    "backfire.turned": _sentence(EVERYWHERE),
    "backfire.same": _sentence(NOBODY),
    "seer.cards": _all_then_doubled,
}
"""All that the rules can show (`narrator.rules.SHOWN`)."""
