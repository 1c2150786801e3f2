"""What is wrong with a voice pack, or with one clip of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from narrator.clip import Clip, seconds
from narrator.voice import shape
from narrator.voice.pack import Pack

Kind = Literal[
    "missing", "left_over", "broken", "silent", "short", "clipped", "soft", "loud", "lead", "tail", "overdriven", "faint", "noisy", "long"
]

Spoken: TypeAlias = tuple[str, Sequence[str], bool]
"""A sentence, the parts that it can be joined from, and whether it is always joined, as the script has it."""

NEAR = 1.0
"""LU by which a clip may differ from the loudness of its pack."""
PEAK = -1.0
"""dBTP that no clip may reach."""
EDGE = 0.12
"""Seconds of silence at most at either end: pacing belongs to the loop alone."""
SHORTEST = 0.15
"""Seconds that the shortest word takes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a pack, or of a take for one.

    kind   missing    the script can say it, and the pack cannot
           left_over  the pack holds it, and the script no longer says it: its text has changed
           broken     its file is missing, or not what was recorded
           silent     no sound in it
           short      `value` seconds: less than a word takes
           clipped    its true peak is `value` dBTP
           soft, loud `value` LUFS
           lead, tail `value` seconds of silence before, or after
           overdriven a take was recorded too loud: its peaks are cut off
           faint      its loudest moment is `value` dBFS
           noisy      its speech is only `value` dB louder than the room
           long       `value` seconds: more than these words take
    """

    kind: Kind
    sentence: str
    value: float = 0.0


def check(pack: Pack, sentences: Sequence[Spoken]) -> Iterator[Finding]:
    """Every fault of a pack that ought to be able to say these. Raises `BadVoice` without the package that measures loudness."""
    for text in sorted(missing(pack, sentences) - pack.sentences()):
        yield Finding("missing", text)
    known = {text for sentence, parts, _ in sentences for text in (sentence, *parts)}
    for text in sorted(pack.sentences()):
        clip = pack.clip(text)
        if text not in known:
            yield Finding("left_over", text)
        elif clip is None:
            yield Finding("broken", text)
        elif found := fault(text, clip, pack.about.loudness):
            yield found


def missing(pack: Pack, sentences: Iterable[Spoken]) -> set[str]:
    """What is still to be recorded, or recorded again, so that a pack can say all of these: of one that a person speaks the parts."""
    in_parts = pack.about.recorded is not None
    return {
        text
        for sentence, parts, joined in sentences
        if not pack.can_say(sentence, parts)
        for text in (parts if parts and (joined or in_parts) else (sentence,))
        if not pack.is_whole(text)
    }


def fault(text: str, clip: Clip, loudness: float) -> Finding | None:
    """The worst that is wrong with a clip that ought to be so loud (LUFS)."""
    lead, tail = shape.edges(clip)
    measured, peak = shape.measure_loudness(clip), shape.measure_peak(clip)
    faults: tuple[tuple[bool, Kind, float], ...] = (
        (not clip.any(), "silent", 0.0),
        (seconds(clip) < SHORTEST, "short", seconds(clip)),
        (peak >= PEAK, "clipped", peak),
        (measured < loudness - NEAR, "soft", measured),
        (measured > loudness + NEAR, "loud", measured),
        (lead > EDGE, "lead", lead),
        (tail > EDGE, "tail", tail),
    )
    return next((Finding(kind, text, value) for is_so, kind, value in faults if is_so), None)
