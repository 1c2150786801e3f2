"""The narration loop: rules → script → voice → sound → hearing → rules, once round per turn.

It alone knows both the game and the stage it is played on. Two promises are kept here. Nothing leaks: a wake's window is drawn
before the wake, no answer shortens it, and what is asked and shown in it goes to the private screen alone. Nothing is lost: an
answer is in the journal before anything more is said.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile

from narrator import readback, recap
from narrator.correction import Correction, end_of_roll_call
from narrator.errors import Refused
from narrator.hearing import Command, Entered, Entry, Spoken
from narrator.hearing.grammar import read
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.pacing import Timer, Window
from narrator.rules import (
    LEAVE,
    Ask,
    Begins,
    Dawns,
    Game,
    Line,
    Outcome,
    PublicEvent,
    Say,
    Show,
    Sleep,
    Value,
    Wake,
    last,
    say,
    verify,
)
from narrator.screen import View
from narrator.stage import Leave, Quit, RollAgain, Stage, Undo
from narrator.welcome import Welcome, welcome

CURTAIN = 15.0
"""Seconds that the last scene goes on after the last word: time for a table that disagrees to go back."""

OVER = Ask("table.over", "wait", "everyone", ())
"""What the table is asked when the game is over."""

LEFT = {30.0: say("time.thirty"), 10.0: say("time.ten"), 0.0: say("time.up")}
"""What is told of the time that somebody may speak, by the seconds that are left of it."""


@dataclass(frozen=True, slots=True)
class _Cue:
    """What comes next at the table: the lines `lead`, then those of the game's turn from number `at` on, then its ask; where somebody is
    `leaving`, first who that is."""

    lead: tuple[Line, ...] = ()
    at: int = 0
    leaving: bool = False


class Loop:
    """One game at one table.

    again   whether the table wants another one, once it is over
    """

    def __init__(
        self, stage: Stage, game: Game, interface: Interface, journal: Journal | None = None, chance: random.Random | None = None
    ) -> None:
        """`chance` decides what the rules leave to the narrator; where none is given, nobody can foresee it."""
        self._stage, self._game, self._interface, self._journal = stage, game, interface, journal
        self._chance = chance or random.SystemRandom()
        self._events: list[PublicEvent] = []
        self._at = 0           # the line of the turn that is being performed; all of them while an ask is open
        self._done: int | None = None   # the line of the turn that stands behind the last wake, where one has ended or begins in it
        self._remark = ""      # what the next ask is put with: the key of a text of the screen
        self._correction: Correction | None = None   # while a roll call is held again
        self._restarted = False   # whether this night was undone, and no call of it has ended since
        self.again = False
        self._secret = False   # whether somebody has been called in this night, or roll call, and eyes are still closed

    def run(self, greeting: Welcome | None = None, *, etiquette: bool = True) -> Outcome | None:
        """Play the game from where it stands to its end, after a greeting if there is to be one. `etiquette`: whether a new game begins
        with a word on how to behave at night.

        Returns the outcome, or None when the table stopped before it.
        """
        at = self._journal.at if self._journal else None
        if self._journal and self._journal.aside:
            self._correction = Correction.taken_up(self._game.setup, self._journal.aside)
        cue: _Cue | None = self._resumed(at) if self._game.answers else self._opened(etiquette)
        try:
            self._greet(greeting)
            while cue:
                cue = self._once_round(cue)
        except Quit:
            return None
        return self._game.outcome

    def _once_round(self, cue: _Cue) -> _Cue | None:
        """Say and show a turn, and get its answer. Returns what follows; None when the curtain has fallen."""
        try:
            if cue.leaving:
                return self._without()
            if self._correction and (end := end_of_roll_call(self._game.turn)):
                self._perform(cue, end)
                return self._given_again(self._correction, end)
            self._perform(cue)
            if self._game.turn.ask is None:
                self._fall()
                return None
            self._decide(self._game.turn.ask) if self._game.turn.ask.audience == "narrator" else self._answer(self._game.turn.ask)
        except Undo:
            return self._undone()
        except RollAgain:
            return self._roll_again()
        except Leave:
            return _Cue(at=self._at, leaving=True)
        return _Cue()

    def _fall(self) -> None:
        """The curtain falls; before it does, the story of the game is offered, and told to a table that wants it."""
        lines: tuple[Say, ...] = (say("recap.offer"),)
        while (wish := self._stage.curtain(CURTAIN, OVER, lines)) not in (None, "2") and (wish or lines[1:]):
            lines = recap.told(self._game) if wish == "1" else ()   # Enter stops the story; another one ends the evening
            if wish not in ("", "1"):
                self._stage.refuse(self._interface.refused["not_a_choice"].format(value=wish, candidates="1、2"))
        self.again = wish == "2"

    def _greet(self, kind: Welcome | None) -> None:
        self._stage.publish(self._game.setup, self._events)
        while kind:
            with contextlib.suppress(Undo, RollAgain, Leave):   # there is nothing to take back, and nobody to go
                welcome(self._stage, self._interface, kind)
                return

    def _opened(self, etiquette: bool) -> _Cue:
        """A new game begins. What is said depends on the deck and the rules alone."""
        setup, keys = self._game.setup, ["table.open"]
        if etiquette:
            keys.append("table.etiquette")
            if setup.rules.told_by == "tap" and {"cupid", "piper"}.intersection(setup.deck):
                keys.append("table.tapped")
        return _Cue(tuple(map(say, keys)))

    def _resumed(self, at: int | None) -> _Cue:
        """What everyone may know is put back on the screen, all eyes close, and the wake that was open begins again.

        `at` lines of the turn are done, as far as is known. At the deal eyes are open, and a card is shown again only to who comes
        for it.
        """
        game = self._game
        if game.wake and not game.wake.asleep:
            at = self._wake_again()
        lead = game.answered_in if at is None and _asleep(game.answered_in) else ()
        self._restage(at or 0)
        closed = _asleep((*lead, *game.turn.lines[at or 0 :]))
        return _Cue((say("resume.night" if closed else "resume.day"), *lead), at or 0)

    def _restage(self, at: int) -> None:
        """Put the stage where the game stands before line `at` of its turn, with no wake open."""
        coming = sum(not isinstance(line, Say | Show | Wake | Sleep) for line in self._game.turn.lines[at:])
        self._events = self._game.events[: len(self._game.events) - coming]
        self._stage.shut()
        self._stage.phase = View.of(self._game.setup, self._events).phase
        self._secret = False
        self._stage.publish(self._game.setup, self._events)

    # --- what happens at the table ------------------------------------------------------------------------------------

    def _perform(self, cue: _Cue, end: int | None = None) -> None:
        """Perform the lines of a cue, up to line `end`. The journal is told where a wake begins and where it has ended, its sleep
        line included."""
        self._at = cue.at
        for line in cue.lead:
            self._do(line)
        lines = self._game.turn.lines[:end]
        for at in range(cue.at, len(lines)):
            self._at = at
            if isinstance(lines[at], Wake):
                self._mark(at)
            self._do(lines[at])
            if isinstance(lines[at], Sleep):
                self._mark(at + 2)
        self._at = len(lines)

    def _mark(self, at: int) -> None:
        self._done = at
        self._log(lambda journal: journal.mark(at))

    def _do(self, line: Line) -> None:
        match line:
            case Say():
                self._stage.say(line)
            case Show():
                self._stage.show(line)
            case Wake():
                self._secret = line.asleep
                self._stage.call(line)
            case Sleep():
                self._stage.sleep()
                self._settle()
                self._restarted = False
            case _:
                self._publish(line)

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
        stage.attend(ask, may_be_left=self._game.leaving is not None)
        if self._remark:
            stage.refuse(self._interface.screen[self._remark])
            self._remark = ""
        value = self._value(ask)
        stage.attend(None)
        stage.screen.asking("", secret)
        if secret and ask.kind == "wait":
            stage.screen.wipe()
        if not secret:
            self._settle()
        if stage.window:
            stage.window.given += 1
        stage.disarm()
        self._give(ask, value)

    def _decide(self, ask: Ask) -> None:
        """What the rules leave to the narrator he decides by chance. It is kept like any answer, and the table notices nothing of it: the
        wake goes on as one does that nobody answers."""
        if self._stage.window:
            self._stage.window.timed = False
        self._give(ask, self._chance.choice(ask.candidates))

    def _give(self, ask: Ask, value: Value) -> None:
        """Give the rules an answer, and keep it."""
        checked = self._game.answer(ask.id, value)
        self._done = None
        self._log(lambda journal: journal.answer(ask.id, checked))

    def _value(self, ask: Ask) -> Value:
        """What is entered for a question, once it may be its answer."""
        seats, timer = self._game.setup.seats, Timer(self._stage.now, self._stage.pacing.limit(ask))
        while True:
            entry = self._next(ask, timer)
            try:
                while isinstance(entry, Spoken):
                    entry = readback.understood(self._stage, ask, entry, seats)
                if isinstance(entry, Entered):
                    return verify(ask, read(ask, entry.text, seats), seats)
            except Refused as refused:
                self._stage.refuse(self._interface.refusal(refused))
                continue
            match entry:
                case Command("wrong"):
                    pass
                case Command():
                    self._stage.repeat()
                case None:   # whoever was shown something has had the time to see it, or has spoken for as long as one may
                    return True

    def _settle(self) -> None:
        """Notices that have been read go, where everyone knows that something has been done: never with a secret answer."""
        self._stage.notice("start", "")
        self._stage.notice("why", "")

    def _next(self, ask: Ask, timer: Timer) -> Entry | None:
        """The next entry; None when a showing is over at the end of its window, or a speech at the end of its time.

        A window is extended when nothing has been answered a while before its end: whatever the answer then is, there is the time to
        look at what it may show, and nobody can tell from the window's length whether something was shown. Where a role is shown
        something and asked nothing, nobody can be late: that wake is extended like a decoy.
        """
        stage, window = self._stage, self._stage.window
        if window is None or window.ends is None:
            return self._in_time(timer)
        if ask.id.endswith(".seen") and stage.phase.kind == "night":
            if not window.given:
                window.pretend(stage.pacing.extension)
            return stage.next(window.ends)
        while (entry := stage.next(window.ends - window.rest)) is None:
            window.extend(stage.pacing.extension)
        return entry

    def _in_time(self, timer: Timer) -> Entry | None:
        """The next entry; None when the time is up, which is told some time before. Without a limit there is all the time in the world."""
        while timer.coming:
            at, left = timer.coming[0]
            entry = self._stage.next(at)
            if entry is None:
                timer.coming.pop(0)
                entry = self._stage.tell(LEFT[left])
            if entry:
                return entry
        return None if timer.limited else self._stage.next()

    def _without(self) -> _Cue:
        """Ask which player has to go home. The game goes on without him; or as it stood, where it is nobody after all."""
        game, stage, before = self._game, self._stage, self._game.turn
        put = game.question_began
        assert game.leaving is not None      # or the stage would not have let the wish pass
        ask = replace(game.leaving, may_pass=True)
        with stage.aside():
            stage.attend(ask, lightly=True)
            try:
                seat = self._value(ask)
            except Undo:
                seat = None
            stage.attend(None)
            stage.screen.asking("", secret=False)
        if seat is None:
            return _Cue(at=len(game.turn.lines))
        checked = game.answer(LEAVE, seat)
        self._log(lambda journal: journal.answer(LEAVE, checked))
        self._perform(_Cue())
        open_still, now = before.ask, game.turn.ask
        if put is not None and open_still and now and now.id == open_still.id and open_still.actors[0] in now.actors:
            self._do(before.lines[put])     # what has been said since is not what is asked
        return _Cue(at=len(game.turn.lines))

    # --- undoing ------------------------------------------------------------------------------------------------------

    def _undone(self) -> _Cue:
        """Take the last answer back: silently inside an open window; else aloud, and a night starts again from its beginning.

        Which of the two it is aloud depends on what everyone knows: whether eyes are closed and anyone has been called yet. Who
        stops a night before that goes back to the day.
        """
        game, window = self._game, self._stage.window
        self._stage.attend(None)
        self._stage.screen.wipe()
        if window and window.given:
            return self._asked_again(window)
        self._stage.screen.asking("", secret=False)
        self._stage.hush()
        if not game.answers:
            self._restage(0)
            return _Cue()
        if self._secret:
            if any(isinstance(line, Begins | Dawns) for line in game.turn.lines[self._at :]):
                game.undo(len(game.answers) - 1)   # the rules are ahead of the table, where this night is not over
            if not self._restarted or not game.phase_began:
                return self._night_again()
            game.undo(game.phase_began)   # undone once more before its first call was over: on to what came before this night
        game.undo(len(game.answers) - 1)
        return self._night_again() if game.wake and game.wake.asleep else self._day_again()

    def _asked_again(self, window: Window) -> _Cue:
        """The ask before once more, with what was shown for it, in the same window and without a sound.

        An answer that has shown its seat something stands: or a seer could look at card after card. So does the word that it was
        seen. That is the moment in which a card is seen that cannot be, so the roll call is offered; where an answer is taken back it
        is not, and the key that says it again does only that.
        """
        game = self._game
        if game.answers[-1][0].endswith(".seen"):
            self._stage.refuse(self._interface.screen["seen_stands"])
            self._stage.offer_roll_call()
            return _Cue(at=self._at)
        since = takewhile(lambda line: not isinstance(line, Sleep), game.turn.lines)
        final = any(isinstance(line, Show) and line.learned for line in since)
        if final:
            self._stage.offer_roll_call()
        else:
            game.undo(len(game.answers) - 1)
            self._undo(last(Wake, game.turn.lines))
            window.given -= 1
        self._remark = "seen_stands" if final else "undone"
        lines = (*game.answered_in, *game.turn.lines)
        shows = tuple(line for line in lines[last(Wake, lines) :] if isinstance(line, Show))
        return _Cue(shows, at=len(game.turn.lines))

    def _day_again(self) -> _Cue:
        """The question before once more; at the deal, the seat before comes to the screen once more."""
        if self._game.wake:
            at = self._wake_again() or 0
        else:
            at = last(Say, self._game.turn.lines) or 0
            self._undo(at)
        self._restage(at)
        return _Cue((say("undo.day"),), at)

    def _wake_again(self) -> int | None:
        """Take back all that was answered in the open wake. Returns where in the turn it begins."""
        self._game.undo(self._game.wake_began)
        at = last(Wake, self._game.turn.lines)
        self._undo(at)
        return at

    def _night_again(self) -> _Cue:
        """The whole night, or the whole roll call, from its beginning."""
        self._restarted = True
        self._game.undo(self._game.phase_began)
        at = last(Begins, self._game.turn.lines) or 0
        self._undo(at)
        self._restage(at)
        return _Cue((say("undo.night"),), at)

    def _undo(self, at: int | None) -> None:
        """Note in the journal which answers are left, and that the table stands before line `at` of the turn."""
        keep, self._done = len(self._game.answers), at
        self._log(lambda journal: journal.undo(keep, at))

    # --- correcting a roll call ---------------------------------------------------------------------------------------

    def _roll_again(self) -> _Cue:
        """The roll call once more, for everyone. What was answered after it is laid aside, and given again when it is over."""
        game, stage = self._game, self._stage
        stage.attend(None)
        stage.screen.wipe()
        stage.screen.asking("", secret=False)
        stage.hush()
        if game.setup.deal:
            stage.notice("start", self._interface.screen["dealt"])
            return _Cue(at=self._at)
        self._correction = Correction.of(game, self._at, self._done) or self._correction
        self._done = None
        game.undo(0)
        self._log(lambda journal: journal.roll_again())
        at = next(number for number, line in enumerate(game.turn.lines) if isinstance(line, Wake))
        self._restage(at)
        return _Cue((say("undo.roll"),), at)

    def _given_again(self, correction: Correction, end: int) -> _Cue:
        """What was laid aside is given again, as far as it still fits; there the game goes on. `end`: how many lines of the turn end the
        roll call."""
        game, self._correction = self._game, None
        stand, fits = correction.give_again(game)
        self._log(lambda journal: journal.again(stand))
        self._stage.notice("start", "" if fits else self._interface.screen["from_here"])
        if not fits and game.wake and game.wake.asleep:
            return self._night_again()
        self._done = correction.found(game.turn) if stand else end
        return self._resumed(self._done)

    # --- keeping ------------------------------------------------------------------------------------------------------

    def _log(self, write: Callable[[Journal], None]) -> None:
        """Write to the journal. What it cannot bring to the disk does not end the game; the screen says so for as long as it is so."""
        if self._journal is None:
            return
        write(self._journal)
        trouble = self._journal.trouble
        text = self._interface.screen["not_saved"].format(why=self._interface.why(trouble)) if trouble else ""
        self._stage.notice("journal", text, say("box.not_saved"))


def _asleep(lines: tuple[Line, ...]) -> bool:
    """Whether eyes are closed where these lines begin: the first thing in them that opens or closes any is a wake of the night."""
    first = next((line for line in lines if isinstance(line, Wake | Sleep | Begins | Dawns)), None)
    return isinstance(first, Wake) and first.asleep
