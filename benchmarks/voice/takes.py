"""Clips in which something is misheard, tried at other speeds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from io import BytesIO

import soundfile

from benchmarks.voice.ears import Ears, compare
from narrator import files
from narrator.clip import Clip
from narrator.script import Sentence, every_sentence
from narrator.voice import Pack, codec, shape
from narrator.voice.pack import About, joined, locate
from narrator.voice.studio import Files, Speaker, kokoro

STEPS = (0.0, 0.05, 0.1, -0.05, -0.1, 0.15, -0.15)
"""What is added to the voice's own speed, in the order in which it is tried."""

SHORTEST = 4
"""Characters below which a recogniser is no judge of a sentence: it knows a word by its neighbours."""

JUDGES = 4
"""Sentences at most in which a part is heard: it stands in up to sixty."""

HEAD = """# Clips that a speech recogniser understands better at another speed than the voice's own.
# Written by `python -m benchmarks.voice takes`; a line may be changed by hand, for an ear knows better.

"""

Heard = Callable[[Sentence, Mapping[str, float]], int]
"""How many syllables of a sentence are misheard, with its clips at these speeds."""


def takes(options: argparse.Namespace) -> None:
    """Write takes.toml of each voice anew: the clips not understood at the voice's own speed, and the one at which each is best."""
    ears = Ears(options.recogniser)
    for name in options.voices:
        folder = locate(name)
        about = About.read(folder)
        if about.render is None:
            print(f"{name} is recorded")
            continue
        heard = _Studio(kokoro(folder, Files.found(options.model)), about.loudness, ears).misheard
        chosen: dict[str, float] = {}
        for text, sentences in list(_said(Pack.load(name)).items())[:: options.every]:
            best = _best(text, sentences, heard, chosen, about.render.speed)
            if best != about.render.speed:
                chosen[text] = best
        lines = [f"{json.dumps(text, ensure_ascii=False)} = {speed:.2f}\n" for text, speed in sorted(chosen.items())]
        files.write(folder / "takes.toml", "".join([HEAD, *lines]).encode())
        print(f"{name}: {len(chosen)} at another speed")


def _said(pack: Pack) -> dict[str, list[Sentence]]:
    """Each clip of a pack, and the sentences in which it is judged: those that want it most come first."""
    said: dict[str, list[Sentence]] = {}
    for sentence in sorted(every_sentence()):
        if sentence.text not in pack.sentences():
            for part in sentence.parts:
                said.setdefault(part, []).append(sentence)
        elif len(sentence.text.rstrip("。，")) >= SHORTEST:
            said[sentence.text] = [Sentence(sentence.text)]
    return {text: found[:: -(-len(found) // JUDGES)] for text, found in sorted(said.items(), key=lambda item: -len(item[1]))}


def _best(text: str, sentences: list[Sentence], heard: Heard, chosen: Mapping[str, float], own: float) -> float:
    """The first of the speeds at which the fewest syllables are misheard."""
    found: dict[float, int] = {}
    for speed in (round(own + step, 2) for step in STEPS):
        speeds = {part: chosen.get(part, own) for sentence in sentences for part in sentence.parts} | {text: speed}
        found[speed] = sum(heard(sentence, speeds) for sentence in sentences)
        if not found[speed]:
            break
    return min(found, key=lambda speed: found[speed])


class _Studio:
    """Makes clips as a pack has them, with what the encoder takes from them, and has them written down."""

    def __init__(self, speaker: Speaker, loudness: float, ears: Ears) -> None:
        self._speaker, self._loudness, self._ears = speaker, loudness, ears
        self._made: dict[tuple[str, float], Clip] = {}

    def misheard(self, sentence: Sentence, speeds: Mapping[str, float]) -> int:
        """How many syllables of a sentence are misheard, with its clips at these speeds."""
        clip = joined([self._clip(text, speeds[text]) for text in sentence.parts or (sentence.text,)])
        return compare(sentence.text, self._ears.write_down(clip)).syllables

    def _clip(self, text: str, speed: float) -> Clip:
        if (text, speed) not in self._made:
            made = shape.level(shape.trim(self._speaker.speak(self._speaker.phonemes(text), speed)), self._loudness)
            self._made[text, speed], _ = soundfile.read(BytesIO(codec.encode(made)), dtype="float32")
        return self._made[text, speed]
