"""The captain's election: who runs, what they say, and whom the village chooses."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.rules.ballots import opening, poll, second_round, voters
from narrator.rules.edition import Election
from narrator.rules.speeches import speeches
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Elected, Flow, Standing, ruled, say


def elect_if_due(table: Table, moment: Election) -> Flow[int]:
    """Elect the captain if this edition, or an event, does it now, and it has not been done; where too few may vote, it is put off to the
    next day. Returns the wolf who shows himself meanwhile and so ends the day, or 0."""
    is_due = table.rules.captain_elected == moment or any(event.elects_at_once(table) for event in table.in_force)
    if table.elected or not is_due:
        return 0
    if not may_be_held(table):
        yield ruled("captain.too_few_voters")
        yield say("captain.put_off")
        return 0
    yield ruled("captain.elected")
    return (yield from elect(table))


def may_be_held(table: Table) -> bool:
    """Whether an election is one: at least two may vote, and one of them may be named."""
    voting = voters(table)
    return len(voting) > 1 and bool(table.who("may_be_named", voting))


def elect(table: Table) -> Flow[int]:
    """Elect a captain. Returns the wolf who shows himself meanwhile and so ends the day, or 0."""
    field = yield from _field(table)
    wolf = field.wolf or (yield from _vote(table, field))
    if wolf:
        yield Standing(())
        return wolf
    table.elected = True
    yield Elected(table.captain)
    yield say("captain.elected", seat=table.captain) if table.captain else say("captain.nobody")
    return 0


@dataclass(frozen=True, slots=True)
class _Field:
    """Who runs, and who votes; or the wolf who has shown himself before that was settled."""

    candidates: tuple[int, ...] = ()
    voters: tuple[int, ...] = ()
    wolf: int = 0


def _field(table: Table) -> Flow[_Field]:
    """Who runs for captain (上警): everyone, or who wishes to, and has said why, and has not withdrawn since (退水). Who has run does not
    vote, where the edition says so and somebody is left who can."""
    rules, everyone = table.rules, voters(table)
    eligible = table.who("may_be_named", everyone)
    if rules.captain_candidates == "everyone":
        return _Field(eligible, everyone)
    yield say("captain.run")
    answer = yield Ask("captain.run", "seats", "everyone", everyone, eligible, count=(0, len(eligible)), may_pass=True)
    running = eligible if answer is None else answer    # passed over, as in a rule case that says nothing of it: all run
    yield Standing(running)
    wolf = yield from speeches(table, "captain.speech", table.who("may_speak", running))
    if wolf:
        return _Field(wolf=wolf)
    withdrawn: tuple[int, ...] = ()
    if rules.captain_withdrawal and running:
        yield say("captain.withdraw")
        withdraw = Ask("captain.withdraw", "seats", "everyone", running, running, count=(0, len(running)), may_pass=True)
        withdrawn = (yield withdraw) or ()
    candidates = tuple(seat for seat in running if seat in table.alive and seat not in withdrawn)
    yield Standing(candidates)
    others = everyone if rules.captain_runners_vote else tuple(seat for seat in everyone if seat not in running)
    return _Field(candidates, others or everyone)


def _vote(table: Table, field: _Field) -> Flow[int]:
    """The village votes. A tie is voted on once more, when the tied have spoken (PK); a second one leaves it without a captain. Returns
    the wolf who shows himself meanwhile, or 0."""
    rules, candidates, voting = table.rules, field.candidates, field.voters
    if rules.captain_candidates == "volunteers" and len(candidates) < 2:
        table.captain = sum(candidates)     # nobody stands against him; or nobody stands
        return 0
    yield opening(table, "captain.elect")
    for again in (False, True):
        barred = frozenset((seat, seat) for seat in voting) if "no_self_vote" in rules.captain_ballot_rules else frozenset()
        abstain = "no_abstention" not in rules.captain_ballot_rules
        count = yield from poll(
            table, Ask("captain.elect", "ballots", "everyone", voting, candidates, may_pass=True, barred=barred, abstain=abstain)
        )
        if len(count.leaders) < 2:
            table.captain = sum(count.leaders)
            return 0
        if again:
            break
        candidates, voting = second_round(table, voting, count.leaders)
        yield Standing(candidates)
        yield say("captain.tied")
        wolf = yield from speeches(table, "captain.speech", table.who("may_speak", count.leaders))
        if wolf:
            return wolf
    yield ruled("captain.tied_twice")
    return 0
