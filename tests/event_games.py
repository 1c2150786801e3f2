"""Games with event cards and variants, each told by its seed: any two of them in one game, met by legal answers.

`play` raises where a game breaks a promise of its cards. `tests/rules/test_events.py` plays some; `python -m tests.event_games` plays
some of every pair and of every card with every role, and writes what was tried into docs/cards.md.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from narrator.cards import deal
from narrator.rules import MOONS, ROLES, VARIANT_NAMES, Ask, CardShown, Died, Game, Laid, Lifted, People, Returned, Setup, Show
from narrator.rules.events import CARDS
from tests.players import EDITIONS, SWITCHES, changed, legal
from tests.texts import script_of, the_interface

SMALL = ("villager", "seer", "witch", "hunter", "cupid", "guard", "elder", "scapegoat")
"""The characters of the small double role."""

MOST = 1500
"""Answers that no game comes near."""


def names() -> tuple[str, ...]:
    """Every event card and every variant."""
    return (*CARDS, *VARIANT_NAMES)


def setup(rng: random.Random, wanted: Sequence[str], role: str = "") -> Setup:
    """A table with these cards and variants (at most one is a variant), and with a card `role` where the variant has it."""
    variant = next(filter(VARIANT_NAMES.__contains__, wanted), "")
    edition = script_of(rng.choice(EDITIONS)).edition
    if rng.random() < 0.4:
        switches = {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.2}
        edition = edition.model_copy(update={"rules": changed(edition.rules, **switches)})
    pool = [card for card in ROLES if ROLES[card].single and (card != "little_girl" or edition.rules.girl_allowed)]
    if variant.startswith("double_"):
        pool = [card for card in pool if card in SMALL]
    deck = [card for card in pool if card == role or rng.random() < 0.4] + ["villager"] * rng.randint(2, 4)
    deck += ["werewolf"] * (0 if variant in ("black_death", "double_small") else rng.randint(1, 3))
    deck += ["villager"] * max(0, 7 - len(deck))
    second: list[str] = []
    if variant.startswith("double_"):
        second = ["werewolf"] * 2 + ["villager"] * (len(deck) - 2)
        rng.shuffle(second)
    spare = ["villager"] * 2 * ("thief" in deck and variant != "harvest")
    drawn = [card for card in wanted if card in CARDS and card not in MOONS["dark"]]
    drawn.sort(key=MOONS["wolf_fang"].__contains__, reverse=True)     # what waits is drawn first, or both would not be in force at once
    events = [""] * rng.randint(0, 1) + drawn
    known = People(sex="".join(rng.choice("mf") for _ in deck), age=tuple(rng.randint(8, 80) for _ in deck))
    built = Setup(
        edition=edition, seats=len(deck), deck=(*deck, *spare), variant=variant, second=tuple(second), events=tuple(events),
        dark=tuple(card for card in wanted if card in MOONS["dark"]), people=known if rng.random() < 0.5 else People(),
    )  # fmt: skip
    cards = deal(built.deck, rng)
    return built.altered(deal=cards[: built.seats], spare=cards[built.seats :])


def play(setup: Setup, rng: random.Random) -> tuple[Game, frozenset[str]]:
    """A game of legal answers, and which of its cards and its variant were in force. Raises `AssertionError` where it breaks a promise."""
    game, met = Game(setup), set[str]()
    while not game.over:
        ask = game.turn.ask
        assert ask is not None
        assert len(game.answers) < MOST, "the game does not end"
        _check(game, ask)
        value = legal(ask, rng, setup.seats, (), game.answers)
        if len(game.answers) > MOST // 2:
            value = {"seat": rng.choice(ask.candidates or (None,)), "ballots": None, "wait": True}.get(ask.kind, value)
        game.answer(ask.id, value)
        met |= {event.name for event in game._table.in_force}
    assert Game.replay(setup, game.answers).events == game.events
    dead, lying = Counter[int](), list[str]()
    for event in game.events:
        match event:
            case Died(seat):
                dead[seat] += 1
                assert dead[seat] == 1
            case Returned(seat):
                dead[seat] -= 1
                assert dead[seat] == 0
            case Laid(name):
                lying.append(name)
            case Lifted(name):
                lying.remove(name)
    assert sorted(lying) == sorted(game._table.lying.elements())
    assert game.outcome is not None
    assert set(game.outcome.alive) == {seat for seat in range(1, setup.seats + 1) if not dead[seat]}
    return game, frozenset(met | {event.event for event in game.events if isinstance(event, Laid)})


def _check(game: Game, ask: Ask) -> None:
    """Who is asked, and who may be named, are alive and not kept from it by a card in force."""
    table = game._table
    for line in game.turn.lines:
        if isinstance(line, Show):
            assert the_interface().awake(line.audience, script_of(game.setup.edition.id))
    if ask.id in ("day.vote", "day.ballot", "captain.elect", "captain.run"):
        assert set(ask.actors) <= set(table.who("may_vote"))
        assert set(ask.candidates) <= set(table.who("may_be_named"))
    if ask.id == "day.speech":
        assert set(ask.actors) <= set(table.who("may_speak"))
    if ask.id == "werewolf.kill":
        assert set(ask.candidates) <= set(table.who("is_prey"))
    if any(event.name == "burial" for event in table.in_force):
        eaten = {seat for seat, causes in table.graves if "wolves" in causes}
        since = next(place for place, event in enumerate(game.events) if event == Laid("burial"))
        turned_up = {event.seat for event in game.events[since:] if isinstance(event, CardShown)}
        assert not turned_up & eaten - table.revealed


# --- docs/cards.md --------------------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[1] / "docs" / "cards.md"
MARK = "<!-- what follows is written by `python -m tests.event_games` -->\n"
GAMES = 12


def together(one: str, other: str) -> bool:
    """Whether both can be in force at once."""
    full, variants = MOONS["full"], VARIANT_NAMES
    return not (one in full and other in full) and not (one in variants and other in variants)


def tried(wanted: Sequence[str], role: str = "") -> int:
    """In how many of some games all of these were in force, with that card at the table."""
    met = 0
    for seed in range(GAMES):
        rng = random.Random(f"{wanted} {role} {seed}")
        table = setup(rng, wanted, role)
        met += set(wanted) <= play(table, rng)[1] and (not role or role in (*table.deck, *table.second))
    return met


def page() -> str:
    """The generated part of docs/cards.md."""
    roles = [role for role in ROLES if role != "villager"]
    lines = [MARK, f"## Every card with every role\n\nOf {GAMES} games, those in which both were. All ended, and kept their promises.\n"]
    lines += _table("", roles, ((name, [str(tried((name,), role) or "-") for role in roles]) for name in names()))
    lines += [f"\n## Every two that can be in force together\n\nOf {GAMES} games, those in which both were.\n"]
    heads = [*MOONS["wolf_fang"], *MOONS["dark"], *VARIANT_NAMES]
    rows = ((name, [_pair(name, head, heads) for head in heads]) for name in names())
    return "\n".join([*lines, *_table("", heads, rows)]) + "\n"


def _pair(name: str, head: str, heads: Sequence[str]) -> str:
    if name == head or not together(name, head) or (name in heads and heads.index(name) > heads.index(head)):
        return ""
    return str(tried((name, head)) or "-")


def _table(corner: str, heads: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    return [
        f"| {corner} | " + " | ".join(heads) + " |", "| --- " * (len(heads) + 1) + "|",
        *(f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows),
    ]  # fmt: skip


PAIRS = [(one, other) for one, other in combinations(names(), 2) if together(one, other)]
"""Every two cards, or card and variant, that can be in force together."""

if __name__ == "__main__":
    PAGE.write_text(PAGE.read_text("utf-8").partition(MARK)[0] + page(), "utf-8")
