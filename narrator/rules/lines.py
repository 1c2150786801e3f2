"""Every line that the rules can have spoken or shown, and every question they can put, with the blanks that each one fills.

A script that lacks one, or has one that is not here, is refused before a word is spoken. The blanks:
`seat`, `dead` and `seats` are seats, `role` is a card, `cards` are several, `side` is "werewolf" or "villager".
"""

from __future__ import annotations

from narrator.rules.night import STEPS, Step
from narrator.rules.roles import ROLES
from narrator.rules.turn import Kind, Say


def _spoken(step: Step) -> list[str]:
    return [line.key for line in (*step.call, *step.end) if isinstance(line, Say)]


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
    "night.girl": (),
    **{key: () for step in STEPS for key in _spoken(step)},
    "look.open": (),
    "look.wake": ("seat",),
    "look.sleep": (),
    "morning": (),
    "morning.dead": ("dead",),
    "morning.nobody": (),
    "card.shown": ("seat", "role"),
    "elder.silences_all": (),
    "elder.silences_four": (),
    "idiot.shown": ("seat",),
    "words.last": ("seat",),
    "hunter.shoot": ("seat",),
    "hunter.declined": ("seat",),
    "death.shot": ("dead",),
    "death.grief": ("dead",),
    "death.executed": ("dead",),
    "death.idiot": ("dead",),
    "death.showed_himself": ("dead",),
    "death.left": ("dead",),
    "death.silence": (),
    "captain.run": (),
    "captain.withdraw": (),
    "captain.elect": (),
    "captain.elect_in_turn": (),
    "captain.tied": (),
    "captain.elected": ("seat",),
    "captain.nobody": (),
    "captain.rotates": ("seat",),
    "captain.dying": ("seat",),
    "captain.successor": ("seat",),
    "captain.gone": (),
    "captain.choose": ("seat",),
    "captain.direct": ("seat",),
    "captain.put_off": (),
    "day.discussion": (),
    "day.speech": ("seat",),
    "day.no_wolf": ("seat",),
    "vote.open": (),
    "vote.open_in_turn": (),
    "vote.ballot": ("seat",),
    "vote.hands": ("seat",),
    "vote.captain_hand": (),
    "vote.count": ("seat", "votes"),
    "vote.tied": (),
    "vote.again": (),
    "vote.captain_ballot": (),
    "vote.scapegoat": (),
    "scapegoat.voters": ("seat",),
    "vote.nobody": (),
    "end.village": (),
    "end.werewolves": (),
    "end.lovers": (),
    "end.piper": (),
    "end.nobody": (),
}
"""Spoken lines: key → blanks."""

CALLED = tuple(role for role in ROLES if role != "villager")
"""The cards that a roll call calls."""

NAMED: dict[str, tuple[str, ...]] = {
    "roll.wake": CALLED,
    "roll.wake_all": tuple(role for role in CALLED if not ROLES[role].single),
    "roll.sleep": CALLED,
}
"""Which cards a line's blank {role} can name, where those are not all."""

RULINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "vote.most": ("captain_weight", ("seat",)),
    "vote.captain_weighs": ("captain_weight", ("seat",)),
    "vote.nobody_named": ("tie", ()),
    "vote.no_voters": ("tied_may_vote", ()),
    "tie.captain_ballot": ("tie", ("seat",)),
    "tie.captain_choice": ("tie", ()),
    "tie.scapegoat": ("tie", ("seat",)),
    "tie.revote": ("tie", ()),
    "tie.second_vote": ("tie", ()),
    "tie.nobody": ("tie", ()),
    "idiot.spared": ("elder_silences", ("seat",)),
    "idiot.powerless": ("elder_silences", ("seat",)),
    "idiot.follows_elder": ("idiot_dies_with_elder", ("seat",)),
    "elder.silences_all": ("elder_silences", ()),
    "elder.silences_four": ("elder_silences", ()),
    "scapegoat.voters": ("tie", ("seat",)),
    "wolf.shows_himself": ("wolves_may_show_themselves", ("seat",)),
    "wolf.takes_badge": ("shown_wolf_takes_badge", ()),
    "wolf.puts_off_election": ("shown_wolf_takes_badge", ()),
    "captain.elected": ("captain_elected", ()),
    "captain.tied_twice": ("captain_elected", ()),
    "captain.rotates": ("captain_rotates", ()),
    "captain.heir": ("captain_must_name_heir", ()),
    "captain.idiot_without_heir": ("idiot_captain_heir", ()),
    "won.village": ("wolves_win", ()),
    "won.all_villagers": ("wolves_win", ()),
    "won.plain_villagers": ("wolves_win", ()),
    "won.either_side": ("wolves_win", ()),
    "won.knife_first": ("wolves_kill_first", ()),
    "won.lovers": ("wolves_win", ()),
    "won.piper": ("wolves_win", ()),
    "won.nobody": ("wolves_win", ()),
}
"""What has been decided → the switch that it hangs on, and the blanks of its sentence. Only what everyone has seen is among them: why a
hunter does not shoot would tell what has killed him."""

SHOWN: dict[str, tuple[str, ...]] = {
    "deal.card": ("role",),
    "roll.cards": ("cards",),
    "roll.first": ("role",),
    "thief.cards": ("cards",),
    "cupid.tap": ("seats",),
    "lovers.no_vote": (),
    "lovers.who": ("seats",),
    "lovers.side": ("seat", "side", "seat_2", "side_2"),
    "seer.card": ("seat", "role"),
    "seer.side": ("seat", "side"),
    "witch.victim": ("seats",),
    "witch.nobody": (),
    "piper.tap": ("seats",),
    "charmed.who": ("seats",),
    "look.nothing": (),
}
"""What the private screen shows: key → blanks."""

ASKS: dict[str, Kind] = {
    "deal.ready": "wait",
    "deal.seen": "wait",
    **{f"roll.{role}": "seats" for role in CALLED},
    "roll.spare": "choice",
    "thief.swap": "choice",
    "cupid.pair": "seats",
    "cupid.tapped": "wait",
    "lovers.seen": "wait",
    "guard.protect": "seat",
    "seer.check": "seat",
    "seer.seen": "wait",
    "werewolf.kill": "seat",
    "witch.heal": "yes_no",
    "witch.poison": "seat",
    "witch.seen": "wait",
    "piper.charm": "seats",
    "piper.tapped": "wait",
    "charmed.seen": "wait",
    "look.seen": "wait",
    "blank.done": "wait",
    "words.last": "wait",
    "hunter.shoot": "seat",
    "captain.run": "seats",
    "captain.speech": "wait",
    "captain.withdraw": "seats",
    "captain.elect": "ballots",
    "captain.ballot": "seat",
    "captain.hands": "choice",
    "captain.successor": "seat",
    "captain.choose": "seat",
    "day.discussion": "wait",
    "day.direction": "choice",
    "day.speech": "wait",
    "day.vote": "ballots",
    "day.ballot": "seat",
    "day.hands": "choice",
    "day.captain_hand": "seat",
    "vote.again": "wait",
    "scapegoat.voters": "seats",
}
"""Every question, by its id, and what kind of answer it wants."""

LEAVE = "table.leave"
"""What is answered, in the place of an open question, when a player has to go home: his seat."""

LEFT_AT = (
    "captain.run", "captain.speech", "captain.withdraw", "captain.elect", "captain.ballot", "captain.hands",
    "captain.choose", "day.discussion", "day.direction", "day.speech", "day.vote", "day.ballot", "day.hands", "day.captain_hand",
    "vote.again",
)  # fmt: skip
"""The questions of the day during which he may: not at night, which everyone sleeps through to its end, nor in the midst of a death."""

WAKES: tuple[str, ...] = ("deal", *(f"roll.{role}" for role in CALLED), *(step.name for step in STEPS), "look")
"""Every call that opens a window, by its name."""
