"""What is said -> what it means, at the question that is open. `scripts/speech.toml` has the words.

A recogniser is seldom sure. What it offers are `Guess`es: texts, each with the logarithm of how likely it is. Some are free, others are
`held` to words that may be said now. A meaning is as likely as the texts that sound like it, so that 四后 speaks for 四号; the free ones
tell whether anything was said that is meant for the narrator, both together what. Where one meaning stands out it is taken; where two do
both are returned, to be asked back; what sounds like nothing that could be meant is nothing.

Everything is compared by sound (`narrator.hearing.sounds`), in whole utterances: a word of which something must be left over counts for
little, and 我不投三号 is not 三号. The figures below were tried on what three synthetic voices say, in quiet and over noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from narrator import files
from narrator.errors import BadScript
from narrator.hearing import Command, CommandName, Entered
from narrator.hearing.sounds import ADDED, OMITTED, Syllable, syllables, unlike
from narrator.numerals import Numerals
from narrator.resources import folder
from narrator.rules import MOST_SEATS, Ask

Meaning: TypeAlias = Entered | Command
Sounds: TypeAlias = tuple[Syllable, ...]

SHARP, SHARP_HELD = 5.0, 8.0
"""What one syllable misheard takes from the logarithm of how likely a meaning is: in a free text, and in one that is held to words."""
FLOOR = 8.0
"""How much less likely than the likeliest a meaning is at most: what only one kind of text offers may be meant all the same."""
FOREIGN, LONG = 0.7, 0.08
"""How many syllables differ where a text speaks for no meaning at all, and how many more for each syllable that it has."""
UNSURE, DOUBTFUL = 2.0, 2.0
"""The lead, as a logarithm, that a meaning must have to be taken without asking: over the next one, and over there being none."""
NOBODY = 3.6
"""The lead over there being none with which nobody is meant where seats are asked for: 过, 没有, 都不 are in everybody's mouth."""
CERTAIN = (3.0, 4.0)
"""The leads, over there being none and over the next one, with which a meaning is taken without listening a second time."""
EXPECTED = 4.0
"""How much likelier a meaning is between which and another the narrator has just asked."""
LONGEST = 25
"""Syllables from which on it is no answer, but a story."""
EXACT = 0.3
"""How many syllables may be misheard of an answer for which nobody has been asked this moment; none where it has only one."""

NAMING = ("seat", "seats", "pairs", "ballots")
"""The kinds of ask that are answered by naming seats."""

_SKIPPED = 0.03     # what a word costs that means nothing: of two readings, the one with fewer
_LIKE = 0.1         # how much of each syllable of such a word may differ: 二 is not 呃
_NAMED = 0.25       # what each seat behind the first costs: 十二号 is one and not two
_BARE = 0.2         # what a number costs that stands alone
_CORRECTED = 0.1
_DENIED = 0.7       # what a seat costs where it is said that he is not meant: 我不投三号 sounds much like 我就投三号, so it is asked back
_BEAM = 6           # lists of seats that are followed at once
_DISTINCT = 8       # guesses that are looked at: those behind them sound like these, or are no help


@dataclass(frozen=True, slots=True)
class Guess:
    """What a recogniser may have heard, and the logarithm of how likely that is. `held`: to words that may be said now."""

    text: str
    likely: float
    held: bool = False


class _Seat(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    said: list[str]
    bare: list[str]
    before: list[str]
    after: list[str]


class Words(BaseModel):
    """What speech.toml holds; see there."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    wake: list[str]
    talk: list[str]
    alone: list[str]
    corrections: list[str]
    denials: list[str]
    and_: list[str] = Field(alias="and")
    before: list[str]
    after: list[str]
    numbers: dict[str, list[str]]
    counts: dict[str, list[str]]
    seat: _Seat
    commands: dict[CommandName, list[str]]
    paused: dict[CommandName, list[str]]
    answers: dict[str, list[str]]
    choices: dict[str, dict[str, list[str]]]

    @classmethod
    def shipped(cls) -> Words:
        """Those in scripts/. Raises `BadScript` naming what is wrong with the file."""
        words: Words = files.toml(folder("scripts") / "speech.toml", cls, BadScript)
        return words

    def manner(self, ask: str) -> str:
        """How an answer to this question must be spoken to count: a key of `screen` in interface.toml."""
        return "ears_called" if ask in self.talk else "ears_alone" if ask in self.alone else "ears_open"


class Grammar:
    """What may be said, with the numerals of an edition."""

    def __init__(self, words: Words, numerals: Numerals) -> None:
        self._words, self._numerals = words, numerals
        before = _sounds(words.before)
        self._before, self._after = before, _sounds(words.after)
        self._before_seat = (*before, *_sounds(words.seat.before))
        self._after_seat = (*self._after, *_sounds(words.seat.after))
        self._wake, self._and, self._corrections = map(_sounds, (words.wake, words.and_, words.corrections))
        self._denials = _sounds(words.denials)

    def phrases(self, ask: Ask | None, paused: bool = False) -> list[str]:
        """What may be said, of which a recogniser is to listen for every word: numbers in digits among them, as recognisers write."""
        words, phrases = self._words, list(chain.from_iterable(self.plainly(ask, paused).values()))
        phrases += words.before + words.after + words.wake
        if ask and not paused and ask.kind in NAMING:
            phrases += words.seat.before + words.seat.after + words.and_ + words.corrections
        return phrases

    def plainly(self, ask: Ask | None, paused: bool = False) -> dict[Meaning, list[str]]:
        """What may be meant, and how one says it who says nothing else."""
        meanings = self._meanings(ask, paused)
        if ask and not paused and ask.kind in NAMING:
            for seat in ask.candidates:
                spoken = list(self._said(seat, self._words.seat.said))
                meanings[Entered(str(seat))] = spoken + [form.format(n=seat) for form in self._words.seat.said]
        return meanings

    def understand(
        self, hearings: Iterable[Sequence[Guess]], ask: Ask | None, paused: bool = False, expected: Sequence[Meaning] = ()
    ) -> tuple[Meaning, ...]:
        """What was said: one meaning; the two likeliest, where neither stands out; or none. `ask` None: only commands count.

        Each hearing is what was made of the same words once more; the next is only asked for while no meaning is certain. `expected`:
        between which the narrator has asked.
        """
        views: list[_View] = []
        for guesses in hearings:
            view = self._view(guesses, ask, paused)
            if view is None:
                break
            views.append(view)
            ranked, lead, ahead = _ranked(views, expected)
            if lead >= max(CERTAIN[0], _needed(ranked, ask)) and ahead >= CERTAIN[1]:
                break
        if not views or not ranked or not _may_be_named(ranked[0], ask):
            return ()
        if lead >= _needed(ranked, ask) and ahead >= UNSURE:
            return (ranked[0],)
        return tuple(ranked) if lead >= 0 and len(ranked) > 1 and _may_be_named(ranked[1], ask) else ()

    def _view(self, guesses: Sequence[Guess], ask: Ask | None, paused: bool) -> _View | None:
        """What one hearing says of each meaning; None where nobody spoke, or told a story."""
        free = [guess for guess in guesses if not guess.held]
        sounds = self._distinct(free)
        if not sounds or any(len(heard) > LONGEST for heard, _ in sounds):
            return None
        held = [guess for guess in guesses if guess.held] or free       # where it holds to nothing, it is believed in what it writes
        nothing = max(guess - SHARP * _foreign(len(heard)) for heard, guess in sounds)
        return _View(self._likely(free, ask, paused, SHARP), self._likely(held, ask, paused, SHARP_HELD), nothing)

    def _likely(self, guesses: Sequence[Guess], ask: Ask | None, paused: bool, sharp: float) -> dict[Meaning, float]:
        """How likely each meaning is by the guess that speaks most for it."""
        likely: dict[Meaning, float] = {}
        for heard, guess in self._distinct(guesses):
            for meaning, cost in self._costs(heard, ask, paused).items():
                likely[meaning] = max(likely.get(meaning, -math.inf), guess - sharp * cost)
        return likely

    def _distinct(self, guesses: Sequence[Guess]) -> list[tuple[Sounds, float]]:
        """How the guesses sound, the likeliest first, each sound once."""
        seen: dict[Sounds, float] = {}
        for guess in sorted(guesses, key=lambda guess: -guess.likely):
            seen.setdefault(syllables(self._numerals.spelled(guess.text)), guess.likely)
        return [(heard, likely) for heard, likely in seen.items() if heard][:_DISTINCT]

    def _costs(self, heard: Sounds, ask: Ask | None, paused: bool) -> dict[Meaning, float]:
        """What each meaning costs in syllables, when it is heard so."""
        called = _called(heard, self._wake)
        alone = paused or ask is None or ask.id in self._words.alone
        if called is None and not paused and ask and ask.id in self._words.talk:
            return {}
        if called is None and alone:
            meanings = self._meanings(ask, paused).items()
            costs = {meaning: min(_whole(heard, _sound(said)) for said in phrases) for meaning, phrases in meanings}
            return {meaning: cost for meaning, cost in costs.items() if cost <= (EXACT if len(heard) > 1 else 0.0)}
        return self._asked(heard[called or 0 :], ask, paused)

    def _asked(self, heard: Sounds, ask: Ask | None, paused: bool) -> dict[Meaning, float]:
        if not heard:
            return {}
        before, after = _skips(heard, self._before), _skips_behind(heard, self._after)
        costs = {
            meaning: min(_within(heard, _sound(said), before, after) for said in phrases)
            for meaning, phrases in self._meanings(ask, paused).items()
        }
        if ask and not paused and ask.kind in NAMING:
            denied = _DENIED * any(_holds(heard, denial) for denial in self._denials)
            costs |= {meaning: cost + denied for meaning, cost in self._seats(heard, ask).items()}
            if rest := _corrected(heard, self._corrections):
                costs |= {meaning: cost + _CORRECTED for meaning, cost in self._asked(rest, ask, paused).items()}    # nothing else counts
        return costs

    def _seats(self, heard: Sounds, ask: Ask) -> dict[Meaning, float]:
        """The seats, or several, that are named: lists of them grow from left to right, the likeliest at each place."""
        most = ask.count[1] if ask.kind in ("seats", "pairs") else 1
        before, after = _skips(heard, self._before_seat), _skips_behind(heard, self._after_seat)
        words = self._words.seat
        kinds = ((words.said, 0.0), (words.bare, _BARE))
        every = {*ask.candidates, *range(11, MOST_SEATS + 1)}   # also what cannot be named, or 十五号 would be 五号 at a table of twelve
        forms = {seat: [(_sound(said), cost) for kind, cost in kinds for said in self._said(seat, kind)] for seat in every}
        lists: list[list[tuple[float, tuple[int, ...]]]] = [[(cost, ())] for cost in before]
        found: dict[Meaning, float] = {}
        for at in range(len(heard)):
            lists[at] = sorted(lists[at])[:_BEAM]
            ends = {seat: _ends(heard[at:], sounds) for seat, sounds in forms.items()}
            for (cost, seats), (seat, by_length) in product(lists[at], ends.items()):
                if seat in seats or len(seats) == most:
                    continue
                named = (*seats, seat)
                for length, more in by_length.items():
                    end, sum_ = at + length, cost + more + _NAMED * bool(seats)
                    meaning = Entered("+".join(map(str, sorted(named))))
                    found[meaning] = min(found.get(meaning, math.inf), sum_ + after[end])
                    for joint in (0, *{len(word) for word in self._and}):
                        if end + joint < len(heard):
                            between = min((_whole(heard[end : end + joint], word) for word in self._and), default=0.0) if joint else 0.0
                            lists[end + joint].append((sum_ + between, named))
        return found

    def _meanings(self, ask: Ask | None, paused: bool) -> dict[Meaning, list[str]]:
        """Every meaning but for seats that are named, and what is said for it."""
        words = self._words
        meanings: dict[Meaning, list[str]] = {Command(name): said for name, said in (words.paused if paused else words.commands).items()}
        if ask is None or paused:
            return meanings
        answers = words.answers
        if ask.id in words.choices:
            meanings |= {Entered(keyed): said for keyed, said in words.choices[ask.id].items()}
        elif ask.kind == "choice":
            meanings |= {Entered(str(n)): list(self._said(n, answers["counted"], words.counts)) for n in ask.candidates if n}
            meanings |= {Entered("0"): answers["none"]} if 0 in ask.candidates else {}
        elif ask.kind == "wait":
            meanings |= {Entered(str(seat)): list(self._said(seat, answers["shown"])) for seat in ask.candidates}
            meanings[Entered("")] = answers["finished" if ask.id in words.alone else "done"]
        elif ask.kind == "yes_no":
            meanings |= {Entered("1"): answers["yes"], Entered("0"): answers["no"]}
        elif ask.may_pass or ask.count[0] == 0:
            meanings[Entered("0")] = answers["nobody"]
        return meanings

    def _said(self, number: int, forms: Iterable[str], otherwise: Mapping[str, Sequence[str]] | None = None) -> Iterator[str]:
        """A number in these forms, in every way in which one says it: as a seat, or as `otherwise` has it."""
        also = (self._words.numbers if otherwise is None else otherwise).get(str(number), ())
        for spoken, form in product((self._numerals.number(number), *also), forms):
            yield form.format(n=spoken)


def _may_be_named(meaning: Meaning, ask: Ask | None) -> bool:
    """Whether no seat is meant that this question does not offer."""
    if isinstance(meaning, Command) or ask is None or ask.kind not in NAMING:
        return True
    return all(int(seat) in (0, *ask.candidates) for seat in meaning.text.split("+"))


def _needed(ranked: Sequence[Meaning], ask: Ask | None) -> float:
    """The lead over there being none that the first of these must have to be taken."""
    nobody = ask is not None and ask.kind in NAMING and ranked[:1] == [Entered("0")]
    return NOBODY if nobody else DOUBTFUL


def _foreign(length: int) -> float:
    """How many syllables differ where a text of so many speaks for no meaning at all."""
    return FOREIGN + LONG * length


@dataclass(frozen=True, slots=True)
class _View:
    """How likely each meaning is by the free texts of one hearing and by those held to words, and how likely it is that none is meant."""

    free: dict[Meaning, float]
    held: dict[Meaning, float]
    nothing: float


def _ranked(views: Sequence[_View], expected: Sequence[Meaning]) -> tuple[list[Meaning], float, float]:
    """The two likeliest meanings by all views; how far the first leads over there being none, where it leads most; and over the other."""
    likely = _together([one for view in views for one in (view.free, view.held)])
    if not likely:
        return [], -math.inf, math.inf
    likely |= {meaning: likely[meaning] + EXPECTED for meaning in expected if meaning in likely}
    first, *others = sorted(likely, key=lambda meaning: -likely[meaning])
    lead = max(view.free.get(first, -math.inf) - view.nothing for view in views) + EXPECTED * (first in expected)
    return [first, *others[:1]], lead, likely[first] - likely[others[0]] if others else math.inf


def _together(views: Sequence[Mapping[Meaning, float]]) -> dict[Meaning, float]:
    """How likely each meaning is where all of these count alike, as one hearing's two views would have it."""
    tops = [max(view.values(), default=0.0) for view in views]
    return {
        meaning: sum(max(view.get(meaning, -math.inf) - top, -FLOOR) for view, top in zip(views, tops, strict=True)) * 2 / len(views)
        for meaning in chain.from_iterable(views)
    }


def _sounds(words: Iterable[str]) -> tuple[Sounds, ...]:
    return tuple(map(_sound, words))


@lru_cache(maxsize=4096)
def _sound(said: str) -> Sounds:
    return syllables(said)


def _within(heard: Sounds, said: Sounds, before: Sequence[float], after: Sequence[float]) -> float:
    """What it costs to hear this with something before and behind it, whose costs up to, and from, each place are given."""
    row = list(before)
    for syllable in said:
        row = _next_row(row, heard, syllable)
    return min(cost + rest for cost, rest in zip(row, after, strict=True))


def _holds(heard: Sounds, said: Sounds) -> bool:
    """Whether this was said in the midst of it, with something behind."""
    return any(_whole(heard[at : at + len(said)], said) < EXACT for at in range(len(heard) - len(said)))


def _ends(heard: Sounds, forms: Sequence[tuple[Sounds, float]]) -> dict[int, float]:
    """What it costs that one of these, each with its own cost, is what is heard first, by the number of syllables that it takes."""
    ends: dict[int, float] = {}
    for said, own in forms:
        near = heard[: len(said) + 1]
        row = [own, *(own + ADDED * (n + 1) for n in range(len(near)))]
        for syllable in said:
            row = _next_row(row, near, syllable)
        for length, cost in enumerate(row[1:], 1):
            ends[length] = min(ends.get(length, math.inf), cost)
    return ends


def _whole(heard: Sounds, said: Sounds) -> float:
    """What it costs to hear this and nothing else."""
    row = [ADDED * n for n in range(len(heard) + 1)]
    for syllable in said:
        row = _next_row(row, heard, syllable)
    return row[-1]


def _next_row(row: list[float], heard: Sounds, wanted: Syllable) -> list[float]:
    """The costs of one syllable more being wanted, up to each place."""
    following = [row[0] + OMITTED]
    for n, syllable in enumerate(heard):
        following.append(min(row[n] + unlike(wanted, syllable), row[n + 1] + OMITTED, following[n] + ADDED))
    return following


def _skips(heard: Sounds, words: Sequence[Sounds]) -> list[float]:
    """What it costs to pass over all that is heard before each place: words that mean nothing cost next to nothing."""
    costs = [0.0]
    for end in range(1, len(heard) + 1):
        least = costs[-1] + ADDED
        for word in words:
            if len(word) <= end and (differ := sum(map(unlike, word, heard[end - len(word) : end]))) <= _LIKE * len(word):
                least = min(least, costs[end - len(word)] + _SKIPPED + differ)
        costs.append(least)
    return costs


def _skips_behind(heard: Sounds, words: Iterable[Sounds]) -> list[float]:
    """What it costs to pass over all that is heard from each place on."""
    return _skips(heard[::-1], [word[::-1] for word in words])[::-1]


def _called(heard: Sounds, wake: Iterable[Sounds]) -> int | None:
    """Where the words behind the wake phrase begin; None where it is not called."""
    ends = [len(word) for word in wake if len(word) <= len(heard) and _whole(heard[: len(word)], word) <= EXACT]
    return max(ends, default=None)


def _corrected(heard: Sounds, corrections: Iterable[Sounds]) -> Sounds:
    """What follows the last word that takes back what was said before it."""
    for at in range(len(heard) - 1, 0, -1):
        for word in sorted(corrections, key=len, reverse=True):
            end = at + len(word)
            if end < len(heard) and _whole(heard[at:end], word) <= EXACT / 2:
                return heard[end:]
    return ()
