"""How alike Chinese sounds: texts -> syllables -> what it costs to take one row of them for another.

A syllable is its initial and its final, without the tone. Between 0 and 1, two syllables differ by half of what their initials differ by,
and half of what their finals do, which is seen part by part: i|a|n, u|a|ng. What dialects do not tell apart costs least: z and zh, n and
l, h and f, an and ang.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

Syllable: TypeAlias = tuple[str, str]

OMITTED = 0.8
"""What a syllable costs that is wanted and was not heard."""
ADDED = 1.0
"""What one costs that was heard and is not wanted."""

_MERGED, _NEAR = 0.4, 0.6      # of two initials, or two parts of a final
_MERGERS = ("z zh", "c ch", "s sh", "n l", "h f", "r l", "n ng")
_ALIKE = (
    "b p", "d t", "g k", "j q", "z c", "zh ch", "j zh", "q ch", "x sh", "s x", "c q", "z j", "c s", "ch sh", "h k", "h g", "m n", "l r",
    "a o", "o e", "e i", "o u", "i ü", "a e", "e u",
)  # fmt: skip


def syllables(text: str) -> tuple[Syllable, ...]:
    """The syllables of the Chinese characters in a text, simplified or traditional. Loads pypinyin, which takes 60 MB."""
    from pypinyin import Style, lazy_pinyin

    characters = "".join(character for character in text if "\u4e00" <= character <= "\u9fff")
    initials = lazy_pinyin(characters, style=Style.INITIALS, strict=False)
    finals = lazy_pinyin(characters, style=Style.FINALS, strict=True)
    return tuple(zip(initials, (final.replace("v", "ü") for final in finals), strict=True))


@lru_cache(maxsize=4096)
def unlike(one: Syllable, other: Syllable) -> float:
    """How much two syllables differ: 0 the same, 1 nothing in common."""
    if one == other:
        return 0.0
    return 0.5 * _differ(one[0], other[0]) + 0.5 * _finals(one[1], other[1])


def _finals(one: str, other: str) -> float:
    here, there = _parts(one), _parts(other)
    return sum(weight * _differ(a, b) for weight, a, b in zip((0.25, 0.5, 0.25), here, there, strict=True))


@lru_cache
def _parts(final: str) -> tuple[str, str, str]:
    """Its medial, nucleus and coda: iang -> i a ng, uei -> u e i, ao -> - a o."""
    coda = next((coda for coda in ("ng", "n", "r") if final.endswith(coda)), "")
    vowels = final.removesuffix(coda)
    if vowels.endswith(("ai", "ei", "ao", "ou")):
        vowels, coda = vowels[:-1], vowels[-1]
    medial = vowels[:1] if len(vowels) > 1 and vowels[0] in "iuü" else ""
    return medial, vowels.removeprefix(medial), coda


def _differ(one: str, other: str) -> float:
    if one == other:
        return 0.0
    pair = frozenset((one, other))
    return _MERGED if pair in _MERGED_PAIRS else _NEAR if pair in _ALIKE_PAIRS else 1.0


_MERGED_PAIRS = {frozenset(pair.split()) for pair in _MERGERS}
_ALIKE_PAIRS = {frozenset(pair.split()) for pair in _ALIKE}
