"""The narration loop: rules → script → voice → sound → hearing → rules, once round per turn.

It alone knows both the game and the stage it is played on. Two promises are kept here. Nothing leaks: a wake's window is drawn
before the wake, no answer shortens it, and what is asked and shown in it goes to the private screen alone. Nothing is lost: an
answer is in the journal before anything more is said.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from narrator.errors import BadJournal, Refused
from narrator.hearing import Command, Entered
from narrator.hearing.grammar import read
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.pacing import Window
from narrator.rules import Ask, Begins, Dawns, Game, Line, Outcome, PublicEvent, Say, Show, Sleep, Turn, Wake, say
from narrator.screen import View
from narrator.stage import Quit, Stage, Undo

CURTAIN = 4.0
"""Seconds that the last scene goes on after the last word."""


class Loop:
    """One game at one table."""

    def __init__(self, stage: Stage, game: Game, interface: Interface, journal: Journal | None = None) -> None:
        self._stage, self._game, self._interface, self._journal = stage, game, interface, journal
        self._events: list[PublicEvent] = []
        self._remark = ""      # what the next ask is put with: the key of a text of the screen
        self._secret = False   # whether somebody has been called in this night, or roll call, and it is not over

    def run(self) -> Outcome | None:
        """Play the game from where it stands to its end. Returns the outcome, or None when the table stopped before it."""
        turn: Turn | None = self._resumed() if self._game.answers else _before(say("table.open"), self._game.turn)
        try:
            while turn:
                turn = self._once_round(turn)
        except Quit:
            return None
        return self._game.outcome

    def _once_round(self, turn: Turn) -> Turn | None:
        """Say and show a turn, and get its answer. Returns the turn that follows; None when the curtain has fallen."""
        try:
            self._perform(turn.lines)
            if turn.ask is None:
                self._stage.curtain(CURTAIN)
                return None
            self._answer(turn.ask)
        except Undo:
            return self._undone(turn)
        return self._game.turn

    def _resumed(self) -> Turn:
        """What everyone may know is put back on the screen, all eyes close, and the wake that was open begins again."""
        if self._game.wake and not self._game.wake.asleep:
            self._undo(self._game.wake_began)   # a card that was being looked at is shown again only to who comes for it
        lines = _after_sleeps(self._game.cue, self._journal.slept if self._journal else 0)
        self._restage(lines)
        return Turn((say("resume.night" if _asleep(lines) else "resume.day"), *lines), self._game.turn.ask)

    def _restage(self, lines: tuple[Line, ...]) -> None:
        """Put the stage where the game stands before these lines, with no wake open."""
        coming = sum(not isinstance(line, Say | Show | Wake | Sleep) for line in lines)
        self._events = self._game.events[: len(self._game.events) - coming]
        self._stage.window = None
        self._stage.phase = View.of(self._game.setup, self._events).phase
        self._secret = False
        self._stage.publish(self._game.setup, self._events)

    # --- what happens at the table ------------------------------------------------------------------------------------

    def _perform(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            match line:
                case Say():
                    self._stage.say(line)
                case Show():
                    self._stage.show(line)
                case Wake():
                    self._secret = line.asleep
                    self._stage.call(line)
                case Sleep():
                    self._sleep(line)
                case _:
                    self._publish(line)

    def _sleep(self, sleep: Sleep) -> None:
        self._stage.sleep()
        self._log(lambda journal: journal.sleep(sleep.name))

    def _publish(self, event: PublicEvent) -> None:
        if isinstance(event, Begins | Dawns):
            self._secret = False
        if isinstance(event, Begins):
            self._stage.phase = event.phase
        self._events.append(event)
        self._stage.publish(self._game.setup, self._events)

    # --- asking -------------------------------------------------------------------------------------------------------

    def _answer(self, ask: Ask) -> None:
        """Ask until there is an answer that the rules take; it is in the journal when this returns."""
        stage, secret = self._stage, ask.audience != "everyone"
        stage.open_window()
        stage.attend(ask)
        stage.screen.asking(self._interface.ask(ask), secret)
        if self._remark:
            stage.screen.refuse(self._interface.screen[self._remark])
            self._remark = ""
        value = self._value(ask)
        stage.attend(None)
        stage.screen.asking("", secret)
        if secret and ask.kind == "wait":
            stage.screen.wipe()
        if stage.window:
            stage.window.given += 1
        checked = self._game.answer(ask.id, value)
        self._log(lambda journal: journal.answer(ask.id, checked))

    def _value(self, ask: Ask) -> object:
        while True:
            match self._next(ask):
                case Entered(text):
                    try:
                        return self._game.verify(ask.id, read(ask, text, self._game.setup.seats))
                    except Refused as refused:
                        self._stage.screen.refuse(self._interface.refusal(refused))
                case Command():
                    self._stage.repeat()
                case None:   # whoever was shown something has had the time to see it
                    return True

    def _next(self, ask: Ask) -> Entered | Command | None:
        """The next entry; None when a showing is over at the end of its window.

        At night a window is extended when nothing has been answered shortly before its end: whatever the answer then is, there is
        the time to look at what it may show, and nobody can tell from the window's length whether something was shown.
        """
        stage, window = self._stage, self._stage.window
        if window is None or window.ends is None:
            return stage.next()
        at_night = stage.phase.kind == "night"
        if ask.id.endswith(".seen") and at_night:
            return stage.next(window.ends)
        while (entry := stage.next(window.ends - (stage.pacing.look if at_night else 0.0))) is None:
            window.extend(stage.pacing.extension)
        return entry

    # --- undoing ------------------------------------------------------------------------------------------------------

    def _undone(self, turn: Turn) -> Turn:
        """Take the last answer back: silently inside an open window; else aloud, and a night starts again from its beginning.

        Which of the two it is aloud depends on what everyone knows: whether anyone has been called yet tonight. Who stops a night
        before that goes back to the day.
        """
        game, window = self._game, self._stage.window
        self._stage.attend(None)
        self._stage.screen.wipe()
        if window and window.given:
            return self._asked_again(window)
        self._stage.screen.asking("", secret=False)
        if not game.answers:
            return turn
        self._stage.hush()
        if not self._secret:
            self._undo(len(game.answers) - 1)
            if not (game.wake and game.wake.asleep):
                return self._day_again()
        return self._night_again()

    def _undo(self, keep: int) -> None:
        self._game.undo(keep)
        self._log(lambda journal: journal.undo(keep))

    def _asked_again(self, window: Window) -> Turn:
        """The ask before once more, with what was shown for it, in the same window and without a sound.

        An answer that has shown its seat something stands: or a seer could look at card after card.
        """
        since = takewhile(lambda line: not isinstance(line, Sleep), self._game.turn.lines)
        final = any(isinstance(line, Show) and line.learned for line in since)
        if not final:
            self._undo(len(self._game.answers) - 1)
            window.given -= 1
        self._remark = "seen_stands" if final else "undone"
        cue = self._game.cue
        called = max(number for number, line in enumerate(cue) if isinstance(line, Wake))
        return Turn(tuple(line for line in cue[called:] if isinstance(line, Show)), self._game.turn.ask)

    def _day_again(self) -> Turn:
        """The question before once more; at the deal, the seat before comes to the screen once more."""
        game = self._game
        if game.wake:
            self._undo(game.wake_began)
            lines = _after_sleeps(game.cue)
        else:
            lines = tuple(line for line in game.turn.lines if isinstance(line, Say))[-1:]
        self._restage(lines)
        return Turn((say("undo.day"), *lines), game.turn.ask)

    def _night_again(self) -> Turn:
        """The whole night, or the whole roll call, from its beginning."""
        self._undo(self._game.phase_began)
        lines = self._game.turn.lines
        begins = max(number for number, line in enumerate(lines) if isinstance(line, Begins))
        self._restage(lines[begins:])
        return Turn((say("undo.night"), *lines[begins:]), self._game.turn.ask)

    # --- keeping ------------------------------------------------------------------------------------------------------

    def _log(self, write: Callable[[Journal], None]) -> None:
        """Write to the journal. One that can no longer be written does not end the game; the screen says so."""
        if self._journal is None:
            return
        try:
            write(self._journal)
        except BadJournal as error:
            self._journal = None
            self._stage.screen.notice(self._interface.error(error))


def _before(line: Say, turn: Turn) -> Turn:
    return Turn((line, *turn.lines), turn.ask)


def _after_sleeps(lines: tuple[Line, ...], sleeps: int | None = None) -> tuple[Line, ...]:
    """What is left of these lines once so many wakes have ended, their sleep lines spoken; None: all that end in them."""
    ends = [number for number, line in enumerate(lines) if isinstance(line, Sleep)]
    ended = len(ends) if sleeps is None else sleeps
    return lines[ends[ended - 1] + 2 :] if ended else lines


def _asleep(lines: tuple[Line, ...]) -> bool:
    """Whether eyes are closed where these lines begin: the first thing in them that opens or closes any is a wake of the night."""
    first = next((line for line in lines if isinstance(line, Wake | Sleep | Begins | Dawns)), None)
    return isinstance(first, Wake) and first.asleep
