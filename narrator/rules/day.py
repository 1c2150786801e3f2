"""The day: it is talked over, the captain is elected, the village votes, and a tie is settled."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.rules.ballots import opening, poll, second_round, voters
from narrator.rules.captain import elect_if_due
from narrator.rules.death import after_deaths, fall, lose_office
from narrator.rules.edition import TieRule
from narrator.rules.events import draw, lifted
from narrator.rules.speeches import discussion
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Begins, CardShown, Elected, Flow, Phase, Ruled, Voted, ruled, say
from narrator.rules.victory import victory


def day(table: Table) -> Flow[None]:
    """One day from the first speech to the execution and its chain."""
    table.phase = Phase("day", table.phase.number)
    allowed, table.voters = table.voters, None
    yield Begins(table.phase)
    yield from table.happens("morning")
    if (yield from draw(table)):
        return
    if table.rules.captain_rotates and table.captain and table.phase.number > 1:
        table.captain = next((seat for seat in table.clockwise(table.captain) if seat not in table.revealed), table.captain)
        yield ruled("captain.rotates")
        yield Elected(table.captain)
        yield say("captain.rotates", seat=table.captain)
    wolf = (
        (yield from elect_if_due(table, "first_day"))
        or (yield from discussion(table))
        or (yield from elect_if_due(table, "first_day_after_speeches"))
    )
    if wolf:
        yield from _shows_himself(table, wolf)
        return
    while (yield from _condemns(table, allowed)):
        yield from lifted(table)
        if (yield from after_deaths(table)):
            return
    for event in tuple(table.in_force):
        event.day_is_over(table)
    yield from lifted(table)


def _condemns(table: Table, allowed: tuple[int, ...] | None) -> Flow[bool]:
    """The village votes, and executes whom it has condemned. Returns whether an event has it vote again.

    `allowed`: whom a scapegoat has left today's vote to, None where he has not.
    """
    condemned = yield from _verdict(table, allowed)
    living = tuple(table.alive)
    yield from _execute(table, condemned)
    if not condemned or condemned not in living or condemned in table.alive:
        return False
    yield from table.happens("executed", condemned)
    return sum(event.votes_again(table, condemned) for event in tuple(table.in_force)) > 0


def _verdict(table: Table, allowed: tuple[int, ...] | None) -> Flow[int | None]:
    """The village votes, or does what an event has it do. Returns who goes, 0 for nobody, or None where that has been seen to."""
    yield from table.happens("before_vote")
    instead = next((vote for event in table.in_force if (vote := event.votes(table))), None)
    condemned = yield from (instead or _vote(table, allowed))
    if condemned is None:
        return None
    for event in tuple(table.in_force):
        if condemned:
            condemned = yield from event.verdict(table, condemned)
    if condemned != table.scapegoat:    # a card has spared him
        table.scapegoat = 0
    return condemned


def _execute(table: Table, condemned: int | None) -> Flow[None]:
    if condemned is None:
        return
    if table.has_power(condemned, "idiot"):
        yield from _spared(table, condemned)
    elif condemned:
        if table.holds(condemned, "idiot") and table.rules.show_executed:
            yield ruled("idiot.powerless", seat=condemned)
        yield from fall(table, condemned, frozenset({"vote"}), "death.executed")
    else:
        yield say("vote.nobody")


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


# --- the vote -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Settled:
    """A tie is settled: this seat goes, or nobody (0)."""

    seat: int


def _vote(table: Table, allowed: tuple[int, ...] | None) -> Flow[int]:
    """The village votes until it is settled who goes. Returns that seat, or 0 for nobody."""
    candidates, voting = table.who("may_be_named"), voters(table)
    if allowed is not None:
        voting = tuple(seat for seat in voting if seat in allowed)
    left = list(table.rules.tie)
    while voting:
        yield opening(table, "vote.open")
        count = yield from poll(table, _ballot(table, voting, candidates))
        if len(count.leaders) < 2:
            yield _why_alone(table, count)
            return count.leaders[0] if count.leaders else 0
        yield say("vote.tied")
        settled = yield from _settle(table, count, left)
        if settled:
            return settled.seat
        candidates, voting = second_round(table, voting, count.leaders)
        yield say("vote.again")
        yield Ask("vote.again", "wait", "everyone", count.leaders)
    yield ruled("vote.no_voters")
    return 0


def _why_alone(table: Table, count: Voted) -> Ruled:
    """Why this vote has left one seat, or none."""
    if not count.leaders:
        return ruled("vote.nobody_named")
    heads = dict(count.weights)
    if count.captain:
        heads[count.captain] -= table.rules.captain_weight - 1
    decisive = any(heads[other] >= heads[count.leaders[0]] for other in heads if other != count.leaders[0])
    return ruled("vote.captain_weighs" if decisive else "vote.most", seat=count.leaders[0])


def _ballot(table: Table, voting: tuple[int, ...], candidates: tuple[int, ...]) -> Ask:
    barred = frozenset[tuple[int, int]]()
    if table.lovers and not table.rules.lovers_may_vote_each_other:
        one, other = table.lovers
        barred = frozenset({(one, other), (other, one)})
    for event in table.in_force:
        barred = event.barred(table, voting, candidates, barred)
    return Ask("day.vote", "ballots", "everyone", voting, candidates, may_pass=True, barred=barred)


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
                if count.captain in count.leaders:
                    yield ruled("tie.captain_ballot", seat=count.captain)
                    yield say("vote.captain_ballot")
                    return _Settled(count.captain)
            case "scapegoat" if goats := _scapegoats(table):
                instead = next((choice for event in table.in_force if (choice := event.scapegoat(table, goats[0]))), None)
                if instead:
                    return _Settled((yield from instead))
                table.scapegoat = goats[0]
                yield ruled("tie.scapegoat", seat=table.scapegoat)
                yield say("vote.scapegoat")
                return _Settled(table.scapegoat)
            case "captain_choice" if table.captain and table.who("may_vote", (table.captain,)):
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
