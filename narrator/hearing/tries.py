"""A phrase → what it means, in as many tries as that takes: heard as it is; slowed down; and, where the narrator has asked back, together
with what was heard before, for who is asked back says the same again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from narrator.hearing.recognisers import Recogniser
from narrator.hearing.spoken import Grammar, Guess, Meaning
from narrator.rules import Ask

SLOWED = 0.9
"""Of its speed. Of 0.8, 0.9 and 1.1, on three voices over noise, the one beside which fewest were misunderstood."""

AGAIN = 15.0
"""Seconds within which something said again may be what was asked back."""


class Tries:
    """Understands phrases at a table, with one recogniser and one grammar."""

    def __init__(self, recogniser: Recogniser, grammar: Grammar) -> None:
        self._recogniser, self._grammar = recogniser, grammar
        self._asked_back: tuple[Ask | None, float, tuple[Meaning, ...], list[Sequence[Guess]]] | None = None

    def understand(self, phrase: Any, ask: Ask | None, paused: bool = False) -> tuple[str, tuple[Meaning, ...]]:
        """How this `speech_recognition.AudioData` is likeliest to be written, and what it means (see `Grammar.understand`)."""
        heard: list[Sequence[Guess]] = []
        expected, before = self._before(ask)
        meanings = self._grammar.understand(chain(self._hearings(phrase, ask, paused, heard), before), ask, paused, expected)
        self._asked_back = (ask, time.monotonic(), meanings, heard) if len(meanings) == 2 else None
        return (heard[0][0].text if heard[0] else ""), meanings

    def _hearings(self, phrase: Any, ask: Ask | None, paused: bool, heard: list[Sequence[Guess]]) -> Iterator[Sequence[Guess]]:
        """What the recogniser makes of a phrase, each hearing when it is asked for, and noted in `heard`."""
        from speech_recognition import AudioData

        phrases = self._grammar.phrases(ask, paused)
        for rate in (phrase.sample_rate, round(phrase.sample_rate * SLOWED)):
            heard.append(self._recogniser.guesses(AudioData(phrase.frame_data, rate, phrase.sample_width), phrases))
            yield heard[-1]

    def _before(self, ask: Ask | None) -> tuple[tuple[Meaning, ...], Sequence[Sequence[Guess]]]:
        """Between which meanings the narrator has asked, if that was just now and at this question, and what had been heard."""
        if not self._asked_back:
            return (), ()
        asked, at, meanings, heard = self._asked_back
        return (meanings, heard) if asked == ask and time.monotonic() < at + AGAIN else ((), ())
