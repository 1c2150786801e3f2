"""`narrator voices render NAME`: record what a voice pack lacks, with the Kokoro model."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.errors import CannotWrite
from narrator.interface import Interface
from narrator.resources import folder
from narrator.script import every_sentence
from narrator.voice.studio import Files, Progress, render


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    action = actions.add_parser("render", help=words["voices_render"], description=words["voices_render"])
    action.add_argument("name", metavar="NAME", help=words["pack"])
    action.add_argument("--model", type=Path, required=True, metavar="FILE", help=words["model"])
    action.add_argument("--voices", type=Path, required=True, metavar="PATH", help=words["speakers"])
    action.add_argument("--vocab", type=Path, required=True, metavar="FILE", help=words["vocabulary"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Make the pack hold every sentence of every edition."""
    sentences = sorted(every_sentence())

    def tell(progress: Progress) -> None:
        print(interface.cli["progress"].format(done=progress.done, total=progress.total, what=progress.sentence), flush=True)

    target = folder("voices") / args.name
    try:
        render(target, Files(args.model, args.voices, args.vocab), sentences, tell)
    except OSError as error:
        raise CannotWrite(target, error) from error
    print(interface.cli["pack_ready"].format(name=args.name, count=len(sentences)))
    return 0
