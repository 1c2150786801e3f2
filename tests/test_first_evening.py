"""The first evening, and those after it: the explanation, and last time's game one key away."""

from __future__ import annotations

from pathlib import Path

from narrator.clip import seconds
from narrator.hearing import Command, Entered
from narrator.journal import last_game
from narrator.loop import Loop
from narrator.rules import say
from narrator.script import Script
from narrator.voice import Pack, Voice
from tests.evening import PLAY, SIX
from tests.small import SMALL, TWO_NIGHTS, keys
from tests.stage import Plan, Table, answers
from tests.terminal import Session


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


def test_undo_in_the_greeting_begins_it_again() -> None:
    """There is nothing to take back yet."""
    heard = keys(greeted((1.0, Command("undo")), (1.2, Command("undo")), (9.0, Entered(""))))
    assert heard[:3] == ["welcome.offer", "welcome.offer", "table.open"]


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
