"""What simulated tables tell of a deck."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from narrator.practice import shares
from narrator.rules import ROLES, Edition
from narrator.script import editions
from tests.command import narrator
from tests.texts import script_of


def of_deck(*cards: str, **switches: object) -> dict[str, float]:
    """Who wins games with these cards."""
    edition = script_of("anniversary").edition.by_rules(**switches)
    deck = Counter(cards)
    return {**shares(edition.model_copy(update={"setups": {len(cards): deck}}), len(cards), 150, random.Random(3))}


def test_more_wolves_win_more_often_and_a_seer_helps_the_village() -> None:
    """The figures tell what everyone at a table knows: which of two decks favours whom."""
    villagers = ("villager",) * 6
    one, three = of_deck("werewolf", "seer", *villagers), of_deck("werewolf", "werewolf", "werewolf", "seer", *villagers[:4])
    assert one["village"] > three["village"] + 0.2
    blind = of_deck("werewolf", *villagers, "villager")
    assert one["village"] > blind["village"] + 0.1


@pytest.mark.parametrize("edition", editions())
def test_every_deck_and_every_card_is_played_to_an_end(edition: str) -> None:
    """Games of every number of players, and of a deck with every card, end, and the shares are those of all games."""
    base = script_of(edition).edition
    every = dict.fromkeys(ROLES, 1) | {"werewolf": 3, "villager": 7}
    for edition_of, players in ((base, 5), (base, 20), (Edition(id=edition, rules=base.rules, setups={20: every}), 20)):
        won = shares(edition_of, players, 20, random.Random(4))
        assert sum(won.values()) == pytest.approx(1)


def test_the_command_prints_a_line_for_every_number_of_players() -> None:
    """`narrator editions NAME --balance N` tells who wins with 5 to 20 players; the same figures every time."""
    first, again = (narrator("editions", "sides", "--balance", 4).stdout for _ in range(2))
    assert first == again
    assert [line.split()[0] for line in first.splitlines()] == [str(players) for players in range(5, 21)]
    assert "村庄" in first
    assert "%" in first
