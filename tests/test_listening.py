"""When a table is listened to: what the ears are told at each moment of a game."""

from __future__ import annotations

from narrator.clock import SimulatedClock
from narrator.hearing import Command, Payload
from narrator.rules import Ask
from narrator.voice import Pack, Voice
from tests.small import TWO_NIGHTS, began, play
from tests.stage import Table


class Ears:
    """Ears that keep, with the time, how long the narrator would be heard."""

    trouble = ""
    busy = False

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock = clock
        self.told: list[tuple[float, float]] = []

    def attend(self, ask: Ask | None) -> None: ...

    def pause(self, on: bool) -> None: ...

    def deaf(self, seconds: float) -> None:
        self.told.append((self._clock.now(), seconds))


def listened(*interjections: tuple[float, Payload]) -> tuple[Table, Ears]:
    """A game with a voice, and the ears that it had."""
    made: list[Ears] = []

    def ears(clock: SimulatedClock) -> Ears:
        made.append(Ears(clock))
        return made[0]

    at_table = play(*TWO_NIGHTS, voice=Voice(Pack.load("xiaoyi"), None, None), ears=ears, interjections=interjections)
    return at_table, made[0]


def test_who_cuts_the_narrator_off_is_heard() -> None:
    """From that moment on it is not expected to speak, but for what it says next."""
    plain, _ = listened()
    when = began(plain, "vote.open") + 1.0
    _, ears = listened((when, Command("again")))
    (cut, spoken) = [seconds for at, seconds in ears.told if at == when]
    assert cut == 0.0
    assert spoken > 1.0
