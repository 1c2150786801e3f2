"""An hour at the table in which nobody answers: people talk, and are silent, and the narrator's own ambience goes on. Whatever is
understood is a mistake.

It is listened to as in a game, phrase by phrase: thirty minutes while everybody talks, a quarter of an hour while one speaks, and another
while a vote is open, where a number is all that is wanted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import cycle

import numpy as np
import speech_recognition

from benchmarks.ears.said import SPEECH, TALK, TALKING, VOTE
from benchmarks.ears.speakers import Speakers
from benchmarks.ears.surroundings import ambience, room
from narrator.clip import RATE, Clip
from narrator.hearing.listener import LEAD, LONGEST, PAUSE, SHORTEST
from narrator.hearing.tries import Tries
from narrator.rules import Ask

PARTS: tuple[tuple[str, Ask, int], ...] = (("everybody talks", TALKING, 30), ("one speaks", SPEECH, 15), ("a vote is open", VOTE, 15))
"""What is asked meanwhile, and for how many minutes."""


class _Source(speech_recognition.AudioSource):
    SAMPLE_WIDTH, SAMPLE_RATE, CHUNK = 2, RATE, RATE // 40

    def __init__(self, heard: Clip) -> None:
        self._file = BytesIO((np.clip(heard, -1, 1) * 32767).astype("<i2").tobytes())
        self.stream = self

    def read(self, samples: int) -> bytes:
        return self._file.read(2 * samples)

    @property
    def is_over(self) -> bool:
        """Whether all has been heard."""
        return self._file.tell() == self._file.getbuffer().nbytes

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def pass_(speakers: Speakers, tries: Tries, voices: Sequence[str]) -> None:
    """Print, for each part, how many phrases were heard, and how many of them were taken for something, or asked back."""
    for name, ask, minutes in PARTS:
        counted, taken = Counter[str](), []
        ears = speech_recognition.Recognizer()
        ears.pause_threshold, ears.non_speaking_duration, ears.phrase_threshold = PAUSE, LEAD, SHORTEST
        source = _Source(_table(speakers, voices, minutes))
        while not source.is_over:
            phrase = ears.listen(source, phrase_time_limit=LONGEST)
            text, meanings = tries.understand(phrase, ask)
            counted["phrases"] += 1
            counted["taken"] += len(meanings) == 1
            counted["asked back"] += len(meanings) == 2
            taken += [f"{text} ({meanings[0]})"] if len(meanings) == 1 else []
        print(f"{minutes} minutes, {name}: {counted['phrases']} phrases, {counted['taken']} taken for something, "
              f"{counted['asked back']} asked back; {'; '.join(taken)}", flush=True)


def _table(speakers: Speakers, voices: Sequence[str], minutes: int) -> Clip:
    """So many minutes of a table: sentences of talk, some soon after the other, over the ambience, 20 dB below, or in silence."""
    chance = random.Random(minutes)
    sentences = cycle(chance.sample([(voice, text) for voice in voices for text in TALK], len(voices) * len(TALK)))
    pieces: list[Clip] = []
    while sum(map(len, pieces)) < minutes * 60 * RATE:
        voice, text = next(sentences)
        spoken = room(speakers.say(voice, text, chance.choice((0.85, 1.0, 1.2))))
        pieces += [spoken / np.abs(spoken).max() * 0.4, np.zeros(round(chance.choice((0.3, 1.0, 3.0, 8.0)) * RATE), np.float32)]
    heard = np.concatenate(pieces)[: minutes * 60 * RATE]
    noise = np.resize(np.concatenate(ambience()), len(heard))
    noise[(np.arange(len(noise)) // (60 * RATE)) % 3 == 2] = 0.0     # every third minute is silent but for the talk
    return np.asarray(heard + noise * np.sqrt(np.mean(heard**2) / np.mean(noise**2) / 100), np.float32)
