"""What several commands set up alike: arguments, the voice, the loudspeaker, and where games are kept."""

from __future__ import annotations

import argparse
import select
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeAlias, get_origin

from narrator.clock import Clock, RealClock, SimulatedClock
from narrator.errors import BadArguments, BadJournal, BadScript, BadSettings, BadVoice, CannotWrite, NoSpeaker, NothingToResume
from narrator.interface import Interface
from narrator.journal import Journal, saved
from narrator.pacing import PACES
from narrator.resources import personal
from narrator.rules import Game, Rules
from narrator.script import Script
from narrator.settings import Settings
from narrator.sound import Levels, Recording, Sound, Speaker
from narrator.sound.devices import loudspeakers
from narrator.sound.levels import OFF
from narrator.sound.scenes import effects, home, scenes
from narrator.stage import KNOCK
from narrator.voice import Cache, Espeak, Neural, Pack, Voice
from narrator.voice.pack import locate

DEFAULT_VOICE = "xiaoyi"
DEFAULT_EDITION = "anniversary"
DEFAULT_FILE = Path("narrator.wav")

HURRY = 0.15
"""How much shorter everything that passes in silence is with --hurry."""


def game_arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """The arguments that choose a game."""
    parser.add_argument("--edition", metavar="NAME", help=words["edition"])
    parser.add_argument("--players", metavar="N", help=words["players"])
    parser.add_argument("--names", metavar="A,B,...", help=words["names"])
    parser.add_argument("--with", dest="put_in", metavar="CARD,...", help=words["put_in"])
    parser.add_argument("--without", dest="taken_out", metavar="CARD,...", help=words["taken_out"])
    rule_argument(parser, words)
    parser.add_argument("--deal", action="store_true", help=words["deal"])
    parser.add_argument("--variant", metavar="NAME", help=words["variant"])
    parser.add_argument("--events", metavar="all|none|NAME,...", help=words["events"])
    parser.add_argument("--dark", metavar="NAME,...", help=words["dark"])
    device_arguments(parser, words)


def rule_argument(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """The argument that plays a switch otherwise than the edition does."""
    parser.add_argument("--rule", action="append", default=[], metavar="SWITCH=VALUE", help=words["rule"])


def device_arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """The arguments that choose how a game sounds."""
    parser.add_argument("--voice", metavar="NAME", help=words["voice"])
    parser.add_argument("--device", metavar="NAME", help=words["device"])
    parser.add_argument("--quiet", action="store_true", help=words["quiet"])
    parser.add_argument("--pace", metavar="PACE", help=words["pace"])
    parser.add_argument("--hurry", action="store_true", help=words["hurry"])


Does: TypeAlias = Callable[[argparse.Namespace, Interface], int]
"""What a command does. Returns its exit code."""


def actions(parser: argparse.ArgumentParser, words: dict[str, str]) -> Callable[[str, Does, str], argparse.ArgumentParser]:
    """What adds an action to a command that has several: by its name, what it does, and the key of what it means."""
    added = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, does: Does, meaning: str) -> argparse.ArgumentParser:
        one = added.add_parser(name, help=words[meaning], description=words[meaning])
        one.set_defaults(does=does)
        return one

    return action


def act(args: argparse.Namespace, interface: Interface) -> int:
    """Do the action that was asked for."""
    does: Does = args.does
    return does(args, interface)


def ask(question: str) -> str:
    """What is typed at the terminal in answer. Raises `EOFError` where nothing more can be. Python's own `input` does not notice a Ctrl-C
    that falls between the question and the waiting."""
    print(question, end="", flush=True)
    while sys.stdin.isatty() and not select.select([sys.stdin], [], [], 0.2)[0]:
        pass    # again: nor does one long waiting notice what falls right before it
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def whole(text: str | None, name: str) -> int | None:
    """The whole number that an argument gives; None where it is not given. Raises `BadArguments`."""
    if text is None:
        return None
    if not text.removeprefix("-").isdecimal():
        raise BadArguments(f"{name} {text!r}; expected a whole number", reason="not_whole", name=name, what=text)
    return int(text[:18])


def rules(given: list[str]) -> dict[str, Any]:
    """Switches as they are written in a command, a list's values with commas between. Raises `BadArguments`."""
    return dict(map(_rule, given))


def assigned(text: str, reason: str) -> tuple[str, str, Any]:
    """The parts of NAME=VALUE: the name, the value as it is written, and what that is in TOML, where it is anything. Raises `BadArguments`
    for this reason."""
    name, equals, written = text.partition("=")
    if not (name and equals):
        raise BadArguments(f"{text!r}; expected NAME=VALUE", reason=reason, what=text)
    try:
        return name, written, tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        return name, written, written


def _rule(text: str) -> tuple[str, Any]:
    name, written, value = assigned(text, "bad_rule")
    field = Rules.model_fields.get(name)
    if field and get_origin(field.annotation) is tuple and not isinstance(value, list):
        value = [word for word in written.split(",") if word]
    return name, value


def names(given: str | None) -> tuple[str, ...]:
    """The players' names, seat by seat."""
    for separator in "，、 ":
        given = given and given.replace(separator, ",")
    return tuple(name for name in (given or "").split(",") if name)


def voice(name: str | None, settings: Settings, interface: Interface) -> Voice:
    """The voice of a pack, with the model behind it where there is one, and then the robot voice. Raises `BadVoice` for a pack that was
    asked for by name and is not to be had; without the shipped one the robot speaks, and a sentence says why."""
    chosen = name or settings.voice
    try:
        pack = Pack.load(chosen or DEFAULT_VOICE)
    except BadVoice as error:
        if chosen:
            raise
        print(interface.error(error), file=sys.stderr)
        pack = None
    recipe = pack.about.render if pack else None
    neural = [Neural(locate(chosen or DEFAULT_VOICE), recipe, Path(settings.model))] if recipe and settings.model else []
    return Voice(pack, Cache(), *neural, Espeak())


def introduced(voice: Voice, interface: Interface) -> str:
    """Who speaks, in a sentence."""
    return interface.cli["voice_is"].format(title=voice.title) if voice.title else interface.screen["espeak"]


def prepare(voice: Voice, script: Script, seats: int, interface: Interface) -> None:
    """Have ready, before a game waits for them, the seats of a table of so many, which lists are joined from, and have made what the voice
    cannot say; but not what is always joined: there is too much of it, and little will be said."""

    def tell(done: int, total: int) -> None:
        print(interface.cli["preparing"].format(done=done, total=total), end="\n" if done == total else "\r", file=sys.stderr, flush=True)

    voice.keep(script.seats_in_lists(seats))
    voice.prepare(((sentence.text, sentence.parts) for sentence in script.every_sentence(seats) if not sentence.joined), tell)


def slowness(args: argparse.Namespace, settings: Settings) -> float:
    """What every silence is to be multiplied by. Raises `BadSettings` for a pace that there is none of."""
    pace = settings.changed(pace=args.pace).pace if args.pace else settings.pace
    return PACES[pace] * (HURRY if args.hurry else 1.0)


def levels(args: argparse.Namespace, settings: Settings) -> Levels:
    """How loud the sound is to be."""
    return replace(settings.levels, ambience=OFF, effects=OFF) if args.quiet else settings.levels


def loudspeaker(args: argparse.Namespace, settings: Settings, interface: Interface) -> tuple[Sound | None, str]:
    """The loudspeaker that the arguments name, and a word that it is remembered; or the one that was chosen before, or the default in its
    place; or None, and a sentence why there is none."""
    set_to, chosen = levels(args, settings), args.device or settings.device
    try:
        speaker = Speaker(chosen or None, set_to, stereo=settings.stereo)
    except NoSpeaker as error:
        if not chosen or args.device or error.slots["reason"] != "no_device":
            return None, interface.error(_by_name(error, args.device))
        default, note = loudspeaker(args, settings.changed(device=""), interface)
        return default, note or interface.cli["default_instead"].format(device=chosen)
    if chosen == settings.device:
        return speaker, ""
    try:
        settings.changed(device=chosen).save()
    except (BadSettings, CannotWrite) as error:   # it plays all the same
        return speaker, interface.error(error)
    return speaker, interface.cli["device_kept"].format(device=chosen)


def listener(settings: Settings, script: Script) -> dict[str, Any]:
    """What the process that listens to a table is told: see `narrator.hearing.listener`."""
    device = settings.microphone or None
    return {"device": device, "engine": settings.ears, "model": settings.ears_model, "numerals": script.numerals}


def at_terminal() -> bool:
    """Whether a person is there, who reads what is written and can be asked."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def outlet(args: argparse.Namespace, settings: Settings, interface: Interface) -> tuple[Clock, Sound, Path | None]:
    """A loudspeaker in real time; or a file in simulated time, if one is asked for (`--out`) or there is no loudspeaker. Raises
    `CannotWrite`."""
    out: Path | None = args.out
    if out is None:
        speaker, note = loudspeaker(args, settings, interface)
        if speaker:
            print(note, end="\n" if note else "", file=sys.stderr)
            return RealClock(), speaker, None
        out = unused(DEFAULT_FILE)
        print(interface.cli["no_speaker_wav"].format(reason=note, path=out), file=sys.stderr)
    clock = SimulatedClock()
    try:
        return clock, Recording(out, clock, levels(args, settings), stereo=settings.stereo), out
    except OSError as error:
        raise CannotWrite(out, error) from error


def unused(path: Path) -> Path:
    """The file that is written where none was named: this one, or with a number, for what lies there stays. One that was named is
    written over, as by any command."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(file for file in chain([path], numbered) if not file.exists())


def _by_name(error: NoSpeaker, device: str | None) -> NoSpeaker:
    """The error, with the names that there are where one was asked for that is none of them."""
    known = loudspeakers() if device and error.slots["reason"] == "no_device" else []
    if not known or any(str(device).lower() in name.lower() for name in known):
        return error
    return NoSpeaker(str(error), reason="no_such_device", what=device, known="、".join(known))


def check_scenes(script: Script) -> None:
    """Raise `BadScript` if a line opens a scene that there is not, and `BadVoice` if the scenes or the knocks cannot be read."""
    known = scenes(home())
    if KNOCK not in effects(home()):
        raise BadVoice(f"no {KNOCK}", reason="no_knock", path=home() / "effects")
    for scene in sorted(script.scenes - set(known)):
        raise BadScript(f"no scene {scene!r}; there are {', '.join(known)}", reason="no_scene", what=scene, known="、".join(known))


def games_folder() -> Path:
    """Where interrupted games lie: the user's data folder."""
    return personal("XDG_DATA_HOME", ".local/share") / "games"


def cards(script: Script, deck: tuple[str, ...]) -> str:
    """A deck as it is read: each card with how many there are of it."""
    counted = {role: deck.count(role) for role in deck}
    return " ".join(f"{script.word('role', role)}×{number}" for role, number in counted.items())


def newest(interface: Interface, even_over: bool) -> tuple[Journal, Game]:
    """The newest game that was not played to its end, or the newest of all. One that was cut off before it began is passed over
    with a word; so is an older one in which nothing was answered, in silence."""
    games = saved(games_folder())
    for path in reversed(games):
        try:
            journal, game = Journal.resume(path)
        except BadJournal as error:
            if error.slots.get("reason") != "empty":
                raise
            print(interface.error(error))
            continue
        if even_over or (not game.over and (game.answers or path == games[-1])):
            return journal, game
        journal.close()
    raise NothingToResume("no game is left unfinished")
