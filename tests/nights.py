"""Nights at tables whose players sometimes run over, through the real loop on a simulated clock: for the leak test and benchmark.

Everyone hears the same in each game but for the length of the wakes: seat 12, or whoever else is the first night's only victim, is
found dead and shows no card, nobody dies after that, nobody is executed. Whether a role is alive, dead or absent is a secret.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from narrator.hearing import Command, Entered, Payload
from narrator.pacing import Pacing
from narrator.rules import Ask, Edition, Setup
from tests.stage import Table
from tests.texts import script_of

EDITION = "newmoon"

NIGHTS = 4
"""Nights of a game: fewer than the piper needs."""

SEATS = 12

Holder: TypeAlias = Literal["alive", "dead", "absent"]
"""What nobody may learn: whether who holds the card that is called can wake."""

Seconds: TypeAlias = Mapping[str, float]
"""Each role's median time to answer all that it is asked in one wake."""

ALIKE: Seconds = {"guard": 5, "seer": 5, "werewolf": 9, "witch": 8.5, "piper": 6.5, "cupid": 8}
"""As slow as each other, by their windows: a half of the time that a later night gives."""

LATE: Seconds = {role: 1.5 * seconds for role, seconds in ALIKE.items()}
"""The same at a table that takes half as long again: one wake in six runs over."""

BY_ROLE: Seconds = {"guard": 4, "seer": 5, "werewolf": 10, "witch": 9.5, "piper": 7, "cupid": 8}
"""Each with a pace of its own, beyond what the length of its window foresees."""

SLOW: Seconds = {role: 1.25 * seconds for role, seconds in BY_ROLE.items()}
"""The same at a table that takes a quarter longer."""

LOOKS = 3.0
"""Median time that somebody looks at what is shown."""

OF_TABLES, OF_WAKES = 0.2, 0.35
"""How far tables, and the wakes of one table, scatter: the standard deviation of the time's logarithm. One in a hundred wakes takes
2.3 times as long as the median, so the tail is a heavy one."""

_HALF = ("witch.heal", "cupid.pair", "piper.charm")
"""Asks that take a half of the wake's time, since another follows."""

_CARD = {"lovers": "cupid", "charmed": "piper"}
"""Calls that are not a card's own, and the card that they depend on."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One wake, and what is secret about it.

    seconds   how long its window lasted
    answered  seconds after which all was answered; None in a decoy
    """

    role: str
    night: int
    holder: Holder
    seconds: float
    answered: float | None


def play(seed: int, medians: Seconds) -> list[Heard]:
    """The wakes of one game in which somebody could be dead or absent."""
    rng = random.Random(f"players {seed}")   # not the dice of the windows
    players = _Players(rng, medians)
    cards = players.cards
    setup = Setup(edition=_edition(), seats=SEATS, deck=cards, deal=cards)
    table = Table(setup, players, seed=seed)
    table.run()
    heard = []
    for record in table.public_transcript():
        window, _, role = record["key"].partition(".")
        phase, _, night = record["phase"].partition(" ")
        card = _CARD.get(role, role)
        if window == "window" and phase == "night" and card in medians and card != "werewolf":
            answered = players.answered.get((role, int(night)))
            holder: Holder = "alive" if answered is not None else "dead" if card in cards else "absent"
            heard.append(Heard(role, int(night), holder, record["duration"], answered))
    return heard


def pacing() -> Pacing:
    """The windows that these games have."""
    return script_of(EDITION).pacing


@cache
def _edition() -> Edition:
    rules = script_of(EDITION).edition.rules.changed(captain_elected="never", speeches="free", show_night_dead=False)
    return Edition(id=EDITION, rules=rules)


class _Players:
    """The plan of everyone at a table.

    cards     the card of each seat
    answered  after how many seconds all was answered that a role was asked in a night
    """

    def __init__(self, rng: random.Random, medians: Seconds) -> None:
        self._rng, self._medians = rng, medians
        roles = [role for role in medians if role != "werewolf" and rng.random() < 2 / 3]
        cards = ["werewolf", "werewolf", *roles]
        self.cards = (*cards, *["villager"] * (SEATS - len(cards)))
        mortal = [role for role in roles if role != "cupid"]   # who is called on the first night alone is not missed on another
        self._victim = rng.choice([*(self.cards.index(role) + 1 for role in mortal), SEATS])
        self._pace = math.exp(rng.gauss(0, OF_TABLES))
        self._takes: dict[tuple[str, int], float] = {}
        self._night = 0
        self.answered: dict[tuple[str, int], float] = defaultdict(float)

    def __call__(self, ask: Ask) -> list[tuple[float, Payload]]:
        role = ask.id.partition(".")[0]
        if ask.id == "day.discussion":
            self._night += 1
            return [(2.0, Command("quit") if self._night == NIGHTS else Entered(""))]
        if role in self._medians or role in _CARD:
            after = self._after(ask.id, (role, self._night + 1))
            self.answered[role, self._night + 1] += after
            return [(after, Entered(self._entry(ask)))]
        return [(2.0, Entered(self._entry(ask)))]

    def _after(self, ask: str, wake: tuple[str, int]) -> float:
        """Seconds until an ask of a wake is answered."""
        if ask.endswith(".seen"):
            return self._scattered(LOOKS)
        if wake not in self._takes:
            self._takes[wake] = self._scattered(self._medians[wake[0]])
        whole = self._takes[wake]
        return whole / 2 if ask in _HALF else whole - self.answered[wake]

    def _scattered(self, median: float) -> float:
        return median * self._pace * math.exp(self._rng.gauss(0, OF_WAKES))

    def _entry(self, ask: Ask) -> str:
        match ask.id:
            case _ if ask.kind == "wait":
                return ""
            case "werewolf.kill" if not self._night:
                return str(self._victim)
            case "seer.check":
                return str(self._rng.choice(ask.candidates))
            case "cupid.pair":
                return f"{SEATS - 2}+{SEATS - 1}"
            case "piper.charm":
                return "+".join(map(str, ask.candidates[: ask.count[1]]))
        return "0"
