"""The key card that is printed and laid beside a keypad."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from narrator.hearing.keypad import HELD
from tests.command import narrator
from tests.texts import the_interface

CARD = Path(__file__).parents[2] / "docs" / "keys.svg"


def test_the_card_that_ships_is_the_one_that_is_printed() -> None:
    """It cannot say other than the program does."""
    assert narrator("box", "card").stdout == CARD.read_text("utf-8")


def test_every_text_is_on_it_and_inside_its_frame() -> None:
    """Each once, as a picture that can be read as one."""
    root = ElementTree.fromstring(CARD.read_text("utf-8"))
    written = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    texts = the_interface().keycard
    assert set(texts.values()) <= set(written)
    assert {*"0123456789/*-+.", "Enter"} <= set(written)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        if element.tag.endswith("text"):
            half = len(element.text or "") * float(element.attrib["font-size"]) / 2
            assert half <= float(element.attrib["x"]) <= width - half, element.text
            assert float(element.attrib["y"]) < height


def test_it_tells_every_key_that_means_more_when_it_is_held() -> None:
    """As many as there are."""
    told = [key for key in the_interface().keycard if key.endswith(".held") and "按住" in the_interface().keycard[key]]
    assert len(told) == len(HELD)
