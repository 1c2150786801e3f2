"""The cards. Identifiers never change; each edition's script speaks its own word for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["village", "werewolves"]


@dataclass(frozen=True, slots=True)
class Role:
    """What a card is before anything happens. `single`: at most one of it is dealt."""

    side: Side
    single: bool = True


ROLES: dict[str, Role] = {
    "cupid": Role("village"),
    "werewolf": Role("werewolves", single=False),
    "seer": Role("village"),
    "witch": Role("village"),
    "guard": Role("village"),
    "hunter": Role("village"),
    "villager": Role("village", single=False),
}
"""Every card, in the order in which a roll call names them."""


def is_wolf(role: str) -> bool:
    """Whether a card stands on the werewolves' side."""
    return ROLES[role].side == "werewolves"


def is_god(role: str) -> bool:
    """Whether a card is a god (神): on the village's side, with a power of its own."""
    return ROLES[role].side == "village" and role != "villager"
