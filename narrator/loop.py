"""The narration loop: rules → script → voice → sound → hearing → rules, once round per turn.

It alone knows both the game and the stage it is played on. Two promises are kept here. Nothing leaks: a wake's window is drawn
before the wake, no answer shortens it, and what is asked and shown in it goes to the private screen alone. Nothing is lost: an
answer is in the journal before anything more is said.
"""

from __future__ import annotations

from collections.abc import Callable

from narrator.errors import BadJournal, Refused
from narrator.hearing import Command, Entered
from narrator.hearing.grammar import read
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.rules import Ask, Begins, Game, Line, Outcome, PublicEvent, Say, Show, Sleep, Turn, Wake, say
from narrator.stage import Quit, Stage, Undo

CURTAIN = 4.0
"""Seconds that the last scene goes on after the last word."""


class Loop:
    """One game at one table."""

    def __init__(self, stage: Stage, game: Game, interface: Interface, journal: Journal | None = None) -> None:
        self._stage, self._game, self._interface, self._journal = stage, game, interface, journal
        self._events: list[PublicEvent] = []
        stage.phase = game.phase

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
        """What everyone may know is put back on the screen, all eyes close, and the open wake begins again."""
        self._restage()
        return _before(say("resume.night" if self._game.wake else "resume.day"), self._game.cue)

    def _restage(self) -> None:
        """Put the stage where the game stands, with no wake open."""
        self._stage.window, self._stage.phase = None, self._game.phase
        self._events = list(self._game.events)
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
                    self._stage.call(line, answered=len(self._game.answers))
                case Sleep():
                    self._stage.sleep()
                case _:
                    self._publish(line)

    def _publish(self, event: PublicEvent) -> None:
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
        value = self._value(ask)
        stage.attend(None)
        stage.screen.asking("", secret)
        if secret and ask.kind == "wait":
            stage.screen.wipe()
        checked = self._game.answer(ask.id, value)
        self._log(lambda journal: journal.answer(ask.id, checked))

    def _value(self, ask: Ask) -> object:
        shown_until = self._stage.now + self._stage.pacing.look
        while True:
            entry = self._next(ask, shown_until)
            match entry:
                case Entered(text):
                    try:
                        return self._game.verify(ask.id, read(ask, text, self._game.setup.seats))
                    except Refused as refused:
                        self._stage.screen.refuse(self._interface.refusal(refused))
                case Command():
                    self._stage.repeat()
                case None:   # whoever was shown something has had the time to see it
                    return True

    def _next(self, ask: Ask, shown_until: float) -> Entered | Command | None:
        """The next entry. In a window that runs over, the window is extended until there is one; None when a showing is over."""
        window = self._stage.window
        if window is None or window.ends is None:
            return self._stage.next()
        showing = ask.kind == "wait" and self._stage.phase.kind == "night"
        while showing and window.ends < shown_until:
            window.extend(self._stage.pacing.extension)
        while (entry := self._stage.next(window.ends)) is None and not showing:
            window.extend(self._stage.pacing.extension)
        return entry

    # --- undoing ------------------------------------------------------------------------------------------------------

    def _undone(self, turn: Turn) -> Turn:
        """Take the last answer back: silently inside an open window; else aloud, and a night starts again from its beginning."""
        game, window = self._game, self._stage.window
        self._stage.attend(None)
        self._stage.screen.wipe()
        if not game.answers:
            return turn
        inside = window is not None and len(game.answers) > window.answered
        game.undo(len(game.answers) - 1)
        if not inside and game.wake:
            game.undo(game.phase_began)
        self._log(lambda journal: journal.undo(len(game.answers)))
        return self._asked_again() if inside else self._started_again()

    def _asked_again(self) -> Turn:
        """The open ask once more, with what was shown before it, in the same window and without a sound."""
        turn = self._game.cue
        if turn.ask:
            self._stage.screen.private(turn.ask.audience, self._interface.screen["undone"])
        return Turn(tuple(line for line in turn.lines if isinstance(line, Show)), turn.ask)

    def _started_again(self) -> Turn:
        self._stage.hush()
        self._restage()
        return _before(say("undo.night" if self._game.wake else "undo.day"), self._game.cue)

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
