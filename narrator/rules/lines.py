"""Every line that the rules can have spoken or shown, and every question they can put, with the blanks that each one fills.

A script that lacks one, or has one that is not here, is refused before a word is spoken. The blanks:
`seat`, `dead` and `seats` are seats, `role` is a card, `side` is "werewolf" or "villager".
"""

from __future__ import annotations

from narrator.rules.night import STEPS
from narrator.rules.roles import ROLES

LINES: dict[str, tuple[str, ...]] = {
    "roll.open": (),
    "roll.wake": ("role",),
    "roll.wake_all": ("role",),
    "roll.sleep": ("role",),
    "roll.again": (),
    "roll.close": (),
    "deal.open": (),
    "deal.wake": ("seat",),
    "deal.sleep": (),
    "night.first": (),
    "night.again": (),
    **{key: () for step in STEPS for key in (*step.lines, f"{step.name}.sleep")},
    "morning": (),
    "morning.dead": ("dead",),
    "morning.nobody": (),
    "card.shown": ("seat", "role"),
    "words.last": ("seat",),
    "hunter.shoot": ("seat",),
    "hunter.declined": ("seat",),
    "death.shot": ("dead",),
    "death.grief": ("dead",),
    "death.executed": ("dead",),
    "captain.elect": (),
    "captain.tied": (),
    "captain.elected": ("seat",),
    "captain.nobody": (),
    "captain.rotates": ("seat",),
    "captain.dying": ("seat",),
    "captain.successor": ("seat",),
    "captain.gone": (),
    "captain.choose": ("seat",),
    "day.discussion": (),
    "day.speech": ("seat",),
    "vote.open": (),
    "vote.tied": (),
    "vote.again": (),
    "vote.captain_ballot": (),
    "vote.nobody": (),
    "end.village": (),
    "end.werewolves": (),
    "end.lovers": (),
    "end.nobody": (),
}
"""Spoken lines: key → blanks."""

SHOWN: dict[str, tuple[str, ...]] = {
    "deal.card": ("role",),
    "cupid.tap": ("seats",),
    "lovers.who": ("seats",),
    "lovers.side": ("seat", "side", "seat_2", "side_2"),
    "seer.card": ("seat", "role"),
    "seer.side": ("seat", "side"),
    "witch.victim": ("seats",),
    "witch.nobody": (),
}
"""What the private screen shows: key → blanks."""

ASKS: tuple[str, ...] = (
    "deal.ready",
    "deal.seen",
    *(f"roll.{role}" for role in ROLES if role != "villager"),
    "cupid.pair",
    "cupid.tapped",
    "lovers.seen",
    "guard.protect",
    "seer.check",
    "seer.seen",
    "werewolf.kill",
    "witch.heal",
    "witch.poison",
    "witch.seen",
    "words.last",
    "hunter.shoot",
    "captain.elect",
    "captain.successor",
    "captain.choose",
    "day.discussion",
    "day.speech",
    "day.vote",
    "vote.again",
)
"""Every question, by its id."""

WAKES: tuple[str, ...] = ("deal", *(f"roll.{role}" for role in ROLES if role != "villager"), *(step.name for step in STEPS))
"""Every call that opens a window, by its name."""
