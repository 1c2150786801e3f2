"""Who has won. A pure function of who is alive, asked once a whole chain of deaths has ended.

1. Nobody alive: nobody wins.
2. A wolf and a villager in love win as the last two alive; they have then outlived both their sides. A piper and whoever he loves
   win when everyone else alive is charmed, and also when nobody else is left.
3. The piper wins when everyone else alive is charmed.
4. No wolf alive: the village wins.
5. The wolves win when the part of the village that this edition names is gone. The piper is no part of it; but where they must
   outlive everyone, they must outlive him too.
"""

from __future__ import annotations

from collections.abc import Collection

from narrator.rules.roles import ROLES, is_god, is_wolf
from narrator.rules.state import Table
from narrator.rules.turn import Winner


def victory(table: Table, alive: Collection[int]) -> Winner | None:
    """The winner if `alive` were the living seats, or None when the game goes on."""
    if not alive:
        return "nobody"
    winner = _winner(table, alive)
    for event in table.in_force:
        winner = event.winner(table, frozenset(alive), winner)
    return winner


def _winner(table: Table, alive: Collection[int]) -> Winner | None:
    cards = [_side_card(table, seat) for seat in alive]
    sides = {ROLES[_side_card(table, seat)].side for seat in table.lovers}   # one lover never outlives the other
    if len(sides) == 2 and set(alive) == set(table.lovers):
        return "lovers"
    if "piper" in cards:
        mine = table.lovers if "piper" in sides else [seat for seat in alive if _side_card(table, seat) == "piper"]
        if all(seat in mine or seat in table.charmed for seat in alive):
            return "lovers" if "piper" in sides else "piper"
    if not any(map(is_wolf, cards)):
        return "village"
    return "werewolves" if _village_is_gone(table, cards) else None


def _side_card(table: Table, seat: int) -> str:
    """The card by which a seat wins: of two, the wolf, or the piper, or the one with a power."""
    return max(table.cards_of(seat), key=lambda card: (is_wolf(card), card == "piper", ROLES[card].power))


def _village_is_gone(table: Table, cards: list[str]) -> bool:
    match table.rules.wolves_win:
        case "all_villagers":
            return all(map(is_wolf, cards))
        case "plain_villagers":
            return "villager" not in cards
        case "either_side":
            dealt = [_side_card(table, seat) for seat in table.roles]   # a side that nobody holds cannot be wiped out
            gods_gone = any(map(is_god, dealt)) and not any(map(is_god, cards))
            plain_gone = "villager" in dealt and "villager" not in cards
            return gods_gone or plain_gone or all(map(is_wolf, cards))
