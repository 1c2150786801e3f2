"""What a recap says: its own lines, and those of the game that it tells again; and what it marks as done to a seat."""

from __future__ import annotations

from narrator.rules import ROLES

LINES: dict[str, tuple[str, ...]] = {
    "recap.offer": (),
    "recap.open": (),
    "recap.card": ("seats", "role"),
    "recap.first_night": (),
    "recap.next_night": (),
    "recap.morning": (),
    "recap.thief_swapped": ("seat", "role"),
    "recap.thief_kept": ("seat", "role"),
    "recap.loved": ("role", "seats"),
    "recap.guarded": ("role", "seat"),
    "recap.guarded_nobody": ("role",),
    "recap.checked": ("role", "seat", "role_2"),
    "recap.cleared": ("role", "seat", "role_2"),
    "recap.checked_nobody": ("role",),
    "recap.attacked": ("role", "seat"),
    "recap.attacked_nobody": ("role",),
    "recap.healed": ("role", "seat"),
    "recap.poisoned": ("role", "seat"),
    "recap.no_potion": ("role",),
    "recap.charmed": ("role", "seats"),
    "recap.shot": ("role", "seat"),
    "recap.left": ("seat",),
    "recap.ran": ("seats",),
    "recap.withdrew": ("seats",),
    "recap.election": (),
    "recap.vote": (),
    "recap.voted": ("seats", "seat"),
    "recap.named": ("seat",),
    "recap.abstained": ("seats",),
    "recap.captain_decides": (),
    "recap.voters": ("seats",),
    "recap.no_voters": (),
    "recap.looked": ("role", "seat"),
    "recap.wolf_checked": ("seats", "seat", "role"),
    "recap.wolf_cleared": ("seats", "seat", "role"),
    "recap.bewitched": ("role", "seats"),
    "recap.not_touched": (),
    "recap.turned": ("seat", "role"),
    "recap.instead": ("seat",),
    "recap.agent": ("seat",),
    "recap.affair": ("seat", "seats"),
    "recap.plague": ("seat",),
}
"""What only a recap says: key → blanks."""

_HELD = tuple(ROLES)     # the thief, too: in Harvest Festival his card is another's then

NAMED: dict[tuple[str, str], tuple[str, ...]] = {
    ("recap.card", "role"): _HELD,
    ("recap.thief_swapped", "role"): ("thief",),
    ("recap.thief_kept", "role"): ("thief",),
    ("recap.loved", "role"): ("cupid",),
    ("recap.guarded", "role"): ("guard",),
    ("recap.guarded_nobody", "role"): ("guard",),
    ("recap.checked", "role"): ("seer",),
    ("recap.checked", "role_2"): _HELD,
    ("recap.cleared", "role"): ("seer",),
    ("recap.cleared", "role_2"): ("werewolf",),
    ("recap.checked_nobody", "role"): ("seer",),
    ("recap.attacked", "role"): ("werewolf",),
    ("recap.attacked_nobody", "role"): ("werewolf",),
    ("recap.healed", "role"): ("witch",),
    ("recap.poisoned", "role"): ("witch",),
    ("recap.no_potion", "role"): ("witch",),
    ("recap.charmed", "role"): ("piper",),
    ("recap.shot", "role"): ("hunter",),
    ("recap.looked", "role"): ("seer",),
    ("recap.wolf_checked", "role"): _HELD,
    ("recap.wolf_cleared", "role"): ("werewolf",),
    ("recap.bewitched", "role"): ("werewolf",),
    ("recap.turned", "role"): ("werewolf",),
}
"""Which cards a line can name in a blank."""

NIGHTFALL = frozenset({"recap.first_night", "recap.next_night"})
"""The lines that say no more than the heading of their chapter."""

RETOLD = frozenset({
    "morning.dead", "morning.nobody", "elder.silences_all", "elder.silences_four", "idiot.shown", "hunter.declined", "death.grief",
    "death.executed", "death.idiot", "death.showed_himself", "captain.tied", "captain.elected", "captain.nobody",
    "captain.rotates", "captain.successor", "captain.gone", "captain.put_off", "vote.tied", "vote.captain_ballot", "vote.scapegoat",
    "vote.nobody", "death.punished", "death.bewitched", "card.miracle.back", "card.devils_pact.spared", "card.flood.no_vote",
    "harvest.box.2", "harvest.box.3", "harvest.scapegoat",
    "end.village", "end.werewolves", "end.lovers", "end.piper", "end.nobody",
})  # fmt: skip
"""The lines of the game that are told again as they were said."""

DEEDS = {
    "cupid.pair": "loved",
    "guard.protect": "guarded",
    "witch.poison": "poisoned",
    "piper.charm": "charmed",
    "hunter.shoot": "shot",
}
"""The questions of a role whose answer names whom it does something to: what has then been done."""

SEEN = {
    "death.executed": "executed", "death.showed_himself": "exposed", "idiot.shown": "spared", "card.devils_pact.spared": "pardoned",
}  # fmt: skip
"""What a line of the game makes of the seat that it names."""

MARKS = (
    "guarded", "checked", "attacked", "healed", "poisoned", "charmed", "loved", "backed", "captain", "voted", "named", "executed",
    "spared", "exposed", "shot", "left", "dead", "returned", "turned", "agent", "affair", "pardoned", "voteless",
)  # fmt: skip
"""What can have been done to a seat: `backed` by ballots in an election, `voted` for to be executed; `turned`: it holds another card
from then on; `agent`: the wolves' ally by the card of that name; `pardoned`: condemned, and not executed for a card's sake."""
