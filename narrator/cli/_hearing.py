"""What reaches the microphone of a table that wants to be heard: the room, the narrator's own voice, and a person who is asked to speak."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import numpy as np

from narrator.cli import _stage
from narrator.clip import RATE, Clip
from narrator.errors import NoEars, NoMicrophone
from narrator.hearing import Entered
from narrator.hearing.ears import DEADLINE, LOADING
from narrator.hearing.wire import fields_of, unpacked
from narrator.interface import Interface
from narrator.process import NoAnswer, Process, WorkerError, python
from narrator.rules import Ask, Say
from narrator.script import Script
from narrator.settings import Settings
from narrator.sound import Speaker
from narrator.sound.measure import fades, find, level, speech_level
from narrator.sound.microphone import Microphone
from narrator.voice.shape import resample

LISTEN = 1.5
"""Seconds of the room that are listened to."""

NARRATOR = 0.2
"""Correlation of a recording with a sentence of several seconds from which on it counts as heard. Noise reaches 0.03 and people who talk
0.1; of a sentence whose echo is 10 dB above it, as in a large hall, 0.28 is left, as computed with two voices and five rooms."""

LATE = 1.0
"""Seconds for which the narrator is waited for once it should have ended: Bluetooth loudspeakers are late by tenths of a second."""

SAMPLE = 10.0
"""Seconds within which somebody should have said the phrase: time to read it and to draw breath, and no more."""

SEAT = 3
"""The seat that is to be named: neither of those that sound alike."""

VOTE = Ask("day.vote", "ballots", "everyone", tuple(range(1, 13)), tuple(range(1, 13)), may_pass=True)
"""The question that it answers: the one whose answers are spoken most often, at a table of the usual size."""


@dataclass(frozen=True, slots=True)
class Echo:
    """The narrator's own voice at the microphone: how loud, in dBFS, and for how many seconds after it should have ended."""

    level: float
    lasts: float


@dataclass(frozen=True, slots=True)
class Sample:
    """What was heard of a person: the words, whether they were understood, and how loud they were, in dBFS."""

    heard: str
    understood: bool
    level: float


def room(microphone: Microphone) -> float:
    """How loud it is while nobody is asked to speak, in dBFS. Raises `NoMicrophone`."""
    microphone.begin()
    time.sleep(LISTEN)
    return level(microphone.end())


def sentence(settings: Settings, interface: Interface) -> Clip | None:
    """What a game begins with, as the table's voice says it; None where it cannot. Raises `BadVoice`."""
    voice, script = _stage.voice(None, settings, interface), Script(_stage.DEFAULT_EDITION)
    try:
        clips = [voice.clip(sentence.text, sentence.parts) for sentence in script.sentences(Say("table.open"))]
    finally:
        voice.close()
    said = [clip for clip in clips if clip is not None]
    return np.concatenate(said) if said else None


def echo(microphone: Microphone, speaker: Speaker, voice: Clip, room: float) -> Echo | None:
    """Speak and listen, in a room of so many dBFS; None where nothing is heard of it. It is late by when it arrives, the delays of both
    devices in it, as it is for the ears. Raises `NoMicrophone`."""
    microphone.begin()
    seconds = speaker.play(voice)
    ends = time.monotonic() + seconds
    time.sleep(seconds + LATE)
    samples = microphone.end()
    late = time.monotonic() - ends
    heard = resample(samples, microphone.rate)
    found = find(voice, heard)
    if found.likeness < NARRATOR:
        return None
    end = found.at + len(voice)
    lasts = (fades(heard, end, room) - len(heard)) / RATE + late
    return Echo(speech_level(heard[found.at : end], RATE), max(0.0, lasts))


def sample(settings: Settings, interface: Interface) -> Sample | None:
    """Ask for a phrase, and listen as a game does; None where nobody speaks in time. Raises `NoMicrophone`, `NoEars`."""
    script = Script(_stage.DEFAULT_EDITION)
    said, asked = None, interface.doctor["say"].format(seat=script.word("seat", SEAT), seconds=round(SAMPLE))
    try:
        process = Process(python("narrator.hearing.listener", json.dumps(_stage.listener(settings, script))))
    except OSError as error:
        raise NoEars(str(error), reason="lost_ears") from error
    try:
        until = _asked(process, asked)
        while said is None or not said.heard:   # a cup that was put down is not what was asked for
            match process.receive(max(0.0, until - time.monotonic())):
                case {"microphone": None, "reason": reason}:
                    raise NoMicrophone("it has gone", reason=reason)
                case {"recognising": _}:
                    until = max(until, time.monotonic() + DEADLINE)
                case {"heard": heard, "meanings": meanings, "level": loud}:
                    said = Sample(heard, [*map(unpacked, meanings)] == [Entered(str(SEAT))], loud)
    except NoAnswer:
        return said
    except WorkerError as error:
        raise NoEars(str(error), reason=error.reason or "lost_ears") from error
    finally:
        process.kill()
    return said


def _asked(process: Process, text: str) -> float:
    """Ask as soon as somebody listens. Returns the time until which they do. Raises `NoMicrophone`, `WorkerError`."""
    opened = process.receive(LOADING)
    if not opened["microphone"]:
        raise NoMicrophone("it cannot be opened", reason=opened["reason"])
    process.send({"attend": fields_of(VOTE), "paused": False})
    print(text, flush=True)
    return time.monotonic() + SAMPLE
