"""What an event card or a variant may change: small questions, and moments of the game at which it has something done.

Each answers as the rulebook does where no card lies; a card overrides those it changes, and knows nothing of who asks. The rules ask
every event in force (`Table.in_force`), and take the answers together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from narrator.rules.turn import Flow, Laid, Winner

if TYPE_CHECKING:
    from narrator.rules.night import Choices, Step
    from narrator.rules.state import Causes, Table

Barred: TypeAlias = frozenset[tuple[int, int]]
Lasts: TypeAlias = Literal["round", "trigger", "game"]
"""Until the next dawn (full moon), until what it waits for has come (wolf-fang moon), or to the end (dark moon, and variants)."""


class Event:
    """One event card or variant, in force at one table.

    name   its identifier in the rulebook
    lasts  how long it is in force
    is_secret  whether nobody but the narrator may know that it is
    """

    name: ClassVar[str]
    lasts: ClassVar[Lasts] = "round"
    is_secret: ClassVar[bool] = False

    # --- moments ------------------------------------------------------------------------------------------------------

    def may_be_drawn(self, table: Table) -> bool:
        """Whether it can be played this morning; it is put back where not."""
        return True

    def morning(self, table: Table) -> Flow[None]:
        """A day begins, and the night's dead are known."""
        yield from ()

    def drawn(self, table: Table) -> Flow[None]:
        """It has been read aloud: in the morning, or before the first night."""
        yield from ()

    def steps(self, table: Table, step: Step) -> tuple[Step, ...]:
        """What is called tonight in the place of this step."""
        return (step,)

    def chosen(self, table: Table, wolves: tuple[int, ...], choices: Choices) -> Flow[None]:
        """The wolves have chosen their prey, and have not gone to sleep."""
        yield from ()

    def after(self, table: Table, step: Step, choices: Choices) -> Flow[None]:
        """Whoever this step has called has gone to sleep again."""
        yield from ()

    def deaths(self, table: Table, choices: Choices, deaths: Mapping[int, Causes]) -> Mapping[int, Causes]:
        """Who dies of the night's choices, and of what, in the place of these. Pure."""
        return deaths

    def night_is_over(self, table: Table, choices: Choices) -> None:
        """Everyone has gone to sleep again, and the night's deaths are settled."""

    def elects_at_once(self, table: Table) -> bool:
        """Whether the captain, where there is none yet, is elected this morning, whenever the edition does it."""
        return False

    def before_vote(self, table: Table) -> Flow[None]:
        """The village is about to vote."""
        yield from ()

    def votes(self, table: Table) -> Flow[int | None] | None:
        """What takes the place of the village's vote, where something does: it returns who goes, 0 for nobody, or None where nothing is
        left to be done."""
        return None

    def in_turn(self, table: Table, voters: tuple[int, ...]) -> tuple[int, ...]:
        """In which order the village votes, where one votes after the other."""
        return voters

    def scapegoat(self, table: Table, goat: int) -> Flow[int] | None:
        """Who goes where a tie would cost the scapegoat his life, where it is not he."""
        return None

    def verdict(self, table: Table, seat: int) -> Flow[int]:
        """Who goes in the place of a seat that the village has condemned, 0 for nobody."""
        yield from ()
        return seat

    def executed(self, table: Table, seat: int) -> Flow[None]:
        """A seat has been executed, and its chain has ended."""
        yield from ()

    def votes_again(self, table: Table, seat: int) -> bool:
        """Whether the village votes again at once, a seat having been executed."""
        return False

    def day_is_over(self, table: Table) -> None:
        """The day has ended, and the game has not."""

    def dawns(self, table: Table) -> Flow[None]:
        """A night has passed since it was drawn."""
        yield from ()

    def ends(self, table: Table) -> None:
        """It is in force no more."""

    # --- how it comes and goes ----------------------------------------------------------------------------------------

    def lie(self, table: Table) -> Flow[None]:
        """Be in force from now on, for all to see."""
        table.in_force.append(self)
        table.lying[self.name] += 1
        yield Laid(self.name)

    def finish(self, table: Table) -> None:
        """Be in force no more; it is taken from the table when everyone may know of it (`lifted`)."""
        table.in_force.remove(self)
        self.ends(table)

    # --- questions ----------------------------------------------------------------------------------------------------

    def may_speak(self, table: Table, seat: int) -> bool:
        """Whether a living seat is heard by day."""
        return True

    def in_order(self, table: Table) -> bool:
        """Whether all are heard one by one today, where the edition lets them talk freely."""
        return False

    def may_vote(self, table: Table, seat: int) -> bool:
        """Whether a living seat has a ballot."""
        return True

    def may_be_named(self, table: Table, seat: int) -> bool:
        """Whether a living seat may be voted for."""
        return True

    def barred(self, table: Table, voters: tuple[int, ...], seats: tuple[int, ...], barred: Barred) -> Barred:
        """Who may not vote for whom, where these pairs (voter, seat) would be barred."""
        return barred

    def may_be_shot(self, table: Table, hunter: int, seat: int) -> bool:
        """Whether a dying hunter may take a living seat with him."""
        return True

    def follows(self, table: Table, seat: int, lovers: tuple[int, ...]) -> tuple[int, ...]:
        """Who dies of grief when a seat dies, where these would."""
        return lovers

    def is_prey(self, table: Table, seat: int) -> bool:
        """Whether the wolves may eat a living seat tonight."""
        return True

    def can_die(self, table: Table, seat: int) -> bool:
        """Whether a living seat can be killed at all."""
        return True

    def has_powers(self, table: Table, seat: int) -> bool:
        """Whether a seat has what its cards give."""
        return True

    def hunts(self, table: Table, wolf: int) -> bool:
        """Whether a wolf opens its eyes with the others tonight."""
        return True

    def weight(self, table: Table, seat: int, weight: float) -> float:
        """What a seat's ballot counts for."""
        return weight

    def turned_up(self, table: Table, seat: int, causes: Causes, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Which cards of a seat that has died of this are turned up, where these would be."""
        return cards

    def winner(self, table: Table, alive: frozenset[int], winner: Winner | None) -> Winner | None:
        """Who has won, where it would be this one."""
        return winner
