"""Secrets told by lamps: whatever they tell, as much light comes at the same times; who knows how to read it reads one thing."""

from __future__ import annotations

import itertools
import random
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.cli import _secrets
from narrator.clock import SimulatedClock
from narrator.errors import NoDevice
from narrator.pacing import Windows
from narrator.rules import ROLES, SHOWN, Edition, Phase, Setup, Show, Wake
from narrator.screen import View, pins
from narrator.screen.lights import BEAT, Lamps, Lights, pair, reading, single
from narrator.settings import Settings
from tests.command import ROOT
from tests.stage import Table
from tests.test_leak import HEALED, SEATS, Night, Secret, decks
from tests.texts import script_of, the_interface

Act = Callable[[Lights], None]
Story = list[tuple[float, Act]]
"""What the lights are told, and when, in seconds."""

LONG = 60.0



@dataclass
class Lamp:
    """What the lamps have been told, and when."""

    clock: SimulatedClock
    calls: list[tuple[float, tuple[str, ...]]] = field(default_factory=list)

    def __call__(self, names: Collection[str]) -> None:
        self.calls.append((round(self.clock.now(), 6), tuple(names)))


def two(lamp: Lamp) -> Lamps:
    return pair(lamp, "green", "red")


def one(lamp: Lamp) -> Lamps:
    return single(lamp, "num")


def seen(
    story: Iterable[tuple[float, Act]], seats: int = 12, lamps: Callable[[Lamp], Lamps] = two, before: Act = lambda _: None
) -> list[tuple[float, tuple[str, ...]]]:
    """What the lamps show while a window is open from 0 on and this is told; `before`: what is told when none is."""
    clock = SimulatedClock()
    lamp = Lamp(clock)
    lights = Lights(lamps(lamp), clock=clock)
    lights.public(View(seats, Phase("night", 1), (), {}, 0, None, None))
    before(lights)
    assert lights.tick() is None
    lights.awake(True)
    for at, act in [*sorted(story, key=lambda told: told[0]), (LONG, lambda lights: lights.awake(False))]:
        while (due := lights.tick()) is not None and due < at:
            clock.wait(due)
        clock.wait(at)
        act(lights)
    assert lights.tick() is None, "after the window there is nothing to do"
    lights.close()
    assert lamp.calls[-1][1] == ()
    return lamp.calls


def cycles(calls: Iterable[tuple[float, tuple[str, ...]]]) -> Iterator[tuple[str, frozenset[int]]]:
    """What somebody reads: the colour of each cycle's head, and the places that are red. A breath of two beats ends a cycle."""
    beats = [(at, names[0]) for at, names in calls if names]
    begins = [0, *(number for number in range(1, len(beats)) if beats[number][0] - beats[number - 1][0] > 2.5 * BEAT), len(beats)]
    whole = beats[begins[1]][0] - beats[0][0]
    for first, after in itertools.pairwise(begins):
        if beats[first][0] + whole <= LONG:     # the window closes in the midst of the last
            (_, head), *row = beats[first:after]
            yield head, frozenset(place for place, (_, sign) in enumerate(row, start=1) if sign == "red")


def show(key: str, value: Any) -> Act:
    told = Show(key, "seer", (1,), value)
    return lambda lights: lights.private("seer", "text", (), told)


def ask(kind: Any, secret: bool = True) -> Act:
    return lambda lights: lights.asking("text" if kind else "", secret, kind)


def refused(lights: Lights) -> None:
    lights.refuse("text")


ALL = frozenset(range(1, 15))
EVEN = frozenset(range(2, 15, 2))
NOTHING, NUMBER, REFUSED = ("green", EVEN), ("green", frozenset[int]()), ("green", ALL)
YES_NO = ("green", frozenset(range(6, 11)))

READ: dict[str, list[tuple[Any, list[set[int]]]]] = {
    "deal.card": [("thief", [{1}]), ("villager", [{14}])],
    "deal.cards": [(("witch", "seer"), [{4, 5}, {5}]), (("seer", "seer"), [{4}, {4}])],
    "roll.cards": [(("werewolf", "seer", "villager"), [{3, 4, 14}])],
    "roll.first": [("piper", [{12}])],
    "thief.cards": [(("werewolf", "villager"), [{3, 14}, {3}]), (("villager", "werewolf"), [{3, 14}, {14}])],
    "cupid.tap": [((3, 7), [{3, 7}])],
    "lovers.no_vote": [((), [{3, 4, 7, 8, 11, 12}])],
    "lovers.who": [((3, 12), [{3, 12}])],
    "lovers.side": [
        (((3, "werewolf"), (7, "villager")), [{3, 7}, {3}]),
        (((3, "villager"), (7, "villager")), [{3, 7}, set()]),
        (((3, "werewolf"), (7, "werewolf")), [{3, 7}, {3, 7}]),
    ],
    "seer.card": [("blank", [{13}])],
    "seer.side": [("werewolf", [set(ALL)]), ("villager", [set()])],
    "witch.victim": [((9,), [{9}]), ((2, 4), [{2, 4}])],
    "witch.nobody": [((), [set()])],
    "piper.tap": [((1, 2), [{1, 2}]), ((), [set()])],
    "charmed.who": [((1, 2, 5, 6, 9, 10, 11), [{1, 2, 5, 6, 9, 10, 11}])],
    "look.nothing": [((), [set()])],
    "agent.wolves": [((4, 5), [{4, 5}])],
    "backfire.turned": [((), [set(ALL)])],
    "backfire.same": [((), [set()])],
    "seer.cards": [
        (("elder", "idiot", "werewolf"), [{3, 9, 10}]),
        (("villager", "villager", "werewolf"), [{3, 14}, {14}]),
        (("villager", "villager", "villager"), [{14}, {14}]),
    ],
}
"""What the rules can show, and the places that are red when it is, in one cycle after the other."""


@pytest.mark.parametrize("key", READ)
@pytest.mark.parametrize("lamps", [two, one])
def test_what_is_shown_is_read_back(key: str, lamps: Callable[[Lamp], Lamps]) -> None:
    """From its window's beginning on every cycle has a red head, and its row is what was shown, again and again."""
    for value, rows in READ[key]:
        calls = seen([(0.0, show(key, value))], lamps=lamps)
        read = list(cycles(calls if lamps is two else list(as_two(calls))))
        assert len(read) >= 2 * len(rows)
        for number, (head, row) in enumerate(read):
            assert head == "red"
            assert row == rows[number % len(rows)]


def as_two(calls: list[tuple[float, tuple[str, ...]]]) -> Iterator[tuple[float, tuple[str, ...]]]:
    """What one lamp tells, as two would: a beat in which it comes twice is a red one."""
    lit = [at for at, names in calls if names]
    while lit:
        at = lit.pop(0)
        twice = bool(lit) and lit[0] - at < 0.9 * BEAT
        if twice:
            lit.pop(0)
        yield at, ("red" if twice else "green",)


def test_everything_that_is_shown_has_a_light() -> None:
    """Whatever the rules can show, there is an example of it here, and none for what they cannot."""
    assert set(READ) == set(SHOWN)


def test_no_two_answers_look_alike() -> None:
    """Of one question no two answers have the same rows, wherever one begins to look."""
    cards = [role for role in ROLES if role != "thief"]
    questions = {
        "thief.cards": list(itertools.product(cards, repeat=2)),
        "seer.cards": list(itertools.combinations_with_replacement(sorted(cards), 3)),
        "seer.card": list(ROLES),
        "seer.side": ["werewolf", "villager"],
        "lovers.side": [((2, one), (5, other)) for one in ("werewolf", "villager") for other in ("werewolf", "villager")],
        "witch.victim": [*((seat,) for seat in range(1, 21)), *itertools.combinations(range(1, 21), 2), ()],
    }
    from narrator.screen.code import rows

    for key, values in questions.items():
        assert len({frozenset(rows(Show(key, "seer", (1,), value))) for value in values}) == len(values), key


def test_a_question_has_a_light_too() -> None:
    """A number, yes or no, and nothing at all look different; a shown victim and the question what to do take turns; what was shown and
    only waits to have been seen does not."""
    assert set(cycles(seen([]))) == {NOTHING}
    for kind, cycle in (("seat", NUMBER), ("seats", NUMBER), ("choice", NUMBER), ("wait", NUMBER), ("yes_no", YES_NO)):
        assert set(cycles(seen([(0.0, ask(kind))]))) == {cycle}
    victim = show("witch.victim", (9,))
    assert list(cycles(seen([(0.0, victim), (0.0, ask("yes_no"))])))[:4] == [("red", {9}), YES_NO, ("red", {9}), YES_NO]
    assert set(cycles(seen([(0.0, victim), (0.0, ask("wait"))]))) == {("red", frozenset({9}))}
    assert list(cycles(seen([(0.0, ask("seat")), (10.0, ask(None))])))[-1] == NOTHING
    assert set(cycles(seen([(0.0, ask("ballots", secret=False))]))) == {NOTHING}


def test_lovers_are_told_who_before_how_they_vote() -> None:
    """What is shown first is a sentence; what must be read comes before it, and then they take turns."""
    told = [(0.0, show("lovers.no_vote", ())), (0.0, show("lovers.who", (2, 5)))]
    assert [row for _, row in cycles(seen(told))][:3] == [{2, 5}, {3, 4, 7, 8, 11, 12}, {2, 5}]


def test_a_refusal_is_told_until_something_is_typed() -> None:
    """At night the row is red behind a green head; the next key, or the next question, takes it away. By day there is nothing."""
    story = [(0.0, ask("seat")), (1.0, refused), (26.0, lambda lights: lights.typed("")), (34.0, lambda lights: lights.typed("3"))]
    read = list(cycles(seen(story)))
    assert read[1:4] == [REFUSED] * 3
    assert read[5:] == [NUMBER] * 2
    assert set(list(cycles(seen([(0.0, ask("seat")), (1.0, refused), (10.0, ask("seat"))])))[2:]) == {NUMBER}
    assert seen([], before=refused) == seen([])


AWAY: list[Act] = [lambda lights: lights.wipe(), lambda lights: lights.cover(True), lambda lights: lights.hide(True)]


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize("at", [3.0, 5.1, 8.4, 9.9])
def test_what_is_taken_away_is_gone_with_the_next_beat(away: Act, at: float) -> None:
    """A wiped, covered or hidden secret is not on any lamp that is lit afterwards: all is as if there had been none."""
    secret = seen([(0.0, show("seer.side", "werewolf")), (at, away)])
    later = [call for call in secret if call[0] >= at and call[1]]
    plain = [call for call in seen([]) if call[0] >= at and call[1]]
    assert later == plain


def test_what_was_hidden_comes_back_with_a_whole_cycle() -> None:
    """Half a row would be misread."""
    story: Story = [(0.0, show("witch.victim", (9,))), (3.0, lambda lights: lights.hide(True)), (4.0, lambda lights: lights.hide(False))]
    (_, first), *others = cycles(seen(story))
    assert first & frozenset(range(8, 15)) == EVEN & frozenset(range(8, 15))
    assert set(others) == {("red", frozenset({9}))}


def test_a_larger_table_has_longer_rows() -> None:
    """There is a place for each seat, and for each card; alternating, a head apart."""
    for seats, places in ((5, 14), (14, 14), (15, 15), (20, 20)):
        assert set(cycles(seen([], seats=seats))) == {("green", frozenset(range(2, places + 1, 2)))}


ACTS = st.one_of(
    st.sampled_from([show(key, value) for key, examples in READ.items() for value, _ in examples]),
    st.sampled_from([ask(kind) for kind in ("seat", "seats", "yes_no", "wait", "choice", None)]),
    st.sampled_from([*AWAY, refused, lambda lights: lights.cover(False), lambda lights: lights.hide(False)]),
    st.sampled_from([lambda lights: lights.typed("3"), lambda lights: lights.typed(""), lambda lights: lights.notice("text")]),
)
STORIES = st.lists(st.tuples(st.floats(0.0, LONG - 1), ACTS), max_size=12)


@given(STORIES, STORIES, st.integers(5, 20))
@settings(max_examples=150, deadline=None)
def test_as_many_lamps_are_lit_at_the_same_times(one_story: Story, other_story: Story, seats: int) -> None:
    """Whatever is told, and in a decoy in which nothing is: two lamps differ in nothing but which of them is lit."""
    one_seen, other_seen, decoy = ([(at, len(names)) for at, names in seen(told, seats)] for told in (one_story, other_story, []))
    assert one_seen == other_seen == decoy


@given(STORIES, st.integers(5, 20))
@settings(max_examples=100, deadline=None)
def test_one_lamp_gives_the_same_light_in_every_beat(story: Story, seats: int) -> None:
    """It is lit with each beat, and for as long in it."""
    assert beats(seen(story, seats, one)) == beats(seen([], seats, one))


def beats(calls: list[tuple[float, tuple[str, ...]]]) -> list[tuple[float, float]]:
    """When each beat begins, and for how long it has light."""
    found: list[tuple[float, float]] = []
    for (at, names), (until, _) in itertools.pairwise(calls):
        if not names:
            continue
        if found and at - found[-1][0] < 0.9 * BEAT:
            found[-1] = found[-1][0], round(found[-1][1] + until - at, 6)
        else:
            found.append((at, round(until - at, 6)))
    return found[:-1]       # the window closes in the midst of the last


@given(decks(HEALED))
@settings(max_examples=8, deadline=None)
def test_two_games_with_the_same_public_history_have_the_same_light(games: tuple[Secret, Secret]) -> None:
    """Through the real loop, nights, roll call and all: the lamps are lit at the same times, and as many of them."""
    one_game, other = map(lamps_of, games)
    assert [(at, len(names)) for at, names in one_game] == [(at, len(names)) for at, names in other]
    assert len({names for _, names in one_game}) == 3


def lamps_of(secret: Secret) -> list[tuple[float, tuple[str, ...]]]:
    """What the lamps show in the game of a secret."""
    rules = script_of("newmoon").edition.rules.changed(captain_elected="never", speeches="free", rounds_first_day=1)
    plan = Night(secret)
    table = Table(Setup(edition=Edition(id="newmoon", rules=rules), seats=SEATS, deck=tuple(sorted(plan.cards))), plan)
    lamp = Lamp(table.clock)
    lights = Lights(two(lamp), clock=table.clock)
    pass_by = table.clock.wait

    def wait(until: float) -> None:
        while (due := lights.tick()) is not None and due <= until:
            pass_by(due)
        pass_by(until)

    table.clock.wait = wait   # type: ignore[method-assign]
    table.loop._stage.screen = lights
    table.run()
    return lamp.calls


@pytest.mark.real_time
def test_the_lamps_keep_time_by_themselves() -> None:
    """While the game is busy they neither stop nor drift; when the window closes they are dark at once, and when they are closed."""
    lit, changed = list[tuple[float, tuple[str, ...]]](), threading.Event()

    def note(names: Collection[str]) -> None:
        lit.append((time.monotonic(), tuple(names)))
        changed.set()

    lights = Lights(pair(note, "green", "red"), beat=0.05)
    lights.begin()
    began = time.monotonic()
    lights.awake(True)
    rng = random.Random(1)
    while time.monotonic() < began + 2.6:
        sorted(rng.random() for _ in range(1000))
    changed.clear()
    lights.awake(False)
    assert changed.wait(5)
    assert lit[-1][1] == ()
    on = [at for at, names in lit if names]
    assert len(on) == pytest.approx(2.55 / 0.05 * 15 / 20, abs=4), "15 of 20 beats have light"
    assert on[30] - began == pytest.approx(0.05 * (1 + 40), abs=0.5), "the third cycle begins when it should"
    lights.awake(True)
    lights.close()
    assert lit[-1][1] == ()
    assert not lights._thread.is_alive()


def test_lamps_that_are_pulled_out_end_nothing() -> None:
    """The schedule goes on without them, and with them when they are back."""
    lost, lit = True, []

    def light(names: Collection[str]) -> None:
        if lost:
            raise OSError("no such device")
        lit.append(names)

    clock = SimulatedClock()
    lights = Lights(pair(light, "green", "red"), clock=clock)
    lights.awake(True)
    for beat in range(100):
        lost = beat < 50
        clock.wait(beat * BEAT)
        lights.tick()
    assert len(lit) > 50


def test_after_a_stop_the_lamps_do_not_hurry() -> None:
    """Where the machine stood still for a minute, cycles that are over are left out."""
    clock = SimulatedClock()
    lamp = Lamp(clock)
    lights = Lights(two(lamp), clock=clock)
    lights.awake(True)
    lights.tick()
    clock.wait(600.0)
    before = len(lamp.calls)
    lights.tick()
    assert len(lamp.calls) - before < 3 * 20


def test_there_is_time_to_read() -> None:
    """Whenever a seat is shown, within the time that `reading` names there is a whole cycle of it; windows are made that long."""
    needs = reading(12)
    for at in [tenth / 10 for tenth in range(0, 170, 3)]:
        calls = [call for call in seen([(at, show("witch.victim", (9,)))]) if call[0] <= at + needs]
        assert ("red", frozenset({9})) in list(cycles([*calls, (LONG, ("green",))]))
    plain = script_of("anniversary").pacing
    slower = plain.readable(needs)
    for phase in (Phase("night", 1), Phase("night", 2)):
        short, long = (Windows(pacing, random.Random(1)).draw(Wake("seer", (1,)), phase) for pacing in (plain, slower))
        assert long.open_for == pytest.approx(short.open_for), "an answer is late when it ever was"
        assert long.rest - short.rest == pytest.approx(needs - plain.look)
        glance = Windows(slower, random.Random(1)).draw(Wake("look", (1,)), phase)
        assert glance.open_for + glance.rest >= needs
    assert plain.readable(0.0) == plain


@pytest.fixture
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """gpiozero's own pins that are none."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


def test_lamps_at_pins(mock_pins: Any) -> None:
    """Two pins are two lamps, green and red; one is one. When they are let go they are dark."""
    lamps = pins.lamps((23, 24))
    states = []
    for sign in ("A", "B"):
        for _, names in lamps.signs[sign]:   # type: ignore[index]
            lamps.lit(names)
            states.append((mock_pins.pin(23).state, mock_pins.pin(24).state))
    assert states == [(True, False), (False, False), (False, True), (False, False)]
    lamps.close()
    alone = pins.lamps((25,))
    assert [len(alone.signs[sign]) for sign in ("A", "B")] == [2, 4]
    alone.close()


def test_pins_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, mock_pins: Any) -> None:
    """A pin that has something else on it, and a machine without pins, are told in a sentence."""
    del mock_pins
    taken = pins.lamps((23,))
    for given_pins in ((24, 23), (23,)):
        with pytest.raises(NoDevice) as raised:
            pins.lamps(given_pins)
        assert "23" in the_interface().error(raised.value)
    pins.lamps((24,)).close()
    taken.close()
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none_such")
    with pytest.raises(NoDevice):
        pins.lamps((23,))


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(NoDevice) as raised:
        pins.lamps((23,))
    assert ".[pi]" in the_interface().error(raised.value)


def test_which_display_is_used(mock_pins: Any) -> None:
    """By itself the lamps at the pins, where there are any, else the keypad's; or what has been chosen; where that is not there a sentence
    says so."""
    lit: list[set[str]] = []

    def keypad(names: Collection[str]) -> None:
        lit.append(set(names))

    at_pins, none = Settings(gpio_lamps="23,24"), Settings()
    for chosen, leds, there in (
        (none, ("numl", "scrolll"), True), (none, ("numl",), True), (at_pins, (), False), (at_pins, ("numl",), False),
        (at_pins.changed(secrets="keypad"), ("numl", "capsl", "scrolll"), True),
    ):  # fmt: skip
        lit.clear()
        screen = _secrets.display(chosen, leds, keypad)
        assert bool(lit) == there
        assert (mock_pins.pin(23).function == "output") != there
        screen.close()
    for chosen, leds in ((none, ()), (at_pins.changed(secrets="keypad"), ()), (none.changed(secrets="gpio"), ("numl",))):
        with pytest.raises(NoDevice) as raised:
            _secrets.display(chosen, leds, keypad)
        assert "narrator settings" in the_interface().error(raised.value)
    assert _secrets.seconds(none, 12) == reading(12)
    assert _secrets.seconds(none.changed(pace="slow"), 12) > reading(12)
    assert _secrets.seconds(none.changed(secrets="oled"), 12) == 0


def test_the_page_has_every_cards_number() -> None:
    """docs/secrets.md names each card beside its place in the row."""
    page = (ROOT / "docs" / "secrets.md").read_text("utf-8")
    for number, role in enumerate(ROLES, start=1):
        assert f"| {number} | {the_interface().cards[role]} |" in page
