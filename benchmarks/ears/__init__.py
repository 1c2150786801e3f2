"""How well a table is understood: synthetic voices say what may be said, in quiet and over noise, and the narrator makes of it what it can.

    python -m benchmarks.ears --model FOLDER --recogniser FOLDER [--voices held|tuned] [--conditions ...] [--every N]

For each condition: the share understood at once (right), asked back with the right one among two, not understood, and taken for something
else (wrong: before it is read back); how many would be right within two tries, if the second went like the first; and the seconds from a
phrase's end to its meaning. Beside it, in the same run, plain SpeechRecognition with the same model, whose text must be exactly one of
the phrases. And sentences of table talk at an open question: how many are taken for an answer.

`tuned` are the voices with which the figures of `narrator.hearing.spoken` were found, `held` others. A condition is `quiet`, or `ambience`
or `babble` and the dB by which the voice stands above it, in a small room. FOLDERs hold the Kokoro model, and a Whisper model in
faster-whisper's form.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ears.baseline import Baseline
from benchmarks.ears.said import SAID, TALK, VOTE, Said
from benchmarks.ears.speakers import Speakers
from benchmarks.ears.surroundings import Surroundings
from narrator.hearing.recognisers import Whisper
from narrator.hearing.spoken import Grammar, Words
from narrator.numerals import Numerals
from narrator.script import Script

VOICES = {"tuned": ("zf_xiaoyi", "zm_yunjian", "zf_xiaoxiao"), "held": ("zm_yunxi", "zm_yunxia", "zf_xiaobei")}
SPEEDS = (0.85, 1.0, 1.2)
CONDITIONS = ("quiet", "ambience-20", "ambience-10", "ambience-5", "babble-20", "babble-10", "babble-5")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="benchmarks.ears")
    for name in ("recogniser", "model"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--voices", choices=tuple(VOICES), default="held")
    parser.add_argument("--conditions", nargs="*", default=CONDITIONS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth utterance")
    options = parser.parse_args(arguments)
    speakers, whisper, baseline = Speakers(options.model), Whisper(options.recogniser, threads=1), Baseline(options.recogniser)
    grammar = Grammar(Words.shipped(), Numerals.model_validate(Script("anniversary").numerals))
    everything = [(voice, speed, said) for voice in VOICES[options.voices] for speed in SPEEDS for said in SAID]
    random.Random(0).shuffle(everything)
    for condition in options.conditions:
        surroundings = Surroundings(condition)
        here, there, took = Counter[str](), Counter[str](), []
        for number, (voice, speed, said) in enumerate(everything[:: options.every]):
            recording = surroundings.recorded(speakers.say(voice, said.text, speed), number)
            began = time.perf_counter()
            guesses = whisper.guesses(recording, grammar.phrases(said.ask, said.paused))
            meanings = grammar.understand(guesses, said.ask, said.paused)
            took.append(time.perf_counter() - began)
            here[_kind(meanings, said)] += 1
            there[_kind(baseline.meaning(recording, said.exact(grammar)), said)] += 1
        print(f"{condition:12s} {_shares(here)}; {np.median(took):.2f} s (p95 {np.percentile(took, 95):.2f})", flush=True)
        print(f"{'':12s} plain recognition, exact match: {_shares(there)}", flush=True)
    _talk(speakers, whisper, grammar, VOICES[options.voices])
    return 0


def _kind(meanings: tuple[Any, ...], said: Said) -> str:
    if meanings == (said.meaning,):
        return "right"
    return "nothing" if not meanings else "wrong" if len(meanings) == 1 else "asked back" if said.meaning in meanings else "asked wrongly"


def _shares(counted: Counter[str]) -> str:
    total = counted.total()
    again = total - counted["right"] - counted["wrong"]
    twice = counted["right"] + counted["asked back"] + (again - counted["asked back"]) * counted["right"] / total
    kinds = {**{kind: counted[kind] for kind in ("right", "asked back", "asked wrongly", "nothing", "wrong")}, "in two": twice}
    return f"{total}: " + ", ".join(f"{100 * number / total:.1f} % {kind}" for kind, number in kinds.items())


def _talk(speakers: Speakers, whisper: Whisper, grammar: Grammar, voices: Sequence[str]) -> None:
    taken, asked, surroundings = [], 0, Surroundings("ambience-20")
    sentences = [(voice, text) for voice in voices for text in TALK]
    for number, (voice, text) in enumerate(sentences):
        recording = surroundings.recorded(speakers.say(voice, text, 1.0), number)
        meanings = grammar.understand(whisper.guesses(recording, grammar.phrases(VOTE)), VOTE)
        taken += [text] if len(meanings) == 1 else []
        asked += len(meanings) == 2
    print(f"table talk at a vote: of {len(sentences)} sentences {len(taken)} taken for an answer, {asked} asked back; {' '.join(taken)}")
