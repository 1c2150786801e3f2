"""`narrator ears`: lets the narrator hear what is said at the table by day."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.errors import CannotWrite, NoEars
from narrator.hearing import model
from narrator.hearing.recognisers import ENGINES, opened
from narrator.interface import Interface
from narrator.settings import Settings


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("--engine", choices=tuple(ENGINES), default="whisper", help=words["ears_engine"])
    parser.add_argument("--model", type=Path, metavar="FOLDER", help=words["ears_model"])
    parser.add_argument("--microphone", metavar="NAME", help=words["ears_microphone"])
    parser.add_argument("--off", action="store_true", help=words["ears_off"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Fetch the model where there is none, or a damaged one; see that it can be opened, and remember what was chosen. Raises `NoEars`,
    `BadSettings`, `CannotWrite`."""
    settings = Settings.mended()
    if args.off:
        settings.changed(ears="off").save()
        print(interface.cli["ears_are_off"])
        return 0
    folder: Path = args.model or _remembered(args.engine, settings) or model.home()
    ours = args.engine == "whisper" and folder.resolve() == model.home().resolve()
    if ours and not model.is_there(folder):
        _fetch(folder, interface)
    try:
        opened(args.engine, str(folder))
    except NoEars as error:
        if not ours or error.slots["reason"] != "no_speech_model":
            raise
        _fetch(folder, interface)   # what lies there is damaged
        opened(args.engine, str(folder))
    microphone = settings.microphone if args.microphone is None else args.microphone
    settings.changed(ears=args.engine, ears_model=str(folder.resolve()), microphone=microphone).save()
    print(interface.cli["ears_are_on"].format(engine=args.engine))
    return 0


def _remembered(engine: str, settings: Settings) -> Path | None:
    """The folder that the table has named before, where its model is one for this engine."""
    folder = Path(settings.ears_model)
    if engine == "whisper":
        return folder if settings.ears_model and model.is_there(folder) else None
    return folder if settings.ears_model and settings.ears == engine else None


def _fetch(folder: Path, interface: Interface) -> None:
    print(interface.cli["ears_fetching"], flush=True)
    try:
        model.fetch(folder)
    except OSError as error:
        raise CannotWrite(folder, error) from error
