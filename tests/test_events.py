"""Event cards and variants at the table: what is set up, asked, shown and decided, and whole games with them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from narrator.cards import DEALT, deal, deck_of, every_event, second, shuffled
from narrator.errors import BadSetup, Refused
from narrator.hearing import Entered, Payload
from narrator.hearing.grammar import read, write
from narrator.interface import Interface, about
from narrator.journal import Journal, read_game
from narrator.practice import Players
from narrator.recap import held, told
from narrator.recap.page import page
from narrator.rules import (
    MOONS,
    VARIANT_NAMES,
    Ask,
    Begins,
    CardShown,
    Dawns,
    Died,
    Edition,
    Game,
    Laid,
    Lifted,
    Phase,
    PublicEvent,
    Returned,
    Say,
    Setup,
    Wake,
    verify,
)
from narrator.screen import View
from tests import event_games
from tests.command import narrator
from tests.command import told as one_sentence
from tests.players import EDITIONS, legal
from tests.rules.test_day import go_on
from tests.stage import Plan, Table, answers
from tests.texts import script_of, the_interface


def set_up(edition: str, players: int, rng: random.Random, variant: str = "", dealt: bool = False, **more: Any) -> Setup:
    """A game of an edition, with everything shuffled."""
    base = script_of(edition).edition
    deck = deck_of(base, players, variant)
    setup = Setup(edition=base, seats=players, deck=deck, variant=variant, second=second(deck, variant, players), **more)
    return shuffled(setup, rng, dealt=dealt or variant in DEALT)


def seated(setup: Setup, seed: int) -> Table:
    """Simulated players at a table, always the same ones."""
    rng = random.Random(seed)
    cards = (*setup.deal, *setup.spare) if setup.deal else deal(setup.deck, rng)
    players = partial(Players, seats=setup.seats, cards=cards, rng=rng, second=setup.second)
    return Table(setup, answers(), hearing=players, seed=seed)


# --- whole games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_with_every_event_card_comes_to_its_end(edition: str) -> None:
    """Through the loop and its keys, with cards on the table too; its answers are the game, and its story can be told."""
    drawn = set[str]()
    for seed in range(6):
        setup = set_up(edition, 9, random.Random(seed), dealt=seed % 2 == 0, events=every_event(), dark=("burial",))
        table = seated(setup, seed)
        outcome = table.run()
        assert outcome is not None
        assert Game.replay(setup, table.game.answers).outcome == outcome
        assert all(script_of(edition).text(line) for line in told(table.game))
        assert page(table.game, the_interface(), script_of(edition))
        drawn |= {event.event for event in table.game.events if isinstance(event, Laid)}
    assert len(drawn) > 8


@pytest.mark.parametrize("dealt", [False, True])
@pytest.mark.parametrize("variant", VARIANT_NAMES)
def test_every_variant_comes_to_its_end(variant: str, dealt: bool) -> None:
    """By roll call and dealt, alone and with event cards."""
    for seed, events in enumerate(((), every_event())):
        setup = set_up("anniversary", 8, random.Random(seed), variant, dealt, events=events)
        table = seated(setup, seed)
        outcome = table.run()
        assert outcome is not None
        assert Game.replay(setup, table.game.answers).outcome == outcome
        assert page(table.game, the_interface(), script_of("anniversary"))
        assert outcome.winner == "nobody" or variant != "black_death"


# --- what the narrator decides ------------------------------------------------------------------------------------------

PICK = "variant.black_death.victim"


def by_chance(setup: Setup, asked: list[Ask]) -> Plan:
    """Whatever may be answered; what was asked is noted."""
    rng = random.Random(7)

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        asked.append(ask)
        return [(1.0, Entered(write(ask, legal(ask, rng, setup.seats))))]

    return plan


def test_the_narrator_picks_the_first_victim_by_chance(tmp_path: Path) -> None:
    """Nobody is asked for it: it is drawn, otherwise by other dice, kept in the journal like an answer, and played again from there."""
    setup = set_up("anniversary", 7, random.Random(1), "black_death")
    picked = set[object]()
    for seed in range(8):
        asked: list[Ask] = []
        path = tmp_path / f"{seed}.jsonl"
        table = Table(setup, by_chance(setup, asked), seed=seed, journal=Journal.create(path, setup))
        table.run()
        assert "narrator" not in {ask.audience for ask in asked}
        assert read_game(path)[0].answers == table.game.answers
        picked.add(next(value for ask, value in table.game.answers if ask == PICK))
    assert len(picked) > 2


def test_the_last_victim_reads_that_it_is_he_who_chooses() -> None:
    """All the dead look at the screen then, and only one of them is to answer."""
    ask = Ask(PICK, "seat", "werewolf", (5,), (1, 2))
    assert "5 号来选" in Interface.load().ask(ask, script_of("anniversary"))


def test_the_night_sounds_as_if_there_were_wolves() -> None:
    """What everyone hears up to the first morning, and when, is the same whether wolves are called who are there, or none."""

    def night(variant: str) -> list[tuple[str, float, float]]:
        cards = ("villager",) * 5 + (("villager",) if variant else ("werewolf",))
        setup = Setup(edition=script_of("anniversary").edition, seats=6, deck=cards, deal=cards, variant=variant)
        table = Table(setup, lambda ask: [(1.0, Entered(write(ask, legal(ask, random.Random(3), 6))))])
        table.run()
        heard = [(record["key"], record["time"], record["duration"]) for record in table.public_transcript()]
        return heard[: [key for key, *_ in heard].index("morning") + 1]

    assert "window.werewolf" in {key for key, *_ in night("")}
    assert night("") == night("black_death")


def test_nothing_public_tells_that_there_are_no_wolves() -> None:
    """The screen and the transcript of a game of Black Death name neither the variant nor its deck."""
    setup = set_up("anniversary", 7, random.Random(1), "black_death")
    table = Table(setup, by_chance(setup, []))
    table.run()
    seen = [str(value) for _, name, value in table.screen.calls if name == "public"]
    assert seen
    assert not any("black_death" in text for text in seen)
    heard = "".join(record["text"] for record in table.public_transcript())
    assert about("black_death", script_of("anniversary")).name not in heard


# --- the screen ---------------------------------------------------------------------------------------------------------

NIGHT, DAY = Begins(Phase("night", 1)), Begins(Phase("day", 1))


def lying(names: Sequence[str], played: str = "") -> list[tuple[PublicEvent, tuple[str, ...]]]:
    """Every public event of a game in which these come into force, and what they have `played`, with what the screen says lies there."""
    for seed in range(60):
        rng = random.Random(seed)
        game, met = event_games.play(event_games.setup(rng, names, "witch"), rng)
        if met.issuperset((*names, *filter(None, [played]))):
            return [(event, View.of(game.setup, game.events[: place + 1]).in_force) for place, event in enumerate(game.events)]
    raise AssertionError(f"{names} never met")


@pytest.mark.parametrize("card", MOONS["full"])
def test_a_full_moon_card_lies_there_until_the_next_day(card: str) -> None:
    """Through the day and the night in which it is played, and no longer."""
    seen = lying((card,))
    laid = seen.index((Laid(card), (card,)))
    until = next((place for place, (event, _) in enumerate(seen) if event == Lifted(card)), len(seen))
    if until < len(seen):
        assert [event.phase.kind for event, _ in seen[laid : until + 2] if isinstance(event, Begins)] == ["night", "day"]
    assert all(card in names for _, names in seen[laid:until])
    assert not any(card in names for _, names in seen[until:])


@pytest.mark.parametrize("card", [*MOONS["wolf_fang"], *MOONS["dark"]])
def test_other_cards_lie_there_while_they_are_in_force(card: str) -> None:
    """A wolf-fang moon's until its trigger has come, a dark moon's and the youngest's threefold vote to the end."""
    seen = lying((card,))
    lifted = [place for place, (event, _) in enumerate(seen) if event == Lifted(card)]
    laid = next(place for place, (event, _) in enumerate(seen) if event == Laid(card))
    assert all(card in names for _, names in seen[laid : lifted[0] if lifted else len(seen)])
    assert not any(card in names for place in lifted for _, names in seen[place:])
    assert not lifted or (card not in MOONS["dark"] and card != "little_rascal")


def test_the_variant_lies_there_from_the_first_night() -> None:
    """All but the one that only the narrator knows."""
    for variant in VARIANT_NAMES:
        wanted = () if variant == "black_death" else (variant,)
        assert {names for event, names in lying((variant,)) if isinstance(event, (Dawns, Died))} == {wanted}


def test_a_variant_for_one_round_lies_there_beside_its_card() -> None:
    """And goes with it."""
    seen = {names for event, names in lying(("end_of_harvest",), "harvest") if not isinstance(event, (Laid, Lifted))}
    assert seen == {(), ("end_of_harvest", "harvest")}


def test_who_has_come_back_is_alive_again() -> None:
    """And the card that he had shown is no longer his."""
    view = View.of(set_up("newmoon", 8, random.Random(1)), [NIGHT, Died(3), CardShown(3, "seer"), Died(4), DAY, Returned(3)])
    assert view.alive == (1, 2, 3, 5, 6, 7, 8)
    assert view.cards == {}


@pytest.mark.parametrize("dealt", [True, False])
def test_the_characters_of_the_small_double_role_stand_on_the_screen(dealt: bool) -> None:
    """From the first night on, whoever has dealt them; a dead seat shows its allegiance in the place of its character."""
    base = script_of("anniversary").edition
    cards = ("seer", "witch", "hunter", "cupid", "guard", "villager", "villager")
    allegiances = ("villager", "villager", "villager", "werewolf", "villager", "villager", "werewolf")
    setup = Setup(
        edition=base.by_rules(captain_elected="never"), seats=7, deck=cards, deal=cards if dealt else None, second=allegiances,
        variant="double_small",
    )  # fmt: skip
    game = Game(setup)
    held = [(card, seat) for pile in (cards, allegiances) for seat, card in enumerate(pile, start=1)]
    while game.phase.kind != "night":
        assert View.of(setup, game.events).cards == {}, "not before everyone has his"
        ask = game.turn.ask
        assert ask is not None
        called = tuple(seat for card, seat in held if ask.id == f"roll.{card}")
        game.answer(ask.id, called or True)
    face_up = dict(enumerate(cards, start=1))
    assert View.of(setup, game.events).cards == face_up
    go_on(game, "day.vote", [("cupid.pair", (2, 3)), ("werewolf.kill", 1)])
    assert View.of(setup, game.events).cards == face_up | {1: "villager"}
    game.answer("day.vote", 4)
    assert View.of(setup, game.events).cards == face_up | {1: "villager", 4: "werewolf"}


def test_who_has_come_back_to_a_small_double_role_is_a_plain_villager() -> None:
    """That is the one card that he shows when he dies again."""
    cards = ("seer", "witch", "hunter", "guard", "villager", "villager", "villager")
    setup = Setup(
        edition=script_of("anniversary").edition.by_rules(captain_elected="never"), seats=7, deck=cards, deal=cards, events=("miracle",),
        second=("villager", "villager", "villager", "werewolf", "villager", "villager", "werewolf"), variant="double_small",
    )  # fmt: skip
    game = Game(setup)
    go_on(game, "day.vote", [("werewolf.kill", 1)])
    assert 1 not in View.of(setup, game.events).cards
    game.answer("day.vote", 1)
    assert View.of(setup, game.events).cards[1] == "villager"


@pytest.mark.parametrize("dark", [(), ("burial",)])
def test_whose_character_everyone_sees_is_not_called_when_dead(dark: tuple[str, ...]) -> None:
    """Nor where his allegiance stays hidden, since it is for the character that he would be; the living are called as ever."""
    cards = ("seer", "witch", "hunter", "guard", "villager", "villager", "villager")
    setup = Setup(
        edition=script_of("anniversary").edition.by_rules(captain_elected="never"), seats=7, deck=cards, deal=cards, dark=dark,
        second=("villager", "villager", "villager", "werewolf", "villager", "villager", "werewolf"), variant="double_small",
    )  # fmt: skip
    game, called = Game(setup), dict[int, set[str]]({1: set(), 2: set()})
    while game.phase.number < 2 or game.phase.kind == "night":
        ask = game.turn.ask
        assert ask is not None
        eats = ask.id == "werewolf.kill" and game.phase.number == 1
        game.answer(ask.id, 1 if eats else ask.kind == "wait" or None)
        called[max(1, game.phase.number)] |= {line.name for line in game.turn.lines if isinstance(line, Wake)}
    assert {"seer", "witch", "guard"} <= called[1]
    assert called[2] == {"witch", "guard", "werewolf"}


# --- questions ----------------------------------------------------------------------------------------------------------

EIGHT = tuple(range(1, 9))
POINT = Ask("card.great_distrust.point", "pairs", "everyone", EIGHT, EIGHT, (0, 8), may_pass=True)
FLOOD = Ask("werewolf.kill", "seats", "werewolf", (1, 2), (3, 4, 5), (0, 2), may_pass=True, groups=((3, 4), (5,)))


@pytest.mark.parametrize(("keyed", "friendless"), [("0", ()), ("3", (3,)), ("2+5", (2, 5))])
def test_at_whom_nobody_points_is_keyed(keyed: str, friendless: tuple[int, ...]) -> None:
    """The seats themselves, and 0 where there is none."""
    assert verify(POINT, read(POINT, keyed, 8), 8) == friendless


def test_one_of_each_group_may_be_named() -> None:
    """The screen says which these are; two of one are refused with a reason."""
    text = the_interface().ask(FLOOD, script_of("newmoon"))
    assert "3、4 ／ 5" in text
    assert verify(FLOOD, read(FLOOD, "3+5", 8), 8) == (3, 5)
    with pytest.raises(Refused) as refused:
        verify(FLOOD, read(FLOOD, "3+4", 8), 8)
    assert "每一组最多选一位" in the_interface().refusal(refused.value)


# --- set-up -------------------------------------------------------------------------------------------------------------


def test_what_is_shuffled_is_shuffled_by_the_same_dice() -> None:
    """Cards, second cards and event cards: each game has them all, by other dice in another order, by the same in the same."""
    one, same, other = (set_up("newmoon", 8, random.Random(seed), "double_great", True, events=every_event()) for seed in (1, 1, 2))
    assert one == same
    assert Counter(one.events) == Counter(other.events) == Counter(every_event())
    assert (one.events, one.second, one.deal) != (other.events, other.second, other.deal)


def test_the_dark_moon_is_drawn_only_by_name(tmp_path: Path) -> None:
    """Of all event cards it is left out, since its cards are laid on the table; one that is named is drawn in the morning."""
    assert set(every_event()) == {*MOONS["full"], *MOONS["wolf_fang"]}
    told = tmp_path / "out.jsonl"
    ended = narrator(
        "rehearse", "--players", 8, "--seed", 3, "--hurry", "--events", "葬礼", "--out", tmp_path / "out.wav", "--transcript", told
    )
    assert ended.returncode == 0, ended.stderr
    keys = [json.loads(line)["key"] for line in told.read_text("utf-8").splitlines()]
    assert keys.index("morning") < keys.index("card.burial")


def test_a_card_that_lies_on_the_table_is_not_drawn_as_well() -> None:
    """There is one of it."""
    ended = narrator("rehearse", "--players", 8, "--events", "葬礼,洪水", "--dark", "葬礼")
    assert (ended.returncode, ended.stdout) == (1, "")
    one_sentence(ended.stderr, "葬礼", "两次")


@pytest.mark.parametrize(("seer", "again"), [(3, False), (4, True)])
def test_a_seat_has_one_character_in_the_small_double_role(seer: int, again: bool) -> None:
    """Whoever registers with two is called again, as whoever registers with more than he can hold."""
    setup = set_up("newmoon", 7, random.Random(1), "double_small")
    game = Game(setup)
    seats = {"werewolf": (1, 2), "seer": (seer,)} | {
        role: (seat,) for seat, role in enumerate((card for card in dict.fromkeys(setup.deck) if card not in ("seer", "villager")), start=4)
    }
    said: list[str] = []
    for _ in range(len(seats)):
        assert game.turn.ask
        role = game.turn.ask.id.removeprefix("roll.")
        game.answer(game.turn.ask.id, tuple((seat - 1) % 7 + 1 for seat in seats[role]))
        said += [line.key for line in game.turn.lines if isinstance(line, Say)]
    assert ("roll.again" in said) == again


def test_the_decks_of_the_variants() -> None:
    """Black Death has no wolf, the great double role no thief, Harvest Festival no cards on the table; the small double role its own."""
    base = Edition(id="own", rules=script_of("newmoon").edition.rules, setups={8: {"werewolf": 2, "thief": 1, "seer": 1, "villager": 6}})
    assert Counter(deck_of(base, 8, "black_death")) == {"thief": 1, "seer": 1, "villager": 8}
    assert Counter(deck_of(base, 8, "double_great")) == {"werewolf": 2, "seer": 1, "villager": 5}
    assert Counter(deck_of(base, 8, "harvest")) == {"werewolf": 2, "thief": 1, "seer": 1, "villager": 4}
    small = deck_of(base, 8, "double_small")
    assert Counter(small) == dict.fromkeys(("seer", "witch", "hunter", "cupid", "guard", "elder", "scapegoat", "villager"), 1)
    assert Counter(second(small, "double_small", 8)) == {"werewolf": 2, "villager": 6}
    with pytest.raises(BadSetup, match="10 players"):
        deck_of(base, 10, "double_small")


def test_both_cards_of_a_seat_are_told_when_it_is_over() -> None:
    """A plain villager's beside another is left out."""
    deck = deck_of(script_of("anniversary").edition, 7, "double_small")
    wolves = ("werewolf", "villager", "werewolf", *("villager",) * 4)
    setup = Setup(edition=script_of("anniversary").edition, seats=7, deck=deck, deal=deck, second=wolves, variant="double_small")
    table = seated(setup, 3)
    table.run()
    assert [held(table.game, seat)[-1] for seat in (1, 3)] == ["werewolf"] * 2
    assert held(table.game, 2) == (deck[1],)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--events", "dragon"], ["没有“dragon”这张事件卡", "奇迹"]),
        (["--events", "奇迹,龙"], ["没有“龙”这张事件卡"]),
        (["--dark", "miracle"], ["“miracle”不是暗月卡", "葬礼"]),
        (["--dark", "葬礼,梦游,双重身份"], ["一张或两张", "3"]),
        (["--dark", "葬礼,burial"], ["放了两次"]),
        (["--events", "burial,flood", "--dark", "葬礼"], ["放了两次", "葬礼"]),
        (["--variant", "dragon"], ["没有“dragon”这种玩法", "黑死病"]),
        (["--variant", "double_small", "--players", "12"], ["7 到 9 个人"]),
        (["--variant", "黑死病", "--with", "werewolf"], ["没有狼人"]),
    ],
)
def test_what_cannot_be_played_is_said(arguments: list[str], parts: list[str]) -> None:
    """An event card or a variant that there is not, with those that there are; or what does not go with it."""
    ended = narrator("rehearse", "--players", 8, *arguments)
    assert ended.returncode == 1
    one_sentence(ended.stderr, *parts)


def test_a_rehearsal_plays_the_cards_by_name(tmp_path: Path) -> None:
    """Identifiers and names are both understood; a card on the table is read aloud before the first night."""
    ended = narrator(
        "rehearse", "--players", 8, "--seed", 3, "--hurry", "--events", "all", "--dark", "葬礼", "--variant", "not-him",
        "--out", tmp_path / "out.wav", "--transcript", tmp_path / "out.jsonl",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    keys = [json.loads(line)["key"] for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert keys.index("card.burial") < keys.index("night.first")
    assert "variant.not_him.stand" in keys or "card.draw" in keys
