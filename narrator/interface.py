"""The words that are read, not heard: `scripts/interface.toml`, loaded strictly."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from string import Formatter
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from narrator.errors import NarratorError, Refused
from narrator.events import About
from narrator.files import Fault
from narrator.recap import MARKS
from narrator.resources import folder
from narrator.rules import ASKS, ROLES, RULINGS, SHOWN, Ask, Phase, PublicEvent, Ruled, Setup, Show, Slot
from narrator.script import OWN_ASKS, Script
from narrator.sound.levels import OFF, PARTS, Levels
from narrator.strict import check_keys, read_strictly

PASSES = ("hunter.shoot", "captain.successor")
"""The questions that may sometimes be passed: what 0 then does is told only where it may be keyed. Others that may be passed say so."""

NAMES_ITS_SEAT = ("variant.black_death.victim",)
"""The questions of the night that say whose they are: all the dead look, and only one of them is to answer."""

NO_CARD = ("look", "full_moon", "agent", "affair", "secret_love", "backfire")
"""Who is shown something and is called by no card's name."""


class Text(str):
    """A text with blanks. One that nobody fills, since it is misspelt, stays as it is written: it ends no game."""

    def format(self, *given: object, **slots: object) -> str:
        """The text with its blanks filled."""
        return Formatter().vformat(self, given, _Forgiving(slots))


class _Forgiving(dict[str, object]):
    def __missing__(self, blank: str) -> str:
        return f"{{{blank}}}"


class _Texts(dict[str, str]):
    """Texts by key. One that is missing reads as its key: that is better than no game."""

    def __missing__(self, key: str) -> str:
        return Text(key)


def _texts(written: dict[str, str]) -> _Texts:
    for text in written.values():
        Text(text).format(*[""] * 10)   # raises ValueError where its braces do not match
    return _Texts({key: Text(text) for key, text in written.items()})


Texts = Annotated[dict[str, str], AfterValidator(_texts)]


class Interface(BaseModel):
    """Sections of texts by key. A text's blanks are filled with what the narrator knows; lists of seats are written 1、3、5."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phases: Texts
    screen: Texts
    winners: Texts
    asks: Texts
    passes: Texts
    shown: Texts
    refused: Texts
    errors: Texts
    reasons: Texts
    faults: Texts
    system: Texts
    arguments: Texts
    doctor: Texts
    cards: Texts
    rulings: Texts
    values: Texts
    page: Texts
    glyphs: Texts
    deeds: Texts
    settings: Texts
    flaws: Texts
    cli: Texts
    keycard: Texts

    @classmethod
    def load(cls) -> Interface:
        """Read the file. Raises `BadScript` naming what is wrong or missing."""
        path = folder("scripts") / "interface.toml"
        interface = read_strictly(path, cls)
        check_keys(path, "asks", interface.asks, (*ASKS, *OWN_ASKS))
        check_keys(path, "passes", interface.passes, PASSES)
        check_keys(path, "shown", interface.shown, SHOWN)
        check_keys(path, "rulings", interface.rulings, RULINGS)
        check_keys(path, "cards", interface.cards, tuple(ROLES))
        check_keys(path, "glyphs", interface.glyphs, MARKS)
        check_keys(path, "deeds", interface.deeds, MARKS)
        return interface

    def phase(self, phase: Phase) -> str:
        """A phase's name."""
        return self.phases[phase.kind].format(number=phase.number)

    def ask(self, ask: Ask, script: Script) -> str:
        """A question as it stands on the screen."""
        # Whose question it is may be said of one for everyone, and of those that tell who is awake that it is his.
        seat = _written(ask.actors) if ask.audience == "everyone" or ask.id in NAMES_ITS_SEAT else ""
        text = self.asks[ask.id].format(count=ask.count[1], seat=seat, captain=script.captain)
        if ask.kind == "wait" and ask.candidates:
            return f"{text}　" + self.screen["shows_himself"]
        if ask.groups:
            parts = self.screen["group_parts"].join(map(_written, ask.groups))
            rule = "one_of_each" if ask.count[0] < len(ask.groups) else "just_one_of_each"
            return f"{text}　" + self.screen[rule].format(groups=parts)
        return text + self.passes[ask.id].format(captain=script.captain) if ask.may_pass and ask.id in PASSES else text

    def awake(self, audience: str, script: Script) -> str:
        """Who is awake, as it stands over what they are shown; where everyone looks in turn it says nothing of who is chosen."""
        return self.screen[audience] if audience in NO_CARD else script.word("role", audience)

    def show(self, show: Show, script: Script) -> str:
        """What the private screen shows."""
        return self.shown[show.key].format(**{slot: self._shown(slot, value, script) for slot, value in show.slots})

    def large(self, show: Show, script: Script) -> tuple[str, ...]:
        """What of it is to be read at arm's length in the dark: seats in digits, and a card or a side in this edition's word."""
        found: list[str] = []
        for slot, value in show.slots:
            if isinstance(value, str):
                found.append(script.word(slot, value))
            elif slot != "cards":
                found += map(str, value if isinstance(value, tuple) else (value,))
        return tuple(found)

    def held(self, cards: Sequence[str], script: Script) -> str:
        """The card that somebody holds, or both."""
        return _written(tuple(script.word("role", card) for card in cards))

    def _shown(self, slot: str, value: Slot, script: Script) -> str:
        if isinstance(value, str):
            return script.word(slot, value)
        cards = [script.word("role", card) for card in value if isinstance(card, str)] if isinstance(value, tuple) else []
        numbered = [self.screen["numbered"].format(number=number, card=card) for number, card in enumerate(cards, start=1)]
        return "　".join(numbered) if slot == "cards" else self.seats(value)

    def ruling(self, events: Sequence[PublicEvent], setup: Setup, script: Script) -> str:
        """The last ruling among these in a sentence, with the switch that it hangs on and the edition that it comes from."""
        ruled = next((event for event in reversed(events) if isinstance(event, Ruled)), None)
        if ruled is None:
            return self.screen["no_ruling"]
        switch = RULINGS[ruled.key][0]
        slots = {slot: self._shown(slot, value, script) for slot, value in ruled.slots}
        sentence = self.rulings[ruled.key].format(**slots, captain=script.captain)
        own = getattr(setup.rules, switch) != getattr(script.edition.rules, switch)
        source = self.screen["ruled_here" if own else "ruled_there"].format(edition=script.name)
        return self.screen["ruling"].format(sentence=sentence, switch=switch, value=written(getattr(setup.rules, switch)), source=source)

    def deed(self, what: str, count: object, script: Script, round: int = 1) -> str:
        """What was done to a seat; `count`: by how many ballots, where it was voted for; `round`: in which vote of that day."""
        deed = self.deeds[what].format(count=count, captain=script.captain)
        return self.page["run_off"].format(round=round, deed=deed) if round > 1 else deed

    def levels(self, levels: Levels) -> str:
        """How loud each part of the sound is, against what is planned for it."""
        return self.screen["levels"].format(**{part: self._level(getattr(levels, part)) for part in PARTS})

    def _level(self, decibels: float) -> str:
        return self.screen["level_off"] if decibels <= OFF else f"{decibels:+g}"

    def seats(self, seats: Slot) -> str:
        """Seats in digits, which are read faster in the dark than they would be as numerals."""
        return self.screen["seats"].format(seats=_written(seats))

    def refusal(self, refused: Refused) -> str:
        """Why an answer was not taken, and what was expected."""
        return self.refused[refused.reason].format(**{slot: _written(value) for slot, value in refused.slots.items()})

    def error(self, error: NarratorError) -> str:
        """A user's error in one sentence."""
        slots = {name: self._word(value) for name, value in error.slots.items()}
        slots |= {name: self.cards[card] for name, card in slots.items() if name == "card"}
        reason = self.reasons.get(slots.get("reason", ""))
        return self.errors[error.key].format(**slots | ({"message": reason.format(**slots)} if reason else {}))

    def why(self, error: OSError) -> str:
        """Why the system did not do what it was asked to."""
        name = errno.errorcode.get(error.errno or 0, "unknown")
        return self.system.get(name, self.system["other"]).format(name=name)

    def finding(self, state: str, key: str, **slots: object) -> str:
        """A line of the doctor's: the state, what was found, and where it is not as it should be what mends it."""
        mend = "" if state == "good" else self.doctor.get(f"{key}_mend", "").format(**slots)
        return self.doctor["line"].format(state=self.doctor[state], found=self.doctor[key].format(**slots), mend=mend).rstrip()

    def argument(self, message: str) -> str:
        """What argparse complains of, which says it in English only."""
        for pattern, text in self.arguments.items():
            if found := re.search(pattern, message):
                return text.format(*found.groups())
        return message

    def _word(self, value: object) -> str:
        """What fills a blank of an error's sentence."""
        match value:
            case Fault():
                text = self.faults.get(value.kind, self.faults["other"])
                return text.format(where=value.where, expected=_written(value.expected))
            case OSError():
                return self.why(value)
            case _:
                return _written(value)


def about(name: str, script: Script) -> About:
    """What a script tells of an event card, or a variant."""
    return next(group[name] for group in script.events.values() if name in group)


def _written(value: object) -> str:
    return "、".join(map(str, value)) if isinstance(value, tuple) else str(value)


def written(value: object) -> str:
    """A switch's value as an edition's file writes it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return "[" + ", ".join(map(written, value)) + "]"
        case str():
            return f'"{value}"'
        case float():
            return f"{value:g}"
        case _:
            return str(value)
