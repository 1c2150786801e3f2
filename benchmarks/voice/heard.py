"""Every sentence, spoken and written down again."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.voice.ears import Ears, Errors, compare
from narrator.clip import Clip, seconds
from narrator.script import Sentence, every_sentence
from narrator.voice import Espeak, Pack

Speaker = Callable[[Sentence], Clip | None]

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
    ears = Ears(options.recogniser)
    sentences = sorted(every_sentence())[:: options.every]
    espeak = Espeak()
    try:
        robot = _listen("espeak-ng", lambda sentence: espeak.render(sentence.text), sentences, ears)
    finally:
        espeak.close()
    voices = {name: _listen(name, _speaker(Pack.load(name)), sentences, ears) for name in options.voices}
    failing = [{hearing.sentence for hearing in hearings if hearing.fails} for hearings in voices.values()]
    floor = set.intersection(*failing, {hearing.sentence for hearing in robot if hearing.fails}) if failing else set()
    for name, hearings in voices.items():
        for hearing in hearings:
            if hearing.fails:
                where = "every voice" if hearing.sentence in floor else name
                print(f"  {where:12s} {hearing.errors.syllables}/{hearing.errors.length}  {hearing.sentence}  ->  {hearing.heard}")


def _speaker(pack: Pack) -> Speaker:
    return lambda sentence: pack.clip(sentence.text, sentence.parts)


def _listen(name: str, speaker: Speaker, sentences: list[Sentence], ears: Ears) -> list[Hearing]:
    hearings = []
    for sentence in sentences:
        clip = speaker(sentence)
        if clip is not None:
            heard = ears.write_down(clip)
            hearings.append(Hearing(sentence.text, heard, compare(sentence.text, heard), seconds(clip)))
    total = sum(hearing.errors.length for hearing in hearings)
    characters, syllables = (sum(getattr(hearing.errors, what) for hearing in hearings) for what in ("characters", "syllables"))
    print(
        f"{name:10s} {len(hearings)} sentences: {100 * characters / total:.1f} % of characters and {100 * syllables / total:.1f} % of"
        f" syllables wrong; {sum(not hearing.errors.syllables for hearing in hearings)} whole, {sum(map(_fails, hearings))} fail;"
        f" {total / sum(hearing.seconds for hearing in hearings):.1f} syllables a second",
        flush=True,
    )
    return hearings


def _fails(hearing: Hearing) -> bool:
    return hearing.fails
