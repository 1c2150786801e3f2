"""Whatever everyone is asked, in any game and before and after it, can be answered by a word."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest

from narrator.hearing import Entered
from narrator.hearing.grammar import write
from narrator.hearing.spoken import Grammar, Guess, Words
from narrator.loop import OVER
from narrator.numerals import Numerals
from narrator.rules import Ask, Game, Value
from narrator.welcome import HOW, OFFER, VOLUME
from tests.players import EDITIONS, legal
from tests.random_games import random_setup
from tests.texts import script_of

WORDS = Words.shipped()

MOST = 6
"""Seats in a list that is spoken; a longer one may be a story, and is keyed."""


@cache
def numerals_of(edition: str) -> Numerals:
    return Numerals.model_validate(script_of(edition).numerals)


def asked(seed: int) -> Iterator[tuple[str, Ask]]:
    """What everyone is asked in a random game, with its edition; who has to go home is asked now and then."""
    rng = random.Random(seed)
    setup, cards = random_setup(rng)
    game = Game(setup)
    while ask := game.turn.ask:
        if ask.audience == "everyone":
            yield setup.edition.id, ask
            if game.leaving:
                yield setup.edition.id, replace(game.leaving, may_pass=True)
        stuck = ask.kind == "seat" and ask.may_pass and not ask.candidates
        game.answer(ask.id, None if stuck else legal(ask, rng, setup.seats, cards, game.answers))


def answers(ask: Ask, rng: random.Random) -> set[Value]:
    """All that may be said: of lists of seats some, and of votes the outcomes."""
    given: set[Value] = {None} if ask.may_pass and ask.kind != "yes_no" else set()
    match ask.kind:
        case "wait":
            return given | {True, *ask.candidates}
        case "yes_no":
            return {True, False}
        case "seats":
            fewest, most = ask.count[0], min(ask.count[1], MOST)
            return given | {tuple(sorted(rng.sample(ask.candidates, rng.randint(fewest, most)))) for _ in range(8) if fewest <= most}
        case "seat":
            return given | {seat for seat in ask.candidates if (ask.actors[0], seat) not in ask.barred}
    return given | {*ask.candidates}


def said(ask: Ask, value: Value, grammar: Grammar, numerals: Numerals) -> list[str]:
    """How one says it."""
    if isinstance(value, tuple) and value:
        return [numerals.seats(value)]
    forms = grammar.plainly(ask).get(Entered(write(ask, value)), [])
    return [f"{WORDS.wake[0]}，{form}" for form in forms] if ask.id in WORDS.talk else forms


def check(edition: str, ask: Ask, rng: random.Random) -> None:
    numerals = numerals_of(edition)
    grammar = Grammar(WORDS, numerals)
    for value in answers(ask, rng):
        forms, wanted = said(ask, value, grammar, numerals), (Entered(write(ask, value)),)
        understood = (grammar.understand([[Guess(form, -1.0)]], ask) for form in forms)
        assert wanted in understood, f"{ask!r}: {value!r} cannot be said: {forms!r}"


def test_every_question_of_a_game_has_words_for_each_answer() -> None:
    """Over random games of all editions with any switches, each answer to a public question is understood as exactly that answer."""
    rng = random.Random(1)
    seen: Counter[tuple[str, bool]] = Counter()
    for edition, ask in chain.from_iterable(map(asked, range(60))):
        what = (ask.id, ask.may_pass)
        seen[what] += 1
        if seen[what] <= 2:
            check(edition, ask, rng)
    assert len({ask_id for ask_id, _ in seen}) >= 15


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("ask", "keyed"),
    [(OFFER, "1"), (OFFER, "0"), (VOLUME, ""), (HOW, ""), (OVER, ""), (OVER, "1"), (OVER, "2")],
    ids=lambda value: getattr(value, "id", value),
)
def test_what_is_asked_before_and_after_a_game(ask: Ask, keyed: str, edition: str) -> None:
    """The welcome and the end: each way to say what could be keyed is understood as just that."""
    grammar = Grammar(WORDS, numerals_of(edition))
    forms = grammar.plainly(ask)[Entered(keyed)]
    assert forms
    assert {form: grammar.understand([[Guess(form, -1.0)]], ask) for form in forms} == dict.fromkeys(forms, (Entered(keyed),))
