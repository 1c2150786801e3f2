"""A speech recogniser, and what it got wrong."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from narrator.clip import RATE, Clip, seconds
from narrator.pronunciation import CHARACTERS

_SILENCE = np.zeros(3 * RATE // 10, np.float32)     # a recogniser takes a word at the very edge for a noise
_HEARD_AT = 16_000
_WINDOW = 10        # seconds: no sentence is longer, and a window of 30 s takes four times as long
_TOKENS = 10        # in a second at most: nobody speaks so fast, and a recogniser that has lost its way repeats a word for ever
_DIGITS = "零一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Errors:
    """What came back wrong of one sentence: characters, and syllables without their tones."""

    length: int
    characters: int
    syllables: int


class Ears:
    """A Whisper model, run by faster-whisper on one thread. Raises what that raises, if it or the model is not there."""

    def __init__(self, folder: Path | None) -> None:
        from faster_whisper import WhisperModel
        from opencc import OpenCC

        self._model = WhisperModel(str(folder or "base"), device="cpu", compute_type="int8", cpu_threads=1)
        self._simplified = OpenCC("t2s").convert

    def write_down(self, clip: Clip) -> str:
        """What it understands, in simplified characters: it writes whichever it likes."""
        samples = _resampled(np.concatenate([_SILENCE, clip, _SILENCE]))
        segments, _ = self._model.transcribe(
            samples, language="zh", beam_size=5, temperature=0, chunk_length=_WINDOW, without_timestamps=True,
            condition_on_previous_text=False, max_new_tokens=round(_TOKENS * seconds(clip)) + _TOKENS,
        )  # fmt: skip
        simplified: str = self._simplified("".join(segment.text for segment in segments))
        return simplified


def compare(said: str, heard: str) -> Errors:
    """What is wrong in the second text."""
    said, heard = _characters(said), _characters(heard)
    return Errors(len(said), _distance(list(said), list(heard)), _distance(_readings(said), _readings(heard)))


def _resampled(samples: Clip) -> Clip:
    at = np.arange(0, len(samples), RATE / _HEARD_AT)
    return np.interp(at, np.arange(len(samples)), samples).astype(np.float32)


def _characters(text: str) -> str:
    """Chinese characters alone, numbers among them: recognisers write them as they like."""
    numbered = re.sub(r"\d+", lambda found: _number(found[0]), unicodedata.normalize("NFKC", text))
    return "".join(CHARACTERS.findall(numbered))


def _number(written: str) -> str:
    tens, ones = divmod(int(written), 10)
    if tens > 9:
        return "".join(_DIGITS[int(digit)] for digit in written)
    return (_DIGITS[tens] if tens > 1 else "") + ("十" if tens else "") + (_DIGITS[ones] if ones or not tens else "")


def _readings(characters: str) -> list[frozenset[str]]:
    """Every reading that each character has: 谁 is shei and shui."""
    from pypinyin import Style, pinyin

    return [frozenset(syllables) for syllables in pinyin(characters, style=Style.NORMAL, heteronym=True)]


def _distance(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many must be put in, left out or exchanged to make one of the other; readings are the same where they share one."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            same = bool(a & b) if isinstance(a, frozenset) else a == b
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (not same))
    return row[-1]


