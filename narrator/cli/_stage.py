"""What several commands set up alike: arguments, the voice, the loudspeaker, and where games are kept."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from narrator.errors import BadVoice, NoSpeaker
from narrator.interface import Interface
from narrator.rules import Setup
from narrator.script import Script, editions
from narrator.sound import Silence, Sound, Speaker
from narrator.voice import Cache, Espeak, Pack, Voice

DEFAULT_VOICE = "xiaoyi"
DEFAULT_EDITION = "anniversary"

HURRY = 0.15
"""How much shorter every silence is with --fast."""


def game_arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """The arguments that choose a game."""
    parser.add_argument("--edition", default=DEFAULT_EDITION, choices=editions(), help=words["edition"])
    parser.add_argument("--players", type=int, metavar="N", help=words["players"])
    parser.add_argument("--deal", action="store_true", help=words["deal"])
    device_arguments(parser, words)


def device_arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """The arguments that choose how a game sounds."""
    parser.add_argument("--voice", metavar="NAME", help=words["voice"])
    parser.add_argument("--device", metavar="NAME", help=words["device"])
    parser.add_argument("--fast", action="store_true", help=words["fast"])


def voice(name: str | None, interface: Interface) -> Voice:
    """The voice of a pack, with the robot voice behind it. Raises `BadVoice` for a pack that was asked for by name and is not
    to be had; without the shipped one the robot speaks, and a sentence says why."""
    try:
        pack = Pack.load(name or DEFAULT_VOICE)
    except BadVoice as error:
        if name:
            raise
        print(interface.error(error), file=sys.stderr)
        pack = None
    return Voice(pack, Cache(), Espeak())


def loudspeaker(device: str | None, interface: Interface) -> tuple[Sound, str]:
    """The loudspeaker of that name, or the default, and an empty text; or silence, and a sentence why there is none."""
    try:
        return Speaker(device), ""
    except NoSpeaker as error:
        return Silence(), interface.error(error)


def setup(script: Script, deck: tuple[str, ...], deal: tuple[str, ...] | None) -> Setup:
    """The set-up of one game. Raises `BadSetup`."""
    return Setup(edition=script.edition, seats=len(deck), deck=deck, deal=deal)


def games_folder() -> Path:
    """Where interrupted games lie: the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "narrator" / "games"


def cards(script: Script, deck: tuple[str, ...]) -> str:
    """A deck as it is read: each card with how many there are of it."""
    counted = {role: deck.count(role) for role in deck}
    return " ".join(f"{script.word('role', role)}×{number}" for role, number in counted.items())
