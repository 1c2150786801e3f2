"""Full-moon cards: each is for the round in which it is drawn, from the morning to the next dawn."""

from __future__ import annotations

from dataclasses import replace

from narrator.rules.captain import may_be_held
from narrator.rules.death import fall
from narrator.rules.events.event import Barred, Event
from narrator.rules.events.people import half, men
from narrator.rules.events.variants import Fascination, Harvest, NotHim
from narrator.rules.night import Choices, Step, spared
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Elected, Flow, Returned, say


def _last_dead(table: Table) -> int:
    """The seat that died last, 0 for none."""
    return table.graves[-1][0] if table.graves else 0


def _first_eaten(table: Table) -> int:
    """The seat that the wolves ate first, 0 for none."""
    return next((seat for seat, causes in table.graves if "wolves" in causes), 0)


class Miracle(Event):
    """Last night's victim was only stunned: it comes back, as a plain villager."""

    name = "miracle"

    @staticmethod
    def _victim(table: Table) -> int:
        return next((seat for seat, causes in table.graves if seat in table.fallen and "wolves" in causes), 0)

    def may_be_drawn(self, table: Table) -> bool:
        return bool(self._victim(table))

    def drawn(self, table: Table) -> Flow[None]:
        seat = self._victim(table)
        table.graves = [grave for grave in table.graves if grave[0] != seat]
        table.fallen.remove(seat)
        table.alive = sorted((*table.alive, seat))
        table.hushed -= 1
        table.revealed -= {seat}
        table.roles[seat] = "villager"
        table.second.pop(seat, None)
        yield Returned(seat)
        yield say("card.miracle.back", seat=seat)


class _Optional(Event):
    """A round like any other; or, if the table likes, one by the rules of a variant."""

    variant: type[Event]

    def drawn(self, table: Table) -> Flow[None]:
        if (yield Ask(f"card.{self.name}.variant", "yes_no", "everyone", tuple(table.alive), may_pass=True)):
            variant = self.variant()
            variant.lasts = "round"     # type: ignore[misc]
            yield from variant.lie(table)
            yield say(f"variant.{variant.name}")
            yield from variant.drawn(table)


class BleakMonday(_Optional):
    """A normal round, or the variant Not Him."""

    name = "bleak_monday"
    variant = NotHim


class EndOfHarvest(_Optional):
    """A normal round, or Harvest Festival."""

    name = "end_of_harvest"
    variant = Harvest


class RadiantSunday(_Optional):
    """A normal round, or Lycanthropic Fascination."""

    name = "radiant_sunday"
    variant = Fascination


class _Offence(Event):
    """Who breaks a rule of the day has no vote today."""

    offenders: tuple[int, ...] = ()

    def before_vote(self, table: Table) -> Flow[None]:
        yield say(f"card.{self.name}.offenders")
        everyone = tuple(table.alive)
        offenders = yield Ask(f"card.{self.name}.offenders", "seats", "everyone", everyone, everyone, (0, len(everyone)), may_pass=True)
        self.offenders = offenders or ()

    def may_vote(self, table: Table, seat: int) -> bool:
        return seat not in self.offenders


class NotMeNorWolf(_Offence):
    """Whoever says "wolf" or "I" today loses today's vote."""

    name = "not_me_nor_wolf"


class GoodManners(_Offence):
    """All speak in order, and nobody interrupts; who does loses his vote."""

    name = "good_manners"

    def in_order(self, table: Table) -> bool:
        return True


class _Spiritualism(Event):
    """The player left of the last dead asks whom the wolves killed first one of the card's four questions."""

    def may_be_drawn(self, table: Table) -> bool:
        return bool(_first_eaten(table))

    def drawn(self, table: Table) -> Flow[None]:
        asker, dead = table.clockwise(_last_dead(table))[0], _first_eaten(table)
        questions = (1, 2, 3, 4)
        for question in questions:
            yield say(f"card.{self.name}.{question}")
        yield say("card.spiritualism.choose", seat=asker)
        question = yield Ask("card.spiritualism.question", "choice", "everyone", (asker,), questions, may_pass=True)
        if question:
            yield say(f"card.{self.name}.{question}")
            yield say("card.spiritualism.answer", seat=dead)
            yield Ask("card.spiritualism.answered", "wait", "everyone", (asker,))


class Spiritualism1(_Spiritualism):
    """Of the seer, of wolves side by side, of their jewellery, of the asker."""

    name = "spiritualism_1"


class Spiritualism2(_Spiritualism):
    """Of two who are pointed at, of glasses, of the witch, of the captain."""

    name = "spiritualism_2"


class Spiritualism3(_Spiritualism):
    """Of jeans, of a black top, of men, of women."""

    name = "spiritualism_3"


class Spiritualism4(_Spiritualism):
    """Of the asker, of the captain, of this house, of smoking."""

    name = "spiritualism_4"


class Spiritualism5(_Spiritualism):
    """Of men and women among the wolves, of whom one points at, and of his neighbours."""

    name = "spiritualism_5"


class _Apart(Event):
    """Some of the living neither speak nor vote, and cannot be voted for."""

    apart: tuple[int, ...] = ()

    def may_speak(self, table: Table, seat: int) -> bool:
        return seat not in self.apart

    def may_vote(self, table: Table, seat: int) -> bool:
        return seat not in self.apart

    def may_be_named(self, table: Table, seat: int) -> bool:
        return seat not in self.apart


class _Away(_Apart):
    """And tonight they neither eat nor are eaten."""

    def is_prey(self, table: Table, seat: int) -> bool:
        return seat not in self.apart

    def hunts(self, table: Table, wolf: int) -> bool:
        return wolf not in self.apart


class Luncheon(_Apart):
    """The older half is at lunch."""

    name = "luncheon"

    def drawn(self, table: Table) -> Flow[None]:
        self.apart = yield from half(table, "older")


class GoneHunting(_Away):
    """The men are out."""

    name = "gone_hunting"

    def drawn(self, table: Table) -> Flow[None]:
        self.apart = yield from men(table)


class EveningBall(_Away):
    """The younger half is away until dawn."""

    name = "evening_ball"

    def drawn(self, table: Table) -> Flow[None]:
        self.apart = yield from half(table, "younger")


class WoodlandGathering(_Apart):
    """The women are out; the witch, if she lives, has one more potion."""

    name = "woodland_gathering"

    def drawn(self, table: Table) -> Flow[None]:
        absent = yield from men(table)
        self.apart = table.others(*absent)
        if table.living("witch"):
            table.potions += 1


class DevilsPact(Event):
    """Whoever is condemned may be spared once; if he ends on the winning side he may be left out of the next game."""

    name = "devils_pact"

    def verdict(self, table: Table, seat: int) -> Flow[int]:
        yield say("card.devils_pact.offer", seat=seat)
        if (yield Ask("card.devils_pact.accept", "yes_no", "everyone", (seat,), may_pass=True)):
            yield say("card.devils_pact.spared", seat=seat)
            return 0
        return seat


class AprilFools(Event):
    """Three pairs of cards swap their powers, where both live; lovers must vote for each other, and are none any more."""

    name = "april_fools"
    PAIRS = (("witch", "seer"), ("hunter", "little_girl"), ("guard", "elder"))

    def __init__(self) -> None:
        self.lovers: tuple[int, ...] = ()

    def drawn(self, table: Table) -> Flow[None]:
        self.lovers, table.lovers = table.lovers, ()
        for one, other in self.PAIRS:
            if table.living(one) and table.living(other):
                table.swapped |= {one: other, other: one}
        yield from ()

    def barred(self, table: Table, voters: tuple[int, ...], seats: tuple[int, ...], barred: Barred) -> Barred:
        if not set(self.lovers) <= set(seats):
            return barred
        voting = set(self.lovers).intersection(voters)
        return frozenset((voter, seat) for voter in voting for seat in (0, *seats) if voter + seat != sum(self.lovers))

    def ends(self, table: Table) -> None:
        table.swapped = {}


class Punishment(Event):
    """The last dead names a player, who dies unless two others vouch for him."""

    name = "punishment"

    def may_be_drawn(self, table: Table) -> bool:
        return bool(table.graves)

    def drawn(self, table: Table) -> Flow[None]:
        dead, alive = _last_dead(table), table.who("can_die")
        yield say("card.punishment.accuse", seat=dead)
        accused = yield Ask("card.punishment.accuse", "seat", "everyone", (dead,), alive, may_pass=True)
        if accused:
            others = table.others(accused)
            yield say("card.punishment.vouch", seat=accused)
            vouching = yield Ask("card.punishment.vouch", "seats", "everyone", others, others, (0, len(others)), may_pass=True)
            if len(vouching or ()) < 2:
                yield from fall(table, accused, frozenset({"other"}), "death.punished")


class GreatDistrust(Event):
    """All point with both hands at two friends, at once; whoever gets no finger dies."""

    name = "great_distrust"

    def votes(self, table: Table) -> Flow[int | None]:
        pointing, alive = table.who("may_vote"), table.who("may_be_named")
        yield say("card.great_distrust.point")
        friendless = yield Ask("card.great_distrust.point", "pairs", "everyone", pointing, alive, (0, len(alive)), may_pass=True)
        for seat in friendless or ():
            if seat in table.alive:
                yield from fall(table, seat, frozenset({"vote"}), "death.executed")
                yield from table.happens("executed", seat)
        if not friendless:
            yield say("vote.nobody")
        return None


class Nightmare(Event):
    """Nobody talks; from the left of the last dead each accuses one."""

    name = "nightmare"

    def may_speak(self, table: Table, seat: int) -> bool:
        return False

    def in_turn(self, table: Table, voters: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(seat for seat in table.clockwise(_last_dead(table)) if seat in voters)


class SaintPhilippe(Event):
    """The captain is dismissed, and a new one elected and sworn in."""

    name = "saint_philippe"

    def may_be_drawn(self, table: Table) -> bool:
        return may_be_held(table)

    def drawn(self, table: Table) -> Flow[None]:
        table.captain, table.elected = 0, False
        yield Elected(0)

    def elects_at_once(self, table: Table) -> bool:
        return table.phase.kind == "day"


class HeadsOrTails(Event):
    """After the verdict a coin: heads spares, tails executes."""

    name = "heads_or_tails"

    def verdict(self, table: Table, seat: int) -> Flow[int]:
        yield say("card.heads_or_tails.toss", seat=seat)
        coin = yield Ask("card.heads_or_tails.coin", "choice", "everyone", tuple(table.alive), (1, 2), may_pass=True)
        return 0 if coin == 1 else seat


class Eclipse(Event):
    """All sit with their backs to the middle, and vote as ever."""

    name = "eclipse"


class Flood(Event):
    """Men are in the inn and women in the church; nobody votes, and tonight the wolves eat only in their own shelter."""

    name = "flood"

    def may_be_drawn(self, table: Table) -> bool:
        return len(table.alive) >= 6

    def drawn(self, table: Table) -> Flow[None]:
        yield from men(table)

    def may_vote(self, table: Table, seat: int) -> bool:
        return False

    def votes(self, table: Table) -> Flow[int | None]:
        yield say("card.flood.no_vote")
        return None

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        hunted = step.name == "werewolf" and table.wolves()      # in the Black Death nobody hunts
        return (replace(step, acts=self._hunt),) if hunted else (step,)

    @staticmethod
    def _hunt(table: Table, wolves: tuple[int, ...], choices: Choices) -> Flow[None]:
        inn = frozenset(table.men or ())
        offered = []
        for shelter in (inn, frozenset(table.alive) - inn):
            if pack := tuple(wolf for wolf in wolves if wolf in shelter):
                prey = table.who("is_prey", table.others(*spared(table, pack)))
                offered.append(tuple(seat for seat in prey if seat in shelter))
        groups = tuple(filter(None, offered))
        seats = tuple(sorted(seat for group in groups for seat in group))
        ask = Ask("werewolf.kill", "seats", "werewolf", wolves, seats, (0, len(groups)), may_pass=True, groups=groups)
        choices.prey = (yield ask) or ()
        yield from table.happens("chosen", wolves, choices)


CARDS = (
    Miracle, BleakMonday, NotMeNorWolf, Spiritualism1, Spiritualism2, Spiritualism3, Spiritualism4, Spiritualism5, Luncheon, EndOfHarvest,
    GoneHunting, DevilsPact, AprilFools, Punishment, GreatDistrust, Nightmare, SaintPhilippe, GoodManners, RadiantSunday, HeadsOrTails,
    WoodlandGathering, EveningBall, Eclipse, Flood,
)  # fmt: skip
"""Every full-moon card, in the rulebook's order."""
