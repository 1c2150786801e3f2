"""Players who play by chance, through the same keys as people do.

They implement `Hearing`: when something is asked they think for a while, then key an answer, as text, that goes through the same
grammar and the same rules as everyone's. They know the cards they were dealt, for the roll call, and nothing else that a player
at the table would not know.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from narrator.clock import Clock
from narrator.hearing import Entered, Event, Typed
from narrator.hearing.grammar import write
from narrator.rules import ROLES, Ask, Value

_SECRET = (3.0, 8.0)
_TALK = (8.0, 14.0)
_ALOUD = (2.0, 5.0)
"""Seconds that players take: for a secret answer, for a discussion or speech, for an answer given aloud."""

_LISTEN = 10.0
"""Seconds that they hear out what is said once the game is over, in whatever hurry they are."""

_FOLLOWERS = 0.6
"""The share of voters who follow the day's favourite suspect; the others scatter. Without it most votes tie."""

_FRIENDLESS = 2
"""At how many seats nobody points, at most, where all point at two friends."""

_HEALS, _POISONS = 0.5, 0.3
"""How often a witch uses a potion when she could."""


class Players:
    """Everyone at a table, on its clock. `cards` is the card of seat 1, 2, 3, ..., and behind them those that are left over; `second` the
    other card of each, where everyone holds two; `hurry` multiplies every time to think."""

    trouble: str | None = None

    def __init__(
        self, clock: Clock, seats: int, cards: Sequence[str], rng: random.Random, hurry: float = 1.0, second: Sequence[str] = ()
    ) -> None:
        self._clock, self._rng, self._hurry = clock, rng, hurry
        self._cards, self._second, self._left = cards, second, tuple(cards[seats:])
        self._seats = range(1, seats + 1)
        self._coming: list[Event] = []
        self._held: list[Event] = []    # what was coming when the game was paused
        self._tied = False
        self._paused = 0.0

    def attend(self, ask: Ask | None) -> None:
        """Think about what is asked, and make up an answer to be keyed after a while."""
        self._coming = []
        if ask:
            self._tied = ask.id == "vote.again" or (self._tied and ask.id == "day.vote")
            at = self._clock.now() + self._rng.uniform(*self._thinking(ask)) * self._hurry + (_LISTEN if ask.id == "table.over" else 0.0)
            entry = write(ask, self._choose(ask))
            self._coming = [Event("players", at, Typed(entry)), Event("players", at, Entered(entry))]

    def pause(self, on: bool) -> None:
        """Whoever was about to answer does so later, by as long as the game has been paused."""
        if on:
            self._paused, self._held, self._coming = self._clock.now(), self._coming, []
        else:
            later = self._clock.now() - self._paused
            self._coming = [replace(event, at=event.at + later) for event in self._held]

    def wait(self, until: float) -> Event | None:
        """Let time pass until the answer is keyed, or until `until`."""
        if not self._coming or self._coming[0].at > until:
            self._clock.wait(until)
            return None
        event = self._coming.pop(0)
        self._clock.wait(event.at)
        return event

    def close(self) -> None:
        """Go home."""
        self._coming = []

    def _thinking(self, ask: Ask) -> tuple[float, float]:
        if ask.audience != "everyone":
            return _SECRET
        return _TALK if ask.kind == "wait" else _ALOUD

    def _choose(self, ask: Ask) -> Value:
        match ask.kind:
            case "wait":
                return True
            case "yes_no":
                return self._rng.random() < _HEALS
            case "choice":
                return self._left_over(ask) or self._rng.choice(ask.candidates)
            case "seats":
                return self._claim(ask) or self._some(ask)
            case "pairs":
                return tuple(self._rng.sample(ask.candidates, min(len(ask.candidates), self._rng.randint(0, _FRIENDLESS))))
            case "ballots":
                return self._vote(ask)
            case "seat":
                passes = ask.id == "witch.poison" and self._rng.random() >= _POISONS
                return None if passes else self._rng.choice([seat for seat in ask.candidates if (ask.actors[0], seat) not in ask.barred])

    def _some(self, ask: Ask) -> tuple[int, ...]:
        """Some of those who may be named; one of each group, where there are any."""
        if ask.groups:
            return tuple(self._rng.choice(group) for group in ask.groups if group)
        return tuple(self._rng.sample(ask.candidates, self._rng.randint(*ask.count)))

    def _claim(self, ask: Ask) -> tuple[int, ...]:
        """In the roll call, the seats that were dealt the card that is called."""
        called, _, role = ask.id.partition(".")
        return tuple(seat for seat in self._seats if role in self._cards_of(seat)) if called == "roll" else ()

    def _cards_of(self, seat: int) -> tuple[str, ...]:
        return (self._cards[seat - 1], *self._second[seat - 1 : seat])

    def _left_over(self, ask: Ask) -> int:
        """In the roll call, the number of the next card that was left over."""
        if ask.id != "roll.spare" or not self._left:
            return 0
        list_of_cards = [role for role in ROLES if role in self._cards and role != "thief"]
        self._left = (*self._left[1:], self._left[0])
        return list_of_cards.index(self._left[-1]) + 1

    def _vote(self, ask: Ask) -> Value:
        """Ballots; after a tie the table names the outcome, since the same few players might tie for ever."""
        favourite = self._rng.choice(ask.candidates)
        if self._tied:
            return favourite
        ballots = [0] * len(self._seats)
        for voter in ask.actors:
            allowed = [seat for seat in ask.candidates if seat != voter and (voter, seat) not in ask.barred]
            if allowed:
                follows = favourite in allowed and self._rng.random() < _FOLLOWERS
                ballots[voter - 1] = favourite if follows else self._rng.choice(allowed)
            elif not ask.abstain or (voter, 0) in ask.barred:
                return favourite    # nobody whom this voter may name: the table names the outcome
        return tuple(ballots)
