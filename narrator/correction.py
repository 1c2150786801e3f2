"""A roll call that is held again: what had been answered before it is laid aside, and given again as far as it still fits.

Everyone hears the roll call again, and then the game goes on where it stood. Where an answer no longer fits, or let somebody learn what
was wrong, it goes on from there; that is decided here, and how the table comes to hear of it in `narrator.loop`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from narrator.journal import Aside
from narrator.rules import Answer, Dawns, Game, Line, Setup, Turn, Wake, after_roll_call, learned, say

ROLL_CLOSES = say("roll.close")


@dataclass(frozen=True, slots=True)
class Correction:
    """What stands aside until the roll call is over.

    before  all that had been answered, the wrong roll call too
    place   where the game then goes on: the morning that had come, or the wake that was open; None where neither
    """

    before: list[Answer]
    place: Line | None

    @classmethod
    def of(cls, game: Game, performed: int, done: int | None) -> Self | None:
        """Of a game whose turn has been performed to line `performed`, and whose last wake ended or began at line `done`; None where
        nothing has been answered that could be given again."""
        lines = game.turn.lines
        standing = lines[done] if done is not None and done < len(lines) else None
        place = Dawns() if Dawns() in lines[: performed + 1] else standing
        return cls(list(game.answers), place) if after_roll_call(game.answers) else None

    @classmethod
    def taken_up(cls, setup: Setup, aside: Aside) -> Self | None:
        """The same, of what a journal has kept of a roll call that was cut off."""
        before = Game(setup)
        fits = before.go_on(aside.answers) == len(aside.answers) and aside.at is not None
        place = next(iter(before.turn.lines[aside.at :]), None) if fits else None
        return cls(aside.answers, place) if after_roll_call(aside.answers) else None

    def give_again(self, game: Game) -> tuple[int, bool]:
        """Give a game whose roll call is over what it was told after the wrong one. Returns how many answers stand, and whether all do."""
        later = after_roll_call(self.before)
        stand = game.go_on(later[: self._told_alike(game, later)])
        return stand, stand == len(later)

    def found(self, turn: Turn) -> int | None:
        """The number of the line, in the turn as it is now, with which the game goes on; a wake is known by its name."""
        name = self.place.name if isinstance(self.place, Wake) else None
        for number, line in enumerate(turn.lines):
            if line == self.place or (isinstance(line, Wake) and line.name == name):
                return number
        return None

    def _told_alike(self, game: Game, later: list[Answer]) -> int:
        """How many of these answers let nobody learn anything else than they did before: a seer who was shown a wrong card must be
        shown the right one. A thief is shown his before he answers anything."""
        rolled = game.answers
        before = learned(game.setup, self.before)[len(self.before) - len(later) - 1 :]
        now = learned(game.setup, [*rolled, *later])[len(rolled) - 1 :]
        differ = (number for number, (one, other) in enumerate(zip(before, now, strict=False)) if one != other)
        return max(0, next(differ, len(later) + 1) - 1)


def end_of_roll_call(turn: Turn) -> int | None:
    """The number of the turn's lines that end the roll call; None while it goes on."""
    return turn.lines.index(ROLL_CLOSES) + 1 if ROLL_CLOSES in turn.lines else None
