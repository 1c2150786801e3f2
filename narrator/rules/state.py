"""The facts of one game as it stands: who holds what, who lives, what has been spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from narrator.rules.edition import Cause, Rules, Setup
from narrator.rules.roles import is_wolf
from narrator.rules.turn import Flow, Phase

if TYPE_CHECKING:
    from narrator.rules.events.event import Event

Causes = frozenset[Cause]


@dataclass(slots=True)
class Table:
    """What is true at the table. Only the flow changes it; everything else reads.

    rules    the switches of this game
    cards    card → how many of it there are, those left over among them
    roles    seat → card; empty until the roll call or the deal
    spare    the two cards that are left over where a thief is dealt
    alive    the living seats, ascending
    lovers   the two lovers, ascending; empty when there are none
    captain  the captain's seat, 0 for none
    elected  whether the captain's election has been held, or has been lost to a wolf
    exposed  how many wolves have shown themselves before it
    guarded  the seat that was guarded last night, 0 for none
    charmed  the seats that the piper has charmed, ascending
    elder_lives  how many more attacks of the wolves the elder survives
    silenced the cards that have lost their powers with the elder
    revealed seats that have shown their card and live on, without a vote: the idiot
    scapegoat  a scapegoat who is dying for a tie, 0 for none
    voters   the seats that he has left the next vote to, None where he has not
    shown    the cards of the dead that everyone has seen
    doomed   seats that the night has killed but nobody has been told of yet, with what killed them
    poisoned the seats that this morning's poison has cost, by itself and by what followed from it
    fallen   the seats announced dead since the last nightfall, in that order
    left     the seats whose players have gone home, and those that have died of it
    hushed   how many of the dead have been asked to be silent
    second   seat → the other card, where everyone holds two; empty otherwise
    face_up  seat → the card of its two that everyone has seen all along; empty where there is none
    in_force the variant and the event cards that are played now
    lying    the names of those that lie on the table for all to see, until they are taken away
    cards_left the event cards that are still to be drawn, the next one first
    swapped  card → the card whose power it has meanwhile
    powerless seats that have lost every power for good
    potions  how many potions the witch has beside her own two
    graves   all who have died, in that order, each with what killed it
    men      the seats of all men, None before a card has asked
    """

    setup: Setup
    rules: Rules = field(init=False)
    cards: Counter[str] = field(init=False)
    phase: Phase = field(default_factory=lambda: Phase("setup"))
    roles: dict[int, str] = field(default_factory=dict)
    alive: list[int] = field(default_factory=list)
    lovers: tuple[int, ...] = ()
    spare: tuple[str, ...] = ()
    captain: int = 0
    elected: bool = False
    exposed: int = 0
    guarded: int = 0
    charmed: tuple[int, ...] = ()
    elder_lives: int = 0
    silenced: frozenset[str] = frozenset()
    revealed: frozenset[int] = frozenset()
    scapegoat: int = 0
    voters: tuple[int, ...] | None = None
    shown: list[str] = field(default_factory=list)
    has_antidote: bool = True
    has_poison: bool = True
    doomed: dict[int, Causes] = field(default_factory=dict)
    poisoned: list[int] = field(default_factory=list)
    fallen: list[int] = field(default_factory=list)
    left: frozenset[int] = frozenset()
    hushed: int = 0
    second: dict[int, str] = field(default_factory=dict)
    face_up: dict[int, str] = field(default_factory=dict)
    in_force: list[Event] = field(default_factory=list)
    lying: Counter[str] = field(default_factory=Counter)
    cards_left: list[str] = field(default_factory=list)
    swapped: dict[str, str] = field(default_factory=dict)
    powerless: frozenset[int] = frozenset()
    potions: int = 0
    graves: list[tuple[int, Causes]] = field(default_factory=list)
    men: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self.alive = list(range(1, self.setup.seats + 1))
        self.rules, self.cards = self.setup.rules, Counter((*self.setup.deck, *self.setup.second))
        self.elder_lives = self.rules.elder_lives
        self.cards_left = list(self.setup.events)

    def cards_of(self, seat: int) -> tuple[str, ...]:
        """The card of a seat, or its two cards; none before it is known."""
        return tuple(card for card in (self.roles.get(seat), self.second.get(seat)) if card)

    def holds(self, seat: int, role: str) -> bool:
        """Whether a seat has what a card gives, which may be another's meanwhile."""
        has_card = self.swapped.get(role, role) in self.cards_of(seat) and seat not in self.powerless
        return has_card and bool(self.who("has_powers", (seat,)))

    def living(self, role: str) -> tuple[int, ...]:
        """The living seats that have what a card gives, ascending."""
        return tuple(seat for seat in self.alive if self.holds(seat, role))

    def wolves(self) -> tuple[int, ...]:
        """The living wolves, ascending."""
        return tuple(filter(self.is_wolf, self.alive))

    def is_wolf(self, seat: int) -> bool:
        """Whether a seat is on the wolves' side: any wolf among its cards makes it one."""
        return any(map(is_wolf, self.cards_of(seat)))

    def turns_wolf(self, seat: int) -> None:
        """A seat is a wolf from now on: by its card, or where it has two by the second, since a character that lies face up stays."""
        (self.second if seat in self.second else self.roles)[seat] = "werewolf"

    def has_power(self, seat: int, role: str) -> bool:
        """Whether this seat has what this card gives, and it has not gone with the elder."""
        return self.holds(seat, role) and role not in self.silenced

    def happens(self, moment: str, *facts: object) -> Flow[None]:
        """A moment of `Event` that is so named has come: every event in force has done what it has done then."""
        for event in tuple(self.in_force):
            yield from getattr(event, moment)(self, *facts)

    def who(self, may: str, seats: Iterable[int] | None = None) -> tuple[int, ...]:
        """Those of the living seats, or of `seats`, that every event in force lets do this: a question of `Event` that is so named."""
        seats = self.alive if seats is None else seats
        return tuple(seat for seat in seats if all(getattr(event, may)(self, seat) for event in self.in_force))

    def others(self, *seats: int) -> tuple[int, ...]:
        """The living seats but these."""
        return tuple(seat for seat in self.alive if seat not in seats)

    def clockwise(self, seat: int) -> list[int]:
        """The living seats, beginning with the left neighbour of `seat` (the next higher number) and going round."""
        return sorted(self.alive, key=lambda other: (other <= seat, other))

    def neighbours(self, seat: int) -> tuple[int, ...]:
        """The next living seats on the left and on the right of a seat; one where there is no other."""
        round_ = [other for other in self.clockwise(seat) if other != seat]
        return tuple(dict.fromkeys((*round_[:1], *round_[-1:])))

    def lover_of(self, seat: int) -> int:
        """The other lover, or 0 for a seat that is not in love."""
        return sum(self.lovers) - seat if seat in self.lovers else 0

    def side(self, seat: int) -> str:
        """What a seer who learns only the side is shown: "werewolf" or "villager"."""
        return "werewolf" if self.is_wolf(seat) else "villager"

    def weight(self, seat: int) -> float:
        """What this seat's ballot counts for; 0 for the dead, and for an idiot who was spared."""
        if seat in self.revealed or seat not in self.alive:
            return 0
        weight: float = self.rules.captain_weight if seat == self.captain else 1
        for event in self.in_force:
            weight = event.weight(self, seat, weight)
        return weight

    def harmless_to(self, seat: int) -> tuple[int, ...]:
        """The seats that `seat` may do no harm by a power: where love forbids it, its lover."""
        return (self.lover_of(seat),) if self.rules.lovers_may_harm is False and seat in self.lovers else ()
