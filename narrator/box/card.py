"""The key card: a numeric keypad on paper, each key with what it does, what it does when it is held, and what it does in a pause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

KEY, GAP, MARGIN, HEAD = 104, 6, 14, 46
"""The side of a key, the gap between two, the margin and the height of the title, in pixels: 148 by 210 mm when printed to fill A5."""

_KEYS = (
    ("numlock", "", 0, 0, 1, 1), ("pause", "/", 1, 0, 1, 1), ("again", "*", 2, 0, 1, 1), ("undo", "-", 3, 0, 1, 1),
    ("seven", "7", 0, 1, 1, 1), ("eight", "8", 1, 1, 1, 1), ("nine", "9", 2, 1, 1, 1), ("plus", "+", 3, 1, 1, 2),
    ("four", "4", 0, 2, 1, 1), ("five", "5", 1, 2, 1, 1), ("six", "6", 2, 2, 1, 1),
    ("one", "1", 0, 3, 1, 1), ("two", "2", 1, 3, 1, 1), ("three", "3", 2, 3, 1, 1), ("enter", "Enter", 3, 3, 1, 2),
    ("zero", "0", 0, 4, 2, 1), ("dot", ".", 2, 4, 1, 1),
)  # fmt: skip
"""Each key: its name in the texts, the sign on it, its column and row, its width and height in keys."""

KINDS = ("does", "held", "paused")
"""What a text says of a key: [keycard] has `NAME.does` and so on, where there is something to say."""


def card(texts: Mapping[str, str]) -> str:
    """The card as an SVG file, in these texts."""
    step = KEY + GAP
    width, height = 2 * MARGIN + 4 * step - GAP, 2 * MARGIN + HEAD + 5 * step - GAP + HEAD
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _text(width / 2, MARGIN + 24, 20, texts["title"], bold=True),
        *(line for key in _KEYS for line in _key(*key, texts)),
        _text(width / 2, height - MARGIN - 20, 12, texts["held"]),
        _text(width / 2, height - MARGIN - 2, 12, texts["paused"]),
        "</svg>\n",
    ])  # fmt: skip


def _key(name: str, sign: str, column: int, row: int, wide: int, high: int, texts: Mapping[str, str]) -> Iterator[str]:
    step = KEY + GAP
    x, y = MARGIN + column * step, MARGIN + HEAD + row * step
    width, height = wide * step - GAP, high * step - GAP
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="none" stroke="#000" stroke-width="2"/>'
    middle, top = x + width / 2, y + (height - KEY) / 2
    if sign:
        yield _text(middle, top + 34, 26, sign, bold=True)
    for line, kind in enumerate(KINDS):
        if text := texts.get(f"{name}.{kind}"):
            yield _text(middle, top + 56 + 19 * line, 14 if kind == "does" else 12, text, slanted=kind == "paused")


def _text(x: float, y: float, size: int, text: str, *, bold: bool = False, slanted: bool = False) -> str:
    style = ' font-weight="bold"' * bold + ' font-style="italic"' * slanted
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle"{style}>{escape(text)}</text>'
