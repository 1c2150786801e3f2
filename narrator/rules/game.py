"""A game: its set-up plus the answers given.

The rules run as a coroutine (`flow.play`) that is sent one answer after another. There is no way to step it back, and none is
needed: `undo` and `replay` run it again from the beginning with the answers that stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from narrator.errors import Diverged, Refused
from narrator.rules.answers import verify
from narrator.rules.edition import Setup
from narrator.rules.flow import play
from narrator.rules.lines import LEAVE, LEFT_AT
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Begins, Leaves, Line, Outcome, Phase, PublicEvent, Say, Show, Sleep, Turn, Value, Wake, last

_SPOKEN = (Say, Show)

Answer = tuple[str, Value]
"""An ask's id and what was answered to it."""


def after_roll_call(answers: Iterable[Answer]) -> list[Answer]:
    """Those of a game's answers that were given once its roll call was over."""
    return [(ask, value) for ask, value in answers if not ask.startswith("roll.")]


def learned(setup: Setup, answers: Iterable[Answer]) -> list[tuple[Show, ...]]:
    """What each of these answers let somebody learn, as far as they fit; who it was shown to is left out."""
    game, shown = Game(setup), []
    for ask_id, value in answers:
        if not game.can(ask_id, value):
            break
        game.answer(ask_id, value)
        told = [line for line in game.turn.lines if isinstance(line, Show) and line.learned]
        shown.append(tuple(replace(line, actors=()) for line in told))
    return shown


class Game:
    """One game of Werewolf, waiting for its next answer.

    turn     what to say and show now, and what to ask
    answers  every answer so far
    events   all that is public so far
    outcome  how it ended; None while it goes on
    wake     the wake that is open, or None
    answered_in  the wake that the last answer was given in, from its beginning to that answer; empty where it was given in none
    phase_began, wake_began  how many answers had been given when this phase, or the last wake, began
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._begin()

    @classmethod
    def replay(cls, setup: Setup, answers: Iterable[Answer]) -> Game:
        """The game of these answers. Raises `Diverged` where one belongs to another ask, `Refused` where it may not be."""
        game = cls(setup)
        game._give(answers)
        return game

    def _begin(self) -> None:
        self._table = Table(self.setup)
        self._flow = play(self._table)
        self.answers: list[Answer] = []
        self.events: list[PublicEvent] = []
        self.outcome: Outcome | None = None
        self.wake: Wake | None = None
        self._wake_lines: list[Line] = []
        self.answered_in: tuple[Line, ...] = ()
        self.phase_began = 0
        self.wake_began = 0
        self._advance(None)

    def _give(self, answers: Iterable[Answer]) -> None:
        for ask_id, value in answers:
            self.answer(ask_id, value)

    # --- what stands --------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def phase(self) -> Phase:
        """Where the game stands."""
        return self._table.phase

    @property
    def alive(self) -> Sequence[int]:
        """The living seats, ascending, the night's secret dead among them until they are announced."""
        return tuple(self._table.alive)

    @property
    def captain(self) -> int:
        """The captain's seat, 0 for none."""
        return self._table.captain

    def role(self, seat: int) -> str | None:
        """A seat's card, None before it is known: a secret."""
        return self._table.roles.get(seat)

    def cards(self, seat: int) -> tuple[str, ...]:
        """The same where everyone holds two: both."""
        return self._table.cards_of(seat)

    def weight(self, seat: int) -> float:
        """What a seat's ballot counts for."""
        return self._table.weight(seat)

    # --- answers ------------------------------------------------------------------------------------------------------

    def verify(self, ask_id: str, value: object) -> Value:
        """The answer in its one form. Raises `Diverged` when another ask is open, `Refused` when it may not be given.

        `table.leave` stands in the place of any answer of the day: the seat of a player who has to go home.
        """
        ask = self.turn.ask
        if ask_id == LEAVE:
            if self.leaving is None:
                raise Refused("not_now")
            return verify(self.leaving, value, self.setup.seats)
        if ask is None or ask.id != ask_id:
            raise Diverged(saved=ask_id, now=ask.id if ask else "nothing")
        return verify(ask, value, self.setup.seats)

    @property
    def leaving(self) -> Ask | None:
        """The question which player has to go home, where one may now: by day, at `LEFT_AT`."""
        may_be_left = self.turn.ask is not None and self.turn.ask.id in LEFT_AT and self.phase.kind == "day"
        return Ask(LEAVE, "seat", "everyone", tuple(self.alive), tuple(self.alive)) if may_be_left else None

    def can(self, ask_id: str, value: object) -> bool:
        """Whether this answer may be given now."""
        try:
            self.verify(ask_id, value)
        except (Refused, Diverged):
            return False
        return True

    def answer(self, ask_id: str, value: object) -> Value:
        """Give an answer and go on to the next turn. Raises as `verify` does; nothing has changed then."""
        checked = self.verify(ask_id, value)
        self.answers.append((ask_id, checked))
        self.answered_in = tuple(self._wake_lines)
        self._advance(Leaves(checked) if ask_id == LEAVE and isinstance(checked, int) else checked)
        return checked

    @property
    def question_began(self) -> int | None:
        """The number of the turn's line with which its question is put again for everyone: at night, where the night begins; None where
        there is no such line, and the open wake is to begin again."""
        kind: type[Line] = Begins if self.wake and self.wake.asleep else Say
        return last(kind, self.turn.lines)

    def undo(self, keep: int) -> None:
        """Go back to where the first `keep` answers had been given."""
        kept = self.answers[:keep]
        self._begin()
        self._give(kept)

    def go_on(self, answers: Sequence[Answer]) -> int:
        """Give these answers as far as they fit. Returns how many of them stand.

        Where they stop fitting with eyes closed it is from the beginning of that night that no more of them stand: to go on in its
        midst would tell who has changed his mind.
        """
        before = len(self.answers)
        for ask_id, value in answers:
            if not self.can(ask_id, value):
                if self.wake and self.wake.asleep:
                    self.undo(max(before, self.phase_began))
                break
            self.answer(ask_id, value)
        return len(self.answers) - before

    # --- running the rules --------------------------------------------------------------------------------------------

    def _advance(self, value: Value | Leaves) -> None:
        lines: list[Line] = []
        ask: Ask | None = None
        run = self._flow.send
        try:
            step = run(value)
            while not isinstance(step, Ask):
                lines.append(step)
                step = run(None)
            ask = step
        except StopIteration as end:
            self.outcome = end.value
        for line in lines:
            if not isinstance(line, _SPOKEN):
                self._notice(line)
            elif self.wake:
                self._wake_lines.append(line)
        self.turn = Turn(tuple(lines), ask)

    def _notice(self, line: Wake | Sleep | PublicEvent) -> None:
        match line:
            case Wake():
                self.wake, self._wake_lines = line, [line]
                self.wake_began = len(self.answers)
            case Sleep():
                self.wake, self._wake_lines = None, []
            case _:
                self.events.append(line)
                if isinstance(line, Begins):
                    self.phase_began = len(self.answers)
