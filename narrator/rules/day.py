"""The day: speeches, the election of the captain, the vote, and how a tie is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from narrator.rules.death import fall
from narrator.rules.edition import Election, TieRule
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Begins, Elected, Flow, Phase, Value, Voted, say


def day(table: Table) -> Flow[None]:
    """One day from the first speech to the execution and its chain."""
    table.phase = Phase("day", table.phase.number)
    yield Begins(table.phase)
    if table.rules.captain_rotates and table.captain and table.phase.number > 1:
        table.captain = table.clockwise(table.captain)[0]
        yield Elected(table.captain)
        yield say("captain.rotates", seat=table.captain)
    yield from elect_if_due(table, "first_day")
    yield from _speeches(table)
    yield from elect_if_due(table, "first_day_after_speeches")
    executed = yield from _vote(table)
    if executed:
        yield from fall(table, executed, frozenset({"vote"}), "death.executed")
    else:
        yield say("vote.nobody")


def elect_if_due(table: Table, moment: Election) -> Flow[None]:
    """Elect the captain if this edition does it now."""
    if table.rules.captain_elected == moment and table.phase.number <= 1:
        yield from _elect(table)


# --- speeches -----------------------------------------------------------------------------------------------------------


def _speeches(table: Table) -> Flow[None]:
    rounds = table.rules.rounds_first_day if table.phase.number == 1 else table.rules.rounds
    for _ in range(rounds):
        if table.rules.speeches == "free":
            yield say("day.discussion")
            yield Ask("day.discussion", "wait", "everyone", tuple(table.alive))
        else:
            # From the left of the seat that died last; where nobody died, from the captain's left, else from seat 1.
            start = table.fallen[-1] if table.fallen else table.captain
            yield from _speak_in_turn(table.clockwise(start))


def _speak_in_turn(seats: Sequence[int]) -> Flow[None]:
    for seat in seats:
        yield say("day.speech", seat=seat)
        yield Ask("day.speech", "wait", "everyone", (seat,))


# --- ballots ------------------------------------------------------------------------------------------------------------


def _leaders(table: Table, ballots: Sequence[int]) -> tuple[int, ...]:
    """The seats with the most weight of votes, ascending; none when nobody was named."""
    weights: dict[int, float] = {}
    for voter, named in enumerate(ballots, start=1):
        if named:
            weights[named] = weights.get(named, 0) + table.weight(voter)
    most = max(weights.values(), default=0)
    return tuple(sorted(seat for seat, weight in weights.items() if weight == most))


def _count(table: Table, value: Value) -> Voted:
    """What a ballots answer comes to: ballots are counted, an outcome named by the table stands as it is."""
    if isinstance(value, tuple):
        return Voted(value, _leaders(table, value))
    return Voted((), (value,) if value else ())


def _elect(table: Table) -> Flow[None]:
    """The captain's election. A tie is voted on once more; a second one leaves the village without a captain."""
    rules = table.rules
    candidates = voters = tuple(table.alive)
    yield say("captain.elect")
    for again in (False, True):
        if again:
            yield say("captain.tied")
        barred = frozenset((seat, seat) for seat in voters) if "no_self_vote" in rules.captain_ballot_rules else frozenset()
        abstain = "no_abstention" not in rules.captain_ballot_rules
        count = _count(
            table, (yield Ask("captain.elect", "ballots", "everyone", voters, candidates, may_pass=True, barred=barred, abstain=abstain))
        )
        yield count
        if len(count.leaders) < 2:
            break
        candidates, voters = _second_round(table, count.leaders)
    table.captain = count.leaders[0] if len(count.leaders) == 1 else 0
    yield Elected(table.captain)
    yield say("captain.elected", seat=table.captain) if table.captain else say("captain.nobody")


def _second_round(table: Table, tied: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who may be named and who may vote once a vote has tied."""
    candidates = tied if table.rules.tied_only_candidates else tuple(table.alive)
    voters = tuple(table.alive) if table.rules.tied_may_vote else table.others(*tied)
    return candidates, voters


# --- the vote -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Settled:
    """A tie is settled: this seat goes, or nobody (0)."""

    seat: int


def _vote(table: Table) -> Flow[int]:
    """The village votes until it is settled who goes. Returns that seat, or 0 for nobody."""
    candidates = voters = tuple(table.alive)
    left = list(table.rules.tie)
    yield say("vote.open")
    while True:
        count = _count(table, (yield _ballot(table, voters, candidates)))
        yield count
        if len(count.leaders) < 2:
            return count.leaders[0] if count.leaders else 0
        yield say("vote.tied")
        settled = yield from _settle(table, count, left)
        if settled:
            return settled.seat
        candidates, voters = _second_round(table, count.leaders)
        yield say("vote.again")
        yield Ask("vote.again", "wait", "everyone", count.leaders)
        yield say("vote.open")


def _ballot(table: Table, voters: tuple[int, ...], candidates: tuple[int, ...]) -> Ask:
    barred = frozenset[tuple[int, int]]()
    if table.lovers and not table.rules.lovers_may_vote_each_other:
        one, other = table.lovers
        barred = frozenset({(one, other), (other, one)})
    return Ask("day.vote", "ballots", "everyone", voters, candidates, may_pass=True, barred=barred)


def _settle(table: Table, count: Voted, left: list[TieRule]) -> Flow[_Settled | None]:
    """The edition's tie rules in their order; the first that settles it does. None when the village votes again.

    A rule whose card or office nobody holds settles nothing.

    `left` loses the second vote once it has been held: it is held once.
    """
    for rule in tuple(left):
        match rule:
            case "captain_ballot":
                choice = count.ballots[table.captain - 1] if table.captain else 0
                if choice in count.leaders:
                    yield say("vote.captain_ballot")
                    return _Settled(choice)
            case "captain_choice" if table.captain:
                yield say("captain.choose", seat=table.captain)
                seat = yield Ask("captain.choose", "seat", "everyone", (table.captain,), count.leaders, may_pass=True)
                return _Settled(seat or 0)
            case "revote":
                return None
            case "second_vote":
                left.remove(rule)
                return None
            case "nobody":
                return _Settled(0)
    return _Settled(0)
