"""Before the first night: the table learns nothing, the narrator learns who holds which card.

By roll call, where physical cards were dealt: with all eyes closed each card in the deck is called, those that never wake at
night too, and keys in its own seats; who is never called is a plain villager. Every seat may be keyed at every call, since to
refuse one would tell who was called before; where a seat was keyed twice, all are called again. The thief, who is called first,
also looks at the two cards that were left over and keys them in; a card that nobody holds for that reason is called all the same.

Or by deal, where the narrator dealt: each seat in turn comes to the screen, says that it is there, and looks at its card. Either
way the rules end up with the same facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from narrator.rules.edition import SPARE
from narrator.rules.roles import ROLES, is_wolf
from narrator.rules.state import Table
from narrator.rules.turn import Ask, Begins, Dawns, Flow, Show, Sleep, Wake, say


def opening(table: Table) -> Flow[None]:
    """Fill `table.roles`."""
    yield Begins(table.phase)
    if table.setup.deal:
        yield from _deal(table, table.setup.deal)
    else:
        yield from _roll_call(table)


def _deal(table: Table, cards: Sequence[str]) -> Flow[None]:
    table.roles = dict(enumerate(cards, start=1))
    table.spare = table.setup.spare
    table.second = dict(enumerate(table.setup.second, start=1))
    yield say("deal.open")
    for seat, role in table.roles.items():
        yield Wake("deal", (seat,), asleep=False)
        yield say("deal.wake", seat=seat)
        yield Ask("deal.ready", "wait", role, (seat,))
        if seat in table.second:
            both = table.cards_of(seat)
            yield Show("deal.cards", role, (seat,), both, (("cards", both),))
        else:
            yield Show("deal.card", role, (seat,), role, (("role", role),))
        yield Ask("deal.seen", "wait", role, (seat,))
        yield Sleep("deal")
        yield say("deal.sleep")


def _roll_call(table: Table) -> Flow[None]:
    yield say("roll.open")
    claims = yield from _claims(table)
    while not _fit(table, claims):
        yield say("roll.again")
        claims = yield from _claims(table)
    table.roles = dict.fromkeys(table.alive, "villager")
    table.second = dict.fromkeys(table.alive, "villager") if table.setup.second else {}
    for seat, role in claims:
        cards = table.second if _of_allegiance(table, role) or table.roles[seat] != "villager" else table.roles
        cards[seat] = role
    yield Dawns()
    yield say("roll.close")


def _of_allegiance(table: Table, role: str) -> bool:
    return table.setup.variant == "double_small" and is_wolf(role)


def _fit(table: Table, claims: list[tuple[int, str]]) -> bool:
    """Whether no seat was keyed for more cards than it holds: two where everyone does, of which but one is a character in the small double
    role."""
    if table.setup.variant == "double_small":
        return all(number == 1 for number in Counter((seat, _of_allegiance(table, role)) for seat, role in claims).values())
    return max(Counter(seat for seat, _ in claims).values(), default=0) <= (2 if table.setup.second else 1)


def _claims(table: Table) -> Flow[list[tuple[int, str]]]:
    everyone = tuple(table.alive)
    claims: list[tuple[int, str]] = []
    table.spare = ()
    for role in ROLES:
        number = table.cards[role]
        if number and role != "villager":
            dealt = number - table.spare.count(role)
            yield Wake(f"roll.{role}", everyone if dealt else ())
            yield say("roll.wake" if number == 1 else "roll.wake_all", role=role)
            if dealt:
                seats = yield Ask(f"roll.{role}", "seats", role, everyone, everyone, count=(dealt, dealt))
                claims += [(seat, role) for seat in seats]
            if role == "thief" and len(table.setup.deck) > table.setup.seats:
                yield from _left_over(table, everyone)
            yield Sleep(f"roll.{role}")
            yield say("roll.sleep", role=role)
    return claims


def _left_over(table: Table, everyone: tuple[int, ...]) -> Flow[None]:
    """The thief tells which cards were left over, each by its number on the list that he is shown."""
    cards = [role for role in ROLES if role in table.setup.deck and role != "thief"]
    yield Show("roll.cards", "thief", everyone, tuple(cards), (("cards", tuple(cards)),), learned=False)
    left = Counter(table.setup.deck)
    for _ in range(SPARE):
        numbers = tuple(number for number, role in enumerate(cards, start=1) if left[role])
        number = yield Ask("roll.spare", "choice", "thief", everyone, numbers)
        card = cards[number - 1]
        table.spare += (card,)
        left[card] -= 1
        if len(table.spare) < SPARE:
            yield Show("roll.first", "thief", everyone, card, (("role", card),), learned=False)
