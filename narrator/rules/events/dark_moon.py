"""Dark-moon cards: from now to the end of the game."""

from __future__ import annotations

from narrator.rules.events.event import Event
from narrator.rules.night import Choices, Step, called
from narrator.rules.state import Causes, Table
from narrator.rules.turn import Ask, Flow, Show, say


class Burial(Event):
    """The cards of those whom the wolves kill are not turned up any more."""

    name = "burial"
    lasts = "game"

    def turned_up(self, table: Table, seat: int, causes: Causes, cards: tuple[str, ...]) -> tuple[str, ...]:
        return () if "wolves" in causes else cards


class TouchOfDeath(Event):
    """The wolves must touch their victim, or nobody dies."""

    name = "touch_of_death"
    lasts = "game"

    def chosen(self, table: Table, wolves: tuple[int, ...], choices: Choices) -> Flow[None]:
        if choices.prey and not (yield Ask("card.touch_of_death.touched", "yes_no", "werewolf", wolves, may_pass=True)):
            choices.prey = ()


class Somnambulism(Event):
    """Each night the narrator says aloud which card the seer saw, and not whose. It is said once the seer's window has ended, or the
    moment would tell when he chose."""

    name = "somnambulism"
    lasts = "game"

    def after(self, table: Table, step: Step, choices: Choices) -> Flow[None]:
        if step.name == "seer" and choices.seen:
            yield say("card.somnambulism.saw", role=table.roles[choices.seen])


class DoubleAgent(Event):
    """All asleep, the first dead picks one who is no wolf: he is shown the wolves, and wins with them."""

    name = "double_agent"
    lasts = "game"
    agent: int = 0

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        if step.name != "thief" or self.agent or not table.graves:
            return (step,)
        dead = table.graves[0][0]
        return (
            called("double_agent", lambda *_: (dead,), self._pick),
            called("agent", lambda *_: (self.agent,), self._learn),
            step,
        )

    def _pick(self, table: Table, dead: tuple[int, ...], choices: Choices) -> Flow[None]:
        offered = tuple(seat for seat in table.alive if not table.is_wolf(seat))
        self.agent = yield Ask("card.double_agent.pick", "seat", "double_agent", dead, offered)

    def _learn(self, table: Table, agent: tuple[int, ...], choices: Choices) -> Flow[None]:
        yield Show("agent.wolves", "agent", agent, table.wolves(), (("seats", table.wolves()),))
        yield Ask("agent.seen", "wait", "agent", agent)


CARDS = (Burial, TouchOfDeath, Somnambulism, DoubleAgent)
"""Every dark-moon card, in the rulebook's order."""
