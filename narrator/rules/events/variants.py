"""The variants: other ways to play the whole game, or, where an event card says so, one round of it."""

from __future__ import annotations

from dataclasses import replace

from narrator.rules.death import fall
from narrator.rules.events.event import Barred, Event
from narrator.rules.night import Choices, Step, called
from narrator.rules.roles import is_wolf
from narrator.rules.state import Causes, Table
from narrator.rules.turn import Ask, CardShown, Flow, Show, Winner, say


class NotHim(Event):
    """All stand; each vouches for one who stands, and who then sits. The last one standing is executed."""

    name = "not_him"
    lasts = "game"

    def votes(self, table: Table) -> Flow[int | None]:
        voters, standing = table.who("may_vote"), table.who("may_be_named")
        yield say("variant.not_him.stand", seat=table.clockwise(table.graves[-1][0] if table.graves else 0)[0])
        out: int = (yield Ask("variant.not_him.out", "seat", "everyone", voters, standing, may_pass=True)) or 0
        return out


class Fascination(Event):
    """Whom the wolves choose does not die but is bewitched: it loses every power at once. When one of them is executed the others die.
    The wolves win when but one of the village is left unbewitched."""

    name = "fascination"
    lasts = "game"

    def __init__(self) -> None:
        self.bewitched: frozenset[int] = frozenset()

    def after(self, table: Table, step: Step, choices: Choices) -> Flow[None]:
        if step.name == "werewolf":
            self.bewitched |= frozenset(choices.prey)
            choices.prey = ()
        yield from ()

    def is_prey(self, table: Table, seat: int) -> bool:
        return seat not in self.bewitched

    has_powers = is_prey

    def executed(self, table: Table, seat: int) -> Flow[None]:
        if seat in self.bewitched:
            for other in table.who("can_die", sorted(self.bewitched.intersection(table.alive))):
                if other in table.alive:
                    yield from fall(table, other, frozenset({"other"}), "death.bewitched")

    def winner(self, table: Table, alive: frozenset[int], winner: Winner | None) -> Winner | None:
        free = [seat for seat in alive if not table.is_wolf(seat) and seat not in self.bewitched]
        return "werewolves" if winner is None and len(free) <= 1 and self.bewitched else winner


class BlackDeath(Event):
    """There are no wolves, and only the narrator knows. He picks the first victim, each victim the next, until all are dead."""

    name = "black_death"
    lasts = "game"
    is_secret = True

    @staticmethod
    def _last(table: Table) -> int:
        """The last victim who has died of it, 0 while there is none: who was saved does not know that he was chosen."""
        return next((seat for seat, causes in reversed(table.graves) if "wolves" in causes), 0)

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        if step.name != "werewolf":
            return (step,)
        last = self._last(table)
        if not last:
            return (replace(step, actors=lambda table, _: tuple(table.alive), acts=self._pick),)
        return (replace(step, actors=lambda *_: (last,), acts=self._pick, call=(*step.call, say("black_death.watch"))),)

    def _pick(self, table: Table, picker: tuple[int, ...], choices: Choices) -> Flow[None]:
        audience = "werewolf" if self._last(table) else "narrator"
        victim = yield Ask("variant.black_death.victim", "seat", audience, picker, table.who("is_prey"))
        if victim:
            choices.prey = (victim,)

    def winner(self, table: Table, alive: frozenset[int], winner: Winner | None) -> Winner | None:
        return None if alive else "nobody"


class DoubleSmall(Event):
    """A character card face up, and a card of allegiance face down, that the dead show."""

    name = "double_small"
    lasts = "game"

    def drawn(self, table: Table) -> Flow[None]:
        """Whoever dealt them, real cards or the narrator, the characters lie before everyone's eyes: on the screen too. They are as they
        were dealt, whatever a card has made of somebody in secret."""
        table.face_up = dict(table.roles)
        for seat, character in table.face_up.items():
            yield CardShown(seat, character)

    def turned_up(self, table: Table, seat: int, causes: Causes, cards: tuple[str, ...]) -> tuple[str, ...]:
        return cards[-1:]       # who has come back as a plain villager has but one


class DoubleGreat(Event):
    """Two cards each, face down, and both powers; any wolf among them makes a wolf."""

    name = "double_great"
    lasts = "game"


class Harvest(Event):
    """Harvest Festival: neighbours matter. A neighbour is the next living seat.

    Wolves eat a neighbour of a wolf, a hunter shoots one of his, the guard guards one or himself; the seer is told three cards, in no
    order; the thief swaps with a player; the piper charms one; the captain votes first; the scapegoat dies in a neighbour's place. The
    witch names a player, and a tossed box decides what she does to him. One of the lovers cheats the other with a third.
    """

    name = "harvest"
    lasts = "game"

    def __init__(self) -> None:
        self.cheater = self.cheated = self.secret = 0
        self.tossed = 0
        self.swapped = False

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        acts = {
            "thief": self._swaps, "guard": self._guards, "seer": self._sees, "witch": self._tosses, "piper": self._charms,
        }.get(step.name, step.acts)  # fmt: skip
        changed = replace(step, acts=acts)
        if step.name == "lovers":
            affair = called("affair", lambda table, _: table.living("cupid"), self._pairs, "affair.tap")
            secret_love = called("secret_love", lambda *_: self._secret(), self._meet)
            return changed, *(replace(more, card=step.card, nights=step.nights) for more in (affair, secret_love))
        return (changed,)

    # --- the night ----------------------------------------------------------------------------------------------------

    def _swaps(self, table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        (thief,) = actors
        other = yield Ask("variant.harvest.thief", "seat", "thief", actors, table.others(thief))
        table.roles[thief], table.roles[other] = table.roles[other], table.roles[thief]

    def _pairs(self, table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        one_of_each = (table.lovers, table.others(*table.lovers))
        pair = yield Ask("variant.harvest.affair", "seats", "affair", actors, tuple(table.alive), (2, 2), groups=one_of_each)
        (self.cheater,) = set(pair).intersection(table.lovers)
        self.cheated, self.secret = sum(table.lovers) - self.cheater, sum(pair) - self.cheater
        if table.rules.told_by == "tap":
            yield Show("cupid.tap", "affair", actors, pair, (("seats", pair),), learned=False)
            yield Ask("cupid.tapped", "wait", "affair", actors)

    def _secret(self) -> tuple[int, ...]:
        """The cheater and the secret love, once there are any."""
        return tuple(sorted((self.cheater, self.secret))) if self.secret else ()

    @staticmethod
    def _meet(table: Table, pair: tuple[int, ...], choices: Choices) -> Flow[None]:
        """They learn of one another, and that they may not vote for each other: to be refused it by day would tell everyone."""
        yield Show("lovers.no_vote", "secret_love", pair, (), learned=False)
        yield Show("lovers.who", "secret_love", pair, pair, (("seats", pair),))
        yield Ask("secret_love.seen", "wait", "secret_love", pair)

    @staticmethod
    def _guards(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        again = (table.guarded,) if table.rules.guard_repeat == "forbidden" else ()
        offered = tuple(sorted({*actors, *table.neighbours(actors[0])}.difference(again)))
        choices.guarded = (yield Ask("guard.protect", "seat", "guard", actors, offered, may_pass=True)) or 0

    @staticmethod
    def _sees(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        seat = yield Ask("seer.check", "seat", "seer", actors, table.others(*actors), may_pass=True)
        if seat:
            choices.seen = seat
            cards = tuple(sorted(max(table.cards_of(one), key=is_wolf) for one in (seat, *table.neighbours(seat))))
            yield Show("seer.cards", "seer", actors, cards, (("cards", cards),))
            yield Ask("seer.seen", "wait", "seer", actors)

    def is_prey(self, table: Table, seat: int) -> bool:
        return any(map(table.is_wolf, table.neighbours(seat)))

    def _tosses(self, table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        self.tossed = 0
        named = yield Ask("variant.harvest.witch", "seat", "witch", actors, tuple(table.alive), may_pass=True)
        if named:
            self.tossed = yield Ask("variant.harvest.box", "choice", "witch", actors, (1, 2, 3, 4))
            if self.tossed == 4:
                choices.poisoned = named
            else:
                choices.healed = named
            if self.tossed == 2:
                table.roles[named] = "villager"
                table.second.pop(named, None)
            if self.tossed == 3:
                table.turns_wolf(named)

    @staticmethod
    def _charms(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
        targets = table.others(*actors, *table.charmed)
        number = min(1, len(targets))
        seats = yield Ask("piper.charm", "seats", "piper", actors, targets, count=(number, number))
        table.charmed = tuple(sorted((*table.charmed, *seats)))

    def after(self, table: Table, step: Step, choices: Choices) -> Flow[None]:
        if step.name == "witch" and self.tossed:
            yield say(f"harvest.box.{self.tossed}")
            self.tossed = 0

    def morning(self, table: Table) -> Flow[None]:
        if table.cards["thief"] and not self.swapped:
            self.swapped = True
            yield say("harvest.look")

    # --- the day ------------------------------------------------------------------------------------------------------

    def may_be_shot(self, table: Table, hunter: int, seat: int) -> bool:
        return seat in table.neighbours(hunter)

    def follows(self, table: Table, seat: int, lovers: tuple[int, ...]) -> tuple[int, ...]:
        if not self.secret:
            return lovers
        if seat == self.cheater and self.secret in table.alive:
            return self.cheated, self.secret
        return (self.cheater,) if seat == self.secret else ()

    def barred(self, table: Table, voters: tuple[int, ...], seats: tuple[int, ...], barred: Barred) -> Barred:
        if not self.secret:
            return barred
        secret = frozenset({(self.cheater, self.secret), (self.secret, self.cheater)})
        return secret | {(self.cheated, self.cheater)} if _told_as_in_new_moon(table) else secret

    def in_turn(self, table: Table, voters: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(voters, key=lambda seat: seat != table.captain))

    def verdict(self, table: Table, seat: int) -> Flow[int]:
        goat = next((goat for goat in table.neighbours(seat) if table.has_power(goat, "scapegoat")), 0)
        if goat and not _told_as_in_new_moon(table):
            yield say("harvest.scapegoat", seat=goat)
            return goat
        return seat

    def scapegoat(self, table: Table, goat: int) -> Flow[int] | None:
        return self._goat_or_neighbour(table, goat) if _told_as_in_new_moon(table) else None

    @staticmethod
    def _goat_or_neighbour(table: Table, goat: int) -> Flow[int]:
        yield say("harvest.neighbour", seat=goat)
        everyone, offered = tuple(table.alive), table.who("can_die", sorted(table.neighbours(goat)))
        chosen: int = yield Ask("variant.harvest.scapegoat", "seat", "everyone", everyone, offered, may_pass=True)
        return chosen or 0


def _told_as_in_new_moon(table: Table) -> bool:
    """The gesture guide tells it otherwise: on a tie the village chooses which of the scapegoat's neighbours dies, and the cheated may
    not vote for the cheater. The flow document has neither."""
    return table.setup.edition.id == "newmoon"


VARIANTS = {variant.name: variant for variant in (NotHim, DoubleSmall, DoubleGreat, Harvest, BlackDeath, Fascination)}
"""Every variant, by its name, in the rulebook's order."""
