"""The picture of a game: a row for each seat, a column for each night and day, and in the cells what was done to whom.

All lengths are in pixels of the picture. A seat's line ends in the column in which it died.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from narrator.interface import Interface
from narrator.recap.story import Chapter, Mark, begun, held
from narrator.rules import Game
from narrator.script import Script

HEAD, ROW, LETTER, BADGE, GAP, NARROWEST = 32, 44, 15, 24, 4, 60
"""The height of the heads, of a row; the width of a letter; the height of a badge, the gap between two, the width of a column."""


def chart(game: Game, chapters: Sequence[Chapter], interface: Interface, script: Script) -> str:
    """The picture as an SVG element; the page's table says the same in words, and is named as its description."""
    shown = [chapter for chapter in chapters if chapter.phase.number or chapter.marks]
    seats = range(1, game.setup.seats + 1)
    labels = {seat: f"{interface.page['seat_number'].format(seat=seat)} {game.setup.name(seat)}".strip() for seat in seats}
    held = cards(game, interface, script)
    left = max(map(len, (*labels.values(), *held.values()))) * LETTER + 3 * GAP
    widths = [_width(chapter, seats, interface) for chapter in shown]
    edges = [left + sum(widths[:number]) for number in range(len(shown) + 1)]
    height = HEAD + ROW * len(seats)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(interface.page["chart"])}" aria-describedby="seats"'
        f' width="{edges[-1]}" height="{height}" viewBox="0 0 {edges[-1]} {height}">'
    ]
    for chapter, x, width in zip(shown, edges, widths, strict=False):
        drawn.append(f'<rect class="{chapter.phase.kind}" x="{x}" y="0" width="{width}" height="{height}"/>')
        drawn.append(_text("phase", x + width / 2, HEAD / 2, interface.phase(chapter.phase), middle=True))
    for seat in seats:
        top = HEAD + ROW * (seat - 1)
        drawn.append(f'<line class="row" x1="0" y1="{top}" x2="{edges[-1]}" y2="{top}"/>')
        drawn.append(_text("name", GAP, top + ROW * 0.32, labels[seat]))
        drawn.append(_text("card", GAP, top + ROW * 0.72, held[seat]))
        drawn.append(f'<line class="life" x1="{left}" y1="{top + ROW / 2}" x2="{_end(seat, shown, edges)}" y2="{top + ROW / 2}"/>')
        for chapter, x in zip(shown, edges, strict=False):
            where = f"{labels[seat]} {interface.phase(chapter.phase)}"
            drawn += _badges(_of(seat, chapter), x + GAP, top + ROW / 2, where, interface, script)
    return "\n".join([*drawn, "</svg>"])


def cards(game: Game, interface: Interface, script: Script) -> dict[int, str]:
    """What each seat held: as the story has it at its beginning, and at the end where a card or variant has changed it."""
    written, first = {}, begun(game)
    for seat in range(1, game.setup.seats + 1):
        before, after = (interface.held(held(moment, seat), script) for moment in (first, game))
        written[seat] = before if before == after else interface.page["became"].format(before=before, after=after)
    return written


def _of(seat: int, chapter: Chapter) -> list[Mark]:
    return [mark for mark in chapter.marks if mark.seat == seat]


def _end(seat: int, shown: Sequence[Chapter], edges: Sequence[int]) -> int:
    """Where the line of a seat ends: under the first mark of the cell in which it died, and did not come back."""
    end = edges[-1]
    for chapter, edge in zip(shown, edges, strict=False):
        for mark in _of(seat, chapter):
            end = {"dead": edge + BADGE, "returned": edges[-1]}.get(mark.what, end)
    return end


def _glyph(mark: Mark, interface: Interface) -> str:
    return interface.glyphs[mark.what].format(count=mark.count)


def _badge_width(glyph: str) -> int:
    return BADGE + LETTER * (len(glyph) - 1)


def _width(chapter: Chapter, seats: Sequence[int], interface: Interface) -> int:
    """A column's width: what its fullest cell needs, and its head."""
    cells = (sum(_badge_width(_glyph(mark, interface)) + GAP for mark in _of(seat, chapter)) for seat in seats)
    return max(NARROWEST, LETTER * len(interface.phase(chapter.phase)) + 2 * GAP, GAP + max(cells, default=0))


def _badges(marks: Sequence[Mark], x: float, middle: float, where: str, interface: Interface, script: Script) -> Iterator[str]:
    """The marks of a cell, side by side from `x` on; each says in words what it is to who points at it."""
    for mark in marks:
        glyph = _glyph(mark, interface)
        width = _badge_width(glyph)
        told = escape(f"{where} {interface.deed(mark.what, mark.count, script, mark.round)}")
        yield (
            f'<g class="badge {mark.what}"><title>{told}</title>'
            f'<rect x="{x:g}" y="{middle - BADGE / 2:g}" width="{width}" height="{BADGE}" rx="{BADGE / 4:g}"/>'
            f'{_text("glyph", x + width / 2, middle, glyph, middle=True)}</g>'
        )
        x += width + GAP


def _text(kind: str, x: float, y: float, text: str, middle: bool = False) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" dominant-baseline="central"{anchor}>{escape(text)}</text>'
