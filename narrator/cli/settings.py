"""`narrator settings`: what this table has chosen once and for all, and which loudspeakers there are."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from narrator.cli import _stage
from narrator.interface import Interface, written
from narrator.settings import Settings, home
from narrator.sound.devices import loudspeakers
from narrator.voice import Pack
from narrator.voice.kokoro import Files

_TEXTS = ("voice", "device", "pace", "gpio_lamps", "gpio_buttons")


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("choices", nargs="*", metavar="NAME=VALUE", help=words["choices"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Change what is asked for; then print all of it."""
    if args.choices:
        settings = Settings.mended().changed(**dict(map(_choice, args.choices)))   # so that a broken file can be mended by it
        if settings.voice:
            Pack.load(settings.voice)       # raises for one that is not to be had
        if settings.model:
            Files.found(Path(settings.model))
        settings.save()
    else:
        settings = Settings.load()
    print(interface.cli["settings_file"].format(path=home()))
    for name, value in settings.model_dump().items():
        print(interface.cli["setting"].format(name=name, value=written(value), meaning=interface.settings[name]))
    names = loudspeakers()
    print(interface.cli["loudspeakers" if names else "no_loudspeakers"])
    for name in names:
        print(f"  {name}")
    return 0


def _choice(text: str) -> tuple[str, Any]:
    """A choice as it is written in a command: as in TOML, but a text without its quotes."""
    name, written_so, value = _stage.assigned(text, "bad_choice")
    if name == "model" or (name == "voice" and "/" in written_so):
        return name, str(Path(written_so).resolve()) if written_so else ""     # the game may begin in another folder
    return name, written_so if name in _TEXTS else value
