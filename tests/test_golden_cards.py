"""Every event card and every variant has a golden transcript: what is said and shown while it is in force, in one rehearsed game.

A card's is the round in which it is drawn, from the morning to the next dawn, or the first night and day where it lies there from the
beginning; a variant's the first night and day. To accept a change: `python -m tests.test_golden_cards`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import pytest

from narrator.cards import deal
from narrator.clock import Clock
from narrator.practice import Players
from narrator.rules import MOONS, VARIANT_NAMES, Game, Setup
from tests.event_games import names
from tests.stage import Table, answers
from tests.texts import script_of

GOLDEN = Path(__file__).parent / "golden" / "cards"

DECK = ("werewolf", "werewolf", "seer", "witch", "hunter", "guard", "cupid", "elder", "villager", "villager")
"""The table's cards. Variants have them otherwise, see `_setup`."""


def _setup(name: str, rng: random.Random) -> tuple[Setup, tuple[str, ...]]:
    """A table that plays this card or variant, and the card of each seat."""
    deck, second = DECK, ()
    if name == "black_death":
        deck = tuple("villager" if card == "werewolf" else card for card in DECK)
    elif name == "double_small":
        deck, second = (*DECK[2:], "villager", "villager"), ("werewolf", "werewolf", *["villager"] * 8)
    elif name == "double_great":
        second = ("villager",) * 8 + ("werewolf", "scapegoat")
    cards = deal(deck, rng)
    dark = (name,) if name in MOONS["dark"] else ()
    setup = Setup(
        edition=script_of("newmoon").edition, seats=len(deck), deck=deck, deal=cards, second=tuple(rng.sample(second, len(second))),
        variant=name if name in VARIANT_NAMES else "", dark=dark, events=() if dark or name in VARIANT_NAMES else (name,),
    )  # fmt: skip
    return setup, cards


def _players(setup: Setup, cards: Sequence[str], rng: random.Random, clock: Clock) -> Players:
    return Players(clock, setup.seats, cards, rng, second=setup.second)


@lru_cache
def transcript(name: str) -> str:
    """What one game says of it; of several games the first in which its condition is met."""
    for seed in range(30):
        rng = random.Random(f"{name} {seed}")
        setup, cards = _setup(name, rng)
        table = Table(setup, answers(), hearing=partial(_players, setup, cards, rng), game=Game(setup))
        table.run()
        spoken = [record for record in table.transcript if record["text"]]
        if setup.events:
            spoken = [record for record in spoken if record["phase"] in ("day 1", "night 2")]
            if not any(record["key"] == f"card.{name}" for record in spoken):
                continue
        else:
            spoken = [record for record in spoken if record["phase"] in ("setup", "night 1", "day 1", "night 2")]
        return "".join(f"{r['phase']:8} {r['scene']:12} {r['audience']:9} {r['key']:30} {r['text']}\n" for r in spoken)
    raise AssertionError(f"{name} was never drawn")


@pytest.mark.parametrize("name", names())
def test_it_says_what_its_golden_transcript_says(name: str) -> None:
    """Exactly as it was when the transcript was accepted."""
    assert transcript(name) == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_there_is_one_for_each() -> None:
    """And none for what there is not."""
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(names())


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for each in names():
        (GOLDEN / f"{each}.txt").write_text(transcript(each), "utf-8")
