"""The story of a game with event cards, or by a variant, tells what was decided in secret by them, in the story's own words."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator import recap
from narrator.recap.page import page
from narrator.rules import Died, Game, Phase, Setup
from narrator.script import every_sentence, whole
from tests import event_games
from tests.players import legal
from tests.texts import script_of, the_interface


def played(setup: Setup, *nights: dict[str, Any]) -> Game:
    """A game up to the day after these nights: each night, and the day before it, these questions are answered so, every other one by
    nobody, or by the first that may be."""
    game = Game(setup)
    for number, given_then in enumerate(nights, start=1):
        while game.turn.ask and not (game.phase.kind == "day" and game.phase.number >= number):
            answer(game, given_then)
        if number < len(nights):
            while game.turn.ask and game.phase.kind == "day":
                answer(game, nights[number])
    return game


def answer(game: Game, given_then: dict[str, Any]) -> None:
    ask = game.turn.ask
    assert ask
    if ask.id in given_then:
        value = given_then[ask.id]
        game.answer(ask.id, value.pop(0) if isinstance(value, list) else value)
    elif ask.may_pass and ask.kind != "wait":
        game.answer(ask.id, None)
    else:
        value = legal(ask, random.Random(1), game.setup.seats)
        game.answer(ask.id, True if ask.kind == "wait" else value)


def told(game: Game, kind: str, number: int = 0) -> str:
    """What the story says of one phase."""
    chapters = [chapter for chapter in recap.story(game) if chapter.phase == Phase(kind, number)]  # type: ignore[arg-type]
    return "".join(script_of(game.setup.edition.id).text(line) for chapter in chapters for line in chapter.lines)


def rows(game: Game) -> dict[str, str]:
    """The table of the page: a seat, and what stands in its row."""
    content = page(game, the_interface(), script_of(game.setup.edition.id))
    return {str(row[0].text): "".join(row.itertext()) for row in ElementTree.fromstring(content).findall(".//tbody/tr")}


def at(edition: str, *cards: str, variant: str = "", events: tuple[str, ...] = (), dark: tuple[str, ...] = (), **switches: Any) -> Setup:
    """A table with these cards dealt to seats 1, 2, 3, ..., without a captain."""
    rules = script_of(edition).edition.by_rules(captain_elected="never", **switches)
    return Setup(edition=rules, seats=len(cards), deck=cards, deal=cards, variant=variant, events=events, dark=dark)


@cache
def recorded() -> set[str]:
    return whole(every_sentence())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(event_games.PAIRS), st.integers(0, 2**32))
def test_the_story_of_a_game_with_cards_is_that_of_the_game(pair: tuple[str, str], seed: int) -> None:
    """Whatever cards lie: everyone's cards, both where there are two; everyone who died or came back; and a voice has all of it."""
    rng = random.Random(seed)
    setup = event_games.setup(rng, pair)
    game, _ = event_games.play(setup, rng)
    lines, script = recap.told(game), script_of(setup.edition.id)
    assert {seat for line in lines if line.key == "recap.card" for seat in dict(line.slots)["seats"]} == {*range(1, setup.seats + 1)}  # type: ignore[union-attr]
    marks = Counter(mark.seat for chapter in recap.story(game) for mark in chapter.marks if mark.what == "dead")
    assert marks == Counter(event.seat for event in game.events if isinstance(event, Died))
    for line in lines:
        for sentence in script.sentences(line):
            assert set(sentence.parts if sentence.joined else [sentence.text]) <= recorded(), sentence
    assert len(rows(game)) == setup.seats


def test_both_cards_are_told_after_a_roll_call() -> None:
    """Where real cards were dealt, two to each, the story, the picture and the table have both, as the roll call has them."""
    deck = ("villager", "villager", "seer", "witch", "hunter", "guard", "villager")
    second = ("werewolf", "werewolf", *["villager"] * 5)
    for variant, of_wolves in (("double_small", (3, 6)), ("double_great", (1, 4))):
        rules = script_of("flow").edition.by_rules(captain_elected="never")
        setup = Setup(edition=rules, seats=len(deck), deck=deck, second=second, variant=variant)
        calls = {"roll.seer": (3,), "roll.witch": (4,), "roll.hunter": (5,), "roll.guard": (6,), "roll.werewolf": of_wolves}
        game = played(setup, calls)
        assert [seat for seat in range(1, 8) if "werewolf" in recap.held(game, seat)] == [*of_wolves]
        opening = told(game, "setup")
        assert all(sentence in opening for sentence in ("三号是先知。", "四号是女巫。", "五号是猎人。", "六号是守卫。"))
        assert f"{script_of('flow').word('seats', of_wolves)}是狼人。" in opening
        both = {1: ["狼人"], 3: ["先知", "狼人"], 4: ["狼人", "女巫"], 6: ["守卫", "狼人"]}
        assert all("、".join(both[seat]) in rows(game)[f"{seat} 号"] for seat in of_wolves)


def test_the_double_agent_is_told() -> None:
    """Whom the first dead has chosen as the wolves' ally."""
    setup = at("flow", "werewolf", "villager", "villager", "villager", "seer", "hunter", dark=("double_agent",))
    game = played(setup, {"werewolf.kill": 2}, {"card.double_agent.pick": 5})
    assert told(game, "night", 2).startswith("又一夜。五号做了狼人的盟友。")
    assert "当狼人的盟友" in rows(game)["5 号"]


HARVEST = ("werewolf", "villager", "witch", "cupid", "thief", "seer", "hunter", "villager")
LOVES: dict[str, Any] = {"variant.harvest.thief": 2, "cupid.pair": (3, 8), "variant.harvest.affair": (1, 8)}


@pytest.mark.parametrize(
    ("box", "sentences", "deed"),
    [
        (1, "女巫救了七号。", "被救"),
        (2, "女巫救了七号。女巫用了解药，救的人从此没有能力。", "被救、换了身份"),
        (3, "女巫救了七号。女巫用了解药，救的人从此是狼人。", "被救、换了身份"),
        (4, "女巫毒了七号。", "被毒"),
    ],
)
def test_the_tossed_box_is_told(box: int, sentences: str, deed: str) -> None:
    """In Harvest Festival: to whom the witch's box was tossed, and what it did."""
    setup = at("flow", *HARVEST, variant="harvest")
    game = played(setup, {"variant.harvest.witch": 7, "variant.harvest.box": box, **LOVES})
    assert f"狼人谁也没刀。{sentences}天亮了。" in told(game, "night", 1)
    assert f"第1夜：{deed}" in rows(game)["7 号"]


def test_the_affair_is_told() -> None:
    """In Harvest Festival: which lover has another love, and whom; with whom the thief has swapped; whom the seer asked for; that the
    witch tossed no box. Each is called by the card that he has from the first night on."""
    setup = at("flow", *HARVEST, variant="harvest")
    game = played(setup, {"seer.check": 7, **LOVES})
    assert {"二号是小偷。", "五号和八号是村民。"} <= {*told(game, "setup").replace("。", "。\n").split("\n")}
    assert told(game, "night", 1).startswith(
        "第一夜。五号原来是小偷，换了牌。丘比特射中了三号和八号。八号变了心，爱上了一号。先知查验了七号。狼人谁也没刀。女巫没有用药。"
    )
    assert [seat for seat, row in rows(game).items() if "另有私情" in row] == ["1 号", "8 号"]


@pytest.mark.parametrize(("edition", "seen"), [("anniversary", ("是女巫", "是狼人")), ("flow", ("不是狼人", "是狼人"))])
def test_wolves_who_woke_as_seers_are_told(edition: str, seen: tuple[str, str]) -> None:
    """Which wolf has looked at whom, and has seen what, as the edition shows it."""
    cards = ("werewolf", "werewolf", "witch", "hunter", "villager", "villager", "villager", "seer")
    setup = at(edition, *cards, events=("full_moon_rising",))
    game = played(setup, {}, {"card.full_moon_rising.check": [3, 1]})
    assert told(game, "night", 2).startswith(f"又一夜。一号查验了三号，{seen[0]}。二号查验了一号，{seen[1]}。")
    assert "被查验" in rows(game)["3 号"]


FLOOD = ("werewolf", "villager", "witch", "werewolf", "villager", "villager", "villager", "seer")


@pytest.mark.parametrize(
    ("prey", "self_heal", "whom", "healed"),
    [((3, 5), "never", None, "五号"), ((2, 5), "never", 5, "五号"), ((3, 5), "always", 3, "三号"), ((3,), "always", None, "三号")],
)
def test_whom_the_antidote_saves_of_two_is_told(prey: tuple[int, ...], self_heal: str, whom: int | None, healed: str) -> None:
    """In the Flood two may be chosen: the one who is healed is told, also where the witch may not heal the other, who is she."""
    setup = at("flow", *FLOOD, witch_self_heal=self_heal, events=("flood",))
    choices = {"people.men": (1, 2, 3), "werewolf.kill": prey, "witch.heal": True, "witch.whom": whom}
    night = told(played(setup, {}, choices), "night", 2)
    assert f"女巫救了{healed}。" in night
    assert night.count("女巫救了") == 1


def test_an_untouched_victim_is_told() -> None:
    """By the Touch of Death: that the wolves have not touched whom they chose."""
    setup = at("flow", "werewolf", "villager", "villager", "villager", "seer", dark=("touch_of_death",))
    choices = {"werewolf.kill": 2, "card.touch_of_death.touched": [False, True]}
    game = played(setup, choices, choices)
    assert told(game, "night", 1).endswith("狼人刀了二号。可是没有碰到。天亮了。昨夜平安，无人死去。")
    assert "没有碰到" not in told(game, "night", 2)


def test_who_became_a_wolf_is_told() -> None:
    """By the Specter who has turned, and which wolf he has chosen to die; by the Backfire who has turned. The opening and the page call
    him by what he was."""
    cards = ("werewolf", "villager", "villager", "villager", "seer", "werewolf", "hunter", "villager")
    specter = played(at("flow", *cards, events=("specter",)), {}, {"werewolf.kill": 5, "card.specter.victim": 6})
    assert "先知没有查验。狼人刀了五号。五号成了狼人。六号替他死。天亮了。" in told(specter, "night", 2)
    assert "五号是先知。" in told(specter, "setup")
    assert "先知→狼人" in rows(specter)["5 号"]
    backfire = played(at("flow", *cards, events=("backfire",)), {}, {"werewolf.kill": 4})
    assert "狼人刀了四号。四号成了狼人。天亮了。" in told(backfire, "night", 2)
    assert "换了身份" in rows(backfire)["4 号"]


def test_who_was_bewitched_is_told() -> None:
    """In Lycanthropic Fascination the wolves have bewitched whom they chose; by its card for one night only."""
    cards = ("werewolf", "villager", "villager", "villager", "seer", "werewolf", "hunter", "villager")
    game = played(at("flow", *cards, variant="fascination"), {"werewolf.kill": 5})
    assert "狼人迷住了五号。天亮了。" in told(game, "night", 1)
    assert "被迷住" in rows(game)["5 号"]
    setup = at("flow", *cards, events=("radiant_sunday",))
    game = played(setup, {}, {"card.radiant_sunday.variant": True, "werewolf.kill": 5}, {"werewolf.kill": 3})
    assert "狼人迷住了五号。" in told(game, "night", 2)
    assert "狼人刀了三号。" in told(game, "night", 3)


def test_whom_the_black_death_took_is_told() -> None:
    """Whose turn it was each night, also where the witch has saved him."""
    setup = at("flow", "villager", "villager", "villager", "witch", "seer", variant="black_death")
    game = played(setup, {"variant.black_death.victim": 2, "witch.heal": True}, {"variant.black_death.victim": 3})
    assert "今夜轮到二号。女巫救了二号。天亮了。昨夜平安" in told(game, "night", 1)
    assert "今夜轮到三号。" in told(game, "night", 2)


def test_the_page_names_the_cards() -> None:
    """Over each night and day: which event card was drawn, which variant was played, the one that nobody knew of too."""
    setup = at("flow", *FLOOD, events=("flood", "radiant_sunday"), dark=("burial",))
    content = page(played(setup, {}, {}, {"card.radiant_sunday.variant": True}), the_interface(), script_of("flow"))
    heads = [head.text for head in ElementTree.fromstring(content).findall(".//h3")]
    assert heads == ["开局（葬礼）", "第1夜", "第1天（洪水）", "第2夜", "第2天（灿烂的周日、狼人的魔咒）", "第3夜"]
    setup = at("flow", "villager", "villager", "villager", "witch", "seer", variant="black_death")
    assert "（黑死病）" in page(played(setup, {}), the_interface(), script_of("flow"))


def test_what_a_card_did_to_a_vote_stands_on_the_page() -> None:
    """Whom a coin or a pact has let off, and who had lost his vote: on the page alone, for everyone has seen it."""
    cards = ("werewolf", "villager", "villager", "villager", "seer", "hunter")
    for event, more in (("heads_or_tails", {"card.heads_or_tails.coin": 1}), ("devils_pact", {"card.devils_pact.accept": True})):
        game = played(at("flow", *cards, events=(event,)), {}, {"day.vote": 4, **more})
        assert "被指认、被放过" in rows(game)["4 号"]
    game = played(at("flow", *cards, events=("good_manners",)), {}, {"card.good_manners.offenders": (2, 3)})
    assert [seat for seat, row in rows(game).items() if "失去这一票" in row] == ["2 号", "3 号"]
