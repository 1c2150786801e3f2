"""Event cards and variants: every one that there is, every two that can be in force together, each with every role."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.rules import MOONS, ROLES, VARIANT_NAMES, Laid
from narrator.rules.events import CARDS
from narrator.rules.events.event import Event
from narrator.rules.events.variants import VARIANTS
from tests import event_games


def test_every_card_of_the_rulebook_is_there() -> None:
    """By its name, under its moon; and so are the variants."""
    lasts = {"full": "round", "wolf_fang": "trigger", "dark": "game"}
    assert {name: card.lasts for name, card in CARDS.items()} == {card: lasts[moon] for moon, cards in MOONS.items() for card in cards}
    assert tuple(VARIANTS) == VARIANT_NAMES


@pytest.mark.parametrize("card", [*CARDS.values(), *VARIANTS.values()])
def test_a_card_says_what_it_does(card: type[Event]) -> None:
    """And is more than its name: it has something done, or answers a question otherwise, but for the Eclipse, which is all in its words."""
    assert card.__doc__
    own = {name for kind in card.__mro__ if issubclass(kind, Event) and kind is not Event for name in vars(kind)}
    assert card.name in ("eclipse", "double_great") or own & {name for name in vars(Event) if not name.startswith("_")} - {"name", "lasts"}


@given(st.sampled_from(event_games.PAIRS), st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_any_two_go_together(pair: tuple[str, str], seed: int) -> None:
    """A game with both ends, replays, and keeps what its cards promise."""
    rng = random.Random(seed)
    event_games.play(event_games.setup(rng, pair), rng)


@given(st.sampled_from(event_games.names()), st.sampled_from(sorted(ROLES)), st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_any_card_goes_with_any_role(name: str, role: str, seed: int) -> None:
    """The same with a card that it may touch."""
    rng = random.Random(seed)
    event_games.play(event_games.setup(rng, (name,), role), rng)


@pytest.mark.parametrize("name", CARDS)
def test_every_card_comes_into_force(name: str) -> None:
    """Where its condition can be met it is drawn, or lies there, in some game."""
    for seed in range(60):
        rng = random.Random(seed)
        game, met = event_games.play(event_games.setup(rng, (name,), "witch"), rng)
        if name in met:
            assert Laid(name) in game.events
            return
    raise AssertionError(f"{name} was never in force")


def test_the_docs_tell_of_every_card_and_pair() -> None:
    """The tables that `python -m tests.event_games` has written have a row for each."""
    written = event_games.PAGE.read_text("utf-8").partition(event_games.MARK)[2]
    for name in event_games.names():
        assert written.count(f"\n| {name} | ") == 2
