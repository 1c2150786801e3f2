"""Answers for games in tests: strategies that draw any legal answer to an ask."""

from __future__ import annotations

import random
from collections.abc import Sequence

from narrator.rules import ROLES, SPARE, Answer, Ask, Rules, Setup, Value
from tests.texts import script_of

EDITIONS = ("anniversary", "flow", "newmoon", "german", "sides")

SWITCHES: dict[str, list[object]] = {
    "wolves_win": ["all_villagers", "plain_villagers", "either_side"],
    "seer_learns": ["card", "side"],
    "guard_repeat": ["forbidden", "kills", "allowed"],
    "guard_protects_girl": [True, False],
    "guarded_victim_shown": [True, False],
    "double_save": ["lives", "dies"],
    "witch_potions_per_night": [1, 2],
    "witch_potions_per_game": [1, 2],
    "witch_self_heal": ["always", "first_night", "never"],
    "witch_shown_after_antidote": [True, False],
    "hunter_shoots_after": [[], ["wolves", "vote"], ["wolves", "vote", "poison", "grief", "shot", "other"]],
    "hunter_must_shoot": [True, False],
    "elder_lives": [1, 2, 9],
    "elder_antidote": ["restores", "leaves_one"],
    "elder_silences": ["all_villagers", "four", "nobody"],
    "idiot_dies_with_elder": [True, False],
    "idiot_captain_heir": [True, False],
    "blank_called": ["never", "first_night", "every_night"],
    "tie": [
        ["captain_ballot", "scapegoat", "nobody"], ["scapegoat", "revote"],
        ["nobody"], ["revote"], ["captain_choice", "nobody"], ["captain_ballot", "nobody"], ["second_vote", "nobody"],
        ["captain_ballot", "second_vote", "captain_choice"], [],
    ],
    "voting": ["outcome", "ballots", "hands"],
    "tied_only_candidates": [True, False],
    "tied_may_vote": [True, False],
    "captain_elected": ["before_first_night", "first_day_before_deaths", "first_day", "first_day_after_speeches", "never"],
    "captain_candidates": ["everyone", "volunteers"],
    "captain_withdrawal": [True, False],
    "captain_runners_vote": [True, False],
    "captain_weight": [1, 1.5, 2, 3],
    "captain_ballot_rules": [[], ["no_self_vote"], ["no_abstention"], ["no_self_vote", "no_abstention"]],
    "captain_must_name_heir": [True, False],
    "captain_rotates": [True, False],
    "captain_directs": [True, False],
    "told_by": ["tap", "screen"],
    "lovers_learn": ["who", "side"],
    "lovers_may_vote_each_other": [True, False],
    "lovers_may_harm": [True, "prey", False],
    "wolves_may_eat_wolves": [True, False],
    "wolves_kill_first": [True, False],
    "wolves_may_show_themselves": [True, False],
    "shown_wolf_takes_badge": ["never", "first", "second"],
    "decoys": ["never", "absent_first_night", "absent", "absent_and_dead"],
    "show_executed": [True, False],
    "show_night_dead": [True, False],
    "last_words": [[], ["executed"], ["first_night"], ["night", "executed"]],
    "speeches": ["free", "clockwise_from_dead"],
    "rounds_first_day": [0, 1, 2],
    "rounds": [0, 1],
}  # fmt: skip
"""Every switch with every value it can have (lists: some of them), but `girl_allowed`, which only forbids a card."""


OF_A_CAPTAIN = {
    "captain_candidates", "captain_withdrawal", "captain_runners_vote", "captain_weight", "captain_ballot_rules",
    "captain_must_name_heir", "captain_rotates", "captain_directs", "idiot_captain_heir", "shown_wolf_takes_badge",
}  # fmt: skip


def changed(rules: Rules, **switches: object) -> Rules:
    """Rules with some switches changed; where there is then no captain, those of his office are left alone."""
    if switches.get("captain_elected", rules.captain_elected) == "never":
        switches = {name: value for name, value in switches.items() if name == "captain_elected" or name not in OF_A_CAPTAIN}
    return rules.changed(**switches)


def table(edition: str, *deal: str, **switches: object) -> Setup:
    """A set-up with these cards dealt to seats 1, 2, 3, ... and some switches changed."""
    return Setup(edition=script_of(edition).edition.by_rules(**switches), seats=len(deal), deck=deal, deal=deal)


def legal(ask: Ask, rng: random.Random, seats: int, cards: Sequence[str] = (), given: Sequence[Answer] = ()) -> Value:
    """Any answer that may be given to an ask; in a roll call the truth about these cards, dealt to seats 1, 2, 3, ..., and left over.
    `given` is what has been answered before."""
    called, _, role = ask.id.partition(".")
    if ask.id == "roll.spare" and cards:
        kinds = [role for role in ROLES if role in cards and role != "thief"]
        told = sum(name == ask.id for name, _ in given)
        number = kinds.index(cards[seats + told % SPARE]) + 1
        if number in ask.candidates:
            return number
    elif called == "roll" and cards:
        truth = tuple(seat for seat, card in enumerate(cards[:seats], start=1) if card == role)
        if len(truth) in range(ask.count[0], ask.count[1] + 1):   # it does not fit where the thief has lied about the two cards
            return truth
    if ask.may_pass and rng.random() < 0.15:
        return False if ask.kind == "yes_no" else None
    match ask.kind:
        case "wait":
            return rng.choice(ask.candidates) if ask.candidates and rng.random() < 0.1 else True
        case "yes_no":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(ask.candidates)
        case "seat":
            return rng.choice([seat for seat in ask.candidates if (ask.actors[0], seat) not in ask.barred])
        case "seats" if ask.groups:
            named = rng.sample(ask.groups, rng.randint(*ask.count))
            return tuple(sorted(rng.choice(group) for group in named))
        case "pairs" if rng.random() < 0.5:
            return _pointing(ask, rng)
        case "seats" | "pairs":
            return tuple(sorted(rng.sample(ask.candidates, rng.randint(*ask.count))))
        case "ballots":
            return _ballots(ask, rng, seats)


def _pointing(ask: Ask, rng: random.Random) -> Value:
    """Whom each seat points at, as those at whom nobody does."""
    pointed_at: set[int] = set()
    for voter in ask.actors:
        others = [seat for seat in ask.candidates if seat != voter]
        pointed_at.update(rng.sample(others, min(2, len(others))))
    return tuple(seat for seat in ask.candidates if seat not in pointed_at)


def _ballots(ask: Ask, rng: random.Random, seats: int) -> Value:
    if rng.random() < 0.3:
        return rng.choice(ask.candidates)
    ballots = [0] * seats
    for voter in ask.actors:
        allowed = [seat for seat in ask.candidates if (voter, seat) not in ask.barred]
        if ask.abstain and (voter, 0) not in ask.barred:
            allowed.append(0)
        if not allowed:
            return rng.choice(ask.candidates)   # no ballot of this voter's could be taken: the table names the outcome
        ballots[voter - 1] = rng.choice(allowed)
    return tuple(ballots)
