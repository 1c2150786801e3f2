"""What the rules hand to the table: one closed set of frozen types.

A `Turn` is everything to be said and shown before the next answer, and the `Ask` that wants that answer. Its lines are, in
order, what happens at the table:

    Say      a line of the script, for everyone's ears
    Show     something for the private screen of the role that is awake
    Wake     a role opens its eyes; one window of time lies between this role's wake line and its `Sleep`
    Sleep    the window ends: the private screen is wiped, and the role closes its eyes
    public event   something has become public: a death, a vote, a captain, a new phase

Seats are numbered from 1, clockwise as seen from above; 0 stands for nobody where a number must stand.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypeVar

Slot: TypeAlias = float | str | tuple[int, ...] | tuple[str, ...]
Value: TypeAlias = int | bool | tuple[int, ...] | None
Kind: TypeAlias = Literal["seat", "seats", "yes_no", "pairs", "ballots", "choice", "wait"]
Shown: TypeAlias = str | tuple[int | str | tuple[int, str], ...]
Winner: TypeAlias = Literal["village", "werewolves", "lovers", "piper", "nobody"]


@dataclass(frozen=True, slots=True)
class Phase:
    """Where the game stands. A night runs to the end of dawn's whole chain of deaths; the day begins after it."""

    kind: Literal["setup", "night", "day"]
    number: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.number}" if self.number else self.kind


@dataclass(frozen=True, slots=True)
class Say:
    """A line of the script, by its key; `slots` fill its blanks: seats as numbers, roles as identifiers."""

    key: str
    slots: tuple[tuple[str, Slot], ...] = ()


@dataclass(frozen=True, slots=True)
class Show:
    """What the private screen shows the seats `actors`, awake as `audience`.

    `value` is what is shown, in the form that rule cases write it: a role or side, seats, or cards. `learned`: whether it tells the seats
    something that they did not know; what brought them to know it cannot be taken back in silence.
    """

    key: str
    audience: str
    actors: tuple[int, ...]
    value: Shown
    slots: tuple[tuple[str, Slot], ...] = ()
    learned: bool = True


@dataclass(frozen=True, slots=True)
class Wake:
    """The call of `name`. `actors` are the seats that answer it: a secret. Without actors it is a decoy and sounds the same.

    `asleep`: everyone else has closed their eyes. At the deal they have not.
    """

    name: str
    actors: tuple[int, ...]
    asleep: bool = True


@dataclass(frozen=True, slots=True)
class Sleep:
    """The end of the wake of `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Begins:
    """A new phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Dawns:
    """All eyes open: the secret part of the night, or the roll call, is over."""


@dataclass(frozen=True, slots=True)
class Died:
    """A seat is announced dead. The cause is not public."""

    seat: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A seat that was announced dead is alive."""

    seat: int


@dataclass(frozen=True, slots=True)
class Laid:
    """An event card or a variant is in force from now on, by its name."""

    event: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """An event card or a variant is over."""

    event: str


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card is turned up: a dead seat's, or that of an idiot who was to be executed; or it lies face up from the beginning."""

    seat: int
    role: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Who may be elected captain now, ascending, where that is not everyone; nobody when the election is broken off."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Elected:
    """A seat has become captain; 0 when there is none any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class Voted:
    """A vote of the village.

    ballots  seat by seat, 0 for none; empty where hands were counted, or the table only named the outcome
    leaders  who leads, ascending
    weights  each seat that was named, ascending, and what its votes weigh; empty where the table only named the outcome
    captain  whom the captain has named, 0 where he has not, or nobody knows
    election whether a captain was to be elected, and nobody executed
    """

    ballots: tuple[int, ...]
    leaders: tuple[int, ...]
    weights: tuple[tuple[int, float], ...] = ()
    captain: int = 0
    election: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule has decided something that everyone has seen. `key` names it in `narrator.rules.lines.RULINGS`; `slots` fill its blanks."""

    key: str
    slots: tuple[tuple[str, Slot], ...] = ()


@dataclass(frozen=True, slots=True)
class Won:
    """The game is over."""

    winner: Winner


@dataclass(frozen=True, slots=True)
class Leaves:
    """In the place of an answer: the player on a seat has to go home."""

    seat: int


PublicEvent: TypeAlias = Begins | Dawns | Died | Returned | Laid | Lifted | CardShown | Standing | Elected | Voted | Ruled | Won
Line: TypeAlias = Say | Show | Wake | Sleep | PublicEvent


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the table.

    kind        what the answer is: `seat` a number, `seats` several, `pairs` the seats at which nobody points (given as those, or as two
                for each seat), `yes_no` a bool, `ballots` one number a seat (or one number,
                the outcome that the table names), `choice` one of some numbers, `wait` the word that someone is done, or, where
                there are candidates, one of them: a wolf who shows himself
    audience    whose question it is: a role's (then it is answered on the private screen) or "everyone"
    actors      the seats that answer (the voters, for ballots): a secret unless the audience is everyone
    candidates  the seats that may be named, or the numbers that may be chosen; of a yes_no, the seats that it is about
    count       how many seats, at least and at most
    may_pass    whether the answer may be None
    barred      pairs (voter, candidate) that may not be, in a vote; candidate 0 where the voter may not abstain
    abstain     ballots only: whether a voter may give 0
    groups      seats only: of each of these one may be named
    """

    id: str
    kind: Kind
    audience: str
    actors: tuple[int, ...]
    candidates: tuple[int, ...] = ()
    count: tuple[int, int] = (1, 1)
    may_pass: bool = False
    barred: frozenset[tuple[int, int]] = frozenset()
    abstain: bool = True
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """All that is to be said and shown before the next answer. `ask` is None when the game is over."""

    lines: tuple[Line, ...]
    ask: Ask | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and which seats were still alive."""

    winner: Winner
    alive: tuple[int, ...]


def last(kind: type[Line], lines: tuple[Line, ...]) -> int | None:
    """The number of the last line of this kind, None where there is none."""
    return max((number for number, line in enumerate(lines) if isinstance(line, kind)), default=None)


T = TypeVar("T")
Flow: TypeAlias = Generator[Line | Ask, Any, T]
"""A piece of the rulebook: yields lines and asks, is sent each ask's answer, returns what it decided."""


def ruled(key: str, **slots: Slot) -> Ruled:
    """A ruling with its blanks filled."""
    return Ruled(key, tuple(slots.items()))


def say(key: str, **slots: Slot) -> Say:
    """A line of the script with its blanks filled."""
    return _said(key, tuple(slots.items()))


@lru_cache(4096)
def _said(key: str, slots: tuple[tuple[str, Slot], ...]) -> Say:
    """One line for all who say the same: a game says the same things over and over."""
    return Say(key, slots)
