"""Decks: who is dealt what, and which tables cannot be played."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from narrator.cards import deal, exchange
from narrator.errors import BadSetup
from narrator.rules import ROLES, Rules, Setup
from narrator.script import editions
from tests.texts import script_of, the_interface


@pytest.mark.parametrize("edition", editions())
def test_five_to_twenty_players_have_a_deck(edition: str) -> None:
    """For every number of players there is a deck of so many cards, with one wolf for every three to seven players."""
    base = script_of(edition).edition
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
    deck = script_of("german").edition.deck(players)
    assert Counter(deck) == cards
    assert list(dict.fromkeys(deck)) == [role for role in ROLES if role in cards]


def told(error: BadSetup) -> dict[str, object]:
    """The slots of an error, whose message, which programmers read, says the offending value."""
    message = str(error)
    assert error.slots["message"] == message
    assert all(str(error.slots[slot]) in message for slot in ("what", "card", "given", "expected") if slot in error.slots)
    assert " " in message
    return {slot: value for slot, value in error.slots.items() if slot != "message"}


@pytest.mark.parametrize(("players", "reason"), [(4, "few_players"), (0, "few_players"), (-1, "few_players"), (21, "seats")])
def test_too_few_or_too_many_players_are_refused(players: int, reason: str) -> None:
    """With the number that was wanted."""
    with pytest.raises(BadSetup) as refused:
        script_of("german").edition.deck(players)
    assert told(refused.value) == {"reason": reason, "what": players}


@given(st.sampled_from(editions()), st.integers(5, 20), st.lists(st.sampled_from(list(ROLES)), max_size=5), st.randoms())
def test_exchanged_cards_leave_a_card_for_everyone(edition: str, players: int, put_in: list[str], rng: random.Random) -> None:
    """However cards are exchanged, there is one for every seat, two more with a thief, who is always dealt; or it is refused."""
    base = script_of(edition).edition
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
        Setup(edition=script_of(edition).edition, seats=3, deck=deck, **more)
    assert told(refused.value)["reason"] == reason
    assert "{" not in the_interface().error(refused.value)


@pytest.mark.parametrize(
    ("switch", "choices"),
    [
        ("seer_learns", ("card", "side")),
        ("lovers_may_harm", ("true", "prey", "false")),
        ("girl_allowed", ("true", "false")),
        ("witch_potions_per_night", ("1", "2")),
        ("captain_weight", ("1", "1.5", "2", "3")),
        ("elder_lives", ("≥1",)),
        ("rounds", ("0", "1", "2", "3", "4", "5")),
        ("hunter_shoots_after", ("wolves", "vote", "poison", "grief", "shot", "other")),
        ("captain_ballot_rules", ("no_self_vote", "no_abstention")),
    ],
)
def test_a_switch_tells_what_it_may_be_set_to(switch: str, choices: tuple[str, ...]) -> None:
    """As TOML writes it: of a list what may stand in it, of a number its range."""
    assert Rules.choices(switch) == choices


def test_a_seat_is_called_by_its_name_where_there_are_names() -> None:
    """One for every seat, of at most twenty characters; without names it is called nothing."""
    plain = Setup(edition=script_of("anniversary").edition, seats=3, deck=("werewolf", "villager", "seer"))
    assert [plain.name(seat) for seat in (1, 2, 3)] == ["", "", ""]
    named = plain.altered(names=("安", "波", "x" * 20))
    assert [named.name(seat) for seat in (1, 2, 3)] == ["安", "波", "x" * 20]


@pytest.mark.parametrize(
    ("seats", "deck", "more", "slots"),
    [
        (3, ("werewolf", "dragon", "villager"), {}, {"reason": "unknown_card", "what": "dragon", "known": tuple(ROLES)}),
        (3, ("werewolf", "seer", "seer"), {}, {"reason": "two_of_a_kind", "card": "seer"}),
        (0, ("werewolf", "villager"), {}, {"reason": "seats", "what": 0}),
        (21, ("werewolf", *("villager",) * 20), {}, {"reason": "seats", "what": 21}),
        (3, ("werewolf", "villager"), {}, {"reason": "card_count", "what": 2, "expected": 3}),
        (3, WITH_A_THIEF[:4], {}, {"reason": "thief_cards", "what": 4, "expected": 5}),
        (2, ("werewolf", "little_girl"), {}, {"reason": "no_girl"}),
        (2, ("werewolf", "werewolf"), {}, {"reason": "only_wolves"}),
        (2, ("werewolf", "villager"), {"names": ("安",)}, {"reason": "names", "given": 1, "seats": 2}),
        (2, ("werewolf", "villager"), {"names": ("安", "x" * 21)}, {"reason": "name", "what": "x" * 20, "most": 20}),
        (2, ("werewolf", "villager"), {"names": ("安", "")}, {"reason": "name", "what": "", "most": 20}),
    ],
)
def test_a_refused_table_says_what_was_wrong_and_what_was_expected(
    seats: int, deck: tuple[str, ...], more: dict[str, tuple[str, ...]], slots: dict[str, object]
) -> None:
    """The offending card, number or name, and what could stand in its place."""
    edition = script_of("anniversary").edition.by_rules(girl_allowed=False)
    with pytest.raises(BadSetup) as refused:
        Setup(edition=edition, seats=seats, deck=deck, **more)
    assert told(refused.value) == slots


def test_the_smallest_and_the_largest_table_can_be_played() -> None:
    """One seat, with a thief's cards beside it, up to twenty; several wolves and villagers, and a deal in any order of the deck."""
    edition = script_of("anniversary").edition
    Setup(edition=edition, seats=1, deck=("thief", "werewolf", "villager"))
    deal = (*("villager",) * 15, *("werewolf",) * 4, "little_girl")
    setup = Setup(edition=edition, seats=20, deck=deal[::-1], deal=deal)
    assert setup.rules == edition.rules


def rules(edition: str = "anniversary", **switches: object) -> Rules:
    """An edition's switches, some of them changed."""
    return script_of(edition).edition.by_rules(**switches).rules


@pytest.mark.parametrize(
    ("switches", "slots"),
    [
        ({"no_such": 1}, {"reason": "no_switch", "what": "no_such"}),
        ({"seer_learns": "nothing"}, {"reason": "switch_value", "what": "seer_learns", "choices": ("card", "side")}),
        ({"tie": "nobody", "captain_weight": 1.7}, {"reason": "switch_value", "what": "captain_weight", "choices": ("1", "1.5", "2", "3")}),
        ({"rounds": 6}, {"reason": "switch_value", "what": "rounds", "choices": ("0", "1", "2", "3", "4", "5")}),
        ({"elder_lives": 0}, {"reason": "switch_value", "what": "elder_lives", "choices": ("≥1",)}),
        ({"captain_elected": "never", "captain_weight": 3}, {"reason": "no_captain", "what": "captain_weight"}),
        ({"captain_elected": "never", "captain_rotates": True}, {"reason": "no_captain", "what": "captain_rotates"}),
    ],
)
def test_a_switch_that_cannot_be_set_so_is_refused(switches: dict[str, object], slots: dict[str, object]) -> None:
    """With what it may be; those of a captain's office are refused where nobody is elected."""
    with pytest.raises(BadSetup) as refused:
        rules(**switches)
    assert told(refused.value) == slots


def test_switches_are_changed_and_the_rest_stays() -> None:
    """A list of one thing may be written as that thing; what is as the edition has it is never refused."""
    base = rules()
    changed = rules(hunter_shoots_after="wolves", tie=["nobody"], captain_weight=3)
    assert (changed.hunter_shoots_after, changed.tie, changed.captain_weight) == (("wolves",), ("nobody",), 3)
    assert changed.changed(hunter_shoots_after=base.hunter_shoots_after, tie=base.tie, captain_weight=base.captain_weight) == base
    assert rules(captain_elected="never", captain_weight=base.captain_weight).captain_elected == "never"
    assert rules(seer_learns="side").seer_learns == "side"


@pytest.mark.parametrize("hidden", ["show_executed", "show_night_dead"])
def test_hidden_cards_force_decoys(hidden: str) -> None:
    """Where a card stays hidden, absent and dead roles are called: their silence would tell."""
    assert rules(**{hidden: False}).decoys == "absent_and_dead"
    assert rules(**{hidden: False, "decoys": "never"}).decoys == "absent_and_dead"
    assert rules(decoys="absent").decoys == "absent"


def test_a_weight_that_is_none_of_the_four_is_a_fault_with_a_name() -> None:
    """The fault that any wrong choice is, so that an edition's file is refused with the same words; with what it may be."""
    switches = rules().model_dump()
    for weight in (1, 1.5, 2, 3):
        assert Rules.model_validate({**switches, "captain_weight": weight}).captain_weight == weight
    with pytest.raises(ValidationError) as refused:
        Rules.model_validate({**switches, "captain_weight": 1.7})
    (fault,) = refused.value.errors()
    assert (fault["type"], fault["msg"]) == ("literal_error", "Input should be 1, 1.5, 2, 3")
    assert fault["ctx"] == {"expected": "1, 1.5, 2, 3"}
