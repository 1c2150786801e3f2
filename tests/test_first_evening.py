"""The first evening, and those after it: the explanation, and last time's game one key away."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from narrator.clip import seconds
from narrator.hearing import Command, Entered, Payload
from narrator.journal import last_game
from narrator.loop import Loop
from narrator.rules import Ask, say
from narrator.script import Script
from narrator.voice import Pack, Voice
from tests.evening import PLAY, SIX
from tests.players import table
from tests.small import SMALL, TWO_NIGHTS, keys
from tests.stage import Plan, Table, answers
from tests.terminal import Session

pytestmark = pytest.mark.real_time


def greeted(*entries: tuple[float, object], kind: str = "offer", **options: object) -> Table:
    """A small game that begins with a greeting, at which these are entered, in seconds from its beginning."""
    at_table = Table(SMALL, plan(), interjections=[(at, payload) for at, payload in entries], **options)  # type: ignore[arg-type, misc]
    loop: Loop = at_table.loop
    loop.run(kind)  # type: ignore[arg-type]
    return at_table


def plan() -> Plan:
    game = answers(*TWO_NIGHTS)
    return lambda ask: [] if ask.id.startswith("welcome.") else game(ask)


def test_the_explanation_is_offered_and_can_be_passed() -> None:
    """Enter alone goes straight to the game."""
    assert keys(greeted((3.0, Entered(""))))[:2] == ["welcome.offer", "table.open"]


def test_the_explanation_takes_a_minute_and_can_be_cut_short() -> None:
    """Wanted, the volume is tried and the explanation spoken in about a minute, again where the table asks for it; Enter goes on."""
    voice = Voice(Pack.load("xiaoyi"), None, None)
    script = Script("anniversary")
    clips = [voice.clip(sentence.text) for sentence in script.sentences(say("welcome.how"))]
    assert 45 < sum(seconds(clip) for clip in clips if clip is not None) < 75
    heard = keys(greeted((2.0, Entered("7")), (8.0, Entered("1")), (30.0, Command("again")), (60.0, Entered("")), (61.0, Entered(""))))
    greeting = heard[: heard.index("table.open")]
    assert greeting == ["welcome.offer", "welcome.offer", "welcome.how", "welcome.how"]   # 7 is neither yes nor no
    asked = keys(greeted((9.0, Entered("")), kind="explain"))
    assert asked[:2] == ["welcome.how", "table.open"]


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        (("werewolf", "seer", "villager"), []), (("werewolf", "cupid", "villager"), ["table.tapped"]),
        (("werewolf", "piper", "villager"), ["table.tapped"]), (("werewolf", "little_girl", "villager"), ["night.girl"]),
    ],
)  # fmt: skip
def test_a_table_hears_how_to_behave_before_its_first_night(deck: tuple[str, ...], said: list[str]) -> None:
    """Once, what the deck calls for, and not in a later night. A table that knows it may turn it off; that nobody may cover their eyes is
    said all the same."""
    setup = table("anniversary", *deck, captain_elected="never")
    for etiquette in (True, False):
        scripted, nights = answers(("piper.charm", "1+3"), ("cupid.pair", "1+3")), itertools.count(1)

        def plan(ask: Ask, scripted: Plan = scripted, nights: Iterator[int] = nights) -> Iterable[tuple[float, Payload]]:
            return [(1.0, Command("quit"))] if ask.id == "werewolf.kill" and next(nights) == 2 else scripted(ask)

        at_table = Table(setup, plan)
        at_table.loop.run(etiquette=etiquette)
        heard = keys(at_table)
        wanted = ["table.etiquette", *said] if etiquette else [key for key in said if key == "night.girl"]
        assert [key for key in heard if key in ("table.etiquette", "table.tapped", "night.girl")] == wanted
        assert heard.index("night.first") > max((heard.index(key) for key in wanted if key != "night.girl"), default=0)
        assert "piper" in deck or "night.again" in heard


def test_undo_in_the_greeting_begins_it_again() -> None:
    """There is nothing to take back yet."""
    heard = keys(greeted((1.0, Command("undo")), (1.2, Command("undo")), (9.0, Entered(""))))
    assert heard[:3] == ["welcome.offer", "welcome.offer", "table.open"]


def test_the_deck_is_asked_for_in_the_editions_own_words(tmp_path: Path) -> None:
    """The example of an exchange, and what is said of a card that the deck has not, call the cards as the edition does."""
    with Session((*PLAY, "--edition", "flow"), columns=100, lines=30, XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("几个人玩")
        session.type("5\r")
        session.wait_for("写 +小偷 -丘比特 这样")
        session.type("+守卫 -爱神\r")
        session.wait_for("牌里没有“丘比特”")
        session.type("\x03")
        session.wait_for_end()


def test_last_times_game_is_one_key_away(tmp_path: Path) -> None:
    """The first game is asked for, with names, and the explanation offered; the second time Enter alone plays the same again, and
    nothing is explained unless it is asked for."""
    with Session(PLAY, columns=100, lines=30, XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("几个人玩")
        assert "上次" not in session.screen.text
        for entry in ("²", "3", "many", "21"):
            session.type(f"{entry}\r")
        session.wait_for("最多 20")
        session.type("\r")
        session.wait_for("还没有写人数")
        session.type("6\r")
        session.wait_for("要换")
        session.type("+盗贼 -爱神\r")
        session.wait_for("盗贼×1")
        session.type("爱神\r+爱\r+狼人 +狼人 +狼人 +狼人 +狼人 +狼人\r")
        session.wait_for("多了")
        session.type("-盗贼 +爱神\r\r")
        session.wait_for("名字")
        session.type("甲 乙\r")
        session.wait_for("名字有 2 个，座位有 6 个")
        session.type("甲 乙 丙 丁 戊 己\r")
        session.wait_for("狼人×1")
        session.type("\r")
        session.wait_for("第一次一起玩吗", 20)
        session.type("1\r")
        session.wait_for("我是今晚的法官", 30)
        session.type("\r")
        session.wait_for("登记身份", 30)
        assert "1 甲  2 乙" in session.screen.text
        session.type("\x03")
        assert session.wait_for_end() == 0
    first = last_game(tmp_path / "narrator/games")
    with Session(PLAY, columns=100, lines=30, XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("上次：6 人，十周年纪念版")
        session.wait_for("座位：甲、乙、丙、丁、戊、己")
        session.wait_for("Enter 照上次")
        session.type("\r")
        session.wait_for("狼人×1")
        session.type("\r")
        session.wait_for("登记身份", 30)
        assert "第一次" not in session.written
        session.type("\x03")
        assert session.wait_for_end() == 0
    again = last_game(tmp_path / "narrator/games")
    assert first is not None
    assert again is not None
    assert again.setup == first.setup
    assert len(list((tmp_path / "narrator/games").iterdir())) == 2
    with Session([*PLAY, *SIX, "--deal", "--rule", "tie=nobody,revote"], XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("发身份", 30)
        session.type("\x03")
        session.wait_for_end()
    with Session(PLAY, columns=100, lines=30, XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("和版本不同的规则：tie =")
        session.wait_for("身份由法官发")
        session.type("*\r\r")
        session.wait_for("我是今晚的法官", 30)
