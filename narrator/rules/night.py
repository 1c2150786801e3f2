"""The night: who is called, in which order, and what comes of their choices.

The order is the table `STEPS`. Every step sounds alike: the role is called, one window passes, it sleeps again. Whether a role
is called depends only on what everyone knows (the deck, cards shown, the elder's end, the edition's decoys); what it is asked is
secret.
Nothing happens to anyone before the morning: choices are collected, and `resolve` says at the end who dies of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from narrator.rules.edition import Cause
from narrator.rules.roles import is_wolf
from narrator.rules.state import Causes, Table
from narrator.rules.turn import Ask, Begins, Flow, Line, Phase, Say, Show, Sleep, Wake, say


@dataclass(slots=True)
class Choices:
    """What has been chosen tonight; 0 for nobody."""

    guarded: int = 0
    prey: tuple[int, ...] = ()
    healed: int = 0
    seen: int = 0
    poisoned: int = 0


def night(table: Table) -> Flow[None]:
    """One night from nightfall to the last role's sleep; leaves the doomed in `table.doomed`."""
    table.phase = Phase("night", table.phase.number + 1)
    table.fallen.clear()
    table.poisoned.clear()
    yield Begins(table.phase)
    first = table.phase.number == 1
    yield say("night.first" if first else "night.again")
    if first and table.cards["little_girl"]:
        yield say("night.girl")
    choices = Choices()
    for step in _steps(table):
        if _is_called(table, step):
            actors = step.actors(table, choices)
            if step.name in _TOLD and table.rules.told_by == "screen":
                yield from _everyone_looks(table, step, actors, choices)
                continue
            yield Wake(step.name, actors)
            yield from (line for line in step.call if line.key not in _TAPS or table.rules.told_by == "tap")
            if actors:
                yield from step.acts(table, actors, choices)
            yield from step.end
            yield from table.happens("after", step, choices)
    table.doomed = resolve(table, choices)
    table.guarded = choices.guarded
    for elder in set(table.living("elder")).intersection(choices.prey):
        table.elder_lives = _elder_lives(table, choices, elder)
    for event in tuple(table.in_force):
        event.night_is_over(table, choices)


def _steps(table: Table) -> list[Step]:
    """What is called tonight, in its order."""
    steps = list(STEPS)
    for event in table.in_force:
        steps = [new for step in steps for new in event.steps(table, step)]
    return steps


def resolve(table: Table, choices: Choices) -> dict[int, Causes]:
    """Who dies of the night's choices, and of what. Pure."""
    settled: Mapping[int, Causes] = resolved(table, choices)
    for event in table.in_force:
        settled = event.deaths(table, choices, settled)
    return dict(settled)


def resolved(table: Table, choices: Choices) -> dict[int, Causes]:
    """The same, where no event changes it."""
    deaths: dict[int, set[Cause]] = {}
    for victim in choices.prey:
        if _bitten(table, choices, victim) and not (victim in table.living("elder") and table.elder_lives):
            deaths.setdefault(victim, set()).add("wolves")
    if choices.poisoned and choices.poisoned in table.who("can_die"):
        deaths.setdefault(choices.poisoned, set()).add("poison")
    again = choices.guarded == table.guarded and table.rules.guard_repeat == "kills"
    if choices.guarded and again and choices.guarded in table.who("can_die"):
        deaths.setdefault(choices.guarded, set()).add("other")
    return {seat: frozenset(causes) for seat, causes in deaths.items()}


def _bitten(table: Table, choices: Choices, victim: int) -> bool:
    """Whether the wolves' prey is neither guarded nor healed; or both, where that kills."""
    rescues = _shielded(table, choices, victim) + (choices.healed == victim)
    return rescues == 0 or (rescues == 2 and table.rules.double_save == "dies")


def _shielded(table: Table, choices: Choices, victim: int) -> bool:
    """Whether the guard stands before the wolves' prey."""
    girl = table.holds(victim, "little_girl")
    return victim == choices.guarded and (not girl or table.rules.guard_protects_girl)


def _elder_lives(table: Table, choices: Choices, elder: int) -> int:
    """How many more attacks the elder survives after he has been tonight's prey."""
    if choices.healed == elder and table.rules.elder_antidote == "leaves_one" and not _shielded(table, choices, elder):
        return 0
    return max(0, table.elder_lives - _bitten(table, choices, elder))


# --- how the chosen learn of it -----------------------------------------------------------------------------------------

_TOLD = ("lovers", "secret_love", "charmed")
"""Whom somebody else has chosen: he taps them on the shoulder and they are called together; or everyone looks at the screen."""

_TAPS = ("cupid.tap", "affair.tap", "piper.tap")


def _everyone_looks(table: Table, step: Step, chosen: tuple[int, ...], choices: Choices) -> Flow[None]:
    """One after the other, everyone alive looks at the screen, for as long: the chosen see with whom they are, the others that they are
    not. Nobody gets up, and nobody stands out: whoever looks is addressed alike."""
    yield say("look.open")
    for seat in table.alive:
        yield Wake("look", (seat,))
        yield say("look.wake", seat=seat)
        told = [line for line in step.acts(table, chosen, choices) if isinstance(line, Show)] if seat in chosen else []
        for show in told or [Show("look.nothing", "look", (seat,), ())]:
            yield replace(show, audience="look", actors=(seat,))
        yield Ask("look.seen", "wait", "look", (seat,))
        yield Sleep("look")
        yield say("look.sleep")


# --- what each role does ------------------------------------------------------------------------------------------------


def _thief(table: Table, actors: tuple[int, ...], _: Choices) -> Flow[None]:
    (thief,) = actors
    yield Show("thief.cards", "thief", actors, table.spare, (("cards", table.spare),))
    choices = (1, 2) if all(map(is_wolf, table.spare)) else (0, 1, 2)
    taken = yield Ask("thief.swap", "choice", "thief", actors, choices)
    table.roles[thief] = table.spare[taken - 1] if taken else "villager"


def _cupid(table: Table, actors: tuple[int, ...], _: Choices) -> Flow[None]:
    pair = yield Ask("cupid.pair", "seats", "cupid", actors, tuple(table.alive), count=(2, 2))
    table.lovers = pair
    if table.rules.told_by == "tap":
        yield Show("cupid.tap", "cupid", actors, pair, (("seats", pair),), learned=False)
        yield Ask("cupid.tapped", "wait", "cupid", actors)


def _lovers(table: Table, actors: tuple[int, ...], _: Choices) -> Flow[None]:
    if not table.rules.lovers_may_vote_each_other:   # told here, where nobody else learns who they are
        yield Show("lovers.no_vote", "lovers", actors, (), learned=False)
    if table.rules.lovers_learn == "side":
        (one, other) = actors
        told = tuple((seat, table.side(seat)) for seat in actors)
        slots = (("seat", one), ("side", table.side(one)), ("seat_2", other), ("side_2", table.side(other)))
        yield Show("lovers.side", "lovers", actors, told, slots)
    else:
        yield Show("lovers.who", "lovers", actors, actors, (("seats", actors),))
    yield Ask("lovers.seen", "wait", "lovers", actors)


def _guard(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
    again = (table.guarded,) if table.rules.guard_repeat == "forbidden" else ()
    choices.guarded = (yield Ask("guard.protect", "seat", "guard", actors, table.others(*again), may_pass=True)) or 0


def _seer(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
    seat = yield Ask("seer.check", "seat", "seer", actors, table.others(*actors), may_pass=True)
    if seat:
        choices.seen = seat
        yield learned(table, seat, "seer", actors)
        yield Ask("seer.seen", "wait", "seer", actors)


def learned(table: Table, seat: int, audience: str, actors: tuple[int, ...]) -> Show:
    """What a seer is shown of a seat, by this edition."""
    if table.rules.seer_learns == "card":
        card = max(table.cards_of(seat), key=is_wolf)
        return Show("seer.card", audience, actors, card, (("seat", seat), ("role", card)))
    side = table.side(seat)
    return Show("seer.side", audience, actors, side, (("seat", seat), ("side", side)))


def spared(table: Table, pack: tuple[int, ...]) -> tuple[int, ...]:
    """Whom wolves who choose together may not eat."""
    wolves = () if table.rules.wolves_may_eat_wolves else pack
    if len(pack) == 1 and table.rules.lovers_may_harm is not True:
        # Only a wolf who hunts alone is surely the one who chooses. In a pack another may name his partner, also where lovers
        # may harm each other by no power: to refuse it would tell the pack whom he loves.
        return (*wolves, table.lover_of(pack[0]))
    return wolves


def _werewolves(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
    prey = yield Ask("werewolf.kill", "seat", "werewolf", actors, table.who("is_prey", table.others(*spared(table, actors))), may_pass=True)
    choices.prey = (prey,) if prey else ()
    yield from table.happens("chosen", actors, choices)


def _witch(table: Table, actors: tuple[int, ...], choices: Choices) -> Flow[None]:
    (witch,) = actors
    rules = table.rules
    victims = tuple(seat for seat in choices.prey if rules.guarded_victim_shown or not _shielded(table, choices, seat))
    asked = False
    if table.has_antidote or table.potions or rules.witch_shown_after_antidote:
        yield Show("witch.victim" if victims else "witch.nobody", "witch", actors, victims, (("seats", victims),) if victims else ())
    curable = tuple(seat for seat in victims if _may_heal(table, witch, seat))
    if curable and (table.has_antidote or table.potions):
        asked = True
        if (yield Ask("witch.heal", "yes_no", "witch", actors, curable, may_pass=True)):
            choices.healed = curable[0]
            if len(curable) > 1:
                choices.healed = (yield Ask("witch.whom", "seat", "witch", actors, curable, may_pass=True)) or curable[0]
            _spend(table, "has_antidote")
    if (table.has_poison or table.potions) and not (choices.healed and rules.witch_potions_per_night == 1):
        asked = True
        targets = table.others(*table.harmless_to(witch))
        choices.poisoned = (yield Ask("witch.poison", "seat", "witch", actors, targets, may_pass=True)) or 0
        if choices.poisoned:
            _spend(table, "has_poison")
    if not asked:
        yield Ask("witch.seen", "wait", "witch", actors)


def _may_heal(table: Table, witch: int, victim: int) -> bool:
    rule = table.rules.witch_self_heal
    return victim != witch or rule == "always" or (rule == "first_night" and table.phase.number == 1)


def _spend(table: Table, potion: str) -> None:
    if not getattr(table, potion):
        table.potions -= 1
        return
    setattr(table, potion, False)
    if table.rules.witch_potions_per_game == 1:
        table.has_antidote = table.has_poison = False


def _piper(table: Table, actors: tuple[int, ...], _: Choices) -> Flow[None]:
    targets = table.others(*actors, *table.charmed)
    number = min(2, len(targets))
    seats = yield Ask("piper.charm", "seats", "piper", actors, targets, count=(number, number))
    table.charmed = tuple(sorted((*table.charmed, *seats)))
    if table.rules.told_by == "tap":
        yield Show("piper.tap", "piper", actors, seats, (("seats", seats),), learned=False)
        yield Ask("piper.tapped", "wait", "piper", actors)


def _charmed(_: Table, actors: tuple[int, ...], __: Choices) -> Flow[None]:
    yield Show("charmed.who", "charmed", actors, actors, (("seats", actors),))
    yield Ask("charmed.seen", "wait", "charmed", actors)


def _blank(_: Table, actors: tuple[int, ...], __: Choices) -> Flow[None]:
    yield Ask("blank.done", "wait", "blank", actors)


# --- the order of the night ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One call of the night.

    name        what is called, and the first part of its lines' keys
    card        the card whose presence in the deck has it called; empty where it always is, as the wolves are: who has become one
                holds another card
    nights      on which nights it is called
    actors      the seats that open their eyes
    acts        what they are asked and shown
    call        what is said to wake them
    end         how they go to sleep again
    """

    name: str
    card: str
    nights: Callable[[Table], bool]
    actors: Callable[[Table, Choices], tuple[int, ...]]
    acts: Callable[[Table, tuple[int, ...], Choices], Flow[None]]
    call: tuple[Say, ...]
    end: tuple[Line, ...]


def _first_night(table: Table) -> bool:
    return table.phase.number == 1


def _every_night(_: Table) -> bool:
    return True


def _nights_of_the_blank(table: Table) -> bool:
    return table.rules.blank_called == "every_night" or (table.rules.blank_called == "first_night" and _first_night(table))


def _playing(table: Table, choices: Choices) -> tuple[int, ...]:
    """The piper, unless this night has killed him already: then he does not play, and sounds as if he did."""
    return tuple(seat for seat in table.living("piper") if seat not in resolve(table, choices))


def _meeting(table: Table, choices: Choices) -> tuple[int, ...]:
    """The charmed, where the piper has played."""
    return tuple(seat for seat in table.alive if seat in table.charmed) if _playing(table, choices) else ()


def _hunting(table: Table, _: Choices) -> tuple[int, ...]:
    """The wolves who open their eyes."""
    return table.who("hunts", table.wolves())


def _role(
    name: str,
    acts: Callable[[Table, tuple[int, ...], Choices], Flow[None]],
    *more: str,
    nights: Callable[[Table], bool] = _every_night,
    actors: Callable[[Table, Choices], tuple[int, ...]] | None = None,
) -> Step:
    """A role's own step: who holds its card is called, with these lines more."""
    return _step(name, name, nights, actors or (lambda table, _: table.living(name)), acts, *more)


def _step(
    name: str,
    card: str,
    nights: Callable[[Table], bool],
    actors: Callable[[Table, Choices], tuple[int, ...]],
    acts: Callable[[Table, tuple[int, ...], Choices], Flow[None]],
    *more: str,
) -> Step:
    return Step(name, card, nights, actors, acts, (say(f"{name}.wake"), *map(say, more)), (Sleep(name), say(f"{name}.sleep")))


def called(
    name: str,
    actors: Callable[[Table, Choices], tuple[int, ...]],
    acts: Callable[[Table, tuple[int, ...], Choices], Flow[None]],
    *more: str,
) -> Step:
    """A call that an event puts into tonight, with these lines more."""
    return _step(name, "", _every_night, actors, acts, *more)


STEPS = (
    _role("thief", _thief, nights=_first_night),
    _role("cupid", _cupid, "cupid.tap", nights=_first_night),
    _step("lovers", "cupid", _first_night, lambda table, _: table.lovers, _lovers),
    _role("guard", _guard),
    _role("seer", _seer),
    _step("werewolf", "", _every_night, _hunting, _werewolves, "werewolf.choose"),
    _role("witch", _witch),
    _role("piper", _piper, "piper.tap", actors=_playing),
    _step("charmed", "piper", _every_night, _meeting, _charmed),
    _role("blank", _blank, nights=_nights_of_the_blank),
)


def _is_called(table: Table, step: Step) -> bool:
    """Whether a role is called tonight. Only public facts may decide it, or its silence would tell."""
    if not step.nights(table) or step.card in table.silenced:
        return False
    if not step.card:
        return True
    card = table.swapped.get(step.card, step.card)
    decoys, cards = table.rules.decoys, table.cards[card]
    if not cards:
        return decoys in ("absent", "absent_and_dead") or (decoys == "absent_first_night" and step.nights is _first_night)
    # Where a dead seat's card is not shown, decoys are "absent_and_dead" (see Rules): its death is no public fact. A card that
    # was left over may be in anyone's hands, for all that everyone knows.
    return decoys == "absent_and_dead" or table.shown.count(card) < cards
