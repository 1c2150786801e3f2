"""The variants: other ways to play the whole game, or, where an event card says so, one round of it."""

from __future__ import annotations

from dataclasses import replace

from narrator.rules.death import fall
from narrator.rules.events.event import Event
from narrator.rules.night import Choices, Step
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Flow, Winner, say


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

    def chosen(self, table: Table, wolves: tuple[int, ...], choices: Choices) -> Flow[None]:
        self.bewitched |= frozenset(choices.prey)
        table.powerless |= frozenset(choices.prey)
        choices.prey = ()
        yield from ()

    def is_prey(self, table: Table, seat: int) -> bool:
        return seat not in self.bewitched

    def executed(self, table: Table, seat: int) -> Flow[None]:
        if seat in self.bewitched:
            for other in sorted(self.bewitched.intersection(table.alive)):
                if other in table.alive:
                    yield from fall(table, other, frozenset({"other"}), "death.bewitched")

    def winner(self, table: Table, alive: frozenset[int], winner: Winner | None) -> Winner | None:
        free = [seat for seat in alive if not table.is_wolf(seat) and seat not in self.bewitched]
        wolves = any(map(table.is_wolf, alive))
        return "werewolves" if winner is None and wolves and len(free) <= 1 and self.bewitched.intersection(alive) else winner

    def ends(self, table: Table) -> None:
        table.powerless -= self.bewitched


class BlackDeath(Event):
    """There are no wolves, and only the narrator knows. He picks the first victim, each victim the next, until all are dead."""

    name = "black_death"
    lasts = "game"
    last: int = 0

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        if step.name != "werewolf":
            return (step,)
        picker = (self.last,) if self.last else tuple(table.alive)
        return (replace(step, card=table.setup.deck[0], actors=lambda *_: picker, acts=self._pick),)

    def _pick(self, table: Table, picker: tuple[int, ...], choices: Choices) -> Flow[None]:
        audience = "werewolf" if self.last else "narrator"
        self.last = yield Ask("variant.black_death.victim", "seat", audience, picker, table.who("is_prey"))
        choices.prey = (self.last,)

    def winner(self, table: Table, alive: frozenset[int], winner: Winner | None) -> Winner | None:
        return None if alive else "nobody"


class DoubleSmall(Event):
    """A character card face up, and a card of allegiance face down, that the dead show."""

    name = "double_small"
    lasts = "game"


class DoubleGreat(Event):
    """Two cards each, face down, and both powers; any wolf among them makes a wolf."""

    name = "double_great"
    lasts = "game"


class Harvest(Event):
    """Harvest Festival."""

    name = "harvest"
    lasts = "game"


VARIANTS = {variant.name: variant for variant in (NotHim, DoubleSmall, DoubleGreat, Harvest, BlackDeath, Fascination)}
"""Every variant, by its name, in the rulebook's order."""
