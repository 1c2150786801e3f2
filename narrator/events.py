"""Reads `scripts/cards/`: what the event cards and the variants are called, what they do, and what is spoken when they are played.

A file has a moon's cards, or the variants: a `title`, then under `[cards.NAME]` or `[variants.NAME]` the `name`, the `effect` in one
sentence, and `more`, all three read on a screen; and `[lines]`, spoken in every edition. An edition's word for a card or for the office
stands in braces, as in any line.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, Field

from narrator.resources import folder
from narrator.rules import MOONS, VARIANT_NAMES
from narrator.strict import Strict, Word, check_keys, read_strictly

NAMES: dict[str, tuple[str, ...]] = {
    "full_moon": MOONS["full"],
    "wolf_fang": MOONS["wolf_fang"],
    "dark_moon": MOONS["dark"],
    "variants": VARIANT_NAMES,
}
"""What each file tells of, in the rulebook's order."""


class About(Strict):
    """An event card or a variant: its name, what it does in one sentence, and when and for whom."""

    name: Word
    effect: Word
    more: Word


class Events(Strict):
    """One file: what its cards, or variants, have in common, each of them by its identifier, and their lines."""

    title: Word
    each: dict[str, About] = Field(validation_alias=AliasChoices("cards", "variants"))
    lines: dict[str, str]


def read() -> dict[Path, Events]:
    """The files, in the order of `NAMES`. Raises `BadScript` naming the file and what is wrong with it."""
    found: dict[Path, Events] = {}
    for file, names in NAMES.items():
        path = folder("scripts") / "cards" / f"{file}.toml"
        found[path] = read_strictly(path, Events)
        check_keys(path, "variants" if names is VARIANT_NAMES else "cards", found[path].each, names)
    return found
