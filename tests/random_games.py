"""Random games, each told by its seed alone: any table, met by answers that may not be given and by answers that may.

`play` plays one and raises where the game breaks a promise. `tests/test_random_games.py` plays some, `benchmarks/soak` a hundred
thousand.
"""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from narrator.cards import deal
from narrator.errors import Diverged, Refused
from narrator.hearing import Command, CommandName, Entered, Event, Payload, Typed
from narrator.hearing.grammar import write
from narrator.rules import ASKS, ROLES, SPARE, Ask, Died, Edition, Game, Setup, Value, Won
from tests.illegal import illegal
from tests.players import EDITIONS, SWITCHES, changed, legal
from tests.stage import Scripted, Table
from tests.texts import script_of

MOST = 2000
"""Answers that no game comes near."""

PATIENCE = 60.0
"""Seconds that no game takes: one that does hangs."""

TABLE_EVERY = 50
"""Each seed that this divides is a whole game on the simulated table; the others are played with the rules alone."""

SWITCHED, DEALT, ODD = 0.6, 0.5, 0.5
"""The share of games with every switch drawn, with the cards dealt by the narrator, and with a deck that no edition has."""

LIES, ASTRAY, UNDOES, REPLAYED = 0.1, 0.2, 0.03, 0.2
"""The share of calls in a roll call that are answered with a lie, of wrong answers that belong to another ask, of answers after which
the game goes back, if it does so at all, and of games that are replayed."""

SINGLE = [role for role in ROLES if ROLES[role].single]
GODS = {*SINGLE} - {"thief", "piper"}


class Hung(Exception):
    """A game that takes too long."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game that ended as it should: the answers that it took and refused, and whether it was one on the simulated table.

    Refused answers are counted where the rules were asked, not on the table.
    """

    seed: int
    answers: int
    refused: int
    at_table: bool


def play(seed: int, new_game: Callable[[Setup], Game] = Game, patience: float = PATIENCE) -> Played:
    """Play the game of a seed. Raises whatever is wrong with it, with a note how to play it again."""
    rng = random.Random(seed)
    at_table = seed % TABLE_EVERY == 0
    try:
        with _within(patience):
            setup, cards = random_setup(rng)
            played = (_TableGame if at_table else _RulesGame)(new_game(setup), cards, rng)
            played.play()
            return Played(seed, played.taken, played.refused, at_table)
    except Exception as error:
        error.add_note(f"again: python -m benchmarks.soak --seed {seed} --games 1")
        raise


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise `Hung` in the middle of whatever takes longer than this, so that the traceback tells what it was."""

    def hung(_: int, __: FrameType | None) -> None:
        raise Hung(f"no end after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, hung)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- the table ----------------------------------------------------------------------------------------------------------


def random_setup(rng: random.Random) -> tuple[Setup, tuple[str, ...]]:
    """Any table that can be played, and the cards that seats 1, 2, 3, ... hold there."""
    base = script_of(rng.choice(EDITIONS)).edition
    rules = base.rules
    if rng.random() < SWITCHED:
        rules = changed(rules, **{name: rng.choice(values) for name, values in SWITCHES.items()})
    if rng.random() < ODD:
        deck = _odd_deck(rng, rng.randint(2, 20), plain=rules.wolves_win == "plain_villagers")
    else:
        deck = base.deck(rng.randint(min(base.setups), 20))
    cards = deal(deck, rng)
    seats = len(deck) - (SPARE if "thief" in deck else 0)
    setup = Setup(edition=Edition(id=base.id, rules=rules, setups=base.setups), seats=seats, deck=deck)
    return setup.altered(deal=cards[:seats], spare=cards[seats:]) if rng.random() < DEALT else setup, cards


def _odd_deck(rng: random.Random, seats: int, plain: bool) -> tuple[str, ...]:
    """Any deck for so many seats with a wolf and somebody else; with a plain villager where there must be one."""
    gods = rng.sample(SINGLE, rng.randint(0, min(len(SINGLE), seats - 1 - plain)))
    left = seats - len(gods) + (SPARE if "thief" in gods else 0)
    wolves = rng.randint(1, left - (plain or not gods))
    return (*gods, *["werewolf"] * wolves, *["villager"] * (left - wolves))


# --- a game of the rules alone ------------------------------------------------------------------------------------------


class _Random:
    """A game that is played by chance. `taken` and `refused` count the answers."""

    def __init__(self, game: Game, cards: tuple[str, ...], rng: random.Random) -> None:
        self.game, self._cards, self._rng = game, cards, rng
        self.taken = self.refused = 0

    def _choose(self, ask: Ask) -> Value:
        """An answer that may be given; in a roll call mostly the truth."""
        if ask.kind == "seat" and ask.may_pass and not ask.candidates:
            return None   # at a table of two, a wolf in love has nobody to name
        cards = () if self._rng.random() < LIES else self._cards
        return legal(ask, self._rng, self.game.setup.seats, cards, self.game.answers)


class _RulesGame(_Random):
    """Every ask is met by wrong answers first; now and then an answer is taken back and the game goes on from there."""

    def play(self) -> None:
        self._undos = self._rng.choice((0, 0, 1, 2))
        self._turns = [self.game.turn]
        self._on()
        while self._undos:
            self._undo()
            self._on()
        if self._rng.random() < REPLAYED:
            check_replay(self.game)

    def _on(self) -> None:
        """From where the game stands to its end."""
        while ask := self.game.turn.ask:
            assert not self.game.over, f"over, and asks {ask!r}"
            if self.game.wake and self.game.phase.number > 1:
                won = due(self.game, self.game.phase_began)
                assert not won, f"{won} have won, and the game goes on"
            for _ in range(self._rng.choice((0, 0, 1, 1, 2, 3))):
                self._wrong(ask)
            self.game.answer(ask.id, self._choose(ask))
            self.taken += 1
            self._turns.append(self.game.turn)
            assert len(self._turns) <= MOST, f"no end after {MOST} answers"
            if self._undos and self._rng.random() < UNDOES:
                self._undo()
        check_end(self.game)
        self._refuse("day.vote", None, Diverged)

    def _wrong(self, ask: Ask) -> None:
        """One wrong answer: it is refused, and nothing has changed."""
        if self._rng.random() < ASTRAY:
            other = self._rng.choice([*ASKS, "nobody.asks", ""])
            if other != ask.id:
                self._refuse(other, self._choose(ask), Diverged)
        else:
            self._refuse(ask.id, illegal(ask, self._rng, self.game.setup.seats), Refused)

    def _refuse(self, ask_id: str, value: object, expected: type[Exception]) -> None:
        before = _state(self.game)
        try:
            self.game.answer(ask_id, value)
        except expected:
            self.refused += 1
        else:
            raise AssertionError(f"{ask_id} has taken {value!r}; expected {expected.__name__}")
        assert _state(self.game) == before, f"{ask_id} has refused {value!r}, and something has changed"

    def _undo(self) -> None:
        self._undos -= 1
        keep = self._rng.randint(0, len(self.game.answers))
        self.game.undo(keep)
        del self._turns[keep + 1 :]
        assert self.game.turn == self._turns[keep], f"undone to {keep} answers, the game is not where it was then"


def _state(game: Game) -> tuple[object, ...]:
    """All that can be seen of where a game stands; of what only grows, how much it is."""
    grown = (len(game.answers), len(game.events), game.phase_began, game.wake_began)
    return game.turn, game.phase, game.alive, game.captain, game.outcome, game.wake, game.answered_in, *grown


# --- a whole game on the simulated table --------------------------------------------------------------------------------


GARBAGE = (
    "", " ", "0", "1", "99", "１２", "²", "③", "x", "二", "-1", "1.5", "+", "。。", "1+1", "1+2", "1 2 3", "0+0", "+".join("1" * 20),
    "٣", "9" * 64, "9" * 65, "1" * 10_000, "é" * 10_000, "\x00", "\x1b[A", "{seat}", "\ud800",
)  # fmt: skip
"""What is keyed by mistake. Some of it may be an answer, at some table, to some ask."""


class _TableGame(_Random):
    """The loop and the stage play it, with keys by text, garbage among them, and undo, again and pause at any moment."""

    def play(self) -> None:
        presses = list(self._presses())
        table = Table(self.game.setup, self._plan, game=self.game, hearing=lambda clock: _Players(clock, self._plan, presses))
        assert table.run() == self.game.outcome
        check_end(self.game)
        check_replay(self.game)
        self.taken = len(self.game.answers)
        view = next(value for _, name, value in reversed(table.screen.calls) if name == "public")
        assert set(view.dead) == _dead(self.game), f"the screen shows the dead {view.dead!r}, not {_dead(self.game)!r}"

    def _plan(self, ask: Ask) -> Iterator[tuple[float, Payload]]:
        after = 0.0
        for text in self._rng.choices(GARBAGE, k=self._rng.choice((0, 0, 1, 2, 4))):
            after += self._rng.uniform(0.05, 3.0)
            yield from ((after, Typed(text)), (after, Entered(text)))
        yield after + self._rng.choice((0.1, 1.0, 5.0, 40.0)), Entered(write(ask, self._choose(ask)))

    def _presses(self) -> Iterator[tuple[float, Payload]]:
        """Commands over the first hour or so; soon after an undo mostly comes the key that confirms it, or another."""
        at = 0.0
        commands: tuple[CommandName, ...] = ("undo", "again", "pause")
        for _ in range(self._rng.randint(0, 30)):
            at += self._rng.expovariate(1 / 90)
            command = self._rng.choice(commands)
            yield at, Command(command)
            if command == "undo" and self._rng.random() < 0.8:
                yield at + self._rng.uniform(0.0, 5.0), Command(self._rng.choice(("undo", *commands)))


class _Players(Scripted):
    """When nothing has come for ten minutes the table must have been paused; somebody remembers, and presses the key."""

    _heard = 0.0

    def wait(self, until: float) -> Event | None:
        event, now = super().wait(until), self._clock.now()
        if event is None and now - self._heard > 600.0:
            event = Event("table", now, Command("pause"))
        if event:
            self._heard = now
        return event


# --- what must be true at the end ---------------------------------------------------------------------------------------


def check_end(game: Game) -> None:
    """The game is over, everyone was dealt a card, each died once at most, and who is left has won."""
    outcome, seats = game.outcome, range(1, game.setup.seats + 1)
    assert outcome, "nothing is asked, and the game is not over"
    cards = [game.role(seat) for seat in seats]
    left_over = Counter(game.setup.deck) - Counter(cards)
    # Behind a thief: his own card and one that he left, or where he kept it, and is a villager now, the two on the table.
    assert left_over.total() in ((2, 3) if "thief" in game.setup.deck else (0,)), f"the cards are {cards!r}"
    assert len(_dead(game)) == sum(isinstance(event, Died) for event in game.events), "somebody died twice"
    assert set(outcome.alive) == set(game.alive) == set(seats) - _dead(game), f"{outcome!r}, but {_dead(game)!r} are dead"
    # Where the knife goes before the poison, the wolves may have won and then died of it.
    knife = outcome.winner == "werewolves" and game.setup.rules.wolves_kill_first
    assert knife or outcome.winner == due(game), f"{outcome!r}, but the cards are {cards!r}"
    assert game.events[-1] == Won(outcome.winner), f"{outcome!r}, but announced was {game.events[-1]!r}"


def check_replay(game: Game) -> None:
    """The game of the same answers is the same game."""
    replayed: Any = type(game).replay(game.setup, game.answers)
    for what in ("outcome", "turn", "events", "answers"):
        assert getattr(replayed, what) == getattr(game, what), f"replayed, the {what} differ"


def _dead(game: Game) -> set[int]:
    return {event.seat for event in game.events if isinstance(event, Died)}


def due(game: Game, given_until: int | None = None) -> str | None:
    """Who has won with these survivors, and those charmed by the first so many answers, None where the game goes on: the rulebook's
    sentences on victory, written once more."""
    cards = {seat: str(game.role(seat)) for seat in game.alive}
    alive = [*cards.values()]
    if not alive:
        return "nobody"
    given = [(ask, value) for ask, value in game.answers[:given_until] if isinstance(value, tuple)]
    charmed = {seat for ask, value in given if ask == "piper.charm" for seat in value}
    pair = {seat for ask, value in given if ask == "cupid.pair" for seat in value}
    pair = pair if pair <= {*cards} else set()
    if pair == {*cards} and len({{"werewolf": 1, "piper": 2}.get(card, 3) for card in alive}) == 2:
        return "lovers"
    if "piper" in alive:
        piper = {seat for seat, card in cards.items() if card == "piper"}
        if {*cards} <= charmed | piper | (pair if piper <= pair else set()):
            return "lovers" if piper <= pair else "piper"
    if "werewolf" not in alive:
        return "village"
    return "werewolves" if _village_lost(game, alive) else None


def _village_lost(game: Game, alive: list[str]) -> bool:
    held = {game.role(seat) for seat in range(1, game.setup.seats + 1)}
    plain = "villager" in held and "villager" not in alive
    gods = bool(held & GODS) and not GODS & {*alive}
    lost = {"all_villagers": False, "plain_villagers": "villager" not in alive, "either_side": plain or gods}
    return lost[game.setup.rules.wolves_win] or {*alive} == {"werewolf"}
