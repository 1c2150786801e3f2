"""`narrator voices record`: a person's voice becomes a pack, from a microphone or from a folder of recordings."""

from __future__ import annotations

import argparse
import sys
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from narrator import files
from narrator.cli import _stage
from narrator.clip import Clip, seconds
from narrator.errors import CannotWrite, NoMicrophone, NoTerminal
from narrator.interface import Interface
from narrator.rules import MOST_SEATS
from narrator.script import Script, Sentence, editions, joined, whole
from narrator.settings import Settings
from narrator.sound import Sound
from narrator.sound.microphone import Microphone
from narrator.voice import About, Pack, booth, shape, sheet
from narrator.voice.booth import Booth
from narrator.voice.check import Finding, missing

KEY = 0.1
"""Seconds at either end of a take in which the key is heard that began or ended it."""


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this action's arguments."""
    parser.add_argument("name", metavar="NAME", help=words["record_name"])
    parser.add_argument("--from", dest="folder", type=Path, metavar="FOLDER", help=words["record_from"])
    parser.add_argument("--sheet", type=Path, metavar="FILE", help=words["record_sheet"])
    parser.add_argument("--edition", metavar="NAME", help=words["record_edition"])
    parser.add_argument("--players", metavar="N", help=words["record_players"])
    parser.add_argument("--by", metavar="WHO", help=words["record_by"])
    parser.add_argument("--title", metavar="TITLE", help=words["record_title"])
    parser.add_argument("--licence", metavar="LICENCE", help=words["record_licence"])
    parser.add_argument("--microphone", metavar="NAME", help=words["record_microphone"])
    parser.add_argument("--device", metavar="NAME", help=words["device"])
    parser.set_defaults(quiet=True)


@dataclass(frozen=True, slots=True)
class _Job:
    """What is to be recorded, and where.

    wanted  the sentences that the voice is to be able to say
    lines   every text that it can hold, in the order in which they are read, and behind those the sentences that their parts would do for;
            a line's number is the same whatever is still missing
    """

    args: argparse.Namespace
    interface: Interface
    folder: Path
    wanted: list[Sentence]
    lines: list[str]

    def lacking(self, pack: Pack) -> list[str]:
        """What is still to be read for a pack."""
        without = missing(pack, self.wanted)
        return [text for text in self.lines if text in without]


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Record what is still missing. Returns 1 if a file of a folder was not what it should be."""
    folder = booth.place(args.name)
    about = booth.begun(folder)
    wanted = _wanted(args.edition, _stage.whole(args.players, "--players"))
    every = _wanted(None, None)
    texts = dict.fromkeys([*joined(every), *joined(wanted), *sorted(whole([*every, *wanted]))])
    job = _Job(args, interface, folder, wanted, list(texts))
    if args.sheet:
        return _write_sheet(job, Booth(folder, about or booth.draft(folder)))
    shape.need_meter()      # before anybody has spoken
    return _from_folder(job, about) if args.folder else _from_microphone(job, about)


def _wanted(edition: str | None, players: int | None) -> list[Sentence]:
    """What an edition, or any, can say at a table of so many, or any, in the order of its script. Raises `BadScript` and `BadSetup`."""
    sentences: dict[Sentence, None] = {}
    for script in map(Script, [edition] if edition else editions()):
        if players is not None:
            script.edition.deck(players)    # raises for a table that cannot be
        sentences |= dict.fromkeys(script.every_sentence(MOST_SEATS if players is None else players))
    return list(sentences)


def _about(job: _Job) -> About:
    """What a new voice is to say of itself: as the arguments have it, or as is answered now."""
    asks, words = sys.stdin.isatty(), job.interface.cli

    def known(given: str | None, question: str, default: str) -> str:
        answer = given or (_stage.ask(words[question].format(default=default)) if asks else "")
        return "".join(filter(str.isprintable, answer)).strip() or default

    by = known(job.args.by, "ask_by", booth.draft(job.folder).name)
    title = known(job.args.title, "ask_title", by)
    return booth.draft(job.folder, by, title, known(job.args.licence, "ask_licence", booth.LICENCE))


def _write_sheet(job: _Job, studio: Booth) -> int:
    """Write down what is still to be recorded, each line with its number."""
    lacking = set(job.lacking(studio.pack))
    lines = {number: text for number, text in enumerate(job.lines, 1) if text in lacking}
    try:
        files.write(job.args.sheet, sheet.written(lines).encode())
    except OSError as error:
        raise CannotWrite(job.args.sheet, error) from error
    print(job.interface.cli["sheet_written"].format(count=len(lines), path=job.args.sheet))
    return 0


def _summary(job: _Job, studio: Booth) -> None:
    """Say how far it is."""
    lacking = len(job.lacking(studio.pack))
    text = job.interface.cli["record_lacking" if lacking else "record_complete"]
    print(text.format(name=job.args.name, count=len(studio.pack.sentences()), lacking=lacking))


# --- from a folder ------------------------------------------------------------------------------------------------------


def _from_folder(job: _Job, about: About | None) -> int:
    """Take every file of a folder. Returns 1 if one of them could not be taken."""
    found = sheet.recordings(job.args.folder, job.lines, Script(_stage.DEFAULT_EDITION).spelled)
    with Booth(job.folder, about or _about(job)) as studio:
        taken = [_take_file(job, studio, path, texts) for path, texts in found]
    _summary(job, studio)
    return 0 if all(taken) else 1


def _take_file(job: _Job, studio: Booth, path: Path, texts: list[str]) -> bool:
    """Take a file for each of these texts, and say what came of it. Returns whether it was good for all of them."""
    words = job.interface.cli
    if not texts:
        print(words["file_unknown"].format(file=path.name))
        return False
    try:
        samples, rate = sheet.samples(path)
    except OSError:
        print(words["file_unreadable"].format(file=path.name))
        return False
    flaws = {text: studio.take(text, samples, rate) for text in texts}
    for text, flaw in flaws.items():
        print(words["file_refused" if flaw else "file_kept"].format(file=path.name, text=text, flaw=_told(flaw, job.interface)))
    return not any(flaws.values())


def _told(flaw: Finding | None, interface: Interface) -> str:
    return interface.flaws[flaw.kind].format(value=f"{flaw.value:.2f}").strip() if flaw else ""


# --- from a microphone --------------------------------------------------------------------------------------------------


def _from_microphone(job: _Job, about: About | None) -> int:
    """Walk a person through the lines; Ctrl-C and Ctrl-D end it like `q`. Raises `NoTerminal` and `NoMicrophone`."""
    if not sys.stdin.isatty():
        raise NoTerminal("no terminal to record at", reason="record_terminal")
    microphone = Microphone(job.args.microphone)
    try:
        with Booth(job.folder, about or _about(job)) as studio:
            session = _Session(job, studio, microphone)
            try:
                session.walk(job.lacking(studio.pack))
            except (KeyboardInterrupt, EOFError):
                print()
            finally:
                session.close()
    finally:
        microphone.close()
    _summary(job, studio)
    return 0


class _Session:
    """A person before a microphone."""

    def __init__(self, job: _Job, studio: Booth, microphone: Microphone) -> None:
        self._job, self._studio, self._microphone = job, studio, microphone
        self._words = job.interface.cli
        self._sound: Sound | None = None
        self._last = ""

    def walk(self, texts: list[str]) -> None:
        """Have each of these texts read, one after the other, until all are or the person has had enough."""
        print(self._words["record_begin"].format(count=len(texts)))
        place = 0
        while place < len(texts):
            print(self._words["record_line"].format(number=place + 1, total=len(texts), text=texts[place]))
            match unicodedata.normalize("NFKC", _stage.ask(self._words["record_prompt"])).strip().lower():
                case "":
                    place += self._take(texts[place])
                case "s":
                    place += 1
                case "b":
                    place = max(0, place - 1)
                case "p":
                    self._play()
                case "q":
                    return
                case _:
                    print(self._words["record_keys"])

    def close(self) -> None:
        """Give back the loudspeaker, if it was needed."""
        if self._sound:
            self._sound.close()

    def _take(self, text: str) -> bool:
        """Record a text until Enter is pressed. Returns whether it was kept."""
        try:
            self._microphone.begin()
            _stage.ask(self._words["record_running"])
            samples = self._microphone.end()
        except NoMicrophone as error:
            print(self._job.interface.error(error))
            return False
        key = round(KEY * self._microphone.rate)
        flaw = self._studio.take(text, samples[key:-key], self._microphone.rate)
        if flaw:
            print(self._words["record_again"].format(flaw=_told(flaw, self._job.interface)))
            return False
        self._last = text
        print(self._words["record_kept"].format(seconds=f"{seconds(self._kept()):.1f}"))
        return True

    def _kept(self) -> Clip:
        """The last take that was kept; empty where there is none."""
        clip = self._studio.pack.clip(self._last)
        return np.zeros(0, np.float32) if clip is None else clip

    def _play(self) -> None:
        """Let the person hear the last take that was kept."""
        if not self._sound:
            self._sound, note = _stage.loudspeaker(self._job.args, Settings.load(), self._job.interface)
            print(note, end="\n" if note else "")
        if self._sound and self._last:
            time.sleep(self._sound.play(self._kept()))
