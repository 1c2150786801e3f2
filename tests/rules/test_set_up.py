"""Decks: who is dealt what, and which tables cannot be played."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.cards import deal, exchange
from narrator.errors import BadSetup
from narrator.interface import Interface
from narrator.rules import ROLES, Setup
from narrator.script import Script, editions


@pytest.mark.parametrize("edition", editions())
def test_five_to_twenty_players_have_a_deck(edition: str) -> None:
    """For every number of players there is a deck of so many cards, with one wolf for every three to seven players."""
    base = Script(edition).edition
    for players in range(5, 21):
        deck = base.deck(players)
        Setup(edition=base, seats=players, deck=deck)
        assert 3 <= players / deck.count("werewolf") <= 7, deck
    with pytest.raises(BadSetup):
        base.deck(4)


@pytest.mark.parametrize(
    ("players", "cards"),
    [
        (6, {"werewolf": 1, "villager": 2, "seer": 1, "cupid": 1, "witch": 1}),
        (7, {"werewolf": 1, "villager": 3, "seer": 1, "cupid": 1, "witch": 1}),
        (8, {"werewolf": 2, "villager": 2, "seer": 1, "cupid": 1, "witch": 1, "hunter": 1}),
        (11, {"werewolf": 2, "villager": 4, "seer": 1, "cupid": 1, "witch": 1, "hunter": 1, "guard": 1}),
        (15, {"werewolf": 3, "villager": 5, "seer": 1, "cupid": 1, "witch": 1, "hunter": 1, "guard": 1, "elder": 1, "idiot": 1}),
        (
            20,
            {"werewolf": 5, "villager": 6, "seer": 1, "cupid": 1, "witch": 1, "hunter": 1, "guard": 1, "elder": 1, "idiot": 1,
             "scapegoat": 1, "piper": 1},
        ),
    ],
)  # fmt: skip
def test_between_two_rows_it_is_the_smaller_one_and_plain_villagers(players: int, cards: dict[str, int]) -> None:
    """The rulebook's rows, and what is between them and above: one wolf more for every four players above the row. In the roll call's
    order."""
    deck = Script("german").edition.deck(players)
    assert Counter(deck) == cards
    assert list(dict.fromkeys(deck)) == [role for role in ROLES if role in cards]


@pytest.mark.parametrize(("players", "reason"), [(4, "few_players"), (0, "few_players"), (-1, "few_players"), (21, "seats")])
def test_too_few_or_too_many_players_are_refused(players: int, reason: str) -> None:
    """With the number that was wanted."""
    with pytest.raises(BadSetup) as refused:
        Script("german").edition.deck(players)
    assert refused.value.slots["reason"] == reason
    assert refused.value.slots["what"] == players


@given(st.sampled_from(editions()), st.integers(5, 20), st.lists(st.sampled_from(list(ROLES)), max_size=5), st.randoms())
def test_exchanged_cards_leave_a_card_for_everyone(edition: str, players: int, put_in: list[str], rng: random.Random) -> None:
    """However cards are exchanged, there is one for every seat, two more with a thief, who is always dealt; or it is refused."""
    base = Script(edition).edition
    before = base.deck(players)
    taken_out = [card for card in before if rng.random() < 0.1]
    try:
        deck = exchange(before, put_in, taken_out)
        setup = Setup(edition=base, seats=players, deck=deck)
    except BadSetup:
        return
    assert len(deck) == players + 2 * ("thief" in deck)
    cards = deal(deck, rng)
    dealt = setup.altered(deal=cards[:players], spare=cards[players:])
    assert "thief" not in dealt.spare
    for card in set(deck) - {"villager"}:
        assert deck.count(card) == before.count(card) + put_in.count(card) - taken_out.count(card)


WITH_A_THIEF = ("werewolf", "thief", "villager", "villager", "seer")


@pytest.mark.parametrize(
    ("edition", "deck", "more", "reason"),
    [
        ("anniversary", ("villager", "seer", "villager"), {}, "no_wolf"),
        ("anniversary", ("werewolf", "werewolf", "werewolf"), {}, "only_wolves"),
        ("anniversary", ("werewolf", "seer", "seer"), {}, "two_of_a_kind"),
        ("anniversary", ("werewolf", "seer", "villager", "villager"), {}, "card_count"),
        ("anniversary", ("werewolf", "seer"), {}, "card_count"),
        ("anniversary", ("werewolf", "thief", "villager"), {}, "thief_cards"),
        ("anniversary", WITH_A_THIEF, {"deal": ("werewolf", "seer", "villager"), "spare": ("thief", "villager")}, "thief_spare"),
        ("anniversary", WITH_A_THIEF, {"deal": ("werewolf", "seer", "villager")}, "deal"),
        ("anniversary", ("werewolf", "seer", "villager"), {"deal": ("werewolf", "villager", "villager")}, "deal"),
        ("anniversary", ("werewolf", "dragon", "villager"), {}, "unknown_card"),
        ("flow", ("werewolf", "seer", "witch"), {}, "no_plain_villager"),
    ],
)  # fmt: skip
def test_an_impossible_deck_is_refused_with_its_reason(
    edition: str, deck: tuple[str, ...], more: dict[str, tuple[str, ...]], reason: str
) -> None:
    """Before a game begins: no wolf, two seers, more cards than seats, a thief without the two cards, ..."""
    with pytest.raises(BadSetup) as refused:
        Setup(edition=Script(edition).edition, seats=3, deck=deck, **more)
    assert refused.value.slots["reason"] == reason
    assert "{" not in Interface.load().error(refused.value)
