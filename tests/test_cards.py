"""`narrator cards`: what event cards and variants there are, and what one does."""

from __future__ import annotations

import pytest

from narrator import events
from narrator.interface import about
from narrator.rules import MOONS, ROLES, VARIANT_NAMES
from narrator.script import Script, editions
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


@pytest.mark.parametrize(("written", "names"), [("招魂术", MOONS["full"][3:8]), ("双重角色", ("double_small", "double_great"))])
def test_cards_of_one_name_are_told_together(written: str, names: tuple[str, ...]) -> None:
    """By the name without what tells them apart; each of them whole, and no other."""
    script = Script("anniversary")
    cards = [(name, about(name, script)) for name in names]
    assert all(written in card.name for _, card in cards)
    assert narrator("cards", written).stdout == "".join(f"{card.name}（{name}）\n{card.effect}\n{card.more}\n" for name, card in cards)


def test_one_of_several_is_told_alone() -> None:
    """By its whole name."""
    told = narrator("cards", "招魂术（二）").stdout
    assert "spiritualism_2" in told
    assert len(told.splitlines()) == 3


def test_roles_are_called_as_the_edition_calls_them() -> None:
    """A word that the editions have different ones for stands in no text of a card or variant and in none of its lines, but in braces."""
    scripts = [*map(Script, editions())]
    words = [{script.word("role", role) for script in scripts} for role in (*ROLES, "lovers", "charmed", "captain")]
    several = {word for own in words if len(own) > 1 for word in own}
    assert {"村长", "警长", "村民", "平民", "先知", "预言家"} <= several
    for file in events.read().values():
        read = [text for card in file.each.values() for text in (card.name, card.effect, card.more)]
        for text in (file.title, *read, *file.lines.values()):
            plain = text.replace("年长者", "")     # the seniors of a card, and no elder
            assert not [word for word in several if word in plain], text


def test_a_name_that_none_has_is_told() -> None:
    """With those that there are."""
    told = narrator("cards", "潮水")
    assert told.returncode == 1
    assert "潮水" in told.stderr
    assert "洪水" in told.stderr
