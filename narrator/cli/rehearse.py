"""`narrator rehearse`: simulated players play a whole game aloud, or into a WAV file faster than it could be heard."""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from pathlib import Path

from narrator.cards import deal
from narrator.cli import _setup, _stage
from narrator.clock import Clock
from narrator.errors import BadArguments, CannotWrite
from narrator.interface import Interface
from narrator.loop import Loop
from narrator.pacing import Windows
from narrator.practice import Players
from narrator.rules import Game
from narrator.screen.paper import Paper
from narrator.script import Script
from narrator.settings import Settings
from narrator.stage import Stage
from narrator.transcript import Transcript

DEFAULT_PLAYERS = 8


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    _stage.game_arguments(parser, words)
    parser.add_argument("--seed", metavar="N", help=words["seed"])
    parser.add_argument("--out", type=Path, metavar="FILE", help=words["out"])
    parser.add_argument("--transcript", type=Path, metavar="FILE", help=words["transcript"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Rehearse one game. Without a loudspeaker and without --out it is written to a file in this folder."""
    seed = _stage.whole(args.seed, "--seed")
    rng = random.Random(seed)
    wanted = _setup.Wanted.of(args)
    if args.out and args.transcript and args.out.resolve() == args.transcript.resolve():
        raise BadArguments(f"{args.out} twice", reason="same_file", what=args.out)
    setup = wanted.setup(DEFAULT_PLAYERS if wanted.players is None else wanted.players, rng)
    game, script = Game(setup), Script(setup.edition.id)
    cards = (*setup.deal, *setup.spare) if setup.deal else deal(setup.deck, rng)
    _stage.check_scenes(script)
    settings = Settings.load()
    slowness = _stage.slowness(args, settings)
    voice = _stage.voice(args.voice, settings, interface)
    with contextlib.ExitStack() as stack:
        stack.callback(voice.close)
        transcript = _transcript(args.transcript, stack)
        clock, sound, out = _stage.outlet(args, settings, interface)
        stack.callback(sound.close)
        print(_stage.introduced(voice, interface), file=sys.stderr)
        _stage.prepare(voice, script, setup.seats, interface)
        screen = Paper(interface, script, sys.stdout)
        hurry = _stage.HURRY if args.hurry else 1.0
        # Dice of their own: how a game goes must not depend on how long its sentences take to speak.
        windows = Windows(script.pacing.scaled(slowness), random.Random(seed))
        stage = Stage(
            clock, sound, Players(clock, setup.seats, cards, rng, hurry, setup.second), screen,
            script=script, interface=interface, windows=windows, voice=voice, transcript=transcript,
        )  # fmt: skip
        Loop(stage, game, interface, chance=rng).run(etiquette=settings.etiquette)
    _report(game, out, clock, interface)
    return 0


def _transcript(path: Path | None, stack: contextlib.ExitStack) -> Transcript | None:
    if path is None:
        return None
    try:
        return Transcript(stack.enter_context(path.open("w", encoding="utf-8")))
    except OSError as error:
        raise CannotWrite(path, error) from error


def _report(game: Game, out: Path | None, clock: Clock, interface: Interface) -> None:
    winner = interface.winners[game.outcome.winner] if game.outcome else ""
    if out is None:
        print(interface.cli["heard"].format(winner=winner))
    else:
        minutes, seconds = divmod(round(clock.now()), 60)
        print(interface.cli["rendered"].format(path=out, minutes=minutes, seconds=seconds, winner=winner))
