"""The day: speeches, the election of the captain, the vote, and how a tie is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from narrator.rules.death import fall, lose_office
from narrator.rules.edition import Election, TieRule
from narrator.rules.roles import is_wolf
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Begins, CardShown, Elected, Flow, Phase, Ruled, Value, Voted, ruled, say
from narrator.rules.victory import victory


def day(table: Table) -> Flow[None]:
    """One day from the first speech to the execution and its chain."""
    table.phase = Phase("day", table.phase.number)
    yield Begins(table.phase)
    if table.rules.captain_rotates and table.captain and table.phase.number > 1:
        table.captain = next(seat for seat in table.clockwise(table.captain) if seat not in table.revealed)
        yield ruled("captain.rotates")
        yield Elected(table.captain)
        yield say("captain.rotates", seat=table.captain)
    yield from elect_if_due(table, "first_day")
    wolf = yield from _speeches(table)
    if wolf:
        yield from _shows_himself(table, wolf)
        return
    yield from elect_if_due(table, "first_day_after_speeches")
    executed = yield from _vote(table)
    if table.has_power(executed, "idiot"):
        yield from _spared(table, executed)
    elif executed:
        if table.roles[executed] == "idiot" and table.rules.show_executed:
            yield ruled("idiot.powerless", seat=executed)
        yield from fall(table, executed, frozenset({"vote"}), "death.executed")
    else:
        yield say("vote.nobody")


def elect_if_due(table: Table, moment: Election) -> Flow[None]:
    """Elect the captain if this edition does it now, and nobody has been elected yet."""
    if table.rules.captain_elected == moment and not table.elected:
        yield from _elect(table)


def _spared(table: Table, idiot: int) -> Flow[None]:
    """The village does not execute its idiot: he shows his card, stays, and votes no more. The ballots are spent. A captain's office is
    lost with his vote, where he names no heir."""
    yield ruled("idiot.spared", seat=idiot)
    if idiot in table.revealed:
        yield say("vote.nobody")
    else:
        table.revealed |= {idiot}
        yield say("idiot.shown", seat=idiot)
        yield CardShown(idiot, "idiot")
        if idiot == table.captain and not table.rules.idiot_captain_heir:
            yield from lose_office(table)


# --- a wolf who shows himself -------------------------------------------------------------------------------------------


def _shows_himself(table: Table, wolf: int) -> Flow[None]:
    """A wolf turns up his card and dies; the day is over. An election that was still to come today is put off, or lost (吞警徽)."""
    yield ruled("wolf.shows_himself", seat=wolf)
    yield from fall(table, wolf, frozenset({"other"}), "death.showed_himself")
    if table.rules.captain_elected != "never" and not table.elected and victory(table, table.alive) is None:
        table.exposed += 1
        if {"never": 0, "first": 1, "second": 2}[table.rules.shown_wolf_takes_badge] == table.exposed:
            table.elected = True
            yield ruled("wolf.takes_badge")
            yield say("captain.nobody")
        else:
            yield ruled("wolf.puts_off_election")
            yield say("captain.put_off")


# --- speeches -----------------------------------------------------------------------------------------------------------


def _speeches(table: Table) -> Flow[int]:
    """Everyone is heard. Returns the wolf who shows himself meanwhile and so ends the day, or 0."""
    rounds = table.rules.rounds_first_day if table.phase.number == 1 else table.rules.rounds
    for _ in range(rounds):
        if table.rules.speeches == "free":
            speeches = [(say("day.discussion"), Ask("day.discussion", "wait", "everyone", tuple(table.alive), _who_may_be_a_wolf(table)))]
        else:
            # From the left of the seat that died last; where nobody died, from the captain's left, else from seat 1.
            start = table.fallen[-1] if table.fallen else table.captain
            speeches = [
                (say("day.speech", seat=seat), Ask("day.speech", "wait", "everyone", (seat,), _who_may_be_a_wolf(table)))
                for seat in table.clockwise(start)
            ]
        for call, ask in speeches:
            yield call
            while (seat := (yield ask)) is not True:
                if is_wolf(table.roles[seat]):
                    return int(seat)
                yield say("day.no_wolf", seat=seat)
    return 0


def _who_may_be_a_wolf(table: Table) -> tuple[int, ...]:
    """Who may be keyed as a wolf who shows himself: for all that everyone knows, anyone, or it would tell who is none."""
    return tuple(table.alive) if table.rules.wolves_may_show_themselves else ()


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
    table.elected = True
    candidates = voters = _voters(table)
    yield ruled("captain.elected")
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
        candidates, voters = _second_round(table, voters, count.leaders)
    table.captain = count.leaders[0] if len(count.leaders) == 1 else 0
    if len(count.leaders) > 1:
        yield ruled("captain.tied_twice")
    yield Elected(table.captain)
    yield say("captain.elected", seat=table.captain) if table.captain else say("captain.nobody")


def _voters(table: Table) -> tuple[int, ...]:
    """Who has a ballot, and may hold an office: everyone alive but an idiot who was spared."""
    return table.others(*table.revealed)


def _second_round(table: Table, voters: tuple[int, ...], tied: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who may be named and who may vote once a vote of these voters has tied."""
    candidates = tied if table.rules.tied_only_candidates else tuple(table.alive)
    return candidates, voters if table.rules.tied_may_vote else tuple(seat for seat in voters if seat not in tied)


# --- the vote -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Settled:
    """A tie is settled: this seat goes, or nobody (0)."""

    seat: int


def _vote(table: Table) -> Flow[int]:
    """The village votes until it is settled who goes. Returns that seat, or 0 for nobody."""
    candidates, voters = tuple(table.alive), _voters(table)
    if table.voters is not None:
        voters, table.voters = tuple(seat for seat in voters if seat in table.voters), None
    left = list(table.rules.tie)
    while voters:
        yield say("vote.open")
        count = _count(table, (yield _ballot(table, voters, candidates)))
        yield count
        if len(count.leaders) < 2:
            yield _why_alone(count)
            return count.leaders[0] if count.leaders else 0
        yield say("vote.tied")
        settled = yield from _settle(table, count, left)
        if settled:
            return settled.seat
        candidates, voters = _second_round(table, voters, count.leaders)
        yield say("vote.again")
        yield Ask("vote.again", "wait", "everyone", count.leaders)
    yield ruled("vote.no_voters")
    return 0


def _why_alone(count: Voted) -> Ruled:
    """Why this vote has left one seat, or none."""
    if not count.leaders:
        return ruled("vote.nobody_named")
    named = Counter(filter(None, count.ballots))
    decisive = any(named[other] >= named[count.leaders[0]] for other in named if other != count.leaders[0])
    return ruled("vote.captain_weighs" if decisive else "vote.most", seat=count.leaders[0])


def _ballot(table: Table, voters: tuple[int, ...], candidates: tuple[int, ...]) -> Ask:
    barred = frozenset[tuple[int, int]]()
    if table.lovers and not table.rules.lovers_may_vote_each_other:
        one, other = table.lovers
        barred = frozenset({(one, other), (other, one)})
    return Ask("day.vote", "ballots", "everyone", voters, candidates, may_pass=True, barred=barred)


def _scapegoats(table: Table) -> tuple[int, ...]:
    return tuple(seat for seat in table.alive if table.has_power(seat, "scapegoat"))


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
                    yield ruled("tie.captain_ballot", seat=choice)
                    yield say("vote.captain_ballot")
                    return _Settled(choice)
            case "scapegoat" if goats := _scapegoats(table):
                table.scapegoat = goats[0]
                yield ruled("tie.scapegoat", seat=table.scapegoat)
                yield say("vote.scapegoat")
                return _Settled(table.scapegoat)
            case "captain_choice" if table.captain:
                yield ruled("tie.captain_choice")
                yield say("captain.choose", seat=table.captain)
                seat = yield Ask("captain.choose", "seat", "everyone", (table.captain,), count.leaders, may_pass=True)
                return _Settled(seat or 0)
            case "revote":
                yield ruled("tie.revote")
                return None
            case "second_vote":
                left.remove(rule)
                yield ruled("tie.second_vote")
                return None
            case "nobody":
                break
    yield ruled("tie.nobody")
    return _Settled(0)
