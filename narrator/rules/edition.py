"""An edition's switches, and the set-up of one game. Everything that two tables may play differently is a field here.

The names and values of the switches are the rulebook's; `scripts/editions/` says which edition has which, and why.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal, Self, TypeAlias, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from narrator.errors import BadSetup
from narrator.rules.moons import MOONS, VARIANT_NAMES
from narrator.rules.roles import ROLES, is_wolf

MOST_SEATS = 20
"""The highest seat that has been given a spoken number."""

SPARE = 2
"""How many cards are left over where a thief is dealt."""

LONGEST_NAME = 20
"""Characters that a player's name may have: the screen lists all of them."""

Cause: TypeAlias = Literal["wolves", "vote", "poison", "grief", "shot", "other"]
TieRule: TypeAlias = Literal["captain_ballot", "captain_choice", "scapegoat", "revote", "second_vote", "nobody"]
Election: TypeAlias = Literal["before_first_night", "first_day_before_deaths", "first_day", "first_day_after_speeches", "never"]
Decoys: TypeAlias = Literal["never", "absent_first_night", "absent", "absent_and_dead"]


_WEIGHTS = (1, 1.5, 2, 3)


def _weight(value: float) -> float:
    if value not in _WEIGHTS:
        raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": "1, 1.5, 2, 3"})
    return value


Weight = Annotated[StrictFloat, AfterValidator(_weight), WithJsonSchema({"enum": _WEIGHTS})]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_OF_A_CAPTAIN = {
    "captain_candidates", "captain_withdrawal", "captain_runners_vote", "captain_weight", "captain_ballot_rules",
    "captain_must_name_heir", "captain_rotates", "captain_directs", "idiot_captain_heir", "shown_wolf_takes_badge",
}  # fmt: skip
"""Switches that mean nothing where no captain is elected."""


class Rules(_Strict):
    """The switches. None has a default: every edition states each one."""

    wolves_win: Literal["all_villagers", "plain_villagers", "either_side"]
    seer_learns: Literal["card", "side"]
    guard_repeat: Literal["forbidden", "kills", "allowed"]
    guard_protects_girl: StrictBool
    guarded_victim_shown: StrictBool
    double_save: Literal["lives", "dies"]
    witch_potions_per_night: Literal[1, 2]
    witch_potions_per_game: Literal[1, 2]
    witch_self_heal: Literal["always", "first_night", "never"]
    witch_shown_after_antidote: StrictBool
    hunter_shoots_after: tuple[Cause, ...]
    hunter_must_shoot: StrictBool
    girl_allowed: StrictBool
    elder_lives: StrictInt = Field(ge=1)
    elder_antidote: Literal["restores", "leaves_one"]
    elder_silences: Literal["all_villagers", "four", "nobody"]
    idiot_dies_with_elder: StrictBool
    idiot_captain_heir: StrictBool
    blank_called: Literal["never", "first_night", "every_night"]
    tie: tuple[TieRule, ...]
    voting: Literal["outcome", "ballots", "hands"]
    tied_only_candidates: StrictBool
    tied_may_vote: StrictBool
    captain_elected: Election
    captain_candidates: Literal["everyone", "volunteers"]
    captain_withdrawal: StrictBool
    captain_runners_vote: StrictBool
    captain_weight: Weight
    captain_ballot_rules: tuple[Literal["no_self_vote", "no_abstention"], ...]
    captain_must_name_heir: StrictBool
    captain_rotates: StrictBool
    captain_directs: StrictBool
    told_by: Literal["tap", "screen"]
    lovers_learn: Literal["who", "side"]
    lovers_may_vote_each_other: StrictBool
    lovers_may_harm: Literal[True, "prey", False]
    wolves_may_eat_wolves: StrictBool
    wolves_kill_first: StrictBool
    wolves_may_show_themselves: StrictBool
    shown_wolf_takes_badge: Literal["never", "first", "second"]
    decoys: Decoys
    show_executed: StrictBool
    show_night_dead: StrictBool
    last_words: tuple[Literal["executed", "first_night", "night"], ...]
    speeches: Literal["free", "clockwise_from_dead"]
    rounds_first_day: StrictInt = Field(ge=0, le=5)
    rounds: StrictInt = Field(ge=0, le=5)

    @model_validator(mode="after")
    def _hidden_cards_need_decoys(self) -> Self:
        if not (self.show_executed and self.show_night_dead) and self.decoys != "absent_and_dead":
            return self.model_copy(update={"decoys": "absent_and_dead"})
        return self

    @classmethod
    def choices(cls, switch: str) -> tuple[str, ...]:
        """What a switch may be set to, as TOML writes it without quotes; of one that is a list, what may stand in it."""
        form = cls.model_json_schema()["properties"][switch]
        form = form.get("items", form)
        if form.get("type") == "boolean":
            return ("true", "false")
        if "enum" in form:
            return tuple(str(value).lower() for value in form["enum"])
        if "maximum" not in form:
            return (f"≥{form['minimum']}",)
        return tuple(map(str, range(form["minimum"], form["maximum"] + 1)))

    def changed(self, **switches: Any) -> Rules:
        """These rules with some switches set otherwise. Raises `BadSetup` for an unknown switch or a value it does not have."""
        for switch, value in switches.items():   # a list of one thing may be written as that thing
            if isinstance(value, str) and switch in Rules.model_fields and get_origin(Rules.model_fields[switch].annotation) is tuple:
                switches[switch] = (value,)
        try:
            changed = Rules.model_validate(self.model_dump() | switches)
        except ValidationError as error:
            fault = error.errors()[0]
            switch = str(fault["loc"][0])
            if switch not in Rules.model_fields:
                raise BadSetup(f"no switch {switch!r}", reason="no_switch", what=switch) from error
            choices = Rules.choices(switch)
            raise BadSetup(f"switch {switch!r}: {fault['msg']}", reason="switch_value", what=switch, choices=choices) from error
        for switch in filter(_OF_A_CAPTAIN.__contains__, switches):
            if changed.captain_elected == "never" and getattr(changed, switch) != getattr(self, switch):
                raise BadSetup(f"switch {switch!r} of a captain whom nobody elects", reason="no_captain", what=switch)
        return changed


class Edition(_Strict):
    """One of the sources that the game is played by.

    setups  number of players → card → how many of it
    """

    id: str
    rules: Rules
    setups: dict[int, dict[str, int]] = {}

    def by_rules(self, **switches: Any) -> Edition:
        """The same edition with some switches set otherwise. Raises `BadSetup`."""
        return self.model_copy(update={"rules": self.rules.changed(**switches)})

    def deck(self, players: int) -> tuple[str, ...]:
        """The cards for a number of players: a row of the set-ups, or the next smaller one and plain villagers, with one wolf
        more for every four players above it. Raises `BadSetup` for fewer players than the smallest row has."""
        if players > MOST_SEATS:
            raise BadSetup(f"{players} seats; expected at most {MOST_SEATS}", reason="seats", what=players)
        rows = [row for row in self.setups if row <= players]
        if not rows:
            raise BadSetup(f"no set-up for {players} players", reason="few_players", what=players)
        row = max(rows)
        wolves = (players - row) // 4
        cards = Counter(self.setups[row]) + Counter(werewolf=wolves, villager=players - row - wolves)
        return tuple(sorted(cards.elements(), key=list(ROLES).index))


class People(_Strict):
    """What event cards ask about the players; empty where nobody said.

    sex  "m" or "f" for seat 1, 2, 3, ...
    age  the age of seat 1, 2, 3, ..., in years
    """

    sex: Annotated[str, Field(pattern="^[mf]*$")] = ""
    age: tuple[StrictInt, ...] = ()


class Setup(_Strict):
    """One game before it begins. Together with the answers given it *is* the game.

    seats   how many players sit round the table
    deck    the cards, in any order: one for every seat, and two more where a thief is among them
    deal    the card of seat 1, 2, 3, ... where the narrator dealt; None where a roll call will tell
    spare   the two cards that nobody was dealt, where the narrator dealt and a thief is among the cards
    names   what the player on seat 1, 2, 3, ... is called, for the screen; empty where nobody said
    variant the variant that is played, empty for none
    second  the other card of seat 1, 2, 3, ... where everyone holds two (in any order where a roll call will tell); empty otherwise
    events  the event cards, in the order in which they are drawn; an empty name is a morning without one
    dark    the event cards that lie on the table from the beginning
    people  what is known of the players, where event cards ask for it

    Raises `BadSetup` with the reason for a table that cannot be played.
    """

    edition: Edition
    seats: int
    deck: tuple[str, ...]
    deal: tuple[str, ...] | None = None
    spare: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    variant: str = ""
    second: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    people: People = People()

    def model_post_init(self, _: object) -> None:
        cards = Counter(self.deck)
        for role, number in cards.items():
            if role not in ROLES:
                raise BadSetup(f"unknown card {role!r}", reason="unknown_card", what=role, known=tuple(ROLES))
            if ROLES[role].single and number > 1:
                raise BadSetup(f"{number} cards {role!r}; there is only one", reason="two_of_a_kind", card=role)
        if not 1 <= self.seats <= MOST_SEATS:
            raise BadSetup(f"{self.seats} seats; expected 1 to {MOST_SEATS}", reason="seats", what=self.seats)
        expected = self.seats + (SPARE if "thief" in cards else 0)
        without_spare = self.variant == "harvest" and len(self.deck) == self.seats     # its thief swaps with a player
        if len(self.deck) != expected and not without_spare:
            reason = "thief_cards" if "thief" in cards else "card_count"
            raise BadSetup(f"{len(self.deck)} cards; expected {expected}", reason=reason, what=len(self.deck), expected=expected)
        if "little_girl" in cards and not self.edition.rules.girl_allowed:
            raise BadSetup("a little girl, and the switch girl_allowed is off", reason="no_girl")
        self._check_events()
        if any(map(is_wolf, (*self.deck, *self.second))) == (self.variant == "black_death"):
            told = "black_death_wolf" if self.variant == "black_death" else "no_wolf"
            raise BadSetup("a werewolf in the deck of Black Death" if told != "no_wolf" else "no werewolf in the deck", reason=told)
        if all(map(is_wolf, cards)):
            raise BadSetup("nobody but werewolves in the deck", reason="only_wolves")
        if self.rules.wolves_win == "plain_villagers" and not cards["villager"]:
            raise BadSetup("the wolves win when no plain villager is left, but none is dealt", reason="no_plain_villager")
        if self.deal is not None and (len(self.deal) != self.seats or Counter((*self.deal, *self.spare)) != cards):
            raise BadSetup("the cards dealt, and those left over, are not those of the deck", reason="deal")
        if "thief" in self.spare:
            raise BadSetup("the thief is among the cards left over; he must be dealt", reason="thief_spare")
        if self.names and len(self.names) != self.seats:
            raise BadSetup(f"{len(self.names)} names for {self.seats} seats", reason="names", given=len(self.names), seats=self.seats)
        for name in self.names:
            if not 1 <= len(name) <= LONGEST_NAME:
                told = f"name {name!r}; expected 1 to {LONGEST_NAME} characters"
                raise BadSetup(told, reason="name", what=name[:LONGEST_NAME], most=LONGEST_NAME)

    def _check_events(self) -> None:
        """Raises `BadSetup` for a variant or an event card that there is not, or that cannot be played with these cards."""
        if self.variant and self.variant not in VARIANT_NAMES:
            raise BadSetup(f"no variant {self.variant!r}", reason="no_variant", what=self.variant, known=VARIANT_NAMES)
        known = {card for moon in MOONS.values() for card in moon}
        for card in (*filter(None, self.events), *self.dark):
            if card not in known:
                raise BadSetup(f"no event card {card!r}", reason="no_event", what=card, known=tuple(known))
        for card in self.dark:
            if card not in MOONS["dark"]:
                raise BadSetup(f"{card!r} is no dark-moon card", reason="not_dark", what=card, known=MOONS["dark"])
        doubled = self.variant.startswith("double_")
        if len(self.second) != (self.seats if doubled else 0) or any(card not in ROLES for card in self.second):
            raise BadSetup(f"{len(self.second)} second cards", reason="second", what=len(self.second), expected=self.seats * doubled)
        if self.variant == "double_small" and {"thief", "little_girl", "idiot", "piper", "werewolf"}.intersection(self.deck):
            raise BadSetup("a card that the small double role leaves out", reason="double_small", what="")
        if (self.people.sex and len(self.people.sex) != self.seats) or (self.people.age and len(self.people.age) != self.seats):
            raise BadSetup("people for another number of seats", reason="people", expected=self.seats)

    def name(self, seat: int) -> str:
        """What the player on a seat is called; empty where nobody said."""
        return self.names[seat - 1] if self.names else ""

    def altered(self, **fields: Any) -> Self:
        """The same game with some fields set otherwise. Raises `BadSetup`."""
        return type(self)(**(dict(self) | fields))

    @property
    def rules(self) -> Rules:
        """The edition's switches as they stand for this game: with an allegiance of its own each side must wipe out the other."""
        return self.edition.rules.changed(wolves_win="all_villagers") if self.variant == "double_small" else self.edition.rules
