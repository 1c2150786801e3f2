"""Every sentence, spoken and written down again."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.voice.ears import Ears, Errors, compare
from narrator.clip import seconds
from narrator.script import Sentence, every_sentence
from narrator.voice import Espeak, Pack, Voice

ROBOT = "espeak-ng"
_SAMPLE = 100       # sentences that the robot says: enough for a share that is many times as high

LONG = 8
"""Syllables from which on a sentence's share of wrong ones counts; in a shorter one their number."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What was understood of a sentence."""

    sentence: str
    heard: str
    errors: Errors
    seconds: float

    @property
    def fails(self) -> bool:
        """Whether more is wrong than one would put up with."""
        wrong, length = self.errors.syllables, self.errors.length
        return wrong / length > 0.15 if length >= LONG else wrong > 1


def heard(options: argparse.Namespace) -> None:
    """Print each voice's error rates, and the sentences that fail."""
    sentences = sorted(every_sentence())[:: options.every]
    jobs = [(ROBOT, sentences[:: max(1, len(sentences) // _SAMPLE)]), *((name, sentences) for name in options.voices)]
    found = {}
    with ProcessPoolExecutor() as pool:     # a recogniser has one thread, and a voice one recogniser
        for (name, _), hearings in zip(jobs, pool.map(partial(_listen, options.recogniser), *zip(*jobs, strict=True)), strict=True):
            found[name] = hearings
            _print(name, hearings)
    voices = {name: {hearing.sentence for hearing in found[name] if hearing.fails} for name in options.voices}
    floor = set.intersection(*voices.values()) if len(voices) > 1 else set()
    for name in options.voices:
        for hearing in found[name]:
            if hearing.fails:
                where = "every voice" if hearing.sentence in floor else name
                print(f"  {where:12s} {hearing.errors.syllables}/{hearing.errors.length}  {hearing.sentence}  ->  {hearing.heard}")


def _listen(recogniser: Path | None, name: str, sentences: list[Sentence]) -> list[Hearing]:
    """What is understood of these when a voice says them; of those that it can say."""
    ears, voice = Ears(recogniser), Voice(None, None, Espeak()) if name == ROBOT else Voice(Pack.load(name), None)
    hearings = []
    for sentence in sentences:
        clip = voice.clip(sentence.text, sentence.parts)
        if clip is not None:
            text = ears.write_down(clip)
            hearings.append(Hearing(sentence.text, text, compare(sentence.text, text), seconds(clip)))
    voice.close()
    return hearings


def _print(name: str, hearings: list[Hearing]) -> None:
    length, characters, syllables = (sum(getattr(each.errors, what) for each in hearings) for what in ("length", "characters", "syllables"))
    print(
        f"{name:10s} {len(hearings)} sentences: {100 * characters / length:.1f} % of characters and {100 * syllables / length:.1f} % of"
        f" syllables wrong; {sum(not each.errors.syllables for each in hearings)} whole, {sum(each.fails for each in hearings)} fail;"
        f" {length / sum(each.seconds for each in hearings):.1f} syllables a second",
        flush=True,
    )
