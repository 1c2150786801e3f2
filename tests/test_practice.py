"""Simulated players: whatever they do, they bring a game to its end."""

from __future__ import annotations

import random

import pytest

from narrator.cards import deal
from narrator.practice import Players
from narrator.rules import Game, Setup
from narrator.script import Script
from tests.players import EDITIONS
from tests.stage import Table, answers


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [6, 8, 10])
def test_every_rehearsal_ends(edition: str, players: int) -> None:
    """Seed after seed, a game of simulated players comes to its winner within a few hours of the table's time."""
    base = Script(edition).edition
    for seed in range(40):
        rng = random.Random(seed)
        setup = Setup(edition=base, seats=players, deck=base.deck(players))
        cards = deal(setup.deck, rng)
        table = Table(setup, answers(), hearing=lambda clock, cards=cards, rng=rng: Players(clock, cards, rng), game=Game(setup))
        assert table.run() is not None
        assert table.clock.now() < 3 * 3600


def test_players_key_their_own_cards() -> None:
    """In the roll call the players tell the truth about the cards they were dealt."""
    base = Script("anniversary").edition
    setup = Setup(edition=base, seats=10, deck=base.deck(10))
    rng = random.Random(4)
    cards = deal(setup.deck, rng)
    table = Table(setup, answers(), hearing=lambda clock: Players(clock, cards, rng))
    table.run()
    assert tuple(table.game.role(seat) for seat in range(1, 11)) == cards
