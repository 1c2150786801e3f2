"""The words that are read, not heard: `scripts/interface.toml`, loaded strictly."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from narrator.errors import NarratorError, Refused
from narrator.resources import folder
from narrator.rules import ASKS, SHOWN, Ask, Phase, Show
from narrator.script import Script, check_keys, read_strictly


class Interface(BaseModel):
    """Sections of texts by key. A text's blanks are filled with what the narrator knows; lists of seats are written 1、3、5."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phases: dict[str, str]
    screen: dict[str, str]
    winners: dict[str, str]
    asks: dict[str, str]
    shown: dict[str, str]
    refused: dict[str, str]
    errors: dict[str, str]
    reasons: dict[str, str]
    cli: dict[str, str]

    @classmethod
    def load(cls) -> Interface:
        """Read the file. Raises `BadScript` naming what is wrong or missing."""
        path = folder("scripts") / "interface.toml"
        interface = read_strictly(path, cls)
        check_keys(path, "asks", interface.asks, ASKS)
        check_keys(path, "shown", interface.shown, SHOWN)
        return interface

    def phase(self, phase: Phase) -> str:
        """A phase's name."""
        return self.phases[phase.kind].format(number=phase.number)

    def ask(self, ask: Ask) -> str:
        """A question as it stands on the screen."""
        text = self.asks[ask.id].format(count=ask.count[1])
        return f"{text} " + self.screen["pass"] if ask.may_pass and "0" not in text else text

    def show(self, show: Show, script: Script) -> str:
        """What the private screen shows."""
        return self.shown[show.key].format_map(
            {slot: script.word(slot, value) if isinstance(value, str) else self.seats(value) for slot, value in show.slots}
        )

    def seats(self, seats: int | tuple[int, ...]) -> str:
        """Seats in digits, which are read faster in the dark than they would be as numerals."""
        return self.screen["seats"].format(seats=_written(seats))

    def refusal(self, refused: Refused) -> str:
        """Why an answer was not taken, and what was expected."""
        return self.refused[refused.reason].format_map({slot: _written(value) for slot, value in refused.slots.items()})

    def error(self, error: NarratorError) -> str:
        """A user's error in one sentence."""
        reason = self.reasons.get(str(error.slots.get("reason")))
        slots = error.slots | ({"message": reason.format_map(error.slots)} if reason else {})
        return self.errors[error.key].format_map(slots)


def _written(value: object) -> str:
    return "、".join(map(str, value)) if isinstance(value, tuple) else str(value)
