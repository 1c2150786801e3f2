"""Event cards and variants: the New Moon expansion's cards, each drawn in the morning, and the other ways to play the whole game."""

from __future__ import annotations

from collections import Counter

from narrator.rules.death import after_deaths
from narrator.rules.events import dark_moon, full_moon, wolf_fang
from narrator.rules.events.event import Event
from narrator.rules.events.variants import VARIANTS
from narrator.rules.state import Table
from narrator.rules.turn import Flow, Lifted, Winner, say

CARDS: dict[str, type[Event]] = {card.name: card for card in (*full_moon.CARDS, *wolf_fang.CARDS, *dark_moon.CARDS)}
"""Every event card, by its name, in the rulebook's order."""


def lay(table: Table) -> Flow[None]:
    """Before the first night: the variant, and the dark-moon cards that lie on the table from the beginning."""
    if table.setup.variant:
        variant = VARIANTS[table.setup.variant]()
        if variant.is_secret:
            table.in_force.append(variant)
        else:
            yield from variant.lie(table)
            yield say(f"variant.{variant.name}")
        yield from variant.drawn(table)
    for name in table.setup.dark:
        yield from _play(table, CARDS[name]())


def draw(table: Table) -> Flow[Winner | None]:
    """A morning's event card, where one is left: drawn by the seat that died last, or by the narrator, read aloud, and played. One that
    cannot be is put back under the others. Returns the winner, where it decides the game."""
    for _ in range(len(table.cards_left)):
        name = table.cards_left.pop(0)
        if not name:
            break
        card = CARDS[name]()
        yield say("card.draw", seat=table.fallen[-1]) if table.fallen else say("card.draw_narrator")
        if card.may_be_drawn(table):
            yield from _play(table, card)
            break
        table.cards_left.append(name)
        yield say("card.put_back")
    return (yield from after_deaths(table))


def lift(table: Table) -> Flow[None]:
    """A night has passed, and its dead have fallen: what was for one round is over, and all that is over is taken from the table."""
    for event in tuple(table.in_force):
        if event.lasts == "round":
            event.finish(table)
        else:
            yield from event.dawns(table)
    yield from lifted(table)


def lifted(table: Table) -> Flow[None]:
    """What is over is taken from the table, for all to see."""
    over = table.lying - Counter(event.name for event in table.in_force)
    table.lying -= over
    for name in over.elements():
        yield Lifted(name)


def _play(table: Table, card: Event) -> Flow[None]:
    yield from card.lie(table)
    yield say(f"card.{card.name}")
    yield from card.drawn(table)
