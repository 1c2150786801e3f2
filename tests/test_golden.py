"""Every edition has a golden spoken transcript: what one rehearsed game says and shows, line by line.

A change of a line, of the wake order or of a ruling shows here as a difference to be read. To accept it:
`python -m tests.test_golden`.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from narrator.cards import deal
from narrator.practice import Players
from narrator.rules import Game, Setup
from narrator.script import Script, editions
from tests.stage import Table, answers

GOLDEN = Path(__file__).parent / "golden"
PLAYERS = 10


def transcript(edition: str) -> str:
    """A game of ten simulated players, as text."""
    base = Script(edition).edition
    deck = base.deck(PLAYERS)
    rng = random.Random(edition)
    cards = deal(deck, rng)
    setup = Setup(edition=base, seats=PLAYERS, deck=deck)
    table = Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, cards, rng), game=Game(setup))
    table.run()
    spoken = [record for record in table.transcript if record["text"]]
    return "".join(f"{r['phase']:8} {r['scene']:12} {r['audience']:9} {r['key']:20} {r['text']}\n" for r in spoken)


@pytest.mark.parametrize("edition", editions())
def test_an_edition_says_what_its_golden_transcript_says(edition: str) -> None:
    """One whole game of each edition is spoken exactly as it was when the transcript was accepted."""
    assert transcript(edition) == (GOLDEN / f"{edition}.txt").read_text("utf-8")


if __name__ == "__main__":
    for name in editions():
        (GOLDEN / f"{name}.txt").write_text(transcript(name), "utf-8")
