"""What holds in every game, whatever is dealt, switched and answered."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.cards import deal
from narrator.errors import Diverged, Refused
from narrator.rules import ASKS, LINES, ROLES, SHOWN, SPARE, WAKES, CardShown, Died, Edition, Game, Say, Setup, Show, Sleep, Wake
from tests.players import EDITIONS, SWITCHES, changed, legal
from tests.texts import script_of

SINGLE = [role for role in ROLES if ROLES[role].single]


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any playable table of any edition, with some switches changed."""
    base = script_of(draw(st.sampled_from(EDITIONS))).edition
    switches = draw(st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in SWITCHES.items()}))
    deck = draw(st.lists(st.sampled_from(SINGLE), unique=True)) + ["villager"] * draw(st.integers(1, 4))
    deck += ["werewolf"] * draw(st.integers(1, 3))
    thief = "thief" in deck
    setup = Setup(
        edition=Edition(id=base.id, rules=changed(base.rules, **switches)), seats=len(deck), deck=(*deck, *["villager"] * SPARE * thief)
    )
    if not draw(st.booleans()):
        return setup
    cards = deal(setup.deck, random.Random(draw(st.integers(0, 2**32))))
    return setup.altered(deal=cards[: setup.seats], spare=cards[setup.seats :])


def play(setup: Setup, rng: random.Random, most: int = 600) -> Game:
    """A game of random legal answers; after `most` of them nobody votes for anyone any more and the wolves always eat."""
    game = Game(setup)
    cards = deal(setup.deck, rng)
    while not game.over:
        ask = game.turn.ask
        assert ask is not None
        value: Any = legal(ask, rng, setup.seats, cards, game.answers)
        if len(game.answers) > most:
            value = {"seat": rng.choice(ask.candidates or (None,)), "ballots": None, "wait": True}.get(ask.kind, value)
        game.answer(ask.id, value)
        assert len(game.answers) < most * 3, "the game does not end"
    return game


games = st.builds(lambda setup, seed: play(setup, random.Random(seed)), setups(), st.integers(0, 2**32))


@given(games)
@settings(max_examples=150, deadline=None)
def test_every_game_ends_and_nobody_dies_twice(game: Game) -> None:
    """Every game ends with a winner; each seat is announced dead at most once, and the survivors are those never announced."""
    assert game.outcome is not None
    dead = [event.seat for event in game.events if isinstance(event, Died)]
    assert len(dead) == len(set(dead))
    assert set(game.outcome.alive) == set(range(1, game.setup.seats + 1)) - set(dead)


@given(games, st.data())
@settings(max_examples=80, deadline=None)
def test_replaying_a_prefix_gives_the_same_turn(game: Game, data: st.DataObject) -> None:
    """A game is its set-up plus its answers: any prefix of them replayed, or undone to, gives the same turn, events and cue."""
    keep = data.draw(st.integers(0, len(game.answers)))
    replayed = Game.replay(game.setup, game.answers[:keep])
    undone = Game.replay(game.setup, game.answers)
    undone.undo(keep)
    for state in ("turn", "events", "answered_in", "wake", "phase", "alive", "captain", "answers", "phase_began"):
        assert getattr(replayed, state) == getattr(undone, state)


@given(games)
@settings(max_examples=40, deadline=None)
def test_only_known_lines_are_spoken(game: Game) -> None:
    """Every line, showing, ask and wake is in the tables that scripts are checked against, with just the blanks that they state."""
    replayed = Game(game.setup)
    for ask_id, value in [*game.answers, (None, None)]:
        for line in replayed.turn.lines:
            match line:
                case Say():
                    assert LINES[line.key] == tuple(slot for slot, _ in line.slots)
                case Show():
                    assert SHOWN[line.key] == tuple(slot for slot, _ in line.slots)
                case Wake() | Sleep():
                    assert line.name in WAKES
        if ask_id:
            assert replayed.turn.ask is not None
            assert ASKS[ask_id] == replayed.turn.ask.kind
            replayed.answer(ask_id, value)


@given(setups(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_what_is_offered_is_what_is_accepted(setup: Setup, seed: int) -> None:
    """A seat is accepted exactly when it is among the ask's candidates, and an answer that is refused changes nothing."""
    rng = random.Random(seed)
    game = Game(setup)
    for _ in range(60):
        ask = game.turn.ask
        if ask is None:
            break
        if ask.kind in ("seat", "ballots", "choice", "wait"):
            accepted = {seat for seat in range(-1, setup.seats + 3) if game.can(ask.id, seat)}
            barred = {seat for voter, seat in ask.barred if ask.kind == "seat" and voter in ask.actors}
            assert accepted == set(ask.candidates) - barred
        before = (game.turn, list(game.answers), list(game.events))
        for wrong in ("x", 99, -1, (99, 99), (0,) * 50, 1.5, object()):
            with pytest.raises(Refused):
                game.answer(ask.id, wrong)
        with pytest.raises(Diverged):
            game.answer("nobody.asks", 1)
        assert before == (game.turn, list(game.answers), list(game.events))
        game.answer(ask.id, legal(ask, rng, setup.seats))


@given(games)
@settings(max_examples=60, deadline=None)
def test_the_dead_neither_act_nor_are_named(game: Game) -> None:
    """A seat that has been announced dead is never a candidate again and acts only to shoot, name an heir or say its last words."""
    replayed = Game(game.setup)
    for ask_id, value in game.answers:
        ask = replayed.turn.ask
        assert ask is not None
        dead = {event.seat for event in replayed.events if isinstance(event, Died)}
        assert ask.kind == "choice" or not dead & set(ask.candidates)
        if ask_id not in ("hunter.shoot", "captain.successor", "words.last", "scapegoat.voters"):
            assert not dead & set(ask.actors)
        replayed.answer(ask_id, value)


@given(games)
@settings(max_examples=60, deadline=None)
def test_each_potion_is_used_once(game: Game) -> None:
    """The witch heals once and poisons once in a game, at the most."""
    for potion in ("witch.heal", "witch.poison"):
        assert sum(bool(value) for ask, value in game.answers if ask == potion) <= game.setup.rules.witch_potions_per_game


@given(games)
@settings(max_examples=60, deadline=None)
def test_what_is_shown_stays_until_an_answer(game: Game) -> None:
    """Whatever the private screen shows is followed by an ask in the same wake, so that a power cut never swallows it."""
    replayed = Game(game.setup)
    for ask_id, value in game.answers:
        open_show = False
        for line in replayed.turn.lines:
            open_show = (open_show or isinstance(line, Show)) and not isinstance(line, Sleep)
            assert not (isinstance(line, Sleep) and open_show)
        replayed.answer(ask_id, value)


@given(games)
@settings(max_examples=60, deadline=None)
def test_a_shown_card_is_the_dead_seats_card(game: Game) -> None:
    """Cards are shown for the dead alone, and for an idiot who was spared, and truly."""
    dead: set[int] = set()
    for event in game.events:
        if isinstance(event, Died):
            dead.add(event.seat)
        if isinstance(event, CardShown):
            assert event.seat in dead or event.role == "idiot"
            assert event.role == game.role(event.seat)


def test_a_seat_claimed_twice_is_called_again() -> None:
    """In a roll call every seat may be keyed at every call; where one was keyed twice, all are called again, and nobody is named."""
    base = script_of("anniversary").edition
    game = Game(Setup(edition=base, seats=4, deck=("werewolf", "seer", "villager", "villager")))
    game.answer("roll.werewolf", [2])
    assert game.turn.ask is not None
    assert game.turn.ask.candidates == (1, 2, 3, 4)
    game.answer("roll.seer", [2])
    assert Say("roll.again") in game.turn.lines
    game.answer("roll.werewolf", [2])
    game.answer("roll.seer", [3])
    assert [game.role(seat) for seat in (1, 2, 3, 4)] == ["villager", "werewolf", "seer", "villager"]
