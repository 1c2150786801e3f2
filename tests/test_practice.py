"""Simulated players: whatever they do, they bring a game to its end."""

from __future__ import annotations

import random
from functools import partial

import pytest

from narrator.cards import deal
from narrator.clock import SimulatedClock
from narrator.hearing import Entered
from narrator.practice import Players
from narrator.rules import Ask, Game, Setup
from narrator.sound import Silence
from narrator.voice import Pack, Voice
from tests.players import EDITIONS
from tests.stage import Table, answers
from tests.texts import script_of


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [6, 8, 10])
def test_every_rehearsal_ends(edition: str, players: int) -> None:
    """Seed after seed, a game of simulated players comes to its winner within a few hours of the table's time."""
    base = script_of(edition).edition
    for seed in range(40):
        rng = random.Random(seed)
        setup = Setup(edition=base, seats=players, deck=base.deck(players))
        cards = deal(setup.deck, rng)
        table = Table(setup, answers(), hearing=partial(Players, seats=players, cards=cards, rng=rng), game=Game(setup))
        assert table.run() is not None
        assert table.clock.now() < 3 * 3600


def test_players_key_their_own_cards() -> None:
    """In the roll call the players tell the truth about the cards they were dealt."""
    base = script_of("anniversary").edition
    setup = Setup(edition=base, seats=10, deck=base.deck(10))
    rng = random.Random(4)
    cards = deal(setup.deck, rng)
    table = Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, cards, rng))
    table.run()
    assert tuple(table.game.role(seat) for seat in range(1, 11)) == cards


class Lost(Silence):
    """A loudspeaker that is lost for a minute, five times."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(clock)
        self._time = clock

    @property
    def trouble(self) -> str | None:
        now = self._time.now()
        return "lost" if any(begins <= now < begins + 60 for begins in (20.0, 120.0, 250.0, 380.0, 520.0)) else None


def test_they_answer_later_where_the_game_waits() -> None:
    """Five times the loudspeaker is lost in a game: each time the game waits, and nobody's answer is lost."""
    base = script_of("anniversary").edition
    setup = Setup(edition=base, seats=10, deck=base.deck(10))
    cards = deal(setup.deck, random.Random(3))

    def played(sound: type[Silence]) -> Table:
        rng, voice = random.Random(3), Voice(Pack.load("xiaoyi"), None, None)
        table = Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, cards, rng), sound=sound, voice=voice)
        assert table.run() is not None
        return table

    plain, waited = played(Silence), played(Lost)
    assert waited.game.answers == plain.game.answers
    assert waited.clock.now() - plain.clock.now() > 5 * 59


def test_a_voter_who_may_name_nobody_stops_no_game() -> None:
    """Where he may not abstain either, the table names the outcome."""
    ask = Ask("captain.elect", "ballots", "everyone", (3,), (3,), may_pass=True, barred=frozenset({(3, 3)}), abstain=False)
    clock = SimulatedClock()
    players = Players(clock, 5, ("villager",) * 5, random.Random(1))
    players.attend(ask)
    entered = [event.payload for event in iter(lambda: players.wait(clock.now() + 60), None)]
    assert entered[-1] == Entered("3")
