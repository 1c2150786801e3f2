"""How well a table is understood: synthetic voices say what may be said, in quiet and over noise, and the narrator makes of it what it can.

    python -m benchmarks.ears --model FOLDER --recogniser FOLDER [--voices held|tuned] [--conditions ...] [--every N] [--hour]

For each condition: the share understood at once (right), asked back with the right one among two, not understood, and taken for something
else (wrong: before it is read back). Whoever was not understood says the same once more, slower, over other noise; whoever was
misunderstood, and has it read back, says 不对: the share right within two tries, and the share that is acted upon wrongly for all that.
Then the seconds of one core that a phrase takes, which with the pause that ends it make up the time to its meaning. Beside it, in the
same run, plain SpeechRecognition with the same model, whose text must be exactly one of the phrases. At last the memory
that listening takes.

`--hour`: an hour in which nobody answers (see `benchmarks.ears.hour`), in place of the conditions.

`tuned` are the voices with which the figures of `narrator.hearing` were found, `held` others. A condition is `quiet`, or `ambience`
or `babble` and the dB by which the voice stands above it, in a small room. FOLDERs hold the Kokoro model, and a Whisper model in
faster-whisper's form.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ears import hour
from benchmarks.ears.baseline import Baseline
from benchmarks.ears.said import SAID, Said
from benchmarks.ears.speakers import Speakers
from benchmarks.ears.surroundings import Surroundings
from narrator.hearing import Command, Entered
from narrator.hearing.recognisers import Whisper
from narrator.hearing.spoken import Grammar, Words
from narrator.hearing.tries import Tries
from narrator.numerals import Numerals
from narrator.script import Script
from narrator.stage import weighs

VOICES = {"tuned": ("zf_xiaoyi", "zm_yunjian", "zf_xiaoxiao"), "held": ("zm_yunxi", "zm_yunxia", "zm_yunyang", "zf_xiaobei")}
SPEEDS = (0.85, 1.0, 1.2)
SLOWER = 0.85
"""Who was not understood speaks so much slower."""
CONDITIONS = ("quiet", "ambience-20", "ambience-10", "ambience-5", "babble-20", "babble-10", "babble-5")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="benchmarks.ears")
    for name in ("recogniser", "model"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--voices", choices=tuple(VOICES), default="held")
    parser.add_argument("--conditions", nargs="*", default=CONDITIONS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth utterance")
    parser.add_argument("--hour", action="store_true", help="an hour in which nobody answers")
    options = parser.parse_args(arguments)
    speakers, whisper = Speakers(options.model), Whisper(options.recogniser, threads=1)
    grammar = Grammar(Words.shipped(), Numerals.model_validate(Script("anniversary").numerals))
    if options.hour:
        hour.pass_(speakers, Tries(whisper, grammar), VOICES[options.voices])
        return 0
    baseline = Baseline(options.recogniser)
    everything = [(voice, speed, said) for voice in VOICES[options.voices] for speed in SPEEDS for said in SAID]
    random.Random(0).shuffle(everything)
    for condition in options.conditions:
        surroundings = Surroundings(condition)
        here, there, took = Counter[str](), Counter[str](), []
        for number, (voice, speed, said) in enumerate(everything[:: options.every]):
            person = _Person(speakers, surroundings, voice, speed, number)
            first = person.says(said.text)
            began = time.process_time()
            tries = Tries(whisper, grammar)
            _, meanings = tries.understand(first, said.ask, said.paused)
            took.append(time.process_time() - began)
            here.update(_what_comes(tries, meanings, said, person))
            there[_kind(baseline.meaning(first, said.exact(grammar)), said)] += 1
        print(f"{condition:12s} {_shares(here)}; {np.median(took):.2f} s (p95 {np.percentile(took, 95):.2f})", flush=True)
        print(f"{'':12s} plain recognition, exact match: {_shares(there)}", flush=True)
    print(f"memory of a process that listens: {_memory(options.recogniser)} MB")
    return 0


_KINDS = ("right", "asked back", "asked wrongly", "nothing", "wrong", "right in two", "wrong in the end")


@dataclass
class _Person:
    """Who speaks, and where. Whatever is said, other noise is heard beside it."""

    speakers: Speakers
    surroundings: Surroundings
    voice: str
    speed: float
    number: int

    def says(self, text: str) -> Any:
        """A recording of it."""
        recording = self.surroundings.recorded(self.speakers.say(self.voice, text, self.speed), self.number)
        self.number += 1_000_003
        return recording

    def slows_down(self) -> _Person:
        """The same, who is in no haste any more."""
        self.speed *= SLOWER
        return self


def _what_comes(tries: Tries, meanings: tuple[Any, ...], said: Said, person: _Person) -> list[str]:
    """What came of the first try, and then whether it is right within two, or wrong for all that is read back."""
    kind = _kind(meanings, said)
    if kind == "right":
        return ["said", kind, "right in two"]
    if kind == "wrong" and not _objected(tries, meanings[0], said, person):
        return ["said", kind, "wrong in the end"]
    _, meanings = tries.understand(person.slows_down().says(said.text), said.ask, said.paused)
    again = _kind(meanings, said)
    if again == "wrong" and not _objected(tries, meanings[0], said, person):
        return ["said", kind, "wrong in the end"]
    return ["said", kind] + ["right in two"] * (again == "right")


def _objected(tries: Tries, meaning: Any, said: Said, person: _Person) -> bool:
    """Whether this is read back, and the objection to it understood."""
    if said.paused or not isinstance(meaning, Entered) or not weighs(said.ask, meaning):
        return False
    _, objection = tries.understand(person.says("不对"), said.ask)
    return Command("wrong") in objection


def _kind(meanings: tuple[Any, ...], said: Said) -> str:
    if meanings == (said.meaning,):
        return "right"
    return "nothing" if not meanings else "wrong" if len(meanings) == 1 else "asked back" if said.meaning in meanings else "asked wrongly"


def _shares(counted: Counter[str]) -> str:
    total = counted["said"] or counted.total()
    return f"{total}: " + ", ".join(f"{100 * counted[kind] / total:.1f} % {kind}" for kind in _KINDS if counted["said"] or kind in counted)


_LISTENING = """
import sys
import numpy as np, speech_recognition
from pathlib import Path
from narrator.hearing.recognisers import Whisper
noise = (np.random.default_rng(0).normal(0, 3000, 32000)).astype("<i2").tobytes()
Whisper(Path(sys.argv[1]), threads=1).guesses(speech_recognition.AudioData(noise, 16000, 2), ["三号"])
(most,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(most) // 1000)
"""


def _memory(model: Path) -> int:
    return int(subprocess.run([sys.executable, "-c", _LISTENING, model], check=True, capture_output=True, text=True, timeout=120).stdout)
