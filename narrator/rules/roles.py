"""The cards. Identifiers never change; each edition's script speaks its own word for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["village", "werewolves", "piper"]


@dataclass(frozen=True, slots=True)
class Role:
    """What a card is before anything happens.

    side    with whom it wins
    single  whether at most one of it is dealt
    power   whether it can do, or stand, what a plain villager cannot
    """

    side: Side
    single: bool = True
    power: bool = True


ROLES: dict[str, Role] = {
    "thief": Role("village", power=False),   # his swap makes him something else before it could matter
    "cupid": Role("village"),
    "werewolf": Role("werewolves", single=False),
    "seer": Role("village"),
    "witch": Role("village"),
    "guard": Role("village"),
    "hunter": Role("village"),
    "little_girl": Role("village"),
    "elder": Role("village"),
    "idiot": Role("village"),
    "scapegoat": Role("village"),
    "piper": Role("piper"),
    "blank": Role("village"),
    "villager": Role("village", single=False, power=False),
}
"""Every card, in the order in which a roll call names them: the thief first, since he also tells which cards were left over.

`blank` is the box's empty card: a villager with a power that the table makes up, words and sees to itself.
"""


def is_wolf(role: str) -> bool:
    """Whether a card stands on the werewolves' side."""
    return ROLES[role].side == "werewolves"


def is_god(role: str) -> bool:
    """Whether a card is a god (神): on the village's side, with a power of its own."""
    return ROLES[role].side == "village" and ROLES[role].power


GODS = frozenset(filter(is_god, ROLES))
"""The cards that are gods."""
