"""Death and what follows from it.

One death, however many causes: victim named → card shown → the powers that go with the elder → last words → hunter's shot →
lover's grief, each with its own consequences the same way → (the whole chain has ended) victory → whom a scapegoat leaves the vote,
and the captain's heir, if the game goes on.
The night's dead are announced in seat order, each followed by his own chain; a seat that the night has already killed does
not die again of grief: it is announced in its own place.
"""

from __future__ import annotations

from narrator.rules.roles import GODS
from narrator.rules.state import Causes, Table
from narrator.rules.turn import Ask, CardShown, Died, Elected, Flow, Winner, ruled, say
from narrator.rules.victory import victory


def fall(table: Table, seat: int, causes: Causes, announced: str, of_poison: bool = False) -> Flow[None]:
    """A seat dies of `causes`, announced with the line `announced`, and takes with it whom it must.

    `of_poison`: it follows from a death by poison.
    """
    causes |= table.doomed.pop(seat, frozenset())
    of_poison = (of_poison or "poison" in causes) and "wolves" not in causes
    if of_poison:
        table.poisoned.append(seat)
    table.alive.remove(seat)
    table.fallen.append(seat)
    table.graves.append((seat, causes))
    yield say(announced, dead=(seat,))
    yield Died(seat)
    cards = table.cards_of(seat) if _is_shown(table) else ()
    for event in table.in_force:
        cards = event.turned_up(table, seat, causes, cards)
    table.shown += cards
    if seat in table.face_up:       # of this one everybody knows too that it is gone, whether the other is turned up or not
        table.shown.append(table.face_up[seat])
    for card in cards:
        if seat not in table.revealed:
            yield say("card.shown", seat=seat, role=card)
            yield CardShown(seat, card)
    by_their_hand = table.holds(seat, "elder") and bool(causes & {"vote", "poison", "shot"})
    if by_their_hand:
        yield from _silence(table)
    if seat not in table.left and _has_last_words(table, causes):
        yield say("words.last", seat=seat)
        yield Ask("words.last", "wait", "everyone", (seat,))
    if seat not in table.left and table.has_power(seat, "hunter") and causes.issubset(table.rules.hunter_shoots_after):
        yield from _shoot(table, seat, of_poison)
    for lover in _grieving(table, seat):
        if lover in table.who("can_die") and lover not in table.doomed:
            yield from fall(table, lover, frozenset({"grief"}), "death.grief", of_poison)
    if by_their_hand and table.rules.idiot_dies_with_elder:
        for idiot in table.who("can_die", sorted(table.revealed.intersection(table.alive))):
            yield ruled("idiot.follows_elder", seat=idiot)
            yield from fall(table, idiot, frozenset({"other"}), "death.idiot", of_poison)


def after_deaths(table: Table) -> Flow[Winner | None]:
    """The end of a chain: the winner if there is one; else the last wishes of a scapegoat, and of a captain, and then the dead say no
    more."""
    winner = victory(table, table.alive)
    if winner is None:
        if table.scapegoat:
            yield from _last_wish(table)
        if table.captain and table.captain not in table.alive:
            yield from _succession(table)
        if table.hushed < (dead := table.setup.seats - len(table.alive)):
            table.hushed = dead
            yield say("death.silence")
    return winner


def _silence(table: Table) -> Flow[None]:
    """The village has killed its elder by its own hand, and loses its powers with him."""
    match table.rules.elder_silences:
        case "all_villagers":
            table.silenced = GODS
            yield ruled("elder.silences_all")
            yield say("elder.silences_all")
        case "four":
            table.silenced = frozenset({"hunter", "guard", "witch", "seer"})
            yield ruled("elder.silences_four")
            yield say("elder.silences_four")


def _is_shown(table: Table) -> bool:
    return table.rules.show_night_dead if table.phase.kind == "night" else table.rules.show_executed


def _has_last_words(table: Table, causes: Causes) -> bool:
    allowed = table.rules.last_words
    if table.phase.kind == "night":
        return "night" in allowed or ("first_night" in allowed and table.phase.number == 1)
    return "executed" in allowed and "vote" in causes


def _grieving(table: Table, seat: int) -> tuple[int, ...]:
    """Who does not survive this seat's death."""
    lovers = tuple(filter(None, (table.lover_of(seat),)))
    for event in table.in_force:
        lovers = event.follows(table, seat, lovers)
    return lovers


def _shoot(table: Table, hunter: int, of_poison: bool) -> Flow[None]:
    targets = table.who("can_die", table.others(*table.harmless_to(hunter)))
    targets = tuple(seat for seat in targets if all(event.may_be_shot(table, hunter, seat) for event in table.in_force))
    if not targets:
        return
    yield say("hunter.shoot", seat=hunter)
    may_pass = not table.rules.hunter_must_shoot
    target = yield Ask("hunter.shoot", "seat", "everyone", (hunter,), targets, may_pass=may_pass)
    if target:
        yield from fall(table, target, frozenset({"shot"}), "death.shot", of_poison)
    else:
        yield say("hunter.declined", seat=hunter)


def _last_wish(table: Table) -> Flow[None]:
    """A scapegoat who has died for a tie names who may vote the next day."""
    goat, table.scapegoat = table.scapegoat, 0
    yield ruled("scapegoat.voters", seat=goat)
    yield say("scapegoat.voters", seat=goat)
    everyone = tuple(table.alive)
    table.voters = yield Ask("scapegoat.voters", "seats", "everyone", (goat,), everyone, count=(0, len(everyone)))


def lose_office(table: Table) -> Flow[None]:
    """The captain was an idiot, who names no heir: the office is gone."""
    yield ruled("captain.idiot_without_heir")
    yield from _nobody_holds_it(table)


def _nobody_holds_it(table: Table) -> Flow[None]:
    table.captain = 0
    yield Elected(0)
    yield say("captain.gone")


def _succession(table: Table) -> Flow[None]:
    if table.holds(table.captain, "idiot") and not table.rules.idiot_captain_heir:
        yield from lose_office(table)
        return
    if table.captain in table.left:
        yield from _nobody_holds_it(table)
        return
    old, table.captain = table.captain, 0
    yield say("captain.dying", seat=old)
    yield ruled("captain.heir")
    may_pass = not table.rules.captain_must_name_heir
    heir = yield Ask("captain.successor", "seat", "everyone", (old,), tuple(table.alive), may_pass=may_pass)
    table.captain = heir or 0
    yield Elected(table.captain)
    yield say("captain.successor", seat=heir) if heir else say("captain.gone")
