"""A game's story, as lines of the script: a view of its set-up and its answers, which it plays again one by one.

What was decided in the open is told in the words in which everyone heard it; what was secret has words of its own, `recap.*`. They
are many, and each of them would need a recording for every seat: so those are always joined (`narrator.script`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from narrator.recap.lines import DEEDS, LINES, RETOLD, SEEN
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

_TURNING = ("variant.harvest.thief", "variant.harvest.box", "card.specter.victim", "backfire.seen")
"""The questions at whose answer a seat may come to hold another card, but for the first night's thief."""

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
    """One phase of the game: what is told of it, and what was done to whom, both in the order in which it happened; and which event
    cards and variants have come into force in it, which the page alone tells: at the table everyone has heard what they say."""

    phase: Phase
    lines: list[Say] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)


def story(game: Game) -> list[Chapter]:
    """The game from its set-up to where it stands, phase by phase. It tells every secret: of a game that is over, please."""
    teller = _Teller(game)
    for answer in game.answers:
        teller.go_on(answer)
    return teller.chapters


def begun(game: Game) -> Game:
    """The game when everyone had the card that the story calls theirs: in the first night, once a thief has chosen."""
    known = Game(game.setup)
    for ask_id, value in game.answers:
        if known.phase.kind != "setup" and ask_id not in ("thief.swap", "variant.harvest.thief"):
            break
        known.answer(ask_id, value)
    return known


def told(game: Game) -> tuple[Say, ...]:
    """The same, line by line, for a voice."""
    return tuple(line for chapter in story(game) for line in chapter.lines)


class _Teller:
    """Plays a game again and notes what happens in it."""

    def __init__(self, game: Game) -> None:
        self._game = Game(game.setup)
        self._named = 0                     # whom the seer, or in Harvest Festival the witch, or the coin's card, has to do with now
        self._lovers: tuple[int, ...] = ()
        self._bewitching = False            # whether whom the wolves choose is bewitched
        self._voters: list[int] = []        # who has been asked for a ballot in the vote that is being held
        self._hands = ""                    # how the hands of the last vote are marked; empty where it had none to count
        self._rounds = Counter[str]()       # how often it was voted today, by how the votes are marked
        self._potions: list[bool] = []      # whether the witch has used each that she was asked about, tonight
        self.chapters = [Chapter(self._game.phase)]
        self.chapters[0].drawn += filter(None, (game.setup.variant,))     # the Black Death nobody has heard of
        self._tell("recap.open")
        for role, seats in _cards(begun(game)):
            self._tell("recap.card", seats=seats, role=role)
        self._notice_all()

    def go_on(self, answer: Answer) -> None:
        """One answer, and what follows from it."""
        ask_id, value = answer
        ask, before = self._game.turn.ask, self._cards()
        self._game.answer(ask_id, value)
        if ask and ask.id == ask_id:        # a player who goes home answers no question
            self._answered(ask, value)
            if ask_id in _TURNING:
                self._turned(ask, value, before)
        self._notice_all()

    def _tell(self, key: str, **slots: Slot) -> None:
        self.chapters[-1].lines.append(say(key, **slots))

    def _mark(self, what: str, *seats: int, count: int = 1) -> None:
        self.chapters[-1].marks += [Mark(seat, what, count, max(1, self._rounds[what])) for seat in seats]

    # --- what was chosen ----------------------------------------------------------------------------------------------

    def _answered(self, ask: Ask, value: Value) -> None:
        role = ask.id.partition(".")[0]
        match ask.id, value:
            case "thief.swap", int():
                self._tell("recap.thief_swapped" if value else "recap.thief_kept", seat=ask.actors[0], role=role)
            case "variant.harvest.thief", int():
                self._tell("recap.thief_swapped", seat=ask.actors[0], role="thief")
            case "seer.check" | "variant.harvest.witch", int():
                self._named = value
            case "seer.check", None:
                self._tell("recap.checked_nobody", role=role)
            case "witch.heal", True if len(ask.candidates) == 1:      # of two she is asked whom it is for
                self._healed(ask.candidates[0])
            case "witch.whom", _:
                self._healed(value if isinstance(value, int) else ask.candidates[0])
            case "variant.harvest.box", 4:
                self._done("witch", "poisoned", self._named)
            case "variant.harvest.box", _:
                self._healed(self._named)
            case "variant.harvest.affair", (one, other):
                cheater, secret = (one, other) if one in self._lovers else (other, one)
                self._tell("recap.affair", seat=cheater, seats=(secret,))
                self._mark("affair", cheater, secret)
            case "werewolf.kill", _:
                self._attacked(_seats(value or ()))
            case "card.touch_of_death.touched", False | None:
                self._tell("recap.not_touched")
            case "variant.black_death.victim", int():
                self._tell("recap.plague", seat=value)
                self._mark("attacked", value)
            case "card.double_agent.pick", int():
                self._tell("recap.agent", seat=value)
                self._mark("agent", value)
            case "card.heads_or_tails.coin", 1:
                self._mark("pardoned", self._named)
            case "card.not_me_nor_wolf.offenders" | "card.good_manners.offenders", tuple():
                self._mark("voteless", *value)
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
            case deed, _ if deed in DEEDS:
                self._done(role, DEEDS[deed], value)
        if ask.id in ("witch.heal", "witch.poison", "variant.harvest.witch"):
            self._potions.append(bool(value))
        if ask.id == "cupid.pair":
            self._lovers = _seats(value or ())

    def _attacked(self, prey: tuple[int, ...]) -> None:
        """Whom the wolves have chosen, or nobody."""
        if not prey:
            self._tell("recap.attacked_nobody", role="werewolf")
        elif self._bewitching:
            self._tell("recap.bewitched", role="werewolf", seats=prey)
            self._mark("charmed", *prey)
        else:
            for seat in prey:
                self._tell("recap.attacked", role="werewolf", seat=seat)
            self._mark("attacked", *prey)

    def _turned(self, ask: Ask, value: Value, before: Mapping[int, tuple[str, ...]]) -> None:
        """Who has come to hold another card by this answer, and who dies for whom the Specter has touched."""
        for seat, cards in before.items():
            wolf = "werewolf" in self._game.cards(seat)
            if self._game.cards(seat) != cards and (wolf or ask.id != "backfire.seen"):      # there the morning's card may have come too
                self._mark("turned", seat)
                if wolf and ask.id in ("backfire.seen", "card.specter.victim"):     # all the others have been told of otherwise
                    self._tell("recap.turned", seat=seat, role="werewolf")
        if ask.id == "card.specter.victim" and isinstance(value, int) and value not in ask.actors:
            self._tell("recap.instead", seat=value)

    def _cards(self) -> dict[int, tuple[str, ...]]:
        return {seat: self._game.cards(seat) for seat in range(1, self._game.setup.seats + 1)}

    def _healed(self, seat: int) -> None:
        self._tell("recap.healed", role="witch", seat=seat)
        self._mark("healed", seat)

    def _done(self, role: str, what: str, value: Value) -> None:
        """A role has done something to these seats, or to nobody."""
        match value:
            case tuple() if value:      # a piper who has charmed everyone has nobody left to name
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
            case Show("seer.card" | "seer.side", "seer", value=str(seen), slots=slots):
                self._checked(dict(slots)["seat"], seen, cleared=line.key == "seer.side" and seen != "werewolf")
            case Show("seer.cards", "seer"):    # three of them, and not whose: only whom he has named is told
                self._tell("recap.looked", role="seer", seat=self._named)
                self._mark("checked", self._named)
            case Show("seer.card" | "seer.side", "full_moon", actors=wolf, value=str(seen), slots=slots):
                self._wolf_checked(wolf, dict(slots)["seat"], seen, cleared=line.key == "seer.side" and seen != "werewolf")
            case Sleep("witch") if self._potions and not any(self._potions):
                self._tell("recap.no_potion", role="witch")
            case Voted():
                self._voted(line)
            case Say("vote.count", slots) if self._hands:
                self.chapters[-1].lines.append(line)
                self._mark(self._hands, *_seats(slots[0][1]), count=round(float(str(slots[1][1]))))
            case Laid(event) | Lifted(event):
                self._bewitching = isinstance(line, Laid) if event == "fascination" else self._bewitching
                if isinstance(line, Laid) and event != self._game.setup.variant:
                    self.chapters[-1].drawn.append(event)
            case Say("card.heads_or_tails.toss", slots):
                (self._named,) = _seats(slots[0][1])
            case Say("death.left", slots):      # what everyone heard says only that he was out
                (seat,) = _seats(slots[0][1])
                self._tell("recap.left", seat=seat)
                self._mark("left", seat)
            case Say(key, slots) if key in RETOLD:
                self.chapters[-1].lines.append(line)
                if key in SEEN:
                    self._mark(SEEN[key], *_seats(slots[0][1]))
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
            self._potions = []
            self._tell("recap.first_night" if phase.number == 1 else "recap.next_night")

    def _checked(self, seat: Slot, seen: str, *, cleared: bool) -> None:
        self._tell("recap.cleared" if cleared else "recap.checked", role="seer", seat=seat, role_2="werewolf" if cleared else seen)
        self._mark("checked", *_seats(seat))

    def _wolf_checked(self, wolf: tuple[int, ...], seat: Slot, seen: str, *, cleared: bool) -> None:
        """A wolf has woken as a seer."""
        key, role = ("recap.wolf_cleared", "werewolf") if cleared else ("recap.wolf_checked", seen)
        self._tell(key, seats=wolf, seat=seat, role=role)
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
