"""Wolf-fang-moon cards: each waits for its trigger, and is over when it has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.rules.events.event import Event
from narrator.rules.events.people import youngest
from narrator.rules.night import Choices, Step, called, learned, resolved
from narrator.rules.roles import is_wolf
from narrator.rules.state import Causes, Table
from narrator.rules.turn import Ask, Flow, Show, Sleep, say


class Specter(Event):
    """The wolves' next choice becomes a wolf, and at once picks an old wolf to die; their cards are swapped."""

    name = "specter"
    lasts = "trigger"
    old: int = 0

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        if step.name != "werewolf":
            return (step,)
        return step, called("specter", lambda _, choices: choices.prey, self._turns)

    def _turns(self, table: Table, touched: tuple[int, ...], choices: Choices) -> Flow[None]:
        (new, *_) = touched
        old = table.who("can_die", table.wolves())
        if not old:
            return
        self.old = yield Ask("card.specter.victim", "seat", "specter", touched, old)
        cards = table.roles if is_wolf(table.roles[self.old]) else table.second      # whichever of his two makes him a wolf
        cards[new], cards[self.old] = cards[self.old], cards.get(new, "villager")
        choices.prey = ()
        table.powerless |= {self.old}       # he dies with a card that was never his to play

    def deaths(self, table: Table, choices: Choices, deaths: Mapping[int, Causes]) -> Mapping[int, Causes]:
        return {**deaths, self.old: frozenset({"other"})} if self.old else deaths

    def night_is_over(self, table: Table, choices: Choices) -> None:
        if self.old:
            self.finish(table)


class LittleRascal(Event):
    """The youngest leaves the room until the next day, and cannot die; then he comes back, and his vote counts three."""

    name = "little_rascal"
    lasts = "trigger"
    seat: int = 0
    away: bool = True

    def drawn(self, table: Table) -> Flow[None]:
        self.seat = yield from youngest(table)
        yield say("card.little_rascal.goes", seat=self.seat)

    def is_here(self, table: Table, seat: int) -> bool:
        """Whether a living seat is in the room."""
        return not (self.away and seat == self.seat)

    may_speak = may_vote = may_be_named = is_prey = can_die = has_powers = is_here

    def hunts(self, table: Table, wolf: int) -> bool:
        return self.is_here(table, wolf)

    def dawns(self, table: Table) -> Flow[None]:
        if self.away:
            self.away = False
            yield say("card.little_rascal.back", seat=self.seat)

    def weight(self, table: Table, seat: int, weight: float) -> float:
        return max(3, weight) if seat == self.seat and not self.away else weight


class Backfire(Event):
    """If the wolves choose a plain villager tonight he becomes a wolf, and the first wolf to his left dies."""

    name = "backfire"
    lasts = "trigger"

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        return (step, called("backfire", lambda _, choices: choices.prey, self._learn)) if step.name == "blank" else (step,)

    def _learn(self, table: Table, prey: tuple[int, ...], choices: Choices) -> Flow[None]:
        """Whom the wolves have chosen, and tapped, looks whether he is one of them now: last of all, for the witch may have saved him."""
        bitten = resolved(table, choices)
        yield Show("backfire.turned" if self._turned(table, bitten) else "backfire.same", "backfire", prey, ())
        yield Ask("backfire.seen", "wait", "backfire", prey)

    def _turned(self, table: Table, deaths: Mapping[int, Causes]) -> int:
        return next((seat for seat, causes in deaths.items() if "wolves" in causes and set(table.cards_of(seat)) == {"villager"}), 0)

    def deaths(self, table: Table, choices: Choices, deaths: Mapping[int, Causes]) -> Mapping[int, Causes]:
        turned = self._turned(table, deaths)
        if not (turned and table.wolves()):
            return deaths
        wolf = next(seat for seat in table.clockwise(turned) if table.is_wolf(seat))
        left = {seat: causes - {"wolves"} if seat == turned else causes for seat, causes in deaths.items()}
        left[wolf] = left.get(wolf, frozenset()) | {"other"}
        return {seat: causes for seat, causes in left.items() if causes}

    def night_is_over(self, table: Table, choices: Choices) -> None:
        self.finish(table)
        if turned := self._turned(table, resolved(table, choices)):
            table.turns_wolf(turned)


class _SecondVote(Event):
    """If the next executed is of this side, a second vote without talk follows at once."""

    lasts = "trigger"
    of_wolf: bool

    def votes_again(self, table: Table, seat: int) -> bool:
        self.finish(table)
        return table.is_wolf(seat) == self.of_wolf


class Enthusiasm(_SecondVote):
    """A wolf was executed: they vote again."""

    name = "enthusiasm"
    of_wolf = True


class Dissatisfaction(_SecondVote):
    """No wolf was executed: they vote again."""

    name = "dissatisfaction"
    of_wolf = False


class FullMoonRising(Event):
    """Next night the wolves wake one by one as seers, and hunter, witch and seer together as wolves, and kill; at dawn all is as before."""

    name = "full_moon_rising"
    lasts = "trigger"
    PACK = ("hunter", "witch", "seer")

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        match step.name:
            case "seer":
                count = max(table.cards["werewolf"] - table.shown.count("werewolf"), len(table.wolves()))     # one may have no such card
                return tuple(self._seer(step, number) for number in range(count))
            case "werewolf":
                call = (say("full_moon.pack"), say("werewolf.choose"))
                return (replace(step, actors=self._pack, call=call, end=(Sleep("werewolf"), say("full_moon.pack_sleep"))),)
            case "witch":
                return ()
        return (step,)

    def _pack(self, table: Table, choices: Choices) -> tuple[int, ...]:
        return tuple(seat for seat in table.alive if any(table.has_power(seat, role) for role in self.PACK))

    def _seer(self, step: Step, number: int) -> Step:
        return replace(
            step,
            name="full_moon",
            card="werewolf",
            actors=lambda table, _: table.wolves()[number : number + 1],
            acts=self._checks,
            call=(say("full_moon.next" if number else "full_moon.first"),),
            end=(Sleep("full_moon"), say("full_moon.sleep")),
        )

    @staticmethod
    def _checks(table: Table, wolf: tuple[int, ...], choices: Choices) -> Flow[None]:
        seat = yield Ask("card.full_moon_rising.check", "seat", "full_moon", wolf, table.others(*wolf), may_pass=True)
        if seat:
            yield learned(table, seat, "full_moon", wolf)
            yield Ask("full_moon.seen", "wait", "full_moon", wolf)

    def night_is_over(self, table: Table, choices: Choices) -> None:
        self.finish(table)


class Influences(Event):
    """The next vote goes in turn: the last killed names who begins, then it goes leftwards, and fingers stay up."""

    name = "influences"
    lasts = "trigger"
    first: int = 0

    def before_vote(self, table: Table) -> Flow[None]:
        voters = table.who("may_vote", table.others(*table.revealed))
        if table.graves and voters and not self.first and not any(event.votes(table) for event in table.in_force):
            dead = table.graves[-1][0]
            yield say("card.influences.first", seat=dead)
            self.first = (yield Ask("card.influences.first", "seat", "everyone", (dead,), voters, may_pass=True)) or voters[0]

    def in_turn(self, table: Table, voters: tuple[int, ...]) -> tuple[int, ...]:
        if not self.first:
            return voters
        return tuple(sorted(voters, key=lambda seat: (seat < self.first, seat)))

    def day_is_over(self, table: Table) -> None:
        if self.first:
            self.finish(table)


CARDS = (Specter, LittleRascal, Backfire, Enthusiasm, Dissatisfaction, FullMoonRising, Influences)
"""Every wolf-fang-moon card, in the rulebook's order."""
