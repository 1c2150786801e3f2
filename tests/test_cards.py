"""`narrator cards`: what event cards and variants there are, and what one does."""

from __future__ import annotations

import pytest

from narrator.rules import MOONS, VARIANT_NAMES
from narrator.script import Script
from tests.command import narrator

EVERYTHING = (*(card for moon in MOONS.values() for card in moon), *VARIANT_NAMES)


def test_all_are_listed_with_what_they_do() -> None:
    """By their moon, each with its identifier, its name and one sentence."""
    listed = narrator("cards")
    assert listed.returncode == 0
    for group in Script("anniversary").events.values():
        for name, card in group.items():
            assert f"  {name}　{card.name}：{card.effect}\n" in listed.stdout
    assert [line.split("　")[0].strip() for line in listed.stdout.splitlines() if line.startswith(" ")] == list(EVERYTHING)


@pytest.mark.parametrize("name", ["flood", "洪水", "FLOOD"])
def test_one_is_told_whole(name: str) -> None:
    """By its identifier or its name."""
    told = narrator("cards", name, "--edition", "newmoon")
    (flood,) = (group["flood"] for group in Script("newmoon").events.values() if "flood" in group)
    assert told.stdout == f"{flood.name}（flood）\n{flood.effect}\n{flood.more}\n"


def test_a_name_that_none_has_is_told() -> None:
    """With those that there are."""
    told = narrator("cards", "潮水")
    assert told.returncode == 1
    assert "潮水" in told.stderr
    assert "洪水" in told.stderr
