"""`narrator voices`: which voices there are, what one sounds like, what is wrong with one, and how one is made."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from narrator.cli import _record, _stage
from narrator.errors import BadArguments, BadVoice, CannotWrite
from narrator.interface import Interface
from narrator.rules import MOST_SEATS
from narrator.script import Script, editions, every_sentence, meant, whole
from narrator.settings import Settings
from narrator.voice import Pack, studio
from narrator.voice.check import check, missing
from narrator.voice.pack import locate, names

_SAID = {"pack": "said_pack", "neural": "said_neural", "espeak": "said_espeak", None: "said_by_nobody"}


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    action = _stage.actions(parser, words)
    action("list", _list, "voices_list")
    say = action("say", _say, "voices_say")
    say.add_argument("name", metavar="NAME", help=words["pack"])
    say.add_argument("text", metavar="TEXT", help=words["say_text"])
    say.add_argument("--edition", metavar="NAME", help=words["say_edition"])
    say.add_argument("--out", type=Path, metavar="FILE", help=words["say_out"])
    say.add_argument("--device", metavar="NAME", help=words["device"])
    say.set_defaults(quiet=False)
    checked = action("check", _check, "voices_check")
    checked.add_argument("name", metavar="NAME", help=words["pack"])
    checked.add_argument("--edition", metavar="NAME", help=words["check_edition"])
    checked.add_argument("--players", metavar="N", help=words["check_players"])
    _record.arguments(action("record", _record.run, "voices_record"), words)
    render = action("render", _render, "voices_render")
    render.add_argument("name", metavar="NAME", help=words["pack"])
    render.add_argument("--model", type=Path, metavar="FOLDER", help=words["model"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Do what is asked for."""
    return _stage.act(args, interface)


def _list(_: argparse.Namespace, interface: Interface) -> int:
    """Every voice: its name, who speaks, how much of the script it can say, and how large it is. Returns 1 if one is broken."""
    wanted, chosen, broken = every_sentence(), Settings.load().voice or _stage.DEFAULT_VOICE, False
    for name in names():
        try:
            pack = Pack.load(name)
            print(_described(name, pack, missing(pack, wanted), interface) + interface.cli["voice_chosen"] * (name == chosen))
        except BadVoice as error:
            print(interface.error(error), file=sys.stderr)
            broken = True
    return int(broken)


def _described(name: str, pack: Pack, lacking: set[str], interface: Interface) -> str:
    about, clips = pack.about, list((locate(name) / "clips").iterdir())
    megabytes = sum(clip.stat().st_size for clip in clips) / 1e6
    return interface.cli["voice_line"].format(
        name=name, title=about.title, licence=about.licence, count=len(clips), size=f"{megabytes:.1f}",
        made=about.render.speaker if about.render else about.recorded.by if about.recorded else "",
        state=interface.cli["voice_lacking"].format(count=len(lacking)) if lacking else interface.cli["voice_complete"],
    )  # fmt: skip


def _say(args: argparse.Namespace, interface: Interface) -> int:
    """Speak a text, and say of each sentence where its sound came from."""
    settings = Settings.load()
    scripts = [Script(name) for name in ([args.edition] if args.edition else dict.fromkeys([_stage.DEFAULT_EDITION, *editions()]))]
    sentences = meant(args.text, scripts)
    if not sentences:
        raise BadArguments("no text", reason="nothing_to_say")
    voice = _stage.voice(args.name, settings, interface)
    clips = []
    try:
        for sentence in sentences:
            clips.append(voice.clip(sentence.text, sentence.parts))
            print(interface.cli[_SAID[voice.source]].format(text=sentence.text))
    finally:
        voice.close()
    if not any(clip is not None for clip in clips):
        return 1
    clock, sound, out = _stage.outlet(args, settings, interface)
    try:
        for clip in clips:
            if clip is not None:
                clock.wait(clock.now() + sound.play(clip) + scripts[0].pacing.between_sentences)
    finally:
        sound.close()
    if out:
        print(interface.cli["said_into"].format(path=out))
    return 0


def _check(args: argparse.Namespace, interface: Interface) -> int:
    """Everything that is wrong with a voice; exit code 1 if anything is."""
    pack = Pack.load(args.name)
    seats = _stage.whole(args.players, "--players") or MOST_SEATS
    wanted = {sentence for name in ([args.edition] if args.edition else editions()) for sentence in Script(name).every_sentence(seats)}
    count = 0
    for found in check(pack, sorted(wanted)):
        count += 1
        print(interface.flaws[found.kind].format(value=f"{found.value:.2f}") + found.sentence, flush=True)
    print(interface.cli["check_bad" if count else "check_good"].format(name=pack.about.name, count=count or len(pack.sentences())))
    return 1 if count else 0


def _render(args: argparse.Namespace, interface: Interface) -> int:
    """Make a voice say whatever the script does: only what it lacks, or what has changed, is rendered."""
    target, texts = locate(args.name), sorted(whole(every_sentence()))
    speaker = studio.kokoro(target, studio.Files.found(args.model or Path(Settings.load().model)))
    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(compact=True), TextColumn("{task.description}"), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task("", total=None)
        try:
            studio.render(target, speaker, texts, lambda at: bar.update(task, total=at.total, completed=at.done, description=at.sentence))
        except OSError as error:
            raise CannotWrite(target, error) from error
    print(interface.cli["pack_ready"].format(name=target.name, count=len(texts)))
    return 0
