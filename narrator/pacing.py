"""How long a silence lasts.

A wake's window is drawn before the role is called, whatever will be answered, and an answer never shortens it. A wake that runs
over is extended in fixed steps until it is answered. A decoy has nobody who could run over, so it is extended as often as this
table's real wakes have been: its number of steps is drawn from theirs, whichever roles they were. The roll call, where everyone keys
a number or more and a card that was left over is a decoy, counts for itself.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from narrator.rules import Ask, Phase, Wake


def _ascending(span: tuple[float, float]) -> tuple[float, float]:
    if not 0 <= span[0] <= span[1]:
        raise ValueError(f"expected two ascending numbers of seconds, got {span!r}")
    return span


Span = Annotated[tuple[float, float], AfterValidator(_ascending)]


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

    deal, roll, wake_first_night, wake   the window of a call: at the deal, in the roll call, on the first night, later
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

    def scaled(self, factor: float) -> Pacing:
        """The same pacing, every figure times `factor`."""
        figures = self.model_dump()
        return Pacing.model_validate(
            {name: [v * factor for v in value] if isinstance(value, tuple) else value * factor for name, value in figures.items()}
        )


class Timer:
    """The time that somebody may speak, `seconds` from `now` on, both in table time.

    coming  when something is to be told of it, and how many seconds are then left, the soonest first
    """

    def __init__(self, now: float, seconds: float) -> None:
        self.coming = [(now + seconds - left, left) for left in (*AHEAD, 0.0) if left < seconds]


@dataclass(slots=True)
class Window:
    """The time that an open wake takes.

    name      whose wake it is
    length    seconds that it lasts if nobody runs over
    decoy     whether nobody is awake in it
    given     how many answers have been given in it, all of which can be taken back in silence
    ends      when it ends, in table time; None until the role has been called
    knock     when its next wooden sound is due, in table time
    began     when it began, by the clock
    steps     how often it was extended
    """

    name: str
    length: float
    decoy: bool
    given: int = 0
    ends: float | None = None
    knock: float = math.inf
    began: float = 0.0
    steps: int = 0

    def open(self, now: float, clock: float, knock: float) -> None:
        """Its time begins, `now` in table time; the first wooden sound comes after `knock` seconds."""
        self.began, self.ends, self.knock = clock, now + self.length, now + knock

    def extend(self, step: float) -> None:
        """One more step of so many seconds."""
        if self.ends is not None:
            self.ends += step
            self.steps += 1


class Windows:
    """Draws the windows of one game."""

    def __init__(self, pacing: Pacing, rng: random.Random) -> None:
        self.pacing = pacing
        self._rng = rng
        # Dice of their own: how many knocks a window has must not move the length of the next one.
        self._knocks = random.Random(rng.random())
        self._overruns: dict[bool, list[int]] = {True: [], False: []}   # in the roll call, and at night

    def draw(self, wake: Wake, phase: Phase) -> float:
        """The seconds that this wake's window lasts, if nobody runs over."""
        seconds = self._rng.uniform(*self._span(wake, phase))
        # One draw for every wake, so that real and decoy wakes leave the dice alike.
        at = self._rng.random()
        overruns = self._overruns[phase.kind == "setup"]
        steps = overruns[int(at * len(overruns))] if overruns else 0
        return seconds if wake.actors else seconds + steps * self.pacing.extension

    def knock(self) -> float:
        """The seconds to the next wooden sound."""
        return self._knocks.uniform(*self.pacing.knock)

    def _span(self, wake: Wake, phase: Phase) -> Span:
        if phase.kind == "setup":
            return self.pacing.deal if wake.name == "deal" else self.pacing.roll
        return self.pacing.wake_first_night if phase.number == 1 else self.pacing.wake

    def ran_over(self, steps: int, phase: Phase) -> None:
        """Remember by how many steps a real wake was extended; 0 when it was answered in time."""
        self._overruns[phase.kind == "setup"].append(steps)
