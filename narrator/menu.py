"""What is played, asked aloud and answered by keys, where there is no screen: the last game again, or a new one, question by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from narrator.errors import BadSetup
from narrator.hearing import Entered
from narrator.interface import Interface
from narrator.pacing import PACES
from narrator.rules import MOST_SEATS, ROLES, Ask, Say, Setup, say
from narrator.script import MOST_COPIES
from narrator.stage import Stage

EDITIONS = ("anniversary", "flow", "newmoon", "german", "sides")
"""By the numbers under which the menu reads them out."""

NUMBERED = tuple(ROLES)
"""The cards, by the numbers under which the menu reads them out: the first is 1."""

OFFERED = tuple(card for card in NUMBERED if ROLES[card].single and card != "blank")
"""Those that can be exchanged: not the empty card, which a table must first make something of in a file."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """What the table wants to play.

    put_in, taken_out  the cards that are exchanged for plain villagers
    events  whether event cards are drawn
    pace    one of `narrator.pacing.PACES`
    """

    players: int
    edition: str
    put_in: tuple[str, ...] = ()
    taken_out: tuple[str, ...] = ()
    events: bool = False
    pace: str = "normal"


class Menu:
    """Asks a table without a screen. `setup` makes a game of an order; it raises `BadSetup` where there is none. `asked` hears which
    question is open, in words."""

    def __init__(
        self, stage: Stage, interface: Interface, setup: Callable[[Order], Setup], asked: Callable[[str], None] = lambda _: None
    ) -> None:
        self._stage, self._interface, self._setup, self._asked = stage, interface, setup, asked

    def again(self, key: str) -> bool:
        """Whether the table wants what is there already: Enter; or something new: 1. `key`: box.unfinished, or box.last."""
        return self._choice(key, {"": True, "1": False})

    def order(self) -> Order:
        """What the table wants to play, question by question. Raises what `Stage.next` raises."""
        players, edition = self._players(), self._choice("box.edition", dict(zip("12345", EDITIONS, strict=True)))
        order = self._exchanged(Order(players, edition))
        events = self._choice("box.events", {"": False, "1": True})
        return replace(order, events=events, pace=self._choice("box.pace", dict(zip(("1", "", "3"), PACES, strict=True))))

    def lay_out(self, setup: Setup) -> None:
        """Say which cards are to be dealt, until they are."""
        self._put("box.deal", self.deck(setup), lambda _: None)

    @staticmethod
    def deck(setup: Setup) -> list[Say]:
        """What is said of the cards of a game: how many of each there are."""
        cards = Counter((*setup.deck, *setup.second))
        lines: list[Say] = []
        for card in sorted(cards, key=NUMBERED.index):
            most, rest = divmod(cards[card], MOST_COPIES)
            lines += [say("box.copies", role=card, copies=copies) for copies in (*[MOST_COPIES] * most, rest) if copies]
        if len(setup.deck) > setup.seats:
            lines.append(say("box.spare"))
        return [*lines, say("box.deal")]

    def _players(self) -> int:
        def read(entry: str) -> int:
            if not entry.isdecimal() or int(entry) > MOST_SEATS:
                raise BadSetup(f"{entry!r} is not a number of players", reason="not_a_number" if entry else "no_number", what=entry[:20])
            self._setup(Order(int(entry), EDITIONS[0]))
            return int(entry)

        players = self._put("box.players", [say("box.players")], read)
        self._stage.say(say("box.seats", seat=players))
        return players

    def _exchanged(self, order: Order) -> Order:
        """The same with the cards that are put into its deck, and those that are taken out."""
        deck = self._setup(order).deck

        def read(entry: str) -> Order:
            named = [self._card(number) for number in entry.replace("＋", "+").split("+") if number]
            put_in = tuple(card for card in named if card not in deck)
            taken_out = tuple(card for card in named if card in deck)
            exchanged = replace(order, put_in=put_in, taken_out=taken_out)
            self._setup(exchanged)
            return exchanged

        listed = [say("box.card", role=card, seat=NUMBERED.index(card) + 1) for card in OFFERED]
        return self._put("box.cards", [*listed, say("box.cards")], read)

    @staticmethod
    def _card(number: str) -> str:
        numbered = {str(place): card for place, card in enumerate(NUMBERED, start=1) if card in OFFERED}
        if number not in numbered:
            raise BadSetup(f"no card {number!r}", reason="not_offered", what=number)
        return numbered[number]

    def _choice(self, key: str, values: dict[str, T]) -> T:
        def read(entry: str) -> T:
            if entry not in values:
                raise BadSetup(f"{entry!r}; expected one of {', '.join(values)}", reason="not_offered", what=entry)
            return values[entry]

        return self._put(key, [say(key)], read)

    def _put(self, key: str, lines: Sequence[Say], read: Callable[[str], T]) -> T:
        """Say these lines, as often as the table wants to hear the last, until something is entered that can be read."""
        ask = Ask(key, "wait", "everyone", ())
        self._stage.attend(ask, lightly=True)
        self._asked(self._interface.asks[key])
        entry = next(filter(None, map(self._stage.tell, lines)), None)
        while True:
            while not isinstance(entry := entry or self._stage.next(), Entered):
                entry = next(filter(None, map(self._stage.tell, lines)), None)
            try:
                value = read(entry.text.strip())
            except BadSetup as error:
                self._stage.refuse(self._interface.error(error))
                entry = None
            else:
                self._stage.attend(None)
                return value
