"""The process that listens to the table: it holds the microphone and the recogniser, either of which may hang or crash without harm to the
game, and understands what is said at the question that is open.

It is told on its command line, as JSON, how to listen: {"device": NAME or null, "engine": one of `recognisers.ENGINES`, "model": FOLDER,
"numerals": {...}}. Its input, one line of JSON each:

    {"attend": ASK or null, "paused": BOOL}     what may be answered from now on; with neither an ask nor a pause nothing is listened to
    {"deaf": SECONDS}                           the narrator is heard for so long from now, and its echo; nothing is listened to meanwhile

Its answers:

    {"microphone": HZ or null, "reason": KEY}   it is open, or has gone and is looked for
    {"alive": true}                             every second, while it waits and listens
    {"alive": true, "phrase": true}             before it makes something of a phrase, which is always followed by
    {"heard": TEXT, "meanings": [...],          what was understood: none, one, or two to be asked back; and how loud it was
     "level": DBFS}

Or {"error": WHY, "reason": KEY}, and it ends. It ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import deque
from typing import Any

import numpy as np

from narrator.clip import Clip
from narrator.errors import NarratorError, NoMicrophone
from narrator.hearing.recognisers import opened
from narrator.hearing.spoken import Grammar, Words
from narrator.hearing.tries import Tries
from narrator.hearing.wire import ask_of, packed
from narrator.numerals import Numerals
from narrator.rules import Ask
from narrator.sound.devices import hears_itself, listening
from narrator.sound.measure import speech_level

PAUSE = 0.45
"""Seconds of quiet that end a phrase."""

LEAD = 0.3
"""Seconds that are kept before a phrase is loud: it may begin with a consonant that is not."""

SHORTEST = 0.15
"""Seconds that somebody must speak for it to be a phrase: a cup put down is shorter."""

LONGEST = 8.0
"""Seconds after which a phrase is cut off: an answer is shorter, and who tells a story is not answering."""

BEAT = 1.0
"""Seconds from one sign of life to the next."""

_STALL = 1.0        # seconds without a block after which the microphone counts as lost
_LOOK = 3.0         # seconds between two looks at whether it is still a microphone
_AGAIN = 2.0        # seconds between two tries to open it
_KEPT = 200         # blocks that wait at most; older ones are dropped


class _Closed(Exception):
    """Nothing is to be listened to any more."""


class Room:
    """What is listened for now, and until when nothing is. Its times are the monotonic clock's, in seconds."""

    def __init__(self) -> None:
        self._changing = threading.Condition()
        self._deaf_until = 0.0
        self.ask: Ask | None = None
        self.paused = False
        self.changed = 0.0      # when it was last otherwise: what was said before that answers nothing

    def attend(self, ask: Ask | None, paused: bool) -> None:
        """From now on this may be answered."""
        with self._changing:
            self.ask, self.paused, self.changed = ask, paused, time.monotonic()
            self._changing.notify()

    def deaf(self, seconds: float) -> None:
        """Listen to nothing for so long from now, whatever was said before of how long."""
        with self._changing:
            self.changed = time.monotonic()
            self._deaf_until = self.changed + seconds
            self._changing.notify()

    @property
    def open(self) -> bool:
        """Whether anything is to be listened to."""
        return (self.paused or self.ask is not None) and time.monotonic() >= self._deaf_until

    def wait(self) -> None:
        """Until something is to be listened to, or it is time for a sign of life."""
        with self._changing:
            if not self.open:
                left = self._deaf_until - time.monotonic()
                self._changing.wait(min(max(0.01, left), BEAT) if self.paused or self.ask else BEAT)


class Microphone:
    """The microphone, as SpeechRecognition reads one (an `AudioSource`, see `_source`). One that is lost is looked for."""

    def __init__(self, device: str | None, room: Room, tell: Any) -> None:
        self._device, self._room, self._tell = device, room, tell
        self._blocks: deque[bytes] = deque(maxlen=_KEPT)
        self._arrived = threading.Event()
        self._rest = b""
        self._alive = self._looked = 0.0
        self._open()

    def _open(self) -> None:
        while True:
            try:
                self._stream = listening(self._device, self._keep)
                if not hears_itself(self._stream):
                    self.rate = int(self._stream.samplerate)
                    self._tell(microphone=self.rate)
                    return
                self._stream.close()
                reason = "lost_microphone"
            except NoMicrophone as error:
                reason = str(error.slots["reason"])
            self._tell(microphone=None, reason=reason)
            time.sleep(_AGAIN)
            _start_anew()

    def _look(self) -> None:
        """See whether it is still there, if that was not seen just now. Raises `_Closed` where it had gone, and has been found again."""
        if time.monotonic() < self._looked + _LOOK:
            return
        self._looked = time.monotonic()
        if hears_itself(self._stream):
            self._find_again()

    def _find_again(self) -> None:
        """Look for it for as long as it takes. Raises `_Closed`: what was heard before is no part of what is heard now."""
        self._tell(microphone=None, reason="lost_microphone")
        self._stream.close()
        _start_anew()
        self._open()
        raise _Closed

    def _keep(self, block: Clip) -> None:
        self._blocks.append((np.clip(block, -1, 1) * 32767).astype("<i2").tobytes())
        self._arrived.set()

    def beat(self) -> None:
        """Tell that the listening goes on, if that was not told just now."""
        if time.monotonic() >= self._alive + BEAT:
            self._alive = time.monotonic()
            self._tell(alive=True)

    def forget(self) -> None:
        """What was heard while nothing was listened to."""
        self._rest = b""
        self._blocks.clear()

    def read(self, samples: int) -> bytes:
        """The next samples, of 16 bits. Raises `_Closed` when nothing is to be listened to any more."""
        self.beat()
        self._look()
        while len(self._rest) < 2 * samples:
            if not self._room.open:
                raise _Closed
            self._arrived.clear()
            if not self._blocks and not self._arrived.wait(_STALL):
                self._find_again()
            if self._blocks:
                self._rest += self._blocks.popleft()
        block, self._rest = self._rest[: 2 * samples], self._rest[2 * samples :]
        return block


def _start_anew() -> None:
    """Let PortAudio see which devices there are now."""
    import sounddevice

    sounddevice._terminate()
    sounddevice._initialize()


def _source(microphone: Microphone) -> Any:
    """The microphone as SpeechRecognition wants it."""
    from speech_recognition import AudioSource

    class Source(AudioSource):  # type: ignore[misc]
        SAMPLE_WIDTH, SAMPLE_RATE, CHUNK = 2, microphone.rate, microphone.rate // 40
        stream = microphone

        def __init__(self) -> None:
            pass    # the one above refuses to be

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    return Source()


class Listener:
    """Hears phrases in a room, and understands them."""

    def __init__(self, room: Room, microphone: Microphone, tries: Tries, tell: Any) -> None:
        import speech_recognition

        self._room, self._microphone, self._tries, self._tell = room, microphone, tries, tell
        self._ears = speech_recognition.Recognizer()
        self._ears.pause_threshold, self._ears.non_speaking_duration, self._ears.phrase_threshold = PAUSE, LEAD, SHORTEST

    def run(self) -> None:
        """Listen for ever."""
        while True:
            self._room.wait()
            self._microphone.beat()
            self._microphone.forget()
            try:
                while self._room.open:
                    self._understand(self._ears.listen(_source(self._microphone), phrase_time_limit=LONGEST))
            except _Closed:
                pass

    def _is_cut(self, phrase: Any) -> bool:
        """Whether somebody was speaking already when the ears opened: half of 七号 sounds like another number."""
        first = np.frombuffer(phrase.frame_data[: 2 * (phrase.sample_rate // 40)], "<i2").astype(np.float64)
        return bool(np.sqrt(np.mean(np.square(first))) > self._ears.energy_threshold)

    def _understand(self, phrase: Any) -> None:
        """Raises `_Closed` where it was said before the question, or the narrator spoke meanwhile: all that was heard is forgotten."""
        ask, paused = self._room.ask, self._room.paused
        began = time.monotonic() - len(phrase.frame_data) / (phrase.sample_rate * phrase.sample_width) + PAUSE
        if self._room.changed > began:
            raise _Closed
        if self._is_cut(phrase):
            return
        self._tell(alive=True, phrase=True)
        heard, meanings = self._tries.understand(phrase, ask, paused)
        current = self._room.changed < began
        level = speech_level(np.frombuffer(phrase.frame_data, "<i2").astype(np.float32) / 32768, phrase.sample_rate)
        self._tell(heard=heard, meanings=list(map(packed, meanings)) if current else [], level=level)
        if not current:
            raise _Closed


def main() -> None:
    """Listen, as the command line says, until the input ends."""
    replies = os.dup(1)
    os.dup2(2, 1)  # PortAudio's libraries print; nothing but replies may go out here

    def tell(**message: object) -> None:
        os.write(replies, json.dumps(message).encode() + b"\n")

    try:
        settings = json.loads(sys.argv[1])
        recogniser = opened(settings["engine"], settings["model"])
        grammar = Grammar(Words.shipped(), Numerals.model_validate(settings["numerals"]))
        room = Room()
        threading.Thread(target=_obey, args=(room,), daemon=True).start()
        Listener(room, Microphone(settings["device"], room, tell), Tries(recogniser, grammar), tell).run()
    except NarratorError as error:
        tell(error=str(error), reason=error.slots.get("reason", ""))    # the others are no JSON
    except Exception as error:
        tell(error=repr(error))
    finally:
        os._exit(0)  # an orderly end waits for PortAudio


def _obey(room: Room) -> None:
    try:
        for line in sys.stdin:
            match json.loads(line):
                case {"attend": ask, "paused": paused}:
                    room.attend(ask_of(ask), paused)
                case {"deaf": seconds}:
                    room.deaf(seconds)
    finally:
        os._exit(0)     # it must not go on listening at what it was told last
