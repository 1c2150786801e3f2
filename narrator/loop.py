"""The narration loop: rules → script → voice → sound → hearing → rules, once round per turn.

It alone knows everyone. Time, sound, hearing and screen are its four devices; a rehearsal and the tests only swap them. It is
single-threaded: while it speaks or waits it listens to the one queue of events, so that every key works at any moment.

Two promises are kept here. Nothing leaks: a wake's window is drawn before the wake, no answer shortens it, and what is asked and
shown in it goes to the private screen alone. Nothing is lost: an answer is in the journal before anything more is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from narrator.clock import Clock
from narrator.errors import BadJournal, Refused
from narrator.hearing import Command, Entered, Event, Hearing, Typed
from narrator.hearing.grammar import read
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.pacing import Windows
from narrator.rules import Ask, Begins, Game, Line, Outcome, PublicEvent, Say, Show, Sleep, Turn, Wake, say
from narrator.screen import Screen, View
from narrator.script import Script
from narrator.sound import Sound
from narrator.transcript import Record, Transcript
from narrator.voice import Voice

CURTAIN = 4.0
"""Seconds that the last scene goes on after the last word."""

WATCH = 2.0
"""Seconds at most between two looks at the loudspeaker, which is when a lost one is found again."""

_FOREVER = float("inf")

class _Quit(Exception):
    """The table wants to stop."""


class _Undo(Exception):
    """The table wants its last answer back."""


@dataclass(slots=True)
class _Window:
    """The time that an open wake takes, in table time. `ends` is None until its lines have been spoken.

    `answered` is how many answers the game had before it: those that came since can be taken back in silence.
    """

    name: str
    length: float
    decoy: bool
    answered: int
    ends: float | None = None
    knock: float = _FOREVER
    began: float = 0.0      # by the clock, for the transcript
    steps: int = 0


class Loop:
    """One game at one table."""

    def __init__(
        self,
        clock: Clock,
        sound: Sound,
        hearing: Hearing,
        screen: Screen,
        *,
        game: Game,
        script: Script,
        interface: Interface,
        voice: Voice | None,
        windows: Windows,
        journal: Journal | None = None,
        transcript: Transcript | None = None,
    ) -> None:
        self._clock, self._sound, self._hearing, self._screen = clock, sound, hearing, screen
        self._game, self._script, self._interface, self._voice = game, script, interface, voice
        self._windows, self._journal, self._transcript = windows, journal, transcript
        self._start = clock.now()
        self._paused = 0.0
        self._window: _Window | None = None
        self._phase = game.phase
        self._scene = ""
        self._events: list[PublicEvent] = []
        self._last: Say | None = None
        self._asking = False
        self._voiceless = False
        self._soundless: str | None = None

    def run(self) -> Outcome | None:
        """Play the game from where it stands to its end. Returns the outcome, or None when the table stopped before it."""
        turn: Turn | None = self._resumed() if self._game.answers else _before(say("table.open"), self._game.turn)
        try:
            while turn:
                turn = self._once_round(turn)
        except _Quit:
            return None
        return self._game.outcome

    def _once_round(self, turn: Turn) -> Turn | None:
        """Say and show a turn, and get its answer. Returns the turn that follows; None when the curtain has fallen."""
        try:
            self._perform(turn.lines)
            if turn.ask is None:
                self._curtain()
                return None
            self._answer(turn.ask)
        except _Undo:
            return self._undone(turn)
        return self._game.turn

    def _resumed(self) -> Turn:
        """What everyone may know is put back on the screen, all eyes close, and the open wake begins again."""
        self._restage()
        return _before(say("resume.night" if self._game.wake else "resume.day"), self._game.cue)

    def _restage(self) -> None:
        """Put the screen where the game stands, with no wake open."""
        self._window, self._phase, self._events = None, self._game.phase, list(self._game.events)
        self._show_public()

    def _curtain(self) -> None:
        began = self._clock.now()
        self._hold(self._now + CURTAIN)
        self._record("curtain", "", "everyone", began)

    # --- what happens at the table ------------------------------------------------------------------------------------

    def _perform(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            match line:
                case Say():
                    self._say(line)
                case Show():
                    self._show(line)
                case Wake():
                    self._window = self._called(line)
                case Sleep():
                    self._sleep()
                case Begins():
                    self._phase = line.phase
                    self._publish(line)
                case _:
                    self._publish(line)

    def _publish(self, event: PublicEvent) -> None:
        self._events.append(event)
        self._show_public()

    def _show_public(self) -> None:
        self._screen.public(View.of(self._game.setup, self._events))

    def _show(self, show: Show) -> None:
        text = self._interface.show(show, self._script)
        self._screen.private(show.audience, text)
        self._record(show.key, text, show.audience, self._clock.now())

    def _called(self, wake: Wake) -> _Window:
        length = self._windows.draw(wake, self._phase)
        return _Window(wake.name, length, decoy=not wake.actors, answered=len(self._game.answers))

    def _sleep(self) -> None:
        """The window goes on to its end, the private screen is wiped, and only then is anything said."""
        window = self._open_window()
        if window is None or window.ends is None:
            return
        self._hold(window.ends)
        self._screen.wipe()
        if not window.decoy and self._phase.kind == "night":
            self._windows.ran_over(window.steps)
        self._record(f"window.{window.name}", "", "everyone", window.began)
        self._window = None

    def _open_window(self) -> _Window | None:
        """The window of the wake that is open; its time begins once the role has been called."""
        window = self._window
        if window and window.ends is None:
            window.began = self._clock.now()
            window.ends = self._now + window.length
            window.knock = self._now + self._windows.knock()
        return window

    # --- speaking -----------------------------------------------------------------------------------------------------

    def _say(self, line: Say) -> None:
        """Speak a line to its end, again from its start as often as the table asks."""
        sentences = self._script.sentences(line)
        if not sentences:
            return
        self._last = line
        scene = self._script.scene(line.key)
        if scene:
            self._scene = scene
            self._sound.scene(scene)
        self._screen.speaking(line.key, self._script.text(line))
        while not self._spoke(line.key, sentences):
            self._sound.hush()
        pacing = self._windows.pacing
        self._hold(self._now + (pacing.after_sleep if line.key.endswith(".sleep") else pacing.between_lines))

    def _spoke(self, key: str, sentences: tuple[str, ...]) -> bool:
        """Speak sentences one after the other. False when the table asked to hear them again before the end."""
        began, ends = self._clock.now(), self._now
        for number, sentence in enumerate(sentences):
            pause = self._windows.pacing.between_sentences if number else 0.0
            if self._again_before(ends + pause):
                return False
            ends = self._now + self._play(sentence)
        if self._again_before(ends):
            return False
        self._record(key, "".join(sentences), "everyone", began)
        return True

    def _play(self, sentence: str) -> float:
        """Start a sentence. Returns the seconds until it has been heard, or read where no voice can speak it."""
        clip = self._voice.clip(sentence) if self._voice else None
        if clip is None:
            self._tell_voiceless()
            return self._windows.pacing.reading * len(sentence)
        return self._sound.play(clip)

    def _tell_voiceless(self) -> None:
        """Say once, on the screen, why sentences are read instead of heard, unless the table wanted it so."""
        if self._voice and self._voice.trouble and not self._voiceless:
            self._voiceless = True
            self._screen.notice(self._interface.screen["no_voice"].format(reason=self._voice.trouble))

    def _repeat(self) -> None:
        """Speak the last line once more while the ask stays open."""
        if self._last:
            self._sound.hush()
            for sentence in self._script.sentences(self._last):
                self._play(sentence)

    # --- asking -------------------------------------------------------------------------------------------------------

    def _answer(self, ask: Ask) -> None:
        """Ask until there is an answer that the rules take; it is in the journal when this returns."""
        secret = ask.audience != "everyone"
        self._open_window()
        self._attend(ask)
        self._screen.asking(self._interface.ask(ask), secret)
        value = self._value(ask)
        self._attend(None)
        self._screen.asking("", secret)
        if secret and ask.kind == "wait":
            self._screen.wipe()
        self._keep(ask, value)

    def _attend(self, ask: Ask | None) -> None:
        self._asking = ask is not None
        self._hearing.attend(ask)
        self._screen.typed("")

    def _value(self, ask: Ask) -> object:
        asked_at = self._now
        while True:
            entry = self._next(self._boundary(ask, asked_at))
            match entry:
                case Entered(text):
                    try:
                        return self._game.verify(ask.id, read(ask, text, self._game.setup.seats))
                    except Refused as refused:
                        self._screen.refuse(self._interface.refusal(refused))
                case Command():
                    self._repeat()
                case None if ask.kind == "wait" and self._phase.kind == "night":
                    # Whoever was shown something has had the time to see it.
                    return True
                case None:
                    self._extend()

    def _boundary(self, ask: Ask, asked_at: float) -> float:
        """Until when to wait before something happens by itself: never by day, at night to the window's next end."""
        window = self._window
        if window is None or window.ends is None:
            return _FOREVER
        if ask.kind == "wait":
            while window.ends < asked_at + self._windows.pacing.look:
                self._extend()
        return window.ends

    def _extend(self) -> None:
        """One more fixed step for a wake that runs over."""
        if self._window and self._window.ends is not None:
            self._window.ends += self._windows.pacing.extension
            self._window.steps += 1

    def _keep(self, ask: Ask, value: object) -> None:
        checked = self._game.answer(ask.id, value)
        self._log(lambda journal: journal.answer(ask.id, checked))

    # --- undoing ------------------------------------------------------------------------------------------------------

    def _undone(self, turn: Turn) -> Turn:
        """Take the last answer back: silently inside an open window; else aloud, and a night starts again from its beginning."""
        game, window = self._game, self._window
        self._attend(None)
        self._screen.wipe()
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
            self._screen.private(turn.ask.audience, self._interface.screen["undone"])
        return Turn(tuple(line for line in turn.lines if isinstance(line, Show)), turn.ask)

    def _started_again(self) -> Turn:
        self._sound.hush()
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
            self._screen.notice(self._interface.error(error))

    def _record(self, key: str, text: str, audience: str, began: float) -> None:
        """Note in the transcript what lasted from `began` (by the clock) until now."""
        if self._transcript:
            now = self._clock.now()
            self._transcript.write(Record(began - self._start, now - began, str(self._phase), key, text, audience, self._scene))

    # --- waiting ------------------------------------------------------------------------------------------------------

    @property
    def _now(self) -> float:
        """Table time in seconds: the clock's, less the time the game was paused."""
        return self._clock.now() - self._paused

    def _hold(self, until: float) -> None:
        """Let table time pass, with nothing asked."""
        while self._again_before(until):
            self._repeat()

    def _again_before(self, until: float) -> bool:
        """Wait, with nothing asked. True as soon as the table wants to hear the line again, False when the time has passed."""
        while entry := self._next(until):
            if isinstance(entry, Command):
                return True
        return False

    def _next(self, until: float) -> Entered | Command | None:
        """The next entry, or the wish to hear it again; None when table time has reached `until`."""
        while event := self._heard(until):
            match event.payload:
                case Command("quit"):
                    raise _Quit
                case Command("undo"):
                    raise _Undo
                case Command("pause"):
                    self._pause()
                case Typed(text) if self._asking:
                    self._screen.typed(text)
                case Entered() | Command() as entry:
                    return entry
                case _:   # typed while nobody is asked: one key press among others
                    pass
        return None

    def _heard(self, until: float) -> Event | None:
        """The next event; None when table time has reached `until`. Meanwhile a window's wooden sounds are made."""
        while True:
            knock = self._window.knock if self._window else _FOREVER
            step = min(until, knock, self._now + WATCH)
            event = self._hearing.wait(step + self._paused)
            if event or step == until:
                return event
            if step == knock and self._window:
                self._sound.effect("knock")
                self._window.knock = self._now + self._windows.knock()
            self._look_after_sound()

    def _look_after_sound(self) -> None:
        """Say on the screen when the loudspeaker is lost, and take it back when it is found again; the game goes on as text."""
        trouble = self._sound.trouble
        if trouble != self._soundless:
            self._soundless = trouble
            self._screen.notice(self._interface.screen["no_sound"].format(reason=trouble) if trouble else "")

    def _pause(self) -> None:
        """Stop the table's time until the same key is pressed again; the ambience goes on."""
        began = self._clock.now()
        self._screen.notice(self._interface.screen["paused"])
        while event := self._hearing.wait(_FOREVER):
            if event.payload == Command("quit"):
                raise _Quit
            if event.payload == Command("pause"):
                break
        self._screen.notice("")
        self._paused += self._clock.now() - began


def _before(line: Say, turn: Turn) -> Turn:
    return Turn((line, *turn.lines), turn.ask)
