"""The stage: the four devices of a table, and the time that passes there.

It speaks a line to its end, shows a secret to whoever is awake, and lets time pass; whatever it does, it listens to the one queue of
events meanwhile, so that every key works at any moment. It does not know the rules or the game.

Table time is the clock's, less the time that the game was paused. Windows and pauses are measured in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, TypeAlias

from narrator.clock import Clock
from narrator.hearing import Command, Entered, Entry, Event, Hearing, Louder, Spoken, Typed
from narrator.hearing.ears import Ears
from narrator.hearing.spoken import Words
from narrator.interface import Interface
from narrator.pacing import Window, Windows
from narrator.rules import Ask, Phase, PublicEvent, Say, Setup, Show, Wake, say
from narrator.screen import Screen, View
from narrator.script import Script, Sentence
from narrator.sound import Levels, Silence, Sound, levels
from narrator.transcript import Record, Transcript
from narrator.voice import Voice

WATCH = 0.5
"""Seconds at most between two looks at the loudspeaker: a lost one is to be noticed within two."""

LATE = 3.0
"""Seconds within which a lost loudspeaker is noticed: what was spoken in them may not have been heard."""

KNOCK = "knock"
"""The effect that falls into every window, so that a key is one small wooden sound among many."""

CONFIRM = 6.0
"""Seconds within which an undo that everyone will hear of must be keyed a second time."""

MADE_OUT = 3.0
"""Seconds at most for which an objection is waited for that has been spoken and is being made out."""

_MOMENT = 0.1

_AT_ANY_TIME = ("box.undo_again", "box.end_again", "box.leave_later")
"""What is spoken of the narrator itself at night, too: what somebody has just asked of it."""

_FOREVER = float("inf")

Notice: TypeAlias = Literal["start", "paused", "undo", "sound", "voice", "journal", "why", "levels", "wish", "heard", "ears", "keys"]
"""What a notice is about; of each there is one at a time."""


class Quit(Exception):
    """The table wants to stop."""


class Undo(Exception):
    """The table wants its last answer back."""


class RollAgain(Exception):
    """The table has found that a card was registered with the wrong seat."""


class Leave(Exception):
    """A player has to go home."""


class _Missed(Exception):
    """What is being spoken may not have been heard."""


def weighs(ask: Ask, answer: Entered) -> bool:
    """Whether an answer has consequences, so that it is read back when it was said: a vote, a captain, a shot, raised hands that were
    counted, a player who shows himself."""
    shows_himself = ask.kind == "wait" and bool(ask.candidates and answer.text)
    return shows_himself or ask.kind in ("seat", "seats", "pairs", "ballots") or ask.id.endswith(".hands")


class Stage:
    """Clock, sound, hearing and screen of one table, and what is said there.

    pacing  how long its silences last
    window  the window of the wake that is open, or None
    phase   where the game stands, for the transcript and the length of windows
    levels  how loud the table has set each part of the sound
    """

    def __init__(
        self,
        clock: Clock,
        sound: Sound,
        hearing: Hearing,
        screen: Screen,
        *,
        script: Script,
        interface: Interface,
        windows: Windows,
        voice: Voice | None = None,
        transcript: Transcript | None = None,
        set_to: Levels | None = None,
        keep: Callable[[Levels], str] = lambda _: "",
        ears: Ears | None = None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """`voice` None: sentences are read from the screen. `set_to`: how loud the sound has been set to be. `keep` remembers how loud the
        table has set it, and returns a sentence if it cannot. `ears` put what is said at the table into the queue of `hearing`. `beat` is a
        sign of life, given every `WATCH` seconds whatever the table does: a game that hangs gives none."""
        self.screen = screen
        self.window: Window | None = None
        self.phase = Phase("setup")
        self._clock, self._sound, self._hearing, self._ears = clock, sound, hearing, ears
        self._words = Words.shipped() if ears else None
        self.pacing = windows.pacing
        self._script, self._interface, self._windows = script, interface, windows
        self._voice, self._transcript = voice, transcript
        self._start = clock.now()
        self._paused = 0.0
        self._scene = ""
        self._last: tuple[Sentence, ...] = ()
        self._asking = False
        self._told: set[str] = set()
        self._notices: dict[Notice, str] = {}
        self._undo_again = self._roll_until = self._warned_until = 0.0
        self._look_again = clock.now() + WATCH
        self._lost = self._does_without = self._standing = False
        self._speaking = False
        self._spoken_until = 0.0
        self._why = ""
        self._view: View | None = None
        self._may_be_left = self._lightly = self._wants_to_leave = self._reading_back = False
        self._ask: Ask | None = None    # what is asked of everyone: what is said is listened to
        self._written = ("", "")
        self._untold: list[Say] = []
        self._status_told = False   # whether the screen shows how the game stands, in the place of what was said last
        self.levels = set_to or Levels()
        self._keep, self._beat = keep, beat

    @property
    def now(self) -> float:
        """Table time in seconds."""
        return self._clock.now() - self._paused

    @property
    def aloud(self) -> bool:
        """Whether anything can be heard."""
        return self._voice is not None and not isinstance(self._sound, Silence)

    # --- saying and showing -------------------------------------------------------------------------------------------

    def say(self, line: Say) -> None:
        """Speak a line to its end, again from its start as often as the table asks."""
        sentences = self._script.sentences(line)
        if not sentences:
            return
        self._last = sentences
        self._change_scene(line.key)
        self._write(line)
        while not self._spoke(line.key, sentences):
            self.hush()
        self.hold(self.now + (self.pacing.after_sleep if line.key.endswith(".sleep") else self.pacing.between_lines))

    def tell(self, line: Say) -> Entry | None:
        """Speak a line while an ask is open. Returns what is heard before its end and cuts it off; None when it was spoken whole."""
        self._last = self._script.sentences(line)
        self._change_scene(line.key)
        self._write(line)
        while True:
            began = self._clock.now()
            try:
                for sentence in self._last:
                    entry = self._heard_out(sentence, self.pacing.between_sentences)
                    if entry:
                        self.hush()
                        return entry
            except _Missed:
                self.hush()
            else:
                self._record(line.key, self._script.text(line), "everyone", began)
                return None

    def _write(self, line: Say) -> None:
        """Show what is being said."""
        self._written = (line.key, self._script.text(line))
        self.screen.speaking(*self._written)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within it nothing stands on the screen as being said, for what is asked is not what the last line asks; then it does again."""
        before, self._written = self._written, ("", "")
        self.screen.speaking(*self._written)
        try:
            yield
        finally:
            self._written = before
            self.screen.speaking(*before)

    def repeat(self) -> None:
        """Speak the last line once more, over whatever time is passing."""
        self.hush()
        self._speak(self._last)

    def hush(self) -> None:
        """Cut off what is being said."""
        left = self._sound.hush()
        if self._ears:
            self._ears.deaf(left)

    def show(self, show: Show) -> None:
        """Show a secret on the private screen."""
        text = self._interface.show(show, self._script)
        self.screen.private(show.audience, text, self._interface.large(show, self._script), show)
        self._record(show.key, text, show.audience, self._clock.now())

    def publish(self, setup: Setup, events: Sequence[PublicEvent]) -> None:
        """Show what everyone may know. `narrator why` is answered by the last ruling among it."""
        self._why = self._interface.ruling(events, setup, self._script)
        self._view = View.of(setup, events)
        self.screen.public(self._view)
        while self._untold and not self._eyes_may_be_closed:
            self._speak(self._script.sentences(self._untold.pop(0)))

    def notice(self, about: Notice, text: str, aloud: Say | None = None) -> None:
        """Say something about the narrator itself on the screen, until it is taken back with an empty text. `aloud`: what is spoken of it
        where nobody can read."""
        if text != self._notices.get(about, ""):
            self._notices[about] = text
            self.screen.notice("\n".join(filter(None, self._notices.values())))
            if text and aloud:
                self._tell_aloud(aloud)

    def refuse(self, text: str) -> None:
        """Say why the last answer was not taken: on the screen; where nobody can read, aloud, if everyone was asked."""
        self.screen.refuse(text)
        if self._ask:
            self._tell_aloud(say("box.refused"))

    def _tell_aloud(self, line: Say) -> None:
        """Speak of the narrator itself, over whatever time is passing, where nobody can read it. Of what happens at night it is told in
        the morning, but for what everyone hears of anyway."""
        if self.screen.readable:
            return
        if self._eyes_may_be_closed and line.key not in _AT_ANY_TIME:
            self._untold.append(line)
        else:
            self._speak(self._script.sentences(line))

    def curtain(self, seconds: float, over: Ask, lines: Sequence[Say]) -> str | None:
        """Speak these lines after the last word and let the last scene go on, until so many seconds more have passed or something is
        entered. Returns what was; None when nothing was."""
        self.attend(over)
        entry: Entry | None = next(filter(None, map(self._told_on, lines)), None)
        began, ends = self._clock.now(), self.now + seconds
        while not isinstance(entry, Entered) and (entry := self.next(ends)):
            if isinstance(entry, Command):
                self.repeat()
        self._record("curtain", "", "everyone", began)
        return entry.text.strip() if isinstance(entry, Entered) else None

    def _told_on(self, line: Say) -> Entered | None:
        """Speak a line while an ask is open, again as often as the table asks. Returns what is entered before its end."""
        while True:
            entry = self.tell(line)
            if entry is None or isinstance(entry, Entered):
                return entry

    def _change_scene(self, key: str) -> None:
        scene = self._script.scene(key)
        if scene:
            self._scene = scene
            self._sound.scene(scene)

    def _spoke(self, key: str, sentences: tuple[Sentence, ...]) -> bool:
        """Speak sentences one after the other. False when the table asked to hear them again before the end, or may have missed some."""
        began = self._clock.now()
        *before, final = sentences
        try:
            if any(self._heard_out(sentence, self.pacing.between_sentences) for sentence in before) or self._heard_out(final, 0.0):
                return False
        except _Missed:
            return False
        self._record(key, "".join(sentence.text for sentence in sentences), "everyone", began)
        return True

    def _heard_out(self, sentence: Sentence, pause: float) -> Entry | None:
        """Speak a sentence to its end and so many seconds more. Returns what is heard before, where somebody must deal with it. Raises
        `_Missed` where the loudspeaker was lost meanwhile."""
        self._speaking = True
        try:
            return self._entry_before(self.now + self._play(sentence) + pause)
        finally:
            self._speaking = False

    def _speak(self, sentences: tuple[Sentence, ...]) -> None:
        """Speak over whatever time is passing."""
        for sentence in sentences:
            self._play(sentence)

    def _play(self, sentence: Sentence) -> float:
        """Start a sentence. Returns the seconds until it has been heard, or read where no voice can speak it."""
        clip = self._voice.clip(sentence.text, sentence.parts) if self._voice else None
        if self._voice and self._voice.source != "pack":
            self._tell_once(self._voice.source or "no_voice")
        seconds = self._sound.play(clip) if clip is not None else self.pacing.reading * len(sentence.text)
        if self._ears and clip is not None:
            self._ears.deaf(seconds)
        now = self._clock.now()
        self._look_again, self._spoken_until = now, now + seconds   # a loudspeaker that has not taken it is noticed at once
        return seconds

    def _tell_once(self, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self.notice("voice", self._interface.screen[what])

    def _record(self, key: str, text: str, audience: str, began: float) -> None:
        """Note in the transcript what lasted from `began` (by the clock) until now."""
        if self._transcript:
            lasted = self._clock.now() - began
            self._transcript.write(Record(began - self._start, lasted, str(self.phase), key, text, audience, self._scene))

    # --- wakes --------------------------------------------------------------------------------------------------------

    def call(self, wake: Wake) -> None:
        """A role is about to be called: its window is drawn, before anything can be known of its answers."""
        self.disarm()
        self.window = self._windows.draw(wake, self.phase)

    def open_window(self) -> None:
        """The role has been called: the time of its window begins, if it has not begun."""
        if self.window and self.window.ends is None:
            self.window.open(self.now, self._clock.now(), self._windows.knock())
            self.screen.awake(True)
            if not self.window.timed:
                self.window.pretend(self.pacing.extension)

    def sleep(self) -> None:
        """The window goes on to its end, then the private screen is wiped. Only after this may eyes be told to close."""
        self.open_window()
        window = self.window
        if window is None or window.ends is None:
            return
        self.hold(window.ends)
        self.screen.wipe()
        if window.timed:
            self._windows.ran_over(window.steps, self.phase)
        self._record(f"window.{window.name}", "", "everyone", window.began)
        self.shut()

    def shut(self) -> None:
        """No window is open any more, or will be before the next call."""
        if self.window:
            self.screen.awake(False)
        self.window = None

    # --- listening ----------------------------------------------------------------------------------------------------

    def attend(self, ask: Ask | None, *, may_be_left: bool = False, lightly: bool = False) -> None:
        """This is asked, and may be answered, from now on; nothing that was typed before it counts. `may_be_left`: whether a player may go
        home now; raises `Leave` where somebody has wanted to since that was not possible. `lightly`: whether an undo takes back no more
        than that it was asked."""
        self._asking, self._may_be_left, self._lightly = ask is not None, may_be_left, lightly
        self._hearing.attend(ask)
        self.screen.typed("")
        self.notice("heard", "")
        self._listen(ask)
        if ask:
            self.screen.asking(self._interface.ask(ask, self._script), ask.audience != "everyone", ask.kind)
        if may_be_left and self._wants_to_leave:
            self._wants_to_leave = False
            raise Leave

    def _listen(self, ask: Ask | None) -> None:
        """Let what is said be heard, where this is asked; and say on the screen whether it is. At night nothing is."""
        self._ask = ask if ask and ask.audience == "everyone" else None
        if self._ears:
            self._ears.attend(ask)
            self._say_whether_heard(self._ears)

    def _say_whether_heard(self, ears: Ears) -> None:
        if self._eyes_may_be_closed:
            state = "ears_night"
        elif ears.trouble:
            state = "ears_start" if ears.trouble == "ears_start" else "no_ears"
        elif self._notices.get("paused"):
            state = "ears_paused"
        else:
            state = self._words.manner(self._ask.id) if self._ask and self._words else ""
        self.notice("ears", self._interface.screen[state] if state else "")

    @property
    def _eyes_may_be_closed(self) -> bool:
        """Whether nothing that is said may be listened to, in a pause neither: it is not day, and nothing is asked of everyone."""
        return self.phase.kind != "day" and self._ask is None

    def read_back(self, line: Say, seconds: float) -> Entry | None:
        """Say what was understood, again as often as the table asks, and wait for so long, and for what was said by then to be made out.
        Returns what is objected, or entered, before that; None where nothing is."""
        self._reading_back = True
        try:
            with self._between():
                while (entry := self.tell(line) or self._objection(self.now + seconds)) == Command("again"):
                    pass
            return entry
        finally:
            self._reading_back = False

    def _objection(self, until: float) -> Entry | None:
        entry, latest = self.next(until), until + MADE_OUT
        while not entry and self._ears and self._ears.busy and self.now < latest:
            entry = self.next(min(self.now + _MOMENT, latest))
        return entry or self.next(self.now)     # it may have come this very moment

    def ask_back(self, line: Say) -> Entry | None:
        """Say a line between a question and its answer. Returns what is heard before its end and cuts it off."""
        with self._between():
            return self.tell(line)

    @contextmanager
    def _between(self) -> Iterator[None]:
        """What is said within it does not take the place of the question, which can be heard again, and stands on the screen."""
        last, written = self._last, self._written
        try:
            yield
        finally:
            self._last, self._written = last, written
            self.screen.speaking(*written)

    def hold(self, until: float) -> None:
        """Let table time pass, with nothing asked."""
        while self._entry_before(until):
            self.repeat()

    def next(self, until: float = _FOREVER) -> Entry | None:
        """The next entry, or the wish to hear it again; None when table time has reached `until`. Raises `Quit`, `Undo`, `RollAgain`,
        `Leave`."""
        while event := self._heard(until):
            entry = self._noted(event)
            if entry == Command("pause"):
                self._pause()
            elif entry:
                return entry
        return None

    def _noted(self, event: Event) -> Entry | None:
        """What somebody must deal with; stopping, taking back and what is being typed are dealt with here."""
        if isinstance(event.payload, Spoken):
            return self._said(event, event.payload)
        self.screen.hide(event.payload == Command("hide"))
        if event.payload not in (Command("undo"), Command("again")):
            self.disarm()
        match event.payload:
            case Command("quit"):
                raise Quit
            case Command("hide" | "unhide"):
                pass
            case Command("undo") if self._reading_back:
                return Command("wrong")
            case Command("undo"):
                self._undo()
            case Command("why"):
                self.notice("why", self._why)
            case Command("again") if self._clock.now() < self._roll_until:
                self._forget_undo()
                raise RollAgain
            case Louder() as louder:
                self._set_level(louder)
            case Typed(text) if self._asking:
                self.screen.typed(text)
            case Entered() | Command() as entry:
                return entry
            case _:   # typed while nobody is asked: one key press among others
                pass
        return None

    def _said(self, event: Event, spoken: Spoken) -> Entry | None:
        """What somebody must deal with of what was said: nothing where it was not understood, or said a moment too late, and whoever is
        asked now is asked in secret."""
        if self._eyes_may_be_closed:
            return None
        self.notice("heard", self._interface.screen["heard"].format(text=spoken.heard) if spoken.heard else "")
        match spoken.meanings:
            case (Command() as command,):
                return self._noted(replace(event, payload=command))
            case (Entered() as answer,) if self._ask and not weighs(self._ask, answer):
                return self._noted(replace(event, payload=answer))
            case (_, *_) if self._ask and not self._standing:
                return spoken
        return None

    def _entry_before(self, until: float) -> Entry | None:
        """The next entry that answers something, or the wish to hear the line again; None when table time has reached `until`."""
        while (entry := self.next(until)) and not (self._asking or isinstance(entry, Command)):
            pass
        return entry

    def _heard(self, until: float) -> Event | None:
        """The next event; None when table time has reached `until`. Meanwhile a window's wooden sounds are made."""
        while True:
            knock = self.window.knock if self.window else _FOREVER
            step = min(until, knock)
            event = self._watching(step)
            if event or step == until:
                return event
            self._sound.effect(KNOCK)
            if self.window:
                self.window.knock = self.now + self._windows.knock()

    def _watching(self, until: float) -> Event | None:
        """The next event; None when table time has reached `until`. Meanwhile somebody looks after what is left lying about."""
        while True:
            if self._clock.now() >= self._look_again:   # also where one short wait follows the other
                self._look_again = self._clock.now() + WATCH
                self._beat()
                self._look_after_undo()
                self._look_after_sound()
                self._look_after_keys()
                if self._ears:
                    self._say_whether_heard(self._ears)
            due = until + self._paused
            step = min(due, self._look_again)   # by the clock: to reckon it in table time and back would fall short by a rounding
            event = self._hearing.wait(step)
            if event or step == due:
                return event

    def _look_after_undo(self) -> None:
        """An undo that was not confirmed is forgotten."""
        if 0.0 < self._warned_until <= self._clock.now():
            self._forget_undo()

    def disarm(self) -> None:
        """An undo that was keyed once, and is to be confirmed, counts no more, nor does the offer of a roll call: something else has been
        keyed, or has come. What everyone reads of it stays for its time while a window is open, since no secret key may change that."""
        self._undo_again = self._roll_until = 0.0
        if not self.window:
            self._forget_undo()

    def _forget_undo(self) -> None:
        self._undo_again = self._roll_until = self._warned_until = 0.0
        self.notice("undo", "")

    def _look_after_keys(self) -> None:
        """Notice that nobody can key anything: questions wait, for they have no other end, and calls at night become longer."""
        lost = self._hearing.trouble
        self.notice("keys", self._interface.screen[lost] if lost else "", say("box.no_keys"))

    def _look_after_sound(self) -> None:
        """Notice that the loudspeaker is lost, and wait for it; notice that it is found again."""
        lost = self._sound.trouble is not None
        if lost != self._lost:
            self._lost, self._does_without = lost, False
            self.notice("sound", self._interface.screen["waits_for_sound"] if lost else "")
        if lost and not self._standing and not self._does_without:
            self._wait_for_sound()

    def _wait_for_sound(self) -> None:
        """Stop the table's time until the loudspeaker is found again, or the table does without it, with the text on the screen: that is
        for a key to say, for whoever just talks may not have read it. What may not have been heard to its end, for a loss is noticed
        late, is spoken once more."""
        missed = self._clock.now() < self._spoken_until + LATE
        with self._stand_still():
            while self._sound.trouble:
                event = self._hearing.wait(self._clock.now() + WATCH)
                self._beat()
                self._look_after_undo()
                if event and not isinstance(event.payload, Spoken) and self._noted(event) == Command("pause"):
                    self._does_without = True
                    self.notice("sound", self._interface.screen["no_sound"])
                    return
        self._look_after_sound()
        if missed and self._speaking:
            raise _Missed
        if missed:
            self.repeat()

    @contextmanager
    def _stand_still(self) -> Iterator[None]:
        """Within it the table's time stands still, what is secret is covered, and digits set how loud the sound is."""
        began, before, self._standing = self._clock.now(), self.levels, True
        self._hearing.pause(True)
        self._hear_in_pause(True)
        self.screen.cover(True)
        try:
            yield
        finally:
            self._hearing.pause(False)
            self._hear_in_pause(False)
            self.screen.cover(False)
            self._standing = False
            self._paused += self._clock.now() - began
            self.notice("levels", self._keep(self.levels) if self.levels != before else "")

    def _hear_in_pause(self, on: bool) -> None:
        """Let what is said in a pause be heard, where it is day."""
        if self._ears and not self._eyes_may_be_closed:
            self._ears.pause(on)

    def _undo(self) -> None:
        """Raise `Undo`. What everyone will hear of, because it does not stay inside an open window, wants the key twice."""
        if self._lightly or (self.window and self.window.given):
            raise Undo
        if self._clock.now() < self._undo_again:
            self._forget_undo()
            raise Undo
        self._undo_again = self._warned_until = self._clock.now() + CONFIRM
        self.notice("undo", self._interface.screen["undo_again"], say("box.undo_again"))
        self.offer_roll_call()

    def offer_roll_call(self) -> None:
        """The screen has just said that the key which says it again has the roll call held again: for a while it has."""
        self._roll_until = self._clock.now() + CONFIRM

    def _pause(self) -> None:
        """Stop the table's time until the same key is pressed again; the ambience goes on."""
        with self._stand_still():
            self.notice("paused", self._interface.screen["paused"])
            self._speak(self._script.sentences(say("pause")))
            try:
                wish = self._until_continued()
            finally:
                self.notice("paused", "")
                self.notice("wish", "")
                if self._status_told:
                    self.screen.speaking(*self._written)
                    self._status_told = False
                self._speak(self._script.sentences(say("continue")))
        if wish == Command("leave"):
            raise Leave

    def _until_continued(self) -> Command | None:
        """Let the pause pass. Returns the wish that ends it."""
        ending = False
        while event := self._watching(_FOREVER):
            entry = self._noted(event)
            if entry == Command("pause") or (entry == Command("leave") and self._may_be_left):
                return entry
            if entry == Command("end") and ending:
                raise Quit
            ending = entry == Command("end")
            if ending:
                self.notice("wish", self._interface.screen["end_again"], say("box.end_again"))
            elif entry == Command("leave"):
                self._wants_to_leave = True
                self.notice("wish", self._interface.screen["leave_later"], say("box.leave_later"))
            elif entry == Command("status"):
                self._tell_status()
            elif isinstance(entry, Command):
                self.repeat()
        return None

    def _tell_status(self) -> None:
        """Say what everyone may know: who is left, and who is captain."""
        self.hush()
        if self._view:
            lines = [say("status.alive", alive=self._view.alive)]
            lines += [say("status.captain", seat=self._view.captain)] if self._view.captain else []
            self._status_told = True
            self.screen.speaking("status.alive", "".join(map(self._script.text, lines)))
            for line in lines:
                self._speak(self._script.sentences(line))

    def _set_level(self, louder: Louder) -> None:
        """Make a part of the sound louder or softer, let it be heard, and say so."""
        wanted = getattr(self.levels, louder.part) + louder.steps * levels.STEP
        self.levels = replace(self.levels, **{louder.part: min(max(wanted, levels.OFF), levels.LOUDEST)})
        self._sound.level(louder.part, getattr(self.levels, louder.part))
        if louder.part == "effects":
            self._sound.effect(KNOCK)
        elif louder.part == "voice":
            self.repeat()
        self.notice("levels", self._interface.levels(self.levels))
