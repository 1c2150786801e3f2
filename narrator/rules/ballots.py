"""Ballots: how the village's votes are taken and counted, in the election of a captain and by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from narrator.rules.state import Table
from narrator.rules.turn import Ask, Flow, Say, Value, Voted, say


def voters(table: Table) -> tuple[int, ...]:
    """Who has a ballot, and may hold an office: everyone alive but an idiot who was spared, and whom an event keeps from it."""
    return table.who("may_vote", table.others(*table.revealed))


def second_round(table: Table, voters: tuple[int, ...], tied: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who may be named and who may vote once a vote of these voters has tied."""
    candidates = tied if table.rules.tied_only_candidates else table.who("may_be_named")
    return candidates, voters if table.rules.tied_may_vote else tuple(seat for seat in voters if seat not in tied)


def opening(table: Table, key: str) -> Say:
    """The line that opens a vote: it asks for the outcome, or is followed by what asks each."""
    return say(key if table.rules.voting == "outcome" else f"{key}_in_turn")


def poll(table: Table, ask: Ask) -> Flow[Voted]:
    """Put a question of kind `ballots` as this table votes, and say what it comes to."""
    match table.rules.voting:
        case "outcome":
            count = _count(table, ask, (yield ask))
        case "ballots":
            count = yield from _one_by_one(table, ask)
        case "hands":
            count = yield from _by_hands(table, ask)
    yield count
    for seat, weight in sorted(count.weights, key=lambda named: (-named[1], named[0])):
        yield say("vote.count", seat=seat, votes=weight)
    return count


def _one_by_one(table: Table, ask: Ask) -> Flow[Voted]:
    """Every voter in turn names a seat, or nobody."""
    ballots = [0] * table.setup.seats
    voters = ask.actors
    for event in table.in_force:
        voters = event.in_turn(table, voters)
    for voter in voters:
        abstain = ask.abstain and (voter, 0) not in ask.barred
        if abstain or any((voter, seat) not in ask.barred for seat in ask.candidates):
            yield say("vote.ballot", seat=voter)
            ballot = Ask(
                f"{_place(ask)}.ballot", "seat", "everyone", (voter,), ask.candidates, may_pass=abstain, barred=ask.barred
            )  # fmt: skip
            ballots[voter - 1] = (yield ballot) or 0
    return _count(table, ask, tuple(ballots))


def _by_hands(table: Table, ask: Ask) -> Flow[Voted]:
    """For every candidate those who vote for it raise a hand, and are counted; each has one hand. Whom a captain has named is asked
    where his ballot is not like another's."""
    weights: dict[int, float] = {}
    left = len(ask.actors)
    for seat in ask.candidates:
        if left:
            yield say("vote.hands", seat=seat)
            hands = yield Ask(f"{_place(ask)}.hands", "choice", "everyone", (seat,), tuple(range(left + 1)))
            left -= hands
            if hands:
                weights[seat] = hands
    named = 0
    if weights and table.captain in ask.actors and (table.rules.captain_weight != 1 or "captain_ballot" in table.rules.tie):
        yield say("vote.captain_hand")
        named = (yield Ask("day.captain_hand", "seat", "everyone", (table.captain,), tuple(weights), may_pass=True)) or 0
        if named:
            weights[named] += table.rules.captain_weight - 1
    return _voted(table, ask, (), weights, named)


def _place(ask: Ask) -> str:
    return ask.id.partition(".")[0]


def _is_election(ask: Ask) -> bool:
    return _place(ask) == "captain"


def _count(table: Table, ask: Ask, value: Value) -> Voted:
    """What an answer comes to: ballots are counted, an outcome named by the table stands as it is."""
    if not isinstance(value, tuple):
        return Voted((), (value,) if value else (), election=_is_election(ask))
    weights: dict[int, float] = {}
    for voter, named in enumerate(value, start=1):
        if named:
            weights[named] = weights.get(named, 0) + table.weight(voter)
    return _voted(table, ask, value, weights, value[table.captain - 1] if table.captain else 0)


def _voted(table: Table, ask: Ask, ballots: Sequence[int], given: Mapping[int, float], captain: int) -> Voted:
    """The seats with the most weight of votes lead; none does when nobody was named. Who has left while they voted is out of it."""
    weights = {seat: weight for seat, weight in given.items() if weight and seat in table.alive}
    most = max(weights.values(), default=0)
    leaders = tuple(sorted(seat for seat, weight in weights.items() if weight == most))
    captain = captain if captain in weights else 0
    return Voted(tuple(ballots), leaders, tuple(sorted(weights.items())), captain, _is_election(ask))
