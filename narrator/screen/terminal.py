"""The screen in a terminal: the public part above, the private panel below it, the keys at the bottom.

The panel has its place and its background whoever is awake, so that the light of the screen tells nobody whether anyone is; by day
and in a pause, when nobody is, it gives way where the screen is small. The alternate screen is used and every frame is drawn over the
last one, so nothing scrolls and no secret stays behind. One thing in the panel is large, if there is the room: what is being typed,
else the seats and the card that were shown last.

Chinese terminals disagree about the width of many glyphs, and a stream may not have them at all. So nothing here relies on
where a line ends: lines are erased before they are drawn, the terminal's own wrapping is off, and rules are of ASCII.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.rule import Rule
from rich.segment import ControlType, Segment, Segments
from rich.style import Style
from rich.text import Text

from narrator.interface import Interface, about
from narrator.rules import Kind, Show, Voted
from narrator.screen.paper import forgiving
from narrator.screen.view import View
from narrator.script import Script

_PUBLIC = Style.parse("#b0b0b0 on #000000")
_PANEL = Style.parse("#d0d0d0 on #1c1c1c")
_LABEL = Style.parse("#808080")
_STRONG = Style.parse("bold #ffffff")
_ASKED = Style.parse("#ffffff")
_TYPED = Style.parse("bold #5fd7ff")
_REFUSED = Style.parse("bold #ffaf00")
_LARGE = Style.parse("#767676 on #1c1c1c reverse")      # dim, for it is big: in a dark room it lights up no face

_NO_WRAPPING, _WRAPPING = "\x1b[?7l", "\x1b[?7h"

_LEFT_BEHIND = f"\x1b[?47l\x1b[?25h{_WRAPPING}"
"""The screen's own page, a cursor and wrapping lines, without moving the cursor."""


_FIGURES = (
    "### .#. ### ### #.# ### ### ### ### ###",
    "#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#",
    "#.# .#. ### ### ### ### ### ..# ### ###",
    "#.# .#. #.. ..# ..# ..# #.# ..# #.# ..#",
    "### ### ### ### ..# ### ### ..# ### ###",
)
"""The digits 0 to 9 as they are drawn large. A dot is two blanks in reverse video: the width of block characters is nothing to rely on."""

_CLOSING = "，。、；：！？）”"
"""Signs that a line does not begin with."""

_ROOMY = 24
"""Rows of a screen whose panel has the room for large figures."""


class Terminal:
    """A `Screen` on the terminal that `stream` writes to."""

    readable = True

    def __init__(self, interface: Interface, script: Script, stream: TextIO) -> None:
        self._interface = interface
        self._script = script
        self._stream = forgiving(stream)
        self._console = Console(file=stream, force_terminal=True, highlight=False, markup=False, emoji=False)
        self._view: View | None = None
        self._speaking = ""
        self._notice = ""
        self._asked = ""
        self._secret = False
        self._typed = ""
        self._refused = ""
        self._audience = ""
        self._shown: list[str] = []
        self._large: Sequence[str] = ()
        self._covered = self._hidden = False
        self._open = True
        self._drawing = False
        self._stale = False
        atexit.register(self.close)
        self._before = _on_resize(self._resized)
        self.enter()

    # --- what is told to it -------------------------------------------------------------------------------------------

    def public(self, view: View) -> None:
        self._view = view
        self._draw()

    def speaking(self, _key: str, text: str) -> None:
        self._speaking = text
        self._draw()

    def asking(self, text: str, secret: bool, _kind: Kind | None = None) -> None:
        self._asked, self._secret = text, secret
        self._typed = self._refused = ""
        self._draw()

    def awake(self, on: bool) -> None:
        """The private panel has its place and its light at any time."""

    def private(self, audience: str, text: str, large: Sequence[str] = (), _show: Show | None = None) -> None:
        if audience != self._audience:
            self._audience, self._shown = audience, []
        if text not in self._shown:
            self._shown.append(text)
        self._large = large
        self._draw()

    def typed(self, text: str) -> None:
        self._typed = text
        if text:
            self._refused = ""
        self._draw()

    def refuse(self, text: str) -> None:
        self._typed, self._refused = "", text
        self._draw()

    def notice(self, text: str) -> None:
        self._notice = text
        self._draw()

    def cover(self, on: bool) -> None:
        self._covered = on
        self._draw()

    def hide(self, on: bool) -> None:
        if on != self._hidden:
            self._hidden = on
            self._draw()

    def wipe(self) -> None:
        self._audience, self._shown, self._large, self._hidden = "", [], (), False
        if self._secret:
            self._asked = self._typed = self._refused = ""
            self._secret = False
        self._draw()

    def close(self) -> None:
        """Empty the screen, in case the terminal has no alternate one, and leave it as it was found."""
        if not self._open:
            return
        self.wipe()
        self.leave()
        self._open = False
        atexit.unregister(self.close)
        if self._before is not None:
            signal.signal(signal.SIGWINCH, self._before)

    def enter(self) -> None:
        """Take the terminal's screen over, again after `leave`."""
        with contextlib.suppress(OSError):
            self._console.control(Control.alt_screen(True), Control.show_cursor(False))
            self._stream.write(_NO_WRAPPING)
        self._draw()

    def leave(self) -> None:
        """Give the screen back for a while, with nothing left on it."""
        with contextlib.suppress(OSError):
            self._paint([[]] * self._console.height)
            self._stream.write(_WRAPPING)
            self._console.control(Control.home(), Control.show_cursor(True), Control.alt_screen(False))
            self._stream.flush()

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _resized(self, *_: object) -> None:
        if self._drawing:
            self._stale = True
        else:
            self._draw()

    def _draw(self) -> None:
        if not self._open:
            return
        self._drawing = True
        with contextlib.suppress(OSError):      # the terminal has gone; that will be heard as the end of the keys
            self._console.size = _size(self._stream, self._console)
            self._paint(self._frame(self._console.width, self._console.height))
        self._drawing = False
        if self._stale:
            self._stale = False
            self._draw()

    def _paint(self, rows: Iterable[list[Segment]]) -> None:
        with self._console:
            for number, row in enumerate(rows):
                self._console.control(Control.move_to(0, number), Control((ControlType.ERASE_IN_LINE, 2)))
                self._console.print(Segments(row), end="")

    def _frame(self, width: int, height: int) -> list[list[Segment]]:
        foot = self._rows(_hints(self._interface.screen["keys"], width), width, _PUBLIC)[: height // 6]
        head = self._rows(self._public(width, roomy=height >= 18), width, _PUBLIC)
        panel = max(height * 2 // 5, 14 if height >= _ROOMY else min(6, height - 1))
        if self._eyes_open() and not self._private(width):   # it gives way to what everyone reads
            panel = max(min(panel, height - len(foot) - len(head)), 1)
        room = height - panel - len(foot)
        if len(head) > room:   # what is in force comes last: nothing of it is to go for a blank row
            head = self._rows(self._public(width, roomy=False), width, _PUBLIC)
        head += [[_blank(width, _PUBLIC)]] * room
        return head[:room] + self._panel(width, panel) + foot

    def _panel(self, width: int, height: int) -> list[list[Segment]]:
        rule = self._rows([Rule(characters="=", style=_LABEL)], width, _PANEL) if height > 5 else []
        room = height - 2 * len(rule)
        rows = self._rows(self._private(width), width, _PANEL)[-room:]
        large = self._enlarged(width)
        if rows and len(rows) + len(large) <= room:
            rows = [*rows[:1], *large, *rows[1:]]
        blank = [[_blank(width, _PANEL)]] * room
        return rule + (blank[: (room - len(rows)) // 2] + rows + blank)[:room] + rule

    def _rows(self, parts: list[RenderableType], width: int, style: Style) -> list[list[Segment]]:
        if not parts:
            return []
        options = self._console.options.update(width=width, height=None, overflow="fold")
        return self._console.render_lines(Group(*parts), options, style=style)

    # --- the parts ----------------------------------------------------------------------------------------------------

    def _eyes_open(self) -> bool:
        """By day, in a pause, and where everyone is asked something: then it tells nothing that nobody is awake alone."""
        everyone_asked = bool(self._asked) and not self._secret
        return self._covered or (self._view is not None and (self._view.phase.kind == "day" or everyone_asked))

    def _public(self, width: int, roomy: bool) -> list[RenderableType]:
        words = self._interface.screen
        title = words["title"].format(edition=self._script.name)
        if self._view is None:
            return [Text(title, _STRONG)]
        phase = self._interface.phase(self._view.phase)
        parts: list[RenderableType] = [Text(f"{title}   {phase}", _STRONG)]
        blank = [Text()] if roomy else []
        if not self._secret:
            parts += self._question(width)
        parts += _folded(Text(self._notice, _REFUSED), width)
        if self._speaking:   # below what waits for an answer: on a small screen it may go, since it is heard
            parts += blank + _folded(Text.assemble((words["speaking"], _LABEL), "  ", (self._speaking, _STRONG)), width)
        return [*parts, *blank, *_table(self._view, self._interface, self._script, width)]

    def _private(self, width: int) -> list[RenderableType]:
        parts: list[RenderableType] = []
        if self._covered or self._hidden:
            return parts
        if self._shown:
            parts.append(Text(self._interface.awake(self._audience, self._script), _LABEL, justify="center"))
            parts += [line for text in self._shown for line in _folded(Text(text, _STRONG, justify="center"), width)]
        return [*parts, *(self._question(width) if self._secret else [])]

    def _enlarged(self, width: int) -> list[list[Segment]]:
        """What is large, centred; nothing where the panel is not wide enough."""
        typed = re.findall(r"\d+", unicodedata.normalize("NFKC", self._typed)) if self._secret else []
        words = typed or self._large
        numbers = [word for word in words if word.isdecimal()]
        cards = [word for word in words if not word.isdecimal()]
        rows = _figures(numbers) + ([[]] if numbers and cards else []) + _bands(cards)
        widths = [sum(segment.cell_length for segment in row) for row in rows]
        if max(widths, default=0) > width:
            return []
        margins = [(width - used) // 2 for used in widths]
        return [
            [_blank(left, _PANEL), *row, _blank(width - used - left, _PANEL)] for row, used, left in zip(rows, widths, margins, strict=True)
        ]

    def _question(self, width: int) -> list[Text]:
        typed = self._interface.screen["typed"].format(text=self._typed) if self._typed else ""
        lines = ((self._asked, _ASKED), (typed, _TYPED), (self._refused, _REFUSED))
        justify: Literal["center", "left"] = "center" if self._secret else "left"
        return [line for text, style in lines for line in _folded(Text(text, style, justify=justify), width)]


def restore(stream: TextIO) -> None:
    """Take away what a narrator that was killed has left on this terminal: its page, with what was secret on it, and a hidden cursor."""
    stream.write(_LEFT_BEHIND)
    stream.flush()


def _table(view: View, interface: Interface, script: Script, width: int) -> list[RenderableType]:
    """The seats and what has become of them, a line each; then the event cards that are in force."""
    words = interface.screen

    def seat(number: int) -> str:
        """A seat with the card it has shown, if it has; or with both."""
        shown = [script.word("role", of[number]) for of in (view.first, view.cards) if number in of]
        return " ".join((view.label(number), *shown))

    rows = [("alive", [*map(seat, view.alive)]), ("dead", [*map(seat, view.dead)])]
    if view.captain:
        rows.append(("captain", [view.label(view.captain)]))
    rows.append(("standing", [*map(view.label, view.standing)]))
    if view.vote:
        rows.append(("election" if view.vote.election else "votes", [_count(view.vote, view.captain, script.captain, words)]))
    table: list[RenderableType] = []
    for name, told in rows:
        label = words[name].format(captain=script.captain)
        if any(told):
            lines = f"\n{' ' * (cell_len(label) + 2)}".join(_filled(told, "  ", width - cell_len(label) - 2))
            table.append(Text.assemble((label, _LABEL), "  ", lines))
    for name in view.in_force:
        event = about(name, script)
        effect = words["event"].format(name=event.name, effect=event.effect)
        table += _folded(Text.assemble((words["in_force"], _LABEL), "  ", effect), width)
    if view.winner:
        table.append(Text(words["winner"].format(winner=interface.winners[view.winner]), _STRONG))
    return table


def _count(vote: Voted, captain: int, office: str, words: Mapping[str, str]) -> str:
    """A vote by who was named, the heaviest first, with what the votes weigh and whose they are: 3：4 票（1、2、村长5）   7：1 票（4）.
    Abstentions are left out; the captain's ballot is marked, for it may weigh more, but in an election nobody is captain yet. Where hands
    were counted, whose they are is not known."""

    def told(named: int, weight: float) -> str:
        by = [seat for seat, ballot in enumerate(vote.ballots, start=1) if ballot == named]
        voters = "、".join(f"{office}{seat}" if seat == captain and not vote.election else str(seat) for seat in by)
        return words["counted_by" if by else "counted"].format(seat=named, votes=f"{weight:g}", voters=voters)

    return "   ".join(told(named, weight) for named, weight in sorted(vote.weights, key=lambda each: (-each[1], each[0])))


def _hints(keys: str, width: int) -> list[RenderableType]:
    """What the keys do, each with its key on one line: on a small screen the last ones go."""
    return [Text(line, _LABEL) for line in _filled(keys.split("　"), "　", width)]


def _filled(parts: Iterable[str], between: str, width: int) -> list[str]:
    """Parts side by side, in as many lines as they need; none is torn that has room."""
    lines = list[str]()
    for part in parts:
        longer = f"{lines[-1]}{between}{part}" if lines else part
        if lines and cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _figures(numbers: Sequence[str]) -> list[list[Segment]]:
    """Numbers side by side, in figures five rows high."""
    if not numbers:
        return []
    rows = ("....".join(".".join(row[4 * int(digit) :][:3] for digit in number) for number in numbers) for row in _FIGURES)
    return [[Segment("  ", _LARGE if dot == "#" else _PANEL) for dot in row] for row in rows]


def _bands(words: Sequence[str]) -> list[list[Segment]]:
    """Words side by side, each set apart and off from what stands round it."""
    bands = [Segment(f"  {'  '.join(word)}  ", _LARGE) for word in words]
    return [[part for band in bands for part in (_blank(4, _PANEL), band)][1:]] if bands else []


def _folded(text: Text, width: int) -> list[Text]:
    """A text in lines that are filled to their end: Chinese has no blanks to wrap at, and what has some must not be torn there. No line
    begins with a sign that closes what stands before it, if it can be helped: the letter before goes with it."""
    cuts, begun, used = list[int](), 0, 0
    for at, letter in enumerate(text.plain):
        used += cell_len(letter)
        if letter == "\n":
            begun, used = at + 1, 0
        elif used > width:
            cut = at
            while text.plain[cut] in _CLOSING and cut > begun + 1:
                cut -= 1
            begun = at if text.plain[cut] in _CLOSING else cut
            used = cell_len(text.plain[begun : at + 1])
            cuts.append(begun)
    return [line for part in text.divide(cuts) for line in part.split()] if text else []


def _blank(width: int, style: Style) -> Segment:
    return Segment(" " * width, style)


def _size(stream: TextIO, console: Console) -> tuple[int, int]:
    try:
        width, height = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):   # no terminal behind it: a test, a pipe
        width, height = console.size
    return width or 80, height or 24


def _on_resize(handler: Callable[..., Any]) -> Any:
    """Have it called when the window changes its size; what was called before. Only the main thread may ask for it."""
    if not hasattr(signal, "SIGWINCH") or threading.current_thread() is not threading.main_thread():
        return None
    return signal.signal(signal.SIGWINCH, handler)
