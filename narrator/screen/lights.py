"""Secrets told by light, for a box without a display.

There are two signs, A and B. Two lamps of different place or colour show one of them at each beat; one lamp alone is lit once for A, and
twice for B, for as long altogether. B marks a place of a row: `narrator.screen.code` has what rows mean, `docs/secrets.md` how to read
them.

From the moment a window opens until it closes the lamps run cycles of one schedule, whoever is awake, or nobody, and whatever there is to
tell. It depends only on the number of seats, which everyone knows; a letter is a beat, a dot a beat of darkness:

    H . 1 2 3 4 5 . 6 7 8 9 10 . 11 12 13 14 . .        (up to 14 seats, for there are 14 cards)

The head H tells whether the row tells something (B) or how a question stands (A): all A, a number is wanted; changing with each
group, yes or no is; all B, the last answer was not taken; changing with each place, there is nothing to do or to see. So no row is
mistaken for another. A cycle is told to its end or not at all: what is new begins with the next one, what is taken away is away from the
next beat on. Two things side by side take turns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, TypeAlias

from narrator.clock import Clock, RealClock
from narrator.rules import Kind, Show
from narrator.screen.code import ALTERNATING, CARD_NUMBERS, EVERYWHERE, GROUP, IN_GROUPS, NOBODY, Row, rows
from narrator.screen.view import View

BEAT = 0.4
"""Seconds from one light to the next."""

Sign: TypeAlias = Literal["A", "B"]
Lit: TypeAlias = Callable[[Collection[str]], object]
"""Lights the lamps of these names, and no others. Raises `OSError` where they are gone."""


def _nothing() -> None:
    """There is no device to let go of."""


@dataclass(frozen=True)
class Lamps:
    """How lamps show a sign within a beat.

    lit    what lights them
    signs  sign → from which part of the beat on (0 to 1) which lamps are lit
    close  lets go of the device
    """

    lit: Lit
    signs: dict[Sign, tuple[tuple[float, tuple[str, ...]], ...]]
    close: Callable[[], None] = field(default=_nothing)


def pair(lit: Lit, a: str, b: str, close: Callable[[], None] = _nothing) -> Lamps:
    """Two lamps by their names: one for each sign."""
    return Lamps(lit, {"A": ((0.0, (a,)), (0.65, ())), "B": ((0.0, (b,)), (0.65, ()))}, close)


def single(lit: Lit, name: str, close: Callable[[], None] = _nothing) -> Lamps:
    """One lamp: once long, or twice half as long, close enough together to be one beat."""
    once = ((0.0, (name,)), (0.4, ()))
    twice = ((0.0, (name,)), (0.2, ()), (0.35, (name,)), (0.55, ()))
    return Lamps(lit, {"A": once, "B": twice}, close)


@dataclass(frozen=True)
class _Cycle:
    """One way round: its head, and the places that are marked."""

    head: Sign
    row: Row


_NOTHING = _Cycle("A", ALTERNATING)
_NUMBER = _Cycle("A", NOBODY)
_YES_NO = _Cycle("A", IN_GROUPS)
_REFUSED = _Cycle("A", EVERYWHERE)


def reading(seats: int, beat: float = BEAT) -> float:
    """Seconds within which one thing that is shown at any moment can surely be read: until the next cycle begins, and that one."""
    return (_LEAD + 2 * _length(_places(seats))) * beat


class Lights:
    """A `Screen` of lamps. `begin` has them follow by themselves, in a thread that nothing but a clock leads; `tick` leads them by hand."""

    readable = False

    def __init__(self, lamps: Lamps, beat: float = BEAT, clock: Clock | None = None) -> None:
        """`beat` is in seconds. The lamps are dark until a window opens."""
        self._lamps, self._beat, self._clock = lamps, beat, clock or RealClock()
        self._places = _places(0)
        self._shown: tuple[Show, ...] = ()
        self._asked: Kind | None = None
        self._refused = self._covered = self._hidden = self._closed = False
        self._opened: float | None = None      # when the window opened, by the clock
        self._following: float | None = None   # the one that the lamps run for
        self._steps: Iterator[float] = iter(())
        self._due = 0.0
        self._stirred = threading.Event()
        self._thread = threading.Thread(target=self._keep_time, name="lights", daemon=True)
        self._light(())

    # --- what is told to it -------------------------------------------------------------------------------------------

    def public(self, view: View) -> None:
        """A larger table has longer rows, from the next window on."""
        self._places = _places(view.seats)

    def speaking(self, key: str, text: str) -> None:
        """What is spoken is heard."""

    def asking(self, text: str, secret: bool, kind: Kind | None = None) -> None:
        self._asked = kind if text and secret else None
        self._refused = False

    def awake(self, on: bool) -> None:
        if on != (self._opened is not None):
            self._refused = False
            self._opened = self._clock.now() if on else None
            self._stirred.set()

    def private(self, audience: str, text: str, large: Sequence[str] = (), show: Show | None = None) -> None:   # noqa: ARG002
        if show and show not in self._shown:
            self._shown += (show,)

    def typed(self, text: str) -> None:
        """What is typed is not told; it begins a new entry in the place of one that was refused."""
        self._refused = self._refused and not text

    def refuse(self, text: str) -> None:   # noqa: ARG002
        """In a window. By day nobody looks: it must be heard."""
        self._refused = True

    def notice(self, text: str) -> None:
        """Lamps have no words."""

    def cover(self, on: bool) -> None:
        self._covered = on

    def hide(self, on: bool) -> None:
        self._hidden = on

    def wipe(self) -> None:
        self._shown, self._asked = (), None
        self._refused = self._hidden = False

    def close(self) -> None:
        """Leave the lamps dark."""
        if self._closed:
            return
        self._closed = True
        self._stirred.set()
        if self._thread.is_alive():
            self._thread.join()
        self._light(())
        self._lamps.close()

    # --- the lamps ----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Follow the clock from now on."""
        self._thread.start()

    def tick(self) -> float | None:
        """Do what is due. Returns when something is due again, by the clock; None: when a window opens."""
        opened = self._opened
        if opened != self._following:
            self._following = opened
            self._light(())
            self._steps = self._run(opened) if opened is not None else iter(())
            self._due = opened or 0.0
        if opened is None:
            return None
        while self._due <= self._clock.now():
            self._due = next(self._steps)
        return self._due

    def _keep_time(self) -> None:
        while not self._closed:
            due = self.tick()
            self._stirred.wait(None if due is None else max(0.0, due - self._clock.now()))
            self._stirred.clear()

    def _run(self, opened: float) -> Iterator[float]:
        """The schedule of a window: does what is due, and yields when it is to go on."""
        slots, length = list(_slots(self._places)), _length(self._places)
        before: tuple[_Cycle, ...] = ()
        turn = 0
        for number in count():
            began = opened + (_LEAD + number * length) * self._beat
            yield began
            if self._clock.now() > began + length * self._beat:
                continue    # the machine has stood still: it does not hurry after
            wanted = self._wanted()
            turn, before = (turn + 1 if wanted == before else 0), wanted
            cycle = wanted[turn % len(wanted)]
            for slot, place in slots:
                yield began + slot * self._beat
                if cycle not in self._wanted():
                    cycle = _NOTHING
                sign: Sign = cycle.head if place == 0 else "B" if place in cycle.row else "A"
                for part, names in self._lamps.signs[sign]:
                    yield began + (slot + part) * self._beat
                    self._light(names)

    def _wanted(self) -> tuple[_Cycle, ...]:
        """The cycles that are to take turns now."""
        if self._covered or self._hidden:
            return (_NOTHING,)
        if self._refused:
            return (_REFUSED,)
        values_first = sorted(self._shown, key=lambda show: not show.value)
        cycles = [_Cycle("B", row) for show in values_first for row in rows(show)]
        if self._asked == "yes_no":
            cycles.append(_YES_NO)
        elif self._asked and not (self._asked == "wait" and cycles):
            cycles.append(_NUMBER)
        return tuple(cycles) or (_NOTHING,)

    def _light(self, names: Collection[str]) -> None:
        with suppress(OSError):     # the device has been pulled out: what finds it again says so
            self._lamps.lit(names)


_LEAD = 1
"""Beats of darkness before a window's first cycle: eyes have just been opened."""

_REST = 2
"""Beats of darkness after each cycle."""


def _places(seats: int) -> int:
    return max(seats, len(CARD_NUMBERS))


def _slots(places: int) -> Iterator[tuple[int, int]]:
    """The beats of a cycle that have light, and each one's place; the head's is 0."""
    yield 0, 0
    for place in range(1, places + 1):
        yield 1 + place + (place - 1) // GROUP, place


def _length(places: int) -> int:
    """The beats of a cycle."""
    return 2 + places + (places - 1) // GROUP + _REST
