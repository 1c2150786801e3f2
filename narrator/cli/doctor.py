"""`narrator doctor`: whether a game can be played on this machine, and what mends it where it cannot."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np

from narrator.ambience.synth import chime
from narrator.cli import _hearing, _stage
from narrator.clip import Clip
from narrator.errors import BadSettings, BadVoice, NarratorError, NoMicrophone, NoSpeaker
from narrator.finding import Finding
from narrator.hearing.ears import TAIL
from narrator.hearing.recognisers import opened
from narrator.interface import Interface
from narrator.script import Script, editions, every_sentence
from narrator.settings import Settings
from narrator.sound import Speaker
from narrator.sound.measure import find
from narrator.sound.microphone import Microphone
from narrator.voice import EngineError, Espeak, Pack
from narrator.voice.check import missing
from narrator.voice.pack import names
from narrator.voice.shape import resample

LOUDNESS = 0.25
"""Peak of the chime, of full scale: about as loud as the voice."""

HEARD = 0.5
"""Correlation of a recording with the chime from which on it counts as heard. Noise reaches about 0.1."""

NOISY = -40.0
"""dBFS from which on a room is too loud: a voice two steps away reaches about -25, and 10 dB above the room it is still understood."""

MUTE = -90.0
"""dBFS below which it is no room that is heard, but a microphone that is off: the smallest step of 16 bits is -90."""

PERSON = -25.0
"""dBFS of a person two steps from the microphone, as NOISY has it: where nobody has spoken, the narrator is compared with this."""

CLEAR = 10.0
"""dB by which a person should stand above the room: by so much do the voices of `benchmarks.ears`, and no others were tried."""

ROOM = 20_000_000
"""Bytes that should be free for games: many more than a year of them needs."""


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("--device", metavar="NAME", help=words["device"])
    parser.add_argument("--record", action="store_true", help=words["record"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Print a line for each thing that was looked at. Returns 1 if a game could not be played."""
    bad = False
    for finding in _findings(args, interface):
        print(interface.finding(finding.state, finding.key, **finding.slots), flush=True)
        bad = bad or finding.state == "bad"
    print(interface.doctor["sum_bad" if bad else "sum_good"])
    return 1 if bad else 0


def _findings(args: argparse.Namespace, interface: Interface) -> Iterator[Finding]:
    yield Finding("good", "python", {"version": platform.python_version(), "machine": platform.machine()})
    settings = Settings()
    try:
        settings = Settings.load()
    except BadSettings as error:
        yield Finding("bad", "settings", {"why": interface.error(error)})
    speaker = yield from _loudspeaker(args.device, settings.device, args.record, interface)
    try:
        yield from _ears(settings, speaker, interface)
    finally:
        if speaker:
            speaker.close()
    yield from _scripts(interface)
    yield from _voices(interface)
    yield _fallback()
    yield _terminal(interface)
    yield _data(_stage.games_folder(), interface)


# --- sound --------------------------------------------------------------------------------------------------------------


def _loudspeaker(
    wanted: str | None, remembered: str, record: bool, interface: Interface
) -> Generator[Finding, None, Speaker | None]:
    """Play a chime, and listen to it where that is asked for. A remembered loudspeaker that is not there is followed by the default, as in
    a game. Returns the one that played, open."""
    device = wanted or remembered or None
    try:
        speaker = Speaker(device)
    except NoSpeaker as error:
        if remembered and not wanted and error.slots["reason"] == "no_device":
            yield Finding("weak", "remembered", {"device": remembered})
            return (yield from _loudspeaker(None, "", record, interface))
        if error.slots["reason"] == "no_portaudio":
            yield Finding("weak", "no_portaudio", {})
        else:
            yield _portaudio()
            yield Finding("weak", "no_speaker", {"device": device or interface.doctor["default"]})
        if record:
            yield Finding("weak", "not_recorded", {})
        return None
    yield _portaudio()
    sound = np.asarray(chime() * LOUDNESS, np.float32)
    microphone = _microphone() if record else None
    time.sleep(speaker.play(sound) + 0.2)
    yield Finding("weak" if speaker.trouble else "good", "speaker", {"device": device or interface.doctor["default"]})
    if record:
        yield _compared(_heard(microphone), sound)
    return speaker


def _portaudio() -> Finding:
    import sounddevice

    return Finding("good", "portaudio", {"version": sounddevice.get_portaudio_version()[1].split(",")[0]})


def _microphone() -> Microphone | None:
    """One that listens; None where there is none."""
    try:
        microphone = Microphone()
        microphone.begin()
    except NoMicrophone:
        return None
    return microphone


def _heard(microphone: Microphone | None) -> Clip | None:
    """What it has heard; None where it heard nothing at all."""
    if microphone is None:
        return None
    time.sleep(0.5)     # what it heard last is still on its way
    try:
        return resample(microphone.end(), microphone.rate)
    except NoMicrophone:
        return None
    finally:
        microphone.close()


def _compared(heard: Clip | None, sound: Clip) -> Finding:
    if heard is None:
        return Finding("weak", "no_microphone", {})
    likeness = find(sound, heard).likeness
    return Finding("good" if likeness >= HEARD else "weak", "heard" if likeness >= HEARD else "not_heard", {"likeness": f"{likeness:.2f}"})


# --- ears ---------------------------------------------------------------------------------------------------------------


def _ears(settings: Settings, speaker: Speaker | None, interface: Interface) -> Iterator[Finding]:
    """Where a table wants to be heard: whether what hears words is there, and what reaches the microphone."""
    if settings.ears == "off":
        return
    try:
        opened(settings.ears, settings.ears_model)
        yield Finding("good", "ears", {"engine": settings.ears})
        yield from _levels(settings, speaker, interface)
    except NarratorError as error:
        yield Finding("weak", "no_ears", {"why": interface.error(error)})


def _levels(settings: Settings, speaker: Speaker | None, interface: Interface) -> Iterator[Finding]:
    """How loud the room is, then the narrator, then somebody who is asked to speak, where there is anybody. Raises `NarratorError`."""
    voice = _hearing.sentence(settings, interface) if speaker else None
    microphone = Microphone(settings.microphone or None)
    try:
        room = _hearing.room(microphone)
        echo = None
        if speaker and voice is not None:
            speaker.level("voice", settings.voice_level)
            echo = _hearing.echo(microphone, speaker, voice, room)
    finally:
        microphone.close()      # some can be opened by one process only
    yield Finding("weak", "mute", {}) if room < MUTE else Finding("weak" if room > NOISY else "good", "room", {"level": round(room)})
    if echo:
        yield Finding("weak" if echo.lasts > TAIL else "good", "tail", {"lasts": f"{echo.lasts:.2f}", "tail": TAIL})
    elif voice is not None:
        yield Finding("good", "no_echo", {})
    person = PERSON
    if _stage.at_terminal():
        sample = _hearing.sample(settings, interface)
        person = sample.level if sample and sample.heard else PERSON
        yield _understood(sample, room)
    if echo:
        slots: dict[str, object] = {"above": round(echo.level - room), "louder": round(echo.level - person)}
        yield Finding("weak" if echo.level > person else "good", "echo", slots)


def _understood(sample: _hearing.Sample | None, room: float) -> Finding:
    if sample is None:
        return Finding("weak", "nobody", {"seconds": round(_hearing.SAMPLE)})
    above = sample.level - room
    slots: dict[str, object] = {"heard": sample.heard, "above": round(above)}
    if not sample.heard:
        return Finding("weak", "no_words", slots)
    if not sample.understood:
        return Finding("weak", "misheard", slots)
    return Finding("good" if above >= CLEAR else "weak", "understood", slots)


# --- content ------------------------------------------------------------------------------------------------------------


def _scripts(interface: Interface) -> Iterator[Finding]:
    """Every edition, read as it would be for a game."""
    for name in editions():
        try:
            _stage.check_scenes(Script(name))
        except NarratorError as error:
            yield Finding("bad", "script", {"why": interface.error(error)})
    yield Finding("good", "scripts", {"editions": "、".join(editions())})


def _voices(interface: Interface) -> Iterator[Finding]:
    """Every pack, and whether each of its clips is whole. Without one the robot speaks; a game can still be played."""
    wanted = every_sentence()
    for name in names():
        try:
            pack = Pack.load(name)
        except BadVoice as error:
            yield Finding("weak", "voice_broken", {"why": interface.error(error)})
            continue
        lacking = missing(pack, wanted)
        slots: dict[str, object] = {"name": name, "count": len(pack.sentences()), "lacking": len(lacking)}
        yield Finding("weak", "voice_lacks", slots) if lacking else Finding("good", "voice", slots)


def _fallback() -> Finding:
    """The voice for sentences that no pack holds."""
    engine = Espeak()
    try:
        for attempt in range(5):   # its process may still be starting
            try:
                engine.render(Script(_stage.DEFAULT_EDITION).word("seat", 1))
                return Finding("good", "fallback", {})
            except EngineError as error:
                why = error
            time.sleep(attempt)
        return Finding("weak", "no_fallback", {"why": why})
    finally:
        engine.close()


# --- the table ----------------------------------------------------------------------------------------------------------


def _terminal(interface: Interface) -> Finding:
    """Whether the screen can be read, and keys be heard."""
    encoding = sys.stdout.encoding if sys.stdout else "ascii"
    try:
        interface.doctor["good"].encode(encoding)
    except UnicodeError:
        return Finding("bad", "encoding", {"encoding": encoding})
    if not _stage.at_terminal() or os.environ.get("TERM") == "dumb":
        return Finding("weak", "no_terminal", {"encoding": encoding})
    columns, lines = shutil.get_terminal_size()
    return Finding("weak" if columns < 40 or lines < 12 else "good", "terminal", {"encoding": encoding, "columns": columns, "lines": lines})


def _data(folder: Path, interface: Interface) -> Finding:
    """Whether a game can be saved: something is written there, to the disk, and taken away again."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=".doctor.") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("bad", "no_data", {"folder": folder, "why": interface.why(error)})
    return Finding("good" if free > ROOM else "weak", "data", {"folder": folder, "free": free // 1_000_000})
