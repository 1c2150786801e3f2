"""Sentences that are misheard, tried at other speeds."""

from __future__ import annotations

import argparse
import json

from benchmarks.voice.ears import Ears, compare
from narrator import files
from narrator.script import every_sentence, whole
from narrator.voice import shape
from narrator.voice.pack import About, locate
from narrator.voice.studio import Files, Speaker, kokoro

STEPS = (0.0, 0.05, 0.1, -0.05, 0.15, -0.1)
"""What is added to the voice's own speed, in the order in which it is tried."""

SHORTEST = 4
"""Characters below which a recogniser is no judge: it knows a word by its neighbours."""


def takes(options: argparse.Namespace) -> None:
    """Write takes.toml of each voice anew: what is not understood at the voice's own speed, and the speed at which it is best."""
    ears = Ears(options.recogniser)
    for name in options.voices:
        folder = locate(name)
        recipe = About.read(folder).render
        if recipe is None:
            print(f"{name} is recorded")
            continue
        speaker = kokoro(folder, Files.found(options.model))
        chosen = {}
        for text in sorted(whole(every_sentence()))[:: options.every]:
            if len(text.rstrip("。，")) >= SHORTEST:
                best = _best(text, speaker, recipe.speed, ears)
                if best != recipe.speed:
                    chosen[text] = best
        lines = [f"{json.dumps(text, ensure_ascii=False)} = {speed:.2f}\n" for text, speed in chosen.items()]
        files.write(folder / "takes.toml", "".join([HEAD, *lines]).encode())
        print(f"{name}: {len(chosen)} at another speed")


HEAD = """# Sentences that a speech recogniser understands better at another speed than the voice's own.
# Written by `python -m benchmarks.voice takes`; a line may be changed by hand, for an ear knows better.

"""


def _best(text: str, speaker: Speaker, own: float, ears: Ears) -> float:
    """The first of the speeds at which the fewest syllables are misheard."""
    found: dict[float, int] = {}
    for step in STEPS:
        speed = round(own + step, 2)
        clip = shape.trim(speaker.speak(speaker.phonemes(text), speed))
        found[speed] = compare(text, ears.write_down(clip)).syllables
        if not found[speed]:
            break
    return min(found, key=lambda speed: found[speed])
