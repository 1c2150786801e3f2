"""What is played, asked aloud: the keys that answer it, and what is spoken of it where no screen can be read."""

from __future__ import annotations

import io
import json
import random
from collections import Counter

import pytest

from narrator.cards import deck_of, exchange
from narrator.clock import SimulatedClock
from narrator.hearing import Command, Entered, Event
from narrator.menu import EDITIONS, NUMBERED, OFFERED, Menu, Order
from narrator.pacing import Windows
from narrator.rules import ROLES, Ask, Setup, say
from narrator.script import editions
from narrator.sound import Silence
from narrator.stage import Stage, Undo
from narrator.transcript import Transcript
from tests.stage import Told
from tests.texts import script_of, the_interface


class Typist:
    """A `Hearing` on which this is keyed, one entry after the other, each some seconds after somebody waits for it."""

    trouble = None

    def __init__(self, clock: SimulatedClock, *keyed: str | Command) -> None:
        self._clock = clock
        self._keyed = [Entered(entry) if isinstance(entry, str) else entry for entry in keyed]
        self._asked = False

    def attend(self, ask: Ask | None) -> None:
        self._asked = ask is not None

    def pause(self, on: bool) -> None: ...

    def wait(self, until: float) -> Event | None:
        if not self._asked or until < self._clock.now() + 0.4:
            assert until < 3600, "nothing more is keyed"
            self._clock.wait(until)
            return None
        self._clock.wait(self._clock.now() + 0.4)
        return Event("keys", self._clock.now(), self._keyed.pop(0))

    def close(self) -> None: ...


def setup_of(order: Order) -> Setup:
    """A game as it was ordered."""
    edition = script_of(order.edition).edition
    return Setup(edition=edition, seats=order.players, deck=exchange(deck_of(edition, order.players), order.put_in, order.taken_out))


class Box:
    """A menu at a table whose screen cannot be read."""

    def __init__(self, *keyed: str | Command) -> None:
        clock = SimulatedClock()
        screen = Told(clock)
        screen.readable = False
        self._written = io.StringIO()
        script = script_of("anniversary")
        stage = Stage(
            clock, Silence(clock), Typist(clock, *keyed), screen, script=script, interface=the_interface(),
            windows=Windows(script.pacing, random.Random(1)), transcript=Transcript(self._written),
        )  # fmt: skip
        self.menu = Menu(stage, the_interface(), setup_of)

    def spoken(self, key: str) -> list[str]:
        """What was spoken of this line to its end, each time."""
        records = map(json.loads, self._written.getvalue().splitlines())
        return [record["text"] for record in records if record["key"] == key]


def test_a_game_is_ordered_in_five_answers() -> None:
    """Players, edition, cards, event cards, pace: which cards there are is read out, each with its number."""
    wanted = Order(9, "flow", ("little_girl",), ("cupid",), events=True, pace="fast")
    assert Box("9", "2", "8+2", "1", "3").menu.order() == wanted


def test_enter_alone_is_the_usual_thing() -> None:
    """No exchange, no event cards, the normal pace."""
    box = Box("8", "1", "", "", "")
    assert box.menu.order() == Order(8, "anniversary", (), (), events=False, pace="normal")
    assert box.spoken("box.seats") == ["八号，是最后一位。"]


@pytest.mark.parametrize("wrong", ["", "99", "1", "八", "8+8"])
def test_so_many_cannot_play(wrong: str) -> None:
    """It is asked again, and what comes next answers it."""
    assert Box(wrong, "8", "1", "", "", "").menu.order().players == 8


@pytest.mark.parametrize("wrong", ["3", "14", "13", "0", "x", "8+x", "15", "6+9+10+11"])
def test_other_cards_cannot_be_exchanged(wrong: str) -> None:
    """Neither wolves and villagers, which make up for the others, nor what there is not."""
    assert Box("8", "1", wrong, "9", "", "").menu.order().put_in == ("elder",)


def test_what_is_there_is_one_key_away() -> None:
    """A game that was not played to its end, or the last one, again; anything else is no answer."""
    assert Box("").menu.again("box.unfinished")
    assert not Box("7", "1").menu.again("box.last")


def test_a_question_can_be_heard_again_and_taken_back() -> None:
    """Say again says it again; undo gives up what has been ordered so far."""
    box = Box(Command("again"), "8", "1", "", "", "")
    assert box.menu.order().players == 8
    with pytest.raises(Undo):
        Box("8", Command("undo")).menu.order()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [6, 8, 12, 18])
def test_the_cards_that_are_to_be_dealt_are_read_out(players: int, edition: str) -> None:
    """Every card of the deck, by how many of it there are; and the two that are laid aside."""
    base = script_of(edition).edition
    deck = exchange(deck_of(base, players), ("thief",), ())
    setup = Setup(edition=base, seats=players, deck=deck)
    box = Box(*[""] * 3)
    lines = box.menu.deck(setup)
    spoken = Counter[str]()
    for line in lines:
        slots = dict(line.slots)
        if line.key == "box.copies":
            spoken[slots["role"]] += slots["copies"]    # type: ignore[index, operator]
            assert script_of(edition).sentences(line)
    assert spoken == Counter(deck)
    assert [line.key for line in lines][-2:] == ["box.spare", "box.deal"]
    box.menu.lay_out(setup)


def test_the_numbers_are_those_of_the_page() -> None:
    """The editions that ship, all of them, in one sentence each; the cards by their places, and those only that can be exchanged."""
    assert sorted(EDITIONS) == sorted(editions())
    assert len(script_of("anniversary").sentences(say("box.edition"))) == len(EDITIONS)
    assert tuple(ROLES) == NUMBERED
    assert set(ROLES) - set(OFFERED) == {"werewolf", "villager", "blank"}

