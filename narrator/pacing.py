"""How long a silence lasts.

A wake's window is drawn before the role is called, whatever will be answered, and an answer never shortens it. A wake that runs
over is extended in fixed steps until it is answered. In a decoy nobody could run over, nor where a role is only shown something; so
these are extended as often as this table's wakes have been in which somebody could: their number of steps is drawn from those,
whichever roles they were. The first night, the later ones and the roll call count each for itself.

Everyone hears which role is called and how long its wake lasts. For the length to say nothing of who is awake:

1.  An answer is late at a fixed time after the window's beginning; what is drawn comes behind that. If it were late a fixed time before
    the end, short windows would run over more often than long ones, and in a decoy they would not.
2.  As long as nobody has run over no decoy does, or two games in which all answers come in time would differ.
3.  Roles should run over about as often as each other: one that is slower than the rest of the table is slower than its own decoy,
    which is as slow as all of them. So a call that is known to take longer has a longer window from the start.
4.  It should be rare: whoever is the first at a table to run over is not in a decoy, for none has yet.

The first two hold exactly, the others as far as the table's people allow. `benchmarks/leak` measures what is left.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from narrator.rules import WAKES, Ask, Phase, Wake


def _ascending(span: tuple[float, float]) -> tuple[float, float]:
    if not 0 <= span[0] <= span[1]:
        raise ValueError(f"expected two ascending numbers of seconds, got {span!r}")
    return span


def _calls(longer: dict[str, float]) -> dict[str, float]:
    if unknown := longer.keys() - WAKES:
        raise ValueError(f"expected names of calls, got {min(unknown)!r}")
    return longer


Span = Annotated[tuple[float, float], AfterValidator(_ascending)]
Longer = Annotated[dict[str, Annotated[float, Field(ge=0)]], AfterValidator(_calls)]
Figure: TypeAlias = float | tuple[float, float] | dict[str, float]


PACES: dict[str, float] = {"slow": 1.35, "normal": 1.0, "fast": 0.75}
"""How much longer every silence lasts at a table of beginners, or of people who know each other well."""

LIMITED = {
    "captain.speech": "speech", "day.speech": "speech", "day.discussion": "discussion", "vote.again": "run_off", "words.last": "last_words",
}  # fmt: skip
"""Asks that wait for somebody to have spoken → the figure that limits it."""

AHEAD = (30.0, 10.0)
"""Seconds before the end at which it is told, where so many are left at all."""


class Pacing(BaseModel):
    """An edition's figures, all in seconds: spans are drawn from, the others are as they stand.

    deal, roll, wake_first_night, wake, glance   the window of a call: at the deal, in the roll call, on the first night, later, and where
                everyone looks at the screen in turn
    longer      by how much the window of a call is longer, by the call's name: where several must agree, or more is asked
    extension   one step by which a window that runs over is extended
    knock       the time from one small wooden sound of a window to the next, so that a key press is one of many
    look        how long what is shown stays at least, where nobody says that it has been seen
    between_sentences, between_lines, after_sleep   the pauses between what is said
    reading     a character, where there is no voice and a sentence is read instead of heard
    speech, discussion, run_off, last_words   how long somebody may speak by day, all may, the tied may, the dead may; 0: as they like
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    deal: Span
    roll: Span
    wake_first_night: Span
    wake: Span
    glance: Span
    longer: Longer = {}
    extension: float = Field(gt=0)
    knock: Span
    look: float = Field(ge=0)
    between_sentences: float = Field(ge=0)
    between_lines: float = Field(ge=0)
    after_sleep: float = Field(ge=0)
    reading: float = Field(ge=0)
    speech: float = Field(ge=0)
    discussion: float = Field(ge=0)
    run_off: float = Field(ge=0)
    last_words: float = Field(ge=0)

    def limit(self, ask: Ask) -> float:
        """How many seconds may be spoken before this is answered; 0 where as long as one likes, or where nobody speaks."""
        return float(getattr(self, LIMITED[ask.id])) if ask.id in LIMITED else 0.0

    def readable(self, seconds: float) -> Pacing:
        """The same pacing for a display on which it takes so long to read what is shown: every window of the night is longer by what
        `look` lacks of it, and everyone who looks in turn has that long."""
        more = max(0.0, seconds - self.look)
        low, high = self.glance
        longer = {"look": self.look + more, "glance": (max(low, seconds), max(low, seconds) + high - low)}
        windows = {name: tuple(end + more for end in getattr(self, name)) for name in ("wake_first_night", "wake")}
        return Pacing.model_validate(self.model_dump() | windows | longer)

    def scaled(self, factor: float) -> Pacing:
        """The same pacing, every figure times `factor`."""
        return Pacing.model_validate({name: _times(value, factor) for name, value in self.model_dump().items()})


def _times(figure: Figure, factor: float) -> Figure:
    match figure:
        case dict():
            return {name: value * factor for name, value in figure.items()}
        case tuple():
            return (figure[0] * factor, figure[1] * factor)
    return figure * factor


class Timer:
    """The time that somebody may speak, `seconds` from `now` on, both in table time; 0 is as long as one likes.

    limited whether it ends
    coming  when something is to be told of it, and how many seconds are then left, the soonest first
    """

    def __init__(self, now: float, seconds: float) -> None:
        self.limited = seconds > 0
        self.coming = [(now + seconds - left, left) for left in (*AHEAD, 0.0) if left < seconds]


@dataclass(slots=True)
class Window:
    """The time that an open wake takes.

    name      whose wake it is
    open_for  seconds from its beginning until an answer is late
    rest      seconds from then until it ends: to look at what is shown, and what was drawn
    alike     by how many steps it is extended if nobody can run over in it
    timed     whether somebody can, so that its steps tell how fast the table is
    given     how many answers have been given in it, all of which can be taken back in silence
    ends      when it ends, in table time; None until the role has been called
    knock     when its next wooden sound is due, in table time
    began     when it began, by the clock
    steps     how often it was extended
    """

    name: str
    open_for: float
    rest: float
    alike: int
    timed: bool
    given: int = 0
    ends: float | None = None
    knock: float = math.inf
    began: float = 0.0
    steps: int = 0

    def open(self, now: float, clock: float, knock: float) -> None:
        """Its time begins, `now` in table time; the first wooden sound comes after `knock` seconds."""
        self.began, self.ends, self.knock = clock, now + self.open_for + self.rest, now + knock

    def extend(self, step: float, times: int = 1) -> None:
        """So many steps more, of so many seconds."""
        if self.ends is not None:
            self.ends += times * step
            self.steps += times

    def pretend(self, step: float) -> None:
        """Nobody can run over in it: it is extended as others are, once."""
        self.timed = False
        self.extend(step, self.alike)
        self.alike = 0


class Windows:
    """Draws the windows of one game."""

    def __init__(self, pacing: Pacing, rng: random.Random) -> None:
        self.pacing = pacing
        self._rng = rng
        # Dice of their own: how many knocks a window has must not move the length of the next one.
        self._knocks = random.Random(rng.random())
        self._overruns: dict[_When, list[int]] = {"setup": [], "first night": [], "later": []}

    def draw(self, wake: Wake, phase: Phase) -> Window:
        """The window of this wake, not open yet."""
        low, high = self._span(wake, phase)
        drawn = self._rng.uniform(0, high - low)
        # One draw for every wake, so that real and decoy wakes leave the dice alike.
        at = self._rng.random()
        overruns = self._learned(_when(phase))
        look = self.pacing.look if phase.kind == "night" else 0.0
        return Window(
            wake.name,
            open_for=low + self.pacing.longer.get(wake.name, 0.0) - look,
            rest=look + drawn,
            alike=overruns[int(at * len(overruns))] if overruns else 0,
            timed=bool(wake.actors),
        )

    def knock(self) -> float:
        """The seconds to the next wooden sound."""
        return self._knocks.uniform(*self.pacing.knock)

    def ran_over(self, steps: int, phase: Phase) -> None:
        """Remember by how many steps a wake was extended in which somebody could run over; 0 when it was answered in time."""
        self._overruns[_when(phase)].append(steps)

    def _learned(self, when: _When) -> list[int]:
        """The steps to draw from. Until a later night has any, those of the first night are the best guess."""
        return self._overruns[when] or (self._overruns["first night"] if when == "later" else [])

    def _span(self, wake: Wake, phase: Phase) -> Span:
        if phase.kind == "setup":
            return self.pacing.deal if wake.name == "deal" else self.pacing.roll
        if wake.name == "look":
            return self.pacing.glance
        return self.pacing.wake_first_night if phase.number == 1 else self.pacing.wake


_When: TypeAlias = Literal["setup", "first night", "later"]
"""What is learned of a table's speed is kept apart by these: the time that there is for an answer differs."""


def _when(phase: Phase) -> _When:
    if phase.kind == "setup":
        return "setup"
    return "first night" if phase.number == 1 else "later"
