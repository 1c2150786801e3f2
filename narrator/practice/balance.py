"""How even a set-up is: many games of players who are neither fools nor masters.

They vote by chance, but never for one of their own pack, and mostly together. A seer who has found a wolf says so, and is believed more
often than not; the witch heals once in two, and keeps her poison for a wolf that was found, as the hunter does his bullet. That is a table
of strangers: what matters of the figures is which of two decks they favour, not what becomes of your friends.
"""

from __future__ import annotations

import random
from collections import Counter

from narrator.cards import deal
from narrator.rules import Ask, Edition, Game, Setup, Value, Winner

BELIEVED = 0.65
"""How often the village follows a seer who has found a wolf."""

FOLLOWING = 0.6
"""The share of voters who follow the day's suspect; the others scatter."""

HEALS = 0.5
"""How often the witch heals."""


def shares(edition: Edition, players: int, games: int, rng: random.Random) -> dict[Winner, float]:
    """Who wins what share of so many games of an edition's own deck for so many players, the likeliest first."""
    won = Counter(_Table(edition, players, rng).play() for _ in range(games))
    return {winner: number / games for winner, number in won.most_common()}


class _Table:
    """One game, and what its players know."""

    def __init__(self, edition: Edition, players: int, rng: random.Random) -> None:
        deck = edition.deck(players)
        cards = deal(deck, rng)
        self._rng = rng
        self._game = Game(Setup(edition=edition, seats=players, deck=deck, deal=cards[:players], spare=cards[players:]))
        self._found: set[int] = set()     # wolves that a seer has seen, and told of
        self._seen: set[int] = set()

    def play(self) -> Winner:
        while ask := self._game.turn.ask:
            self._game.answer(ask.id, self._answer(ask))
        assert self._game.outcome is not None   # nothing is asked once a game is over, and only then
        return self._game.outcome.winner

    def _answer(self, ask: Ask) -> Value:
        match ask.kind:
            case "wait":
                return True
            case "yes_no":
                return self._rng.random() < HEALS
            case "choice":
                return self._rng.choice(ask.candidates)
            case "seats" | "pairs":
                return tuple(sorted(self._rng.sample(ask.candidates, ask.count[1])))
            case "ballots":
                return self._vote(ask)
            case "seat":
                return self._seat(ask)

    def _seat(self, ask: Ask) -> Value:
        suspects = [seat for seat in ask.candidates if seat in self._found]
        match ask.id:
            case "seer.check":
                unseen = [seat for seat in ask.candidates if seat not in self._seen] or ask.candidates
                seat = self._rng.choice(unseen)
                self._seen.add(seat)
                if self._is_wolf(seat):
                    self._found.add(seat)
                return seat
            case "witch.poison":
                return suspects[0] if suspects else None
            case "hunter.shoot" if suspects:
                return suspects[0]
            case "werewolf.kill":
                return self._rng.choice([seat for seat in ask.candidates if not self._is_wolf(seat)] or ask.candidates)
        return self._rng.choice(ask.candidates) if ask.candidates else None

    def _vote(self, ask: Ask) -> Value:
        """Ballots; of the village mostly for the day's suspect, of the pack for anyone but one of theirs."""
        suspects = [seat for seat in ask.candidates if seat in self._found]
        believed = ask.id == "day.vote" and bool(suspects) and self._rng.random() < BELIEVED
        suspect = self._rng.choice(suspects if believed else ask.candidates)
        if self._game.answers[-1][0] == "vote.again":
            return suspect   # two who name each other would tie for ever
        ballots = [0] * self._game.setup.seats
        for voter in ask.actors:
            spared = {voter, *(other for other in ask.candidates if self._is_wolf(voter) and self._is_wolf(other))}
            allowed = [seat for seat in ask.candidates if seat not in spared and (voter, seat) not in ask.barred]
            if allowed:
                follows = suspect in allowed and self._rng.random() < FOLLOWING
                ballots[voter - 1] = suspect if follows else self._rng.choice(allowed)
            elif not ask.abstain or (voter, 0) in ask.barred:
                return suspect   # nobody whom this voter may name: the table names the outcome
        return tuple(ballots)

    def _is_wolf(self, seat: int) -> bool:
        return self._game.role(seat) == "werewolf"
