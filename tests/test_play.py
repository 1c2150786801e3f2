"""A real game at a pseudo-terminal: keys go in, and what stands on the screen comes out."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import numpy as np
import pytest

from narrator.journal import Journal
from narrator.rules import Game
from tests.command import narrator
from tests.evening import NARRATOR, PLAY, SIX, answered, begun, panel, resumed, stop
from tests.players import table
from tests.sound.processes import children
from tests.terminal import Session
from tests.virtual_audio import VirtualAudio

pytestmark = pytest.mark.real_time

ROLL_CALL = (
    ("爱神，请睁开", "请按自己的座位号", "1"),
    ("狼人，请睁开", "请按每一位狼人的座位号", "2"),
    ("女先知，请睁开", "请按自己的座位号", "３"),
    ("女巫，请睁开", "请按自己的座位号", "04"),
)
TO_THE_SEER = (
    ("轻拍两人", "哪两位相爱", "5+6"),
    ("轻拍两人", "请轻拍 5、6 号", ""),
    ("恋人睁开", "相爱的是：5、6 号", ""),
    ("女先知醒来", "查验几号", "2"),
)


def key(session: Session, *steps: tuple[str, str, str]) -> None:
    """For each step: wait for what is spoken and what is asked or shown, then type and confirm."""
    for spoken, asked, entry in steps:
        session.wait_for(spoken, 30)
        session.wait_for(asked, 30)
        session.type(f"{entry}\r")


@pytest.mark.long
def test_a_whole_game_is_led_from_the_roll_call_to_the_winner(tmp_path: Path) -> None:
    """Typed on a keypad, a game goes from the roll call to the village's victory; secrets stand on the screen only while awake."""
    with begun(tmp_path) as session:
        key(session, *ROLL_CALL, *TO_THE_SEER, ("女先知醒来", "2 号的身份：狼人", ""))
        session.wait_for("狼人醒来", 30)
        assert "身份：狼人" not in session.screen.text
        key(session, ("狼人醒来", "吃几号", "9"))
        session.wait_for("没有 9 号，座位是 1 到 6")
        key(session, ("狼人醒来", "吃几号", "5"), ("女巫醒来", "被吃的是：5 号", "1"), ("女巫醒来", "毒几号", "0"))
        session.wait_for("昨夜平安", 30)
        assert "被吃" not in session.screen.text
        key(session, ("选举村长", "谁当选村长", "3"))
        session.wait_for("讨论完", 30)
        session.type(".*/")
        session.wait_for("已暂停", 10)
        assert "什么时候选村长" in session.screen.text, "the last ruling"
        session.type("12")
        session.wait_for("几号要走", 10)
        session.type("9\r")
        session.wait_for("没有 9 号，座位是 1 到 6", 10)
        session.type("0\r")
        key(session, ("自由讨论", "讨论完", ""), ("现在投票", "处决几号", "2+0+2+2+2+0"))
        session.wait_for("获胜：村庄", 30)
        assert answered(tmp_path)[-1] == ("day.vote", [2, 0, 2, 2, 2, 0])
        session.wait_for("再来一局", 30)
        session.type("2\r")
        session.wait_for("请把这些牌洗好", 30)
        assert "村庄获胜" in session.screen.text
        assert "2 号：狼人\n" in session.screen.text
        assert "3 号：女先知（存活）" in session.screen.text
        session.type("\r")
        key(session, ROLL_CALL[0])
        stop(session)
    assert len(list((tmp_path / "narrator/games").glob("*.jsonl"))) == 2


def test_a_key_hides_what_a_role_sees(tmp_path: Path) -> None:
    """Whoever feels watched hits plus until the panel is empty: the public screen stays as it is. Any key brings it back, and does nothing
    else: what had been typed is neither confirmed nor lost."""
    with begun(tmp_path) as session:
        session.type("1")
        session.wait_for("已按：1")
        above = session.screen.rows[:3]
        session.type("++")
        session.wait_until(lambda: not panel(session), "an empty panel")
        assert session.screen.rows[:3] == above
        session.type("\r")
        session.wait_for("已按：1+")
        assert answered(tmp_path) == []
        session.type("\r")
        session.wait_until(lambda: answered(tmp_path) == [("roll.cupid", [1])], "the answer")


@pytest.mark.long
def test_keys_for_undo_again_and_pause(tmp_path: Path) -> None:
    """A role takes its own answer back in silence, a paused game waits, and a table that stops can go on later."""
    with begun(tmp_path) as session:
        key(session, *ROLL_CALL, ("轻拍两人", "哪两位相爱", "1+2"))
        session.wait_for("请轻拍 1、2 号")
        session.type("-")
        session.wait_for("已撤销")
        key(session, *TO_THE_SEER[:3])
        session.wait_for("女先知醒来", 30)
        session.type("*/")
        session.wait_for("已暂停")
        session.type("/")
        session.wait_until(lambda: "已暂停" not in session.screen.text, "the game going on")
        session.type("\x03")
        assert session.wait_for_end() == 0
        assert "narrator resume" in session.screen.text
    assert ("cupid.pair", [5, 6]) in answered(tmp_path)
    assert answered(tmp_path)[-2:] == [("cupid.tapped", True), ("lovers.seen", True)]


@pytest.mark.long
def test_a_pause_covers_what_is_secret(tmp_path: Path) -> None:
    """While the game is paused everyone may look: neither what was shown nor what was typed can be read, and both come back. A digit right
    behind the key is a digit of the pause."""
    with begun(tmp_path) as session:
        key(session, *ROLL_CALL, *TO_THE_SEER)
        session.wait_for("2 号的身份：狼人", 30)
        session.type("1")
        session.wait_for("已按：1", 10)
        session.type("/7")
        session.wait_for("人声 +3", 10)
        assert "狼人" not in panel(session)
        assert "已按" not in session.screen.text
        session.type("/")
        session.wait_for("2 号的身份：狼人", 10)
        session.wait_for("已按：1", 10)     # a screen comes in pieces
        assert "已按：17" not in session.screen.text


@pytest.mark.long
def test_a_pulled_plug_loses_nothing(tmp_path: Path) -> None:
    """Killed right after the seer has answered, the game resumes at the seer's wake, and the card is shown."""
    with begun(tmp_path) as session:
        key(session, *ROLL_CALL, *TO_THE_SEER)
        session.wait_until(lambda: answered(tmp_path)[-1] == ("seer.check", 2), "the answer in the journal")
        session.send(signal.SIGKILL)
        session.wait_for_end()
    with resumed(tmp_path, "接着玩：第1夜") as session:
        assert "狼人" not in session.written
        session.wait_for("游戏继续", 30)
        key(session, ("女先知醒来", "2 号的身份：狼人", ""), ("狼人醒来", "吃几号", "0"))
        session.wait_for("女巫醒来", 30)
    assert [ask for ask, _ in answered(tmp_path)][-3:] == ["seer.check", "seer.seen", "werewolf.kill"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_whoever_ends_the_process_leaves_no_secret_on_the_screen(tmp_path: Path, number: signal.Signals) -> None:
    """Ended from outside while a secret is shown, the narrator leaves the terminal as it was, and the game can be resumed."""
    with begun(tmp_path) as session:
        key(session, *ROLL_CALL[:1])
        session.wait_for("狼人，请睁开", 30)
        session.send(number)
        assert session.wait_for_end() == 128 + number
        assert "座位号" not in session.screen.text
    assert answered(tmp_path) == [("roll.cupid", [1])]


def test_resuming_without_a_game_says_so(tmp_path: Path) -> None:
    """Where nothing was interrupted there is nothing to go on with."""
    with Session((*NARRATOR, "resume", "--silent"), XDG_DATA_HOME=str(tmp_path)) as session:
        assert session.wait_for_end() == 1
        assert "narrator play" in session.screen.text


def test_a_voice_that_is_not_there_is_refused_also_where_nobody_is_to_speak(tmp_path: Path) -> None:
    """A name that is none is a mistake, with --silent too."""
    with Session((*PLAY, "--voice", "nosuch"), XDG_DATA_HOME=str(tmp_path)) as session:
        assert session.wait_for_end() == 1
        assert "没有“nosuch”这个声音包" in session.screen.text


def test_resume_takes_the_newest_game_that_is_not_over(tmp_path: Path) -> None:
    """A finished game and one that was cut off before it began are passed over; the unfinished one before them goes on."""
    setup = table("anniversary", "werewolf", "villager", "villager", captain_elected="never")
    games = tmp_path / "narrator" / "games"
    unfinished = Journal.create(games / "000001.jsonl", setup)
    for ask in ("deal.ready", "deal.seen"):
        unfinished.answer(ask, True)
    unfinished.close()
    finished, game = Journal.create(games / "000002.jsonl", setup), Game(setup)
    while game.turn.ask:
        value = {"werewolf.kill": game.alive[-1]}.get(game.turn.ask.id, None if game.turn.ask.id == "day.vote" else True)
        finished.answer(game.turn.ask.id, game.answer(game.turn.ask.id, value))
    finished.close()
    (games / "000003.jsonl").touch()
    with resumed(tmp_path, "还没有") as session:
        session.wait_for("请二号到屏幕前来", 30)
        session.type("\x03")
        session.wait_for_end()


def played(folder: Path, days: int) -> Path:
    """The save of a small game in which the captain has been elected and nobody dies, at the discussion of this day."""
    setup = table("anniversary", "werewolf", "seer", "villager", "villager", "villager")
    journal, game = Journal.begin(folder / "narrator" / "games", setup), Game(setup)
    while (ask := game.turn.ask) and not (ask.id == "day.discussion" and game.phase.number == days):
        journal.answer(ask.id, game.answer(ask.id, {"captain.elect": 3}.get(ask.id, True if ask.kind == "wait" else None)))
    journal.close()
    return journal.path


def test_another_rule_takes_back_only_what_it_says_it_does(tmp_path: Path) -> None:
    """Resumed by a rule that would have gone another way, a game says how much is taken back, and nothing is until the table agrees;
    then it goes on at that question, by day with open eyes, and `narrator resume --undo` takes back one more."""
    path = played(tmp_path, 2)
    before = path.read_bytes()
    told = ("接着玩：第1天（5 人，十周年纪念版）", "最后 5 个回答不算了")
    with resumed(tmp_path, *told, more=("--rule", "captain_elected=never"), agree=False) as session:
        session.type("\x03")
        assert session.wait_for_end() == 130
    assert path.read_bytes() == before
    with resumed(tmp_path, more=("--rule", "captain_elected=never")) as session:
        session.wait_for("讨论完", 30)
        assert "醒来" not in session.written
        session.type("\r")
        session.wait_for("处决几号", 30)
        stop(session)
    with resumed(tmp_path, "接着玩：第1天", "最后 1 个回答不算了", more=("--undo",)) as session:
        session.wait_for("讨论完", 30)


def test_a_game_that_never_began_is_not_gone_on_with_after_later_ones(tmp_path: Path) -> None:
    """A game that was left before anything was answered is resumed as long as it is the newest; what came later does not bring it
    back."""
    setup = table("anniversary", "werewolf", "villager", "villager", captain_elected="never")
    games = tmp_path / "narrator" / "games"
    Journal.begin(games, setup).close()
    with resumed(tmp_path, "接着玩：开局") as session:
        session.type("\x03")
        session.wait_for_end()
    finished, game = Journal.begin(games, setup), Game(setup)
    while ask := game.turn.ask:
        value = game.alive[-1] if ask.id == "werewolf.kill" else None if ask.id == "day.vote" else True
        finished.answer(ask.id, game.answer(ask.id, value))
    finished.close()
    with Session((*NARRATOR, "resume", "--silent"), XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("没有没玩完的游戏")
        assert session.wait_for_end() == 1


def test_a_new_game_says_that_another_is_unfinished(tmp_path: Path) -> None:
    """Whoever begins a new game is told that the last one could be gone on with."""
    played(tmp_path, 2)
    with Session((*PLAY, *SIX), XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("上一局还没玩完（第2天）")
        session.wait_for("narrator resume")


def test_the_screen_of_a_killed_game_is_taken_away(tmp_path: Path) -> None:
    """What a game that was killed has left on the terminal is gone before the next command asks anything, and the cursor is back."""
    with begun(tmp_path) as session:
        assert "座位号" in session.screen.text
    command = f"printf '\\033[?47h\\033[?25lsecret'; exec {shlex.join((*NARRATOR, 'resume', '--silent'))}"
    with Session(("bash", "-c", command), XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("都坐好了")
        assert session.written.index("secret") < session.written.index("\x1b[?47l\x1b[?25h")


def test_why_is_answered_on_the_screen_and_by_a_command(tmp_path: Path) -> None:
    """One key shows the last ruling until the next answer of the table; `narrator why` prints it."""
    played(tmp_path, 1)
    with resumed(tmp_path) as session:
        session.wait_for("请自由讨论", 30)
        session.type(".")
        session.wait_for("什么时候选村长，由版本定（captain_elected = \"first_day\"，十周年纪念版）", 20)
        session.wait_for("讨论完", 30)
        session.type("\r")
        session.wait_for("处决几号", 30)
        assert "由版本定" not in session.screen.text
        session.type("4+4+0+5+5\r")
        session.wait_for("第2夜", 30)
        session.type("\x03")
        session.wait_for_end()
    told = narrator("why", XDG_DATA_HOME=str(tmp_path))
    assert told.stdout == "票数相同，没有别的办法分出来，谁也不死（tie = [\"captain_ballot\", \"scapegoat\", \"nobody\"]，十周年纪念版）\n"
    assert narrator("why", XDG_DATA_HOME=str(tmp_path / "empty")).returncode == 1


def speakers(session: Session) -> list[int]:
    """The processes in which a game's loudspeaker lives."""
    return children(session.pid, "narrator.sound.worker")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_lost_loudspeaker_is_told_and_comes_back(tmp_path: Path, number: signal.Signals) -> None:
    """When the process with the loudspeaker is stopped or killed, the screen says within three seconds that the game waits;
    when another one sounds, it takes that back, and the game has gone on."""
    with VirtualAudio() as audio:
        environment = audio.environment | {"XDG_DATA_HOME": str(tmp_path)}
        with Session([*NARRATOR, "play", "--hurry", *SIX], columns=100, lines=30, **environment) as session:
            session.wait_for("狼人×1", 30)
            session.type("\r")
            session.wait_for("直接开始", 30)
            (worker,) = speakers(session)
            os.kill(worker, number)
            if number == signal.SIGSTOP:   # a killed one is followed by another before anybody may look
                session.wait_for("游戏停着等它", 3.5)
            session.wait_until(lambda: len(speakers(session)) == 1 and worker not in speakers(session), "another process", 15)
            session.wait_until(lambda: "游戏停着等它" not in session.screen.text, "the loudspeaker found again", 15)
            session.type("\r")
            session.wait_for("请按自己的座位号", 60)
            with audio.record() as recorder:
                session.wait_until(lambda: recorder.count > 24_000, "a second of sound", 15)
                assert np.abs(recorder.samples()[-24_000:]).max() > 1e-3
