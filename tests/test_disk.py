"""A real game whose disk gives trouble: it is told, the game goes on, and what is missing is made up for as soon as it can be."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from narrator.journal import Journal
from tests.evening import PLAY, SIX, begun, journal_of, panel, resumed, stop

pytestmark = pytest.mark.real_time


def mounted(options: str, folder: Path) -> str:
    """The beginning of a shell line that puts a small file system of its own on a folder; empty where the kernel lets nobody do that."""
    mount = f"mount -t tmpfs -o {options} none {shlex.quote(str(folder))}"
    allowed = subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True).returncode == 0
    return f"{mount} && " if allowed else ""


def play(shell: str = "", *more: str) -> tuple[str, ...]:
    """The command of a game in a shell that has done this first."""
    line = shell + "exec " + shlex.join((*PLAY, *(more or SIX)))
    return (*(("unshare", "-rm") if "mount" in shell else ()), "bash", "-c", line)


def test_a_data_folder_that_can_only_be_read(tmp_path: Path) -> None:
    """The narrator says why it cannot save and asks; played all the same, the game says so to its end, and promises no resuming."""
    shell = mounted("ro", tmp_path)
    folder = tmp_path if shell else Path("/proc")
    with begun(folder, play(shell), unsaved="存好") as session:
        session.wait_for("存不了档", 30)
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        assert "存不了档" in session.screen.text
        stop(session)
        assert "没有存好" in session.screen.text
        assert "narrator resume" not in session.screen.text


@pytest.mark.long
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A disk that fills up ends no game: the screen says so until there is room, and then everything is saved."""
    mount = mounted("size=64k", tmp_path)
    names = ",".join([*["\U0001f43a" * 20] * 19, "\U0001f43a"])   # long ones: the first page of the file is full in the first night
    with begun(tmp_path, play(mount or "ulimit -f 4; ", "--names", names)) as session:
        filler = Path(f"/proc/{session.pid}/root{tmp_path}/filler")
        if mount:
            with contextlib.suppress(OSError), filler.open("wb") as file:
                file.write(bytes(65536))
        roles = ("女先知", "女巫", "守护者", "猎人", "长老", "白痴", "替罪羊", "吹笛者")
        calls = (("爱神", "1"), ("狼人", "2+3+4+5+6"), *((role, str(seat)) for seat, role in enumerate(roles, start=7)))
        for role, seats in calls:
            session.wait_for(f"{role}，请睁", 30)
            session.wait_until(lambda: "座位号" in panel(session), "the question", 30)
            session.type(f"{seats}\r")
        for asked, entry in (("哪两位相爱", "15+16"), ("请轻拍", ""), ("相爱的是", "")):
            session.wait_for(asked, 30)
            session.type(f"{entry}\r")
        session.wait_for("存不了档（磁盘满了）" if mount else "存不了档（文件太大）", 30)
        if mount:
            filler.unlink()
            session.wait_until(lambda: "存不了档" not in session.screen.text, "everything saved", 30)
        stop(session)
        assert ("narrator resume" if mount else "没有存好") in session.screen.text


def test_a_folder_that_goes_away_in_a_game(tmp_path: Path) -> None:
    """Deleted in the midst of a game, the folder and the whole journal are there again with the next answer."""
    with begun(tmp_path) as session:
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        shutil.rmtree(tmp_path / "narrator")
        session.wait_for("请按每一位", 30)
        session.type("2\r")
        session.wait_for("女先知，请", 30)
        stop(session)
        assert "narrator resume" in session.screen.text
    journal, game = Journal.resume(journal_of(tmp_path))
    journal.close()
    assert [ask for ask, _ in game.answers] == ["roll.cupid", "roll.werewolf"]


@pytest.mark.parametrize("damage", ["torn", "changed"])
def test_a_damaged_save_is_told_and_played_on(tmp_path: Path, damage: str) -> None:
    """Resumed, a game says what of its save was left out, and goes on from the last whole answer."""
    with begun(tmp_path) as session:
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        session.wait_until(lambda: "座位号" in panel(session), "the question", 30)
        session.type("2\r")
        session.wait_for("女先知，请", 30)
        stop(session)
    path = journal_of(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    second = [number for number, line in enumerate(lines) if "ask" in json.loads(line)][1]
    lines[second] = lines[second][:-9] if damage == "torn" else lines[second].replace(b"roll", b"toll")
    path.write_bytes(b"".join(lines[: second + 1] if damage == "torn" else lines))
    with resumed(tmp_path, "不完整" if damage == "torn" else f"第 {second + 1} 行坏了") as session:
        session.wait_for("狼人，请", 30)
        stop(session)
    assert len(list(tmp_path.glob("narrator/games/*.damaged-1"))) == (damage == "changed")
