"""Rule cases: small situations and what must come of them, as TOML files, run against the rules engine.

A case names an edition, the deal (seat 1, 2, 3, ...), the switches it changes, and plays. Each play is one phase ("setup",
"night 1", "day 1", ...), the answers given in it, in order, and what is expected of it:

    title = "..."                  edition = "anniversary"          deal = ["werewolf", "seer", ...]
    rules = { switch = value }     # optional
    [[play]]
    at = "night 1"
    answers = [["seer.check", 1], ["werewolf.kill", "none"]]
    [play.expect]                  # all optional: dead, shown, asked, not_asked, refused, winner, captain, roles, weight

An ask that the answers leave out is passed; one that may not be passed fails the case, and so does an answer that is never asked
for. Asks that only wait are answered here. A phase without a play is passed through. Without `winner` the game must go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from narrator import files
from narrator.errors import BadCase, NarratorError, Refused
from narrator.rules import ASKS, ROLES, Ask, Begins, Died, Game, Line, People, Phase, Setup, Show, Winner
from narrator.script import Script


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Expect(_Strict):
    """What must have come of a phase; None where the case does not say."""

    dead: list[int] | None = None
    shown: dict[str, str | list[Any]] = {}
    asked: list[str] = []
    not_asked: list[str] = []
    refused: list[tuple[str, Any]] = []
    winner: Winner | None = None
    captain: int | None = None
    roles: dict[int, str] = {}
    weight: dict[int, float] = {}


class Play(_Strict):
    """One phase of a case."""

    at: Annotated[str, Field(pattern=r"^(setup|(night|day) [1-9]\d?)$")]
    answers: list[tuple[str, Any]] = []
    expect: Expect = Expect()

    @property
    def when(self) -> tuple[int, bool]:
        """Where this phase stands in a game: setup, night 1, day 1, night 2, ..."""
        return _when(self.at)


class Case(_Strict):
    """One rule case."""

    title: str
    edition: str
    deal: tuple[str, ...]
    rules: dict[str, Any] = {}
    spare: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    variant: str = ""
    events: dict[str, Any] = {}
    people: dict[str, Any] = {}
    play: list[Play]

    @field_validator("events")
    @classmethod
    def _of_a_morning(cls, events: dict[str, Any]) -> dict[str, Any]:
        if any(when != "setup" and not when.startswith("day ") for when in events):
            raise PydanticCustomError("not_a_morning", "an event card is drawn on \"day N\", or lies there from the \"setup\"")
        return events

    @field_validator("play")
    @classmethod
    def _in_order(cls, plays: list[Play]) -> list[Play]:
        if any(later.when <= earlier.when for earlier, later in pairwise(plays)):
            raise PydanticCustomError("out_of_order", "the phases are not in the order of a game")
        return plays

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises `BadCase` that says what is wrong with it."""
        case: Self = files.toml(path, cls, BadCase)
        return case

    def game(self) -> Game:
        """The game this case begins with. Raises `BadScript` or `BadSetup` where it cannot be played."""
        edition = Script(self.edition).edition.by_rules(**self.rules)
        laid = self.events.get("setup", [])
        last = max((_when(when)[0] for when in self.events if when != "setup"), default=0)
        setup = Setup(
            edition=edition, seats=len(self.deal), deck=(*self.deal, *self.spare), deal=self.deal, spare=self.spare,
            variant=self.variant, second=self.second, people=People.model_validate(self.people),
            events=tuple(self.events.get(f"day {number}", "") for number in range(1, last + 1)),
            dark=(laid,) if isinstance(laid, str) else tuple(laid),
        )  # fmt: skip
        return Game(setup)


def find(paths: Iterable[Path]) -> Iterator[Path]:
    """The case files among `paths`: files as they are, folders searched for *.toml."""
    for path in paths:
        yield from sorted(path.rglob("*.toml")) if path.is_dir() else (path,)


def run(case: Case) -> list[str]:
    """Play a case. Returns what differs, one sentence each; nothing when it passes."""
    try:
        runner = _Runner(case.game(), [name for play in case.play for name in _named_by(play)])
        for play in case.play:
            runner.play(play)
    except NarratorError as error:
        return [str(error)]
    return runner.failures


def _named_by(play: Play) -> list[str]:
    """The asks that a play speaks of; a seer who is shown several cards is one of Harvest Festival."""
    names = [*(name for name, _ in (*play.answers, *play.expect.refused)), *play.expect.asked]
    return [*names, "variant.harvest.seer"] if isinstance(play.expect.shown.get("seer"), list) else names


class _Runner:
    def __init__(self, game: Game, named: list[str]) -> None:
        self.game, self._named_asks = game, named
        self.failures: list[str] = []
        self._phase = Phase("setup")
        self._lines: dict[str, list[Line]] = {}
        self._collect()

    def play(self, play: Play) -> None:
        for name, _ in (*play.answers, *play.expect.refused):
            if name not in ASKS:
                self._fail(play, "answers", "an ask of `narrator cases --asks`", name)
                return
        while _when(str(self.game.phase)) < play.when and not self.game.over:
            self._answer([], [])
        if play.at not in self._lines:
            self._fail(play, "phase", play.at, f"the game ended in {self._phase}")
            return
        left, untried, asked = list(play.answers), list(play.expect.refused), set[str]()
        while str(self.game.phase) == play.at and not self.game.over:
            asked.add(self._open.id)
            untried = self._try_refused(play, untried)
            self._answer(left, play.answers)
        if left:
            self._fail(play, "answers", "all asked for", f"never asked for: {left[0]}")
        if untried:
            self._fail(play, "refused", untried[0], "never asked")
        self._compare(play, asked)

    @property
    def _open(self) -> Ask:
        assert self.game.turn.ask is not None   # only called while the game goes on
        return self.game.turn.ask

    def _answer(self, left: list[tuple[str, Any]], given: list[tuple[str, Any]]) -> None:
        ask = self._open
        if left and left[0][0] == ask.id:
            value = _value(left.pop(0)[1])
        elif ask.kind == "wait":
            value = True
        elif ask.id in _PLAYED_IF:
            value = any(name.startswith(_PLAYED_IF[ask.id]) for name in self._named_asks)
        else:
            value = None
        try:
            self.game.answer(ask.id, value)
        except Refused as refused:
            later = any(name == ask.id for name, _ in left)
            missing = f"is asked before {left[0][0]}, and answers are taken in order" if later else "is not answered and cannot be passed"
            what = missing if value is None else f"refused {value!r}"
            raise BadCase(f"{self.game.phase}: {ask.id} {what} ({refused}); answers: {given}") from refused
        self._collect()

    def _try_refused(self, play: Play, untried: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Try what must be refused to the open ask; returns what belongs to other asks."""
        for ask_id, value in (attempt for attempt in untried if attempt[0] == self._open.id):
            if self.game.can(ask_id, _value(value)):
                self._fail(play, "refused", [ask_id, value], "it was taken")
        return [attempt for attempt in untried if attempt[0] != self._open.id]

    def _collect(self) -> None:
        for line in self.game.turn.lines:
            if isinstance(line, Begins):
                self._phase = line.phase
            self._lines.setdefault(str(self._phase), []).append(line)

    def _compare(self, play: Play, asked: set[str]) -> None:
        expect, lines = play.expect, self._lines.get(play.at, [])
        ended_here = self.game.over and str(self._phase) == play.at
        winner = self.game.outcome.winner if self.game.outcome and ended_here else None
        if winner != expect.winner:
            self._fail(play, "winner", expect.winner or "the game goes on", winner or "the game goes on")
        dead = [line.seat for line in lines if isinstance(line, Died)]
        if expect.dead is not None and dead != expect.dead:
            self._fail(play, "dead", expect.dead, dead)
        shown = {_SHOWN_AS.get(line.audience, line.audience): line.value for line in lines if isinstance(line, Show)}
        for role, value in expect.shown.items():
            if role not in (*ROLES, "lovers", "charmed", "double_agent"):
                self._fail(play, f"shown to {role}", value, "no such role")
            elif role not in shown and value == []:
                pass   # who is shown nothing is shown nobody
            elif role not in shown or _unordered(shown[role]) != _unordered(value):
                self._fail(play, f"shown to {role}", value, shown.get(role, "nothing"))
        for ask_id in set(expect.asked) - asked:
            self._fail(play, "asked", ask_id, "not asked")
        for ask_id in set(expect.not_asked) & asked:
            self._fail(play, "not asked", ask_id, "asked")
        captain = self.game.captain if self.game.captain in self.game.alive else 0
        if expect.captain is not None and captain != expect.captain:
            self._fail(play, "captain", expect.captain, captain)
        for seat, role in expect.roles.items():
            if self.game.role(seat) != role:
                self._fail(play, f"role of {seat}", role, self.game.role(seat))
        for seat, weight in expect.weight.items():
            if self.game.weight(seat) != weight:
                self._fail(play, f"weight of {seat}", weight, self.game.weight(seat))

    def _fail(self, play: Play, what: str, expected: object, came: object) -> None:
        self.failures.append(f"{play.at}: {what}: expected {expected}, came {came}")


def _when(phase: str) -> tuple[int, bool]:
    kind, _, number = phase.partition(" ")
    return int(number or 0), kind == "day"


def _value(written: Any) -> Any:
    """A value as TOML writes it → as the rules take it."""
    if isinstance(written, list):
        return tuple(map(_value, written))
    return _NAMED.get(written, written) if isinstance(written, str) else written


_PLAYED_IF = {
    "card.bleak_monday.variant": "variant.not_him.",
    "card.end_of_harvest.variant": "variant.harvest.",
    "card.radiant_sunday.variant": "",
}
"""Whether a card's variant is played, where a case does not say: if it speaks of one of the variant's questions; Radiant Sunday's, which
has none of its own, is played."""

_SHOWN_AS = {"full_moon": "werewolf", "agent": "double_agent"}
"""As whom a case names who is shown something, where it is not by the call."""

_NAMED = {"none": None, "heads": 1, "tails": 2, "in_in": 1, "in_out": 2, "out_in": 3, "out_out": 4}
"""What a case writes for nobody, for the sides of a coin, and for how a box has fallen."""


def _unordered(value: object) -> object:
    """Lists compare in any order: what a screen shows has none of its own."""
    if isinstance(value, list | tuple):
        return sorted((_unordered(item) for item in value), key=repr)
    return value
