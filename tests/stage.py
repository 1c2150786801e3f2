"""A table made of hand-written devices on a simulated clock: scripted players, and a screen that keeps what it was told."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from narrator.clock import SimulatedClock
from narrator.hearing import Command, Entered, Event, Hearing, Payload
from narrator.journal import Journal
from narrator.loop import Loop
from narrator.pacing import Windows
from narrator.rules import Ask, Game, Kind, Outcome, Setup, Show
from narrator.screen import View
from narrator.sound import Silence, Sound
from narrator.stage import Stage
from narrator.transcript import Transcript
from narrator.voice import Voice
from tests.texts import script_of, the_interface

Plan = Callable[[Ask], Iterable[tuple[float, Payload]]]
"""What comes in answer to an ask: seconds after it was put, and what is heard then."""


class Scripted:
    """A `Hearing` that plays a plan. What is planned for an ask is forgotten when the next is put, all but commands.

    `interjections` come by the clock, whatever is asked.
    """

    trouble: str | None = None

    def __init__(self, clock: SimulatedClock, plan: Plan, interjections: Iterable[tuple[float, Payload]] = ()) -> None:
        self._clock, self._plan = clock, plan
        self._coming: list[Event] = []
        self._interjections = [Event("table", at, payload) for at, payload in sorted(interjections, key=lambda item: item[0])]
        self.closed = self.paused = False
        self.before_asking: Callable[[Ask], None] = lambda _: None

    def attend(self, ask: Ask | None) -> None:
        assert not self.closed
        if ask:
            self.before_asking(ask)
        now = self._clock.now()
        commands = [event for event in self._coming if isinstance(event.payload, Command)]
        self._coming = commands + [Event("players", now + after, payload) for after, payload in (self._plan(ask) if ask else ())]

    def pause(self, on: bool) -> None:
        """Nobody answers in a pause: what was planned for it comes so much later."""
        assert on != self.paused, "a pause begins and ends once"
        self.paused, now = on, self._clock.now()
        if on:
            self._paused_at = now
        else:
            later = now - self._paused_at
            self._coming = [
                event if isinstance(event.payload, Command) else replace(event, at=event.at + later) for event in self._coming
            ]

    def wait(self, until: float) -> Event | None:
        assert not self.closed
        coming = [event for event in self._coming if isinstance(event.payload, Command) or not self.paused]
        first = min((*coming[:1], *self._interjections[:1]), key=lambda event: event.at, default=None)
        if first is None or first.at > until:
            assert until < 24 * 3600, "the game has waited for a day: the plan has no answer"
            self._clock.wait(until)
            return None
        (self._interjections if first in self._interjections[:1] else self._coming).remove(first)
        self._clock.wait(first.at)
        return first

    def close(self) -> None:
        self.closed = True


class Told:
    """A `Screen` that keeps everything it was told, with the time, and holds the narrator to the contract."""

    readable = True

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock = clock
        self.calls: list[tuple[float, str, Any]] = []
        self.secret_open = False
        self._asks_secretly = False
        self._shown_to: set[str] = set()

    def _note(self, name: str, value: Any) -> None:
        self.calls.append((round(self._clock.now(), 6), name, value))

    def public(self, view: View) -> None:
        self._note("public", view)

    def speaking(self, key: str, text: str) -> None:
        assert not (key.endswith(".sleep") and self.secret_open), "eyes close before the private screen is wiped"
        self._note("speaking", (key, text))

    def check(self, ask: Ask) -> None:
        """Whoever is asked something finds nothing on the private screen that was meant for others."""
        assert self._shown_to <= {ask.audience}, f"{ask.id} is asked below what {self._shown_to} were shown"

    def asking(self, text: str, secret: bool, _kind: Kind | None = None) -> None:
        self.secret_open = self.secret_open or (secret and bool(text))
        self._asks_secretly = secret
        self._note("asking secretly" if secret else "asking", text)

    def awake(self, on: bool) -> None:
        self._note("awake", on)

    def private(self, audience: str, text: str, large: Sequence[str] = (), _show: Show | None = None) -> None:
        assert all(word in text or word.isdecimal() for word in large), "what is large is a part of what is shown"
        self.secret_open = True
        self._shown_to.add(audience)
        self._note("private", (audience, text))

    def typed(self, text: str) -> None:
        self._note("typed", text)

    def refuse(self, text: str) -> None:
        self._note("refuse secretly" if self._asks_secretly else "refuse", text)

    def notice(self, text: str) -> None:
        self._note("notice", text)

    def cover(self, on: bool) -> None:
        self._note("cover", on)

    def hide(self, on: bool) -> None:
        self._note("hide", on)

    def wipe(self) -> None:
        self.secret_open = False
        self._shown_to.clear()
        self._note("wipe", None)

    def close(self) -> None:
        self._note("close", None)

    def heard(self) -> list[tuple[str, str]]:
        """The lines spoken, as (key, text)."""
        return [value for _, name, value in self.calls if name == "speaking"]

    def everyone_sees(self) -> list[tuple[float, str, Any]]:
        """What was told to the public part."""
        return [call for call in self.calls if call[1] in ("public", "speaking", "asking", "refuse", "notice")]


def answers(*given: tuple[str, str], after: float = 1.0) -> Plan:
    """A plan that keys these entries for these asks, in order for each ask; a wait is answered with Enter, the rest with 0."""
    left: dict[str, list[str]] = {}
    for ask_id, entry in given:
        left.setdefault(ask_id, []).append(entry)

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        entries = left.get(ask.id)
        entry = entries.pop(0) if entries else ("" if ask.kind == "wait" else "0")
        return [(after, Entered(entry))]

    return plan


class Table:
    """Everything round one game. `run` plays it; then `screen`, `transcript` and `clock` tell what came of it, and `beats` when it
    gave a sign of life."""

    def __init__(
        self,
        setup: Setup,
        plan: Plan,
        *,
        interjections: Iterable[tuple[float, Payload]] = (),
        game: Game | None = None,
        journal: Journal | None = None,
        voice: Voice | None = None,
        sound: Callable[[SimulatedClock], Sound] | None = None,
        hearing: Callable[[SimulatedClock], Hearing] | None = None,
        ears: Callable[[SimulatedClock], Any] | None = None,
        seed: int = 1,
    ) -> None:
        self.clock = SimulatedClock()
        self.beats: list[float] = []
        self.screen = Told(self.clock)
        self.sound: Sound = sound(self.clock) if sound else Silence(self.clock)
        self.game = game or Game(setup)
        script, interface = script_of(setup.edition.id), the_interface()
        self._written = io.StringIO()
        scripted = Scripted(self.clock, plan, interjections)
        scripted.before_asking = self.screen.check
        self.hearing: Hearing = hearing(self.clock) if hearing else scripted
        stage = Stage(
            self.clock, self.sound, self.hearing, self.screen, script=script, interface=interface,
            windows=Windows(script.pacing, random.Random(seed)), voice=voice, transcript=Transcript(self._written),
            ears=ears(self.clock) if ears else None, beat=lambda: self.beats.append(self.clock.now()),
        )  # fmt: skip
        self.loop = Loop(stage, self.game, interface, journal, random.Random(seed))

    def run(self) -> Outcome | None:
        outcome = self.loop.run()
        self.sound.close()
        return outcome

    @property
    def transcript(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._written.getvalue().splitlines()]

    def public_transcript(self) -> list[dict[str, Any]]:
        return [record for record in self.transcript if record["audience"] == "everyone"]

    def windows(self, name: str) -> list[float]:
        """How long each window of a wake lasted."""
        return [record["duration"] for record in self.transcript if record["key"] == f"window.{name}"]


def new_journal(folder: Path, setup: Setup) -> Journal:
    return Journal.create(folder / "game.jsonl", setup)
