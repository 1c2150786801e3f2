"""Who has won. A pure function of who is alive, asked once a whole chain of deaths has ended.

1. Nobody alive: nobody wins.
2. A wolf and a villager in love win as the last two alive; they have then outlived both their sides.
3. No wolf alive: the village wins.
4. The wolves win when the part of the village that this edition names is gone.
"""

from __future__ import annotations

from collections.abc import Collection

from narrator.rules.roles import is_god, is_wolf
from narrator.rules.state import Table
from narrator.rules.turn import Winner


def victory(table: Table, alive: Collection[int]) -> Winner | None:
    """The winner if `alive` were the living seats, or None when the game goes on."""
    if not alive:
        return "nobody"
    if set(alive) == set(table.lovers) and len({table.side(seat) for seat in alive}) == 2:
        return "lovers"
    cards = [table.roles[seat] for seat in alive]
    if not any(map(is_wolf, cards)):
        return "village"
    return "werewolves" if _village_is_gone(table, cards) else None


def _village_is_gone(table: Table, cards: list[str]) -> bool:
    match table.rules.wolves_win:
        case "all_villagers":
            return all(map(is_wolf, cards))
        case "plain_villagers":
            return "villager" not in cards
        case "either_side":
            # A side that nobody was dealt cannot be wiped out.
            gods_gone = table.setup.gods > 0 and not any(map(is_god, cards))
            plain_gone = "villager" in table.setup.deck and "villager" not in cards
            return gods_gone or plain_gone or all(map(is_wolf, cards))
