"""A game's story, as lines of the script: a view of its set-up and its answers, which it plays again one by one.

What was decided in the open is told in the words in which everyone heard it; what was secret has words of its own, `recap.*`. They
are many, and each of them would need a recording for every seat: so those are always joined (`narrator.script`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from narrator.rules import (
    ROLES,
    Answer,
    Ask,
    Begins,
    Dawns,
    Died,
    Elected,
    Game,
    Laid,
    Lifted,
    Line,
    Phase,
    Returned,
    Say,
    Show,
    Sleep,
    Slot,
    Value,
    Voted,
    say,
)

LINES: dict[str, tuple[str, ...]] = {
    "recap.offer": (),
    "recap.open": (),
    "recap.card": ("seats", "role"),
    "recap.black_death": (),
    "recap.first_night": (),
    "recap.next_night": (),
    "recap.morning": (),
    "recap.thief_swapped": ("seat", "role"),
    "recap.thief_kept": ("seat", "role"),
    "recap.loved": ("role", "seats"),
    "recap.guarded": ("role", "seat"),
    "recap.guarded_nobody": ("role",),
    "recap.checked": ("role", "seat", "role_2"),
    "recap.cleared": ("role", "seat", "role_2"),
    "recap.checked_nobody": ("role",),
    "recap.attacked": ("role", "seat"),
    "recap.attacked_nobody": ("role",),
    "recap.healed": ("role", "seat"),
    "recap.poisoned": ("role", "seat"),
    "recap.no_potion": ("role",),
    "recap.charmed": ("role", "seats"),
    "recap.shot": ("role", "seat"),
    "recap.turned": ("seat",),
    "recap.bewitched": ("seat",),
    "recap.allied": ("seat",),
    "recap.affair": ("seats",),
    "recap.left": ("seat",),
    "recap.ran": ("seats",),
    "recap.withdrew": ("seats",),
    "recap.election": (),
    "recap.vote": (),
    "recap.voted": ("seats", "seat"),
    "recap.named": ("seat",),
    "recap.abstained": ("seats",),
    "recap.captain_decides": (),
    "recap.voters": ("seats",),
    "recap.no_voters": (),
}
"""What only a recap says: key → blanks."""

NAMED: dict[tuple[str, str], tuple[str, ...]] = {
    ("recap.card", "role"): tuple(ROLES),
    ("recap.thief_swapped", "role"): ("thief",),
    ("recap.thief_kept", "role"): ("thief",),
    ("recap.loved", "role"): ("cupid",),
    ("recap.guarded", "role"): ("guard",),
    ("recap.guarded_nobody", "role"): ("guard",),
    ("recap.checked", "role"): ("seer", "werewolf"),
    ("recap.checked", "role_2"): tuple(ROLES),
    ("recap.cleared", "role"): ("seer", "werewolf"),
    ("recap.cleared", "role_2"): ("werewolf",),
    ("recap.checked_nobody", "role"): ("seer",),
    ("recap.attacked", "role"): ("werewolf",),
    ("recap.attacked_nobody", "role"): ("werewolf",),
    ("recap.healed", "role"): ("witch",),
    ("recap.poisoned", "role"): ("witch",),
    ("recap.no_potion", "role"): ("witch",),
    ("recap.charmed", "role"): ("piper",),
    ("recap.shot", "role"): ("hunter",),
}
"""Which cards a line can name in a blank."""

NIGHTFALL = frozenset({"recap.first_night", "recap.next_night"})
"""The lines that say no more than the heading of their chapter."""

RETOLD = frozenset({
    "morning.dead", "morning.nobody", "elder.silences_all", "elder.silences_four", "idiot.shown", "hunter.declined", "death.grief",
    "death.executed", "death.idiot", "death.showed_himself", "captain.tied", "captain.elected", "captain.nobody",
    "captain.rotates", "captain.successor", "captain.gone", "captain.put_off", "vote.tied", "vote.captain_ballot", "vote.scapegoat",
    "vote.nobody", "death.punished", "death.bewitched", "card.miracle.back", "card.devils_pact.spared", "card.flood.no_vote",
    "harvest.box.1", "harvest.box.2", "harvest.box.3", "harvest.box.4", "harvest.scapegoat",
    "end.village", "end.werewolves", "end.lovers", "end.piper", "end.nobody",
})  # fmt: skip
"""The lines of the game that are told again as they were said."""

_DEEDS = {
    "cupid.pair": "loved",
    "guard.protect": "guarded",
    "witch.poison": "poisoned",
    "piper.charm": "charmed",
    "hunter.shoot": "shot",
}
"""The questions of a role whose answer names whom it does something to: what has then been done."""

_SEEN = {"death.executed": "executed", "death.showed_himself": "exposed", "idiot.shown": "spared"}
"""What a line of the game makes of the seat that it names."""

MARKS = (
    "guarded", "checked", "attacked", "healed", "poisoned", "charmed", "loved", "affair", "bewitched", "turned", "allied", "backed",
    "captain", "voted", "named", "executed", "spared", "exposed", "shot", "left", "dead", "returned",
)  # fmt: skip
"""What can have been done to a seat: `backed` by ballots in an election, `voted` for to be executed."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that was done to a seat: one of `MARKS`. `count`: by how many ballots, where it was voted for; `round`: in which vote of
    that day, where one after the other was held for the same end."""

    seat: int
    what: str
    count: int = 1
    round: int = 1


@dataclass(slots=True)
class Chapter:
    """One phase of the game: what is told of it, and what was done to whom, both in the order in which it happened."""

    phase: Phase
    lines: list[Say] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


def story(game: Game) -> list[Chapter]:
    """The game from its set-up to where it stands, phase by phase. It tells every secret: of a game that is over, please."""
    teller = _Teller(game)
    for answer in game.answers:
        teller.go_on(answer)
    return teller.chapters


def told(game: Game) -> tuple[Say, ...]:
    """The same, line by line, for a voice."""
    return tuple(line for chapter in story(game) for line in chapter.lines)


class _Teller:
    """Plays a game again and notes what happens in it."""

    def __init__(self, game: Game) -> None:
        self._game = Game(game.setup)
        self._prey: tuple[int, ...] = ()    # whom the wolves have chosen tonight
        self._voters: list[int] = []        # who has been asked for a ballot in the vote that is being held
        self._hands = ""                    # how the hands of the last vote are marked; empty where it had none to count
        self._rounds = Counter[str]()       # how often it was voted today, by how the votes are marked
        self._named = 0                     # whom the witch has named, for whom a box is tossed then
        self._fascinates = False            # whether whom the wolves choose is bewitched
        self._potions: list[bool] = []      # whether the witch has used each that she was asked about, tonight
        self.chapters = [Chapter(self._game.phase)]
        self._tell("recap.open")
        for role, seats in _cards(game):
            self._tell("recap.card", seats=seats, role=role)
        if game.setup.variant == "black_death":
            self._tell("recap.black_death")     # which was a secret until now
        self._notice_all()

    def go_on(self, answer: Answer) -> None:
        """One answer, and what follows from it."""
        ask_id, value = answer
        if ask := self._game.turn.ask:
            self._answered(ask, value)
        self._game.answer(ask_id, value)
        self._notice_all()

    def _tell(self, key: str, **slots: Slot) -> None:
        self.chapters[-1].lines.append(say(key, **slots))

    def _mark(self, what: str, *seats: int, count: int = 1) -> None:
        self.chapters[-1].marks += [Mark(seat, what, count, max(1, self._rounds[what])) for seat in seats]

    # --- what was chosen ----------------------------------------------------------------------------------------------

    def _answered(self, ask: Ask, value: Value) -> None:
        role = ask.id.partition(".")[0]
        match ask.id, value:
            case "variant.harvest.thief", int():
                self._tell("recap.thief_swapped", seat=ask.actors[0], role="thief")
            case "variant.harvest.affair", tuple() as pair:
                self._tell("recap.affair", seats=pair)
                self._mark("affair", *pair)
            case "variant.harvest.witch", _:
                self._named = value if isinstance(value, int) else 0
                self._potions.append(bool(value))
            case "variant.harvest.box", int() as fallen:
                self._tossed(fallen)
            case "card.double_agent.pick", int() as seat:
                self._happened("allied", seat)
            case "card.specter.victim", int():
                self._happened("turned", *ask.actors[:1])
            case "thief.swap", int():
                self._tell("recap.thief_swapped" if value else "recap.thief_kept", seat=ask.actors[0], role=role)
            case "seer.check", None:
                self._tell("recap.checked_nobody", role=role)
            case "witch.heal", True if len(ask.candidates) == 1:
                self._healed(ask.candidates[0])
            case "witch.whom", _:
                self._healed(value if isinstance(value, int) else ask.candidates[0])
            case "werewolf.kill" | "variant.black_death.victim", _:
                self._attacked(_seats(value or ()), told=role == "werewolf")
            case "captain.run", tuple() as seats if seats:
                self._tell("recap.ran", seats=seats)
            case "captain.withdraw", tuple() as seats if seats:
                self._tell("recap.withdrew", seats=seats)
            case "captain.elect" | "captain.ballot" | "day.vote" | "day.ballot", _:
                self._voters += ask.actors
            case "captain.choose", _:
                self._tell("recap.captain_decides")
            case "scapegoat.voters", tuple() as seats:
                self._tell("recap.voters", seats=seats) if seats else self._tell("recap.no_voters")
            case deed, _ if deed in _DEEDS:
                self._done(role, _DEEDS[deed], value)
        if ask.id in ("witch.heal", "witch.poison"):
            self._potions.append(bool(value))

    def _attacked(self, prey: tuple[int, ...], *, told: bool) -> None:
        """Whom the wolves have chosen, or nobody; `told`: whether it was they."""
        self._prey = prey
        if self._fascinates and prey:
            self._happened("bewitched", *prey)
            return
        self._mark("attacked", *prey)
        if told:
            for seat in prey:
                self._tell("recap.attacked", role="werewolf", seat=seat)
            if not prey:
                self._tell("recap.attacked_nobody", role="werewolf")

    def _tossed(self, fallen: int) -> None:
        """What the box does to whom the witch has named: how it fell is told aloud."""
        if fallen == 4:
            self._done("witch", "poisoned", self._named)
        else:
            self._healed(self._named)
        if fallen == 3:
            self._happened("turned", self._named)

    def _happened(self, what: str, seat: int) -> None:
        self._tell(f"recap.{what}", seat=seat)
        self._mark(what, seat)

    def _healed(self, seat: int) -> None:
        self._tell("recap.healed", role="witch", seat=seat)
        self._mark("healed", seat)

    def _done(self, role: str, what: str, value: Value) -> None:
        """A role has done something to these seats, or to nobody."""
        match value:
            case tuple():
                self._tell(f"recap.{what}", role=role, seats=value)
                self._mark(what, *value)
            case int():
                self._tell(f"recap.{what}", role=role, seat=value)
                self._mark(what, value)
            case None if f"recap.{what}_nobody" in LINES:
                self._tell(f"recap.{what}_nobody", role=role)

    def _voted(self, vote: Voted) -> None:
        """A vote: who named whom, where the table gave its ballots; how many hands there were; or what it came to."""
        voters, self._voters = sorted(self._voters), []
        mark = "backed" if vote.election else "voted"
        self._rounds[mark] += 1
        self._hands = mark if vote.weights and not vote.ballots else ""
        if vote.weights or vote.ballots:
            self._tell("recap.election" if vote.election else "recap.vote")
        for seat in sorted({*vote.ballots} - {0}):
            named_by = tuple(voter for voter, named in enumerate(vote.ballots, start=1) if named == seat)
            self._tell("recap.voted", seats=named_by, seat=seat)
            self._mark(mark, seat, count=len(named_by))
        if vote.ballots and (silent := tuple(voter for voter in voters if not vote.ballots[voter - 1])):
            self._tell("recap.abstained", seats=silent)
        if not vote.weights and not vote.election:       # who was elected is told at once, and by itself
            for seat in vote.leaders:
                self._tell("recap.named", seat=seat)
                self._mark("named", seat)

    # --- what followed ------------------------------------------------------------------------------------------------

    def _notice_all(self) -> None:
        for line in self._game.turn.lines:
            self._notice(line)

    def _notice(self, line: Line) -> None:
        match line:
            case Begins(phase):
                self._begin(phase)
            case Dawns() if self.chapters[-1].phase.kind == "night":
                self._tell("recap.morning")
            case Show("seer.card" | "seer.side", "seer" | "full_moon", value=str(seen), slots=slots):
                role = "werewolf" if line.audience == "full_moon" else "seer"
                self._checked(role, dict(slots)["seat"], seen, cleared=line.key == "seer.side" and seen != "werewolf")
            case Show("backfire.turned", actors=(seat, *_)):
                self._happened("turned", seat)
            case Laid("fascination") | Lifted("fascination"):
                self._fascinates = isinstance(line, Laid)
            case Sleep("witch") if self._potions and not any(self._potions):
                self._tell("recap.no_potion", role="witch")
            case Voted():
                self._voted(line)
            case Say("vote.count", slots) if self._hands:
                self.chapters[-1].lines.append(line)
                self._mark(self._hands, *_seats(slots[0][1]), count=round(float(str(slots[1][1]))))
            case Say("death.left", slots):      # what everyone heard says only that he was out
                (seat,) = _seats(slots[0][1])
                self._tell("recap.left", seat=seat)
                self._mark("left", seat)
            case Say(key, slots) if key in RETOLD:
                self.chapters[-1].lines.append(line)
                if key in _SEEN:
                    self._mark(_SEEN[key], *_seats(slots[0][1]))
            case Elected(seat) if seat:
                self._mark("captain", seat)
            case Died(seat):
                self._mark("dead", seat)
            case Returned(seat):
                self._mark("returned", seat)

    def _begin(self, phase: Phase) -> None:
        if phase == self.chapters[-1].phase:
            return      # the roll call, which the chapter on the cards has begun
        self.chapters.append(Chapter(phase))
        self._rounds.clear()
        if phase.kind == "night":
            self._prey, self._potions = (), []
            self._tell("recap.first_night" if phase.number == 1 else "recap.next_night")

    def _checked(self, role: str, seat: Slot, seen: str, *, cleared: bool) -> None:
        self._tell("recap.cleared" if cleared else "recap.checked", role=role, seat=seat, role_2="werewolf" if cleared else seen)
        self._mark("checked", *_seats(seat))


def _cards(game: Game) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each card with the seats that hold it now."""
    for role in ROLES:
        if seats := tuple(seat for seat in range(1, game.setup.seats + 1) if role in held(game, seat)):
            yield role, seats


def held(game: Game, seat: int) -> tuple[str, ...]:
    """The card of a seat; where everyone holds two, both, but a villager's beside another."""
    cards = game.cards(seat)
    return tuple(dict.fromkeys(card for card in cards if card != "villager" or {*cards} == {card}))


def _seats(value: Slot) -> tuple[int, ...]:
    """The seats that a blank is filled with."""
    return tuple(seat for seat in (value if isinstance(value, tuple) else (value,)) if isinstance(seat, int))
