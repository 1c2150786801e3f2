"""What everyone may know, folded from the public events. Nothing else reaches the public part of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from narrator.rules import (
    Begins,
    CardShown,
    Died,
    Elected,
    Laid,
    Lifted,
    Phase,
    PublicEvent,
    Returned,
    Setup,
    Standing,
    Voted,
    Winner,
    Won,
)


@dataclass(frozen=True, slots=True)
class View:
    """The public state of the table.

    seats    how many sit round it
    phase    the phase that has begun last
    dead     the seats announced dead, in that order
    cards    seat → the card that it has shown last: of the dead, and of an idiot who lives on; of all, where each has one face up
    captain  the captain's seat, 0 for none
    vote     the last vote of this day, or None
    winner   who has won, or None
    names    what the players are called, seat by seat; empty where nobody said
    standing the seats that stand in an election that goes on; empty without one, and where all do
    in_force the variant and the event cards that are played, as far as everyone knows, in the order in which they came
    first    seat → the card that it has shown before that, of the dead who had two
    """

    seats: int
    phase: Phase
    dead: tuple[int, ...]
    cards: dict[int, str]
    captain: int
    vote: Voted | None
    winner: Winner | None
    names: tuple[str, ...] = ()
    standing: tuple[int, ...] = ()
    in_force: tuple[str, ...] = ()
    first: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, setup: Setup, events: Sequence[PublicEvent]) -> View:
        """The view after these events."""
        phase, captain = Phase("setup"), 0
        dead: dict[int, None] = {}
        cards: dict[int, str] = {}
        turned: dict[int, str] = {}
        first: dict[int, str] = {}
        vote: Voted | None = None
        winner: Winner | None = None
        standing: tuple[int, ...] = ()
        in_force: list[str] = []
        for event in events:
            match event:
                case Laid(name):
                    in_force.append(name)
                case Lifted(name):
                    in_force.remove(name)
                case Begins():
                    phase, vote = event.phase, None
                case Died():
                    dead[event.seat] = None
                case Returned():
                    dead.pop(event.seat, None)
                    for shown in (cards, turned, first):    # they are none of his any more
                        shown.pop(event.seat, None)
                case CardShown():
                    cards[event.seat] = event.role
                    if event.seat in turned:
                        first[event.seat] = turned[event.seat]
                    elif event.seat in dead:
                        turned[event.seat] = event.role
                case Elected():
                    captain, standing = event.seat, ()
                case Standing():
                    standing = event.seats
                case Voted():
                    vote = event
                case Won():
                    winner = event.winner
        standing = tuple(seat for seat in standing if seat not in dead)
        return cls(setup.seats, phase, tuple(dead), cards, captain, vote, winner, setup.names, standing, tuple(in_force), first)

    def label(self, seat: int) -> str:
        """A seat as it is read: its number, and the name of who sits there."""
        return f"{seat} {self.names[seat - 1]}" if self.names else str(seat)

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats not announced dead, ascending."""
        return tuple(seat for seat in range(1, self.seats + 1) if seat not in self.dead)

