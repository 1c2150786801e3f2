"""Birds of the morning: grammars in the manner of six species. A singer keeps its own repertoire and never sings a song twice alike.

What a song is made of follows the descriptions: the blackbird's slow whistles between 1.5 and 3 kHz with a higher flourish, 1.5 to 2.5 s
long and 5 s apart (Simpson, fssbirding.org.uk); the chaffinch's trill of two to five phrases that sink, and a flourish, 2 to 3 s in
all (Leitao, van Dooren & Riebel, J. Avian Biology 35, 2004); the song thrush's motifs, each sung two to four times, between 1 and
6 kHz, and the wren's sixty notes in some seconds (Harbard, Birdwatch, 2021); the great tit's two notes again and again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from narrator.ambience.synth import Wave, contour, harmonics, silence

Note = tuple[float, tuple[float, ...]]
"""Seconds, and the frequencies in Hz that the note passes through."""

Song = Callable[[Generator], Wave]
"""What a singer sings: another rendering each time."""


def _sung(rng: Generator, note: Note, loudness: float = 1.0) -> Wave:
    """One rendering of a note: a whistle with a trace of its octave, off by a hair in pitch, length and strength."""
    seconds, pitches = note[0] * rng.uniform(0.94, 1.06), note[1]
    off = rng.normal(1, 0.006)
    points = [(share, pitch * off) for share, pitch in zip(np.linspace(0, 1, len(pitches)), pitches, strict=True)]
    path = contour(seconds, *points, ease=min(0.012, seconds / 5))
    fade = np.sin(np.linspace(0, np.pi, len(path))) ** 0.7
    return harmonics(path, [1, 0.03]) * fade * loudness * rng.uniform(0.8, 1.0)


def _phrase(rng: Generator, notes: list[Note], gap: float, loudness: float = 1.0) -> Wave:
    """Notes in a row with about `gap` seconds between them."""
    parts: list[Wave] = []
    for note in notes:
        parts += [_sung(rng, note, loudness), silence(gap * rng.uniform(0.7, 1.3))]
    return np.concatenate(parts)


def _figure(rng: Generator, low: float, high: float, seconds: tuple[float, float], bends: int) -> Note:
    """A note of a repertoire, drawn once and kept."""
    return rng.uniform(*seconds), tuple(rng.uniform(low, high, bends))


def blackbird(rng: Generator) -> Song:
    """Fluting phrases of three or four slow whistles, and now and then a fine high twitter behind them."""
    middles = rng.uniform(1700, 2500, 9)
    whistles = [_figure(rng, middle * 0.85, middle * 1.15, (0.12, 0.26), 3) for middle in middles]
    twitters = [_figure(rng, 3500, 7000, (0.03, 0.06), 3) for _ in range(6)]

    def song(again: Generator) -> Wave:
        chosen = [whistles[number] for number in again.choice(9, again.integers(3, 5), replace=False)]
        flutes = _phrase(again, chosen, 0.07)
        if again.random() < 0.3:
            return flutes
        return np.concatenate([flutes, _phrase(again, [twitters[number] for number in again.integers(0, 6, 7)], 0.02, 0.15)])

    return song


def chaffinch(rng: Generator) -> Song:
    """A trill of three phrases, each lower and a little faster, that ends in a flourish."""
    phrases = [(_figure(rng, top * 0.65, top, (0.03, 0.045), 3), rng.integers(6, 10)) for top in (6600, 5200, 4000)]
    flourish = [_figure(rng, 2200, 5200, (0.06, 0.12), 3) for _ in range(3)]

    def song(again: Generator) -> Wave:
        trill = [
            _phrase(again, [note] * int(times + again.integers(-1, 2)), 0.03, 0.6 + 0.15 * order)
            for order, (note, times) in enumerate(phrases)
        ]
        return np.concatenate([*trill, _phrase(again, flourish, 0.02)])

    return song


def great_tit(rng: Generator) -> Song:
    """A high and a low note in turn, four to eight times."""
    high, low = rng.uniform(4800, 5600), rng.uniform(3300, 3900)
    pair: list[Note] = [(rng.uniform(0.09, 0.13), (high, high * 1.01, high * 0.99)), (rng.uniform(0.13, 0.18), (low * 1.04, low, low))]
    return lambda again: np.concatenate([_phrase(again, pair, 0.055) for _ in range(again.integers(4, 9))])


def wren(rng: Generator) -> Song:
    """Long and hurried: runs of high notes round a fast trill."""
    runs = [_figure(rng, 3800, 7800, (0.035, 0.075), 3) for _ in range(10)]
    trill = _figure(rng, 4200, 6500, (0.03, 0.04), 2)

    def song(again: Generator) -> Wave:
        start = int(again.integers(0, 5))
        before, after = runs[start : start + 5] * 2, runs[:4]
        return np.concatenate(
            [
                _phrase(again, before, 0.03),
                _phrase(again, [trill] * int(again.integers(18, 28)), 0.018, 0.9),
                _phrase(again, after * 2, 0.03),
            ]
        )

    return song


def song_thrush(rng: Generator) -> Song:
    """A motif of two to four notes, two to four times over, then another."""
    motifs = [[_figure(rng, 1900, 4200, (0.06, 0.2), int(rng.integers(2, 4))) for _ in range(rng.integers(2, 5))] for _ in range(8)]

    def song(again: Generator) -> Wave:
        parts: list[Wave] = []
        for number in again.choice(8, 2, replace=False):
            for _ in range(again.integers(2, 5)):
                parts += [_phrase(again, motifs[number], 0.03), silence(again.uniform(0.1, 0.2))]
            parts.append(silence(again.uniform(0.4, 0.8)))
        return np.concatenate(parts)

    return song


def robin(rng: Generator) -> Song:
    """A thin silver thread: it starts high, hesitates, and ripples down."""
    drops = [_figure(rng, 2600, 7500, (0.05, 0.16), 3) for _ in range(14)]

    def song(again: Generator) -> Wave:
        chosen = [drops[number] for number in again.choice(14, 9, replace=False)]
        chosen.sort(key=lambda note: -max(note[1]) + again.normal(0, 900))
        return np.concatenate([_phrase(again, chosen[:2], 0.12, 0.6), _phrase(again, chosen[2:], 0.025)])

    return song


SPECIES: tuple[Callable[[Generator], Song], ...] = (blackbird, great_tit, chaffinch, robin, song_thrush, wren)
"""Each makes a singer with its own repertoire."""
