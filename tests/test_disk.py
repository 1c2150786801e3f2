"""A real game whose disk gives trouble: it is told, the game goes on, and what is missing is made up for as soon as it can be."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.journal import Journal
from tests.terminal import Session

PLAY = f"exec {shlex.quote(sys.executable)} -m narrator play --silent --fast"


def mounted(options: str, folder: Path) -> str:
    """The beginning of a shell line that puts a small file system of its own on a folder; empty where the kernel lets nobody do that."""
    mount = f"mount -t tmpfs -o {options} none {shlex.quote(str(folder))}"
    allowed = subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True).returncode == 0
    return f"{mount} && " if allowed else ""


def begun(shell: str, folder: Path, unsaved: str = "", players: int = 6, names: str = "") -> Session:
    """A real game in a shell, at its first question; `unsaved`: what the narrator must say before it can begin unsaved."""
    line = f"{shell}{PLAY} --players {players} {f'--names {names}' if names else ''}"
    command = [*(["unshare", "-rm"] if "mount" in shell else []), "bash", "-c", line]
    session = Session(command, columns=100, lines=30, XDG_DATA_HOME=str(folder))
    session.wait_for("发好了", 30)
    session.type("\r")
    if unsaved:
        session.wait_for(unsaved, 30)
        session.type("\r")
    session.wait_for("直接开始", 30)
    session.type("\r")
    session.wait_for("请按自己的座位号", 30)
    return session


def panel(session: Session) -> str:
    """What stands in the private part of the screen."""
    return "".join(session.screen.text.split("====")[1:])


def stop(session: Session) -> None:
    session.type("\x03")
    assert session.wait_for_end() == 0
    assert "Traceback" not in session.written


def test_a_data_folder_that_can_only_be_read(tmp_path: Path) -> None:
    """The narrator says why it cannot save and asks; played all the same, the game says so to its end, and promises no resuming."""
    shell = mounted("ro", tmp_path)
    folder = tmp_path if shell else Path("/proc")
    with begun(shell, folder, "存好") as session:
        session.wait_for("存不了档", 30)
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        assert "存不了档" in session.screen.text
        stop(session)
        assert "没有存好" in session.screen.text
        assert "narrator resume" not in session.screen.text


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A disk that fills up ends no game: the screen says so until there is room, and then everything is saved."""
    mount = mounted("size=64k", tmp_path)
    names = ",".join(["\U0001f43a" * 20] * 20)   # long ones: the first page of the file is full in the first night
    with begun(mount or "ulimit -f 4; ", tmp_path, players=20, names=names) as session:
        filler = Path(f"/proc/{session.pid}/root{tmp_path}/filler")
        if mount:
            with contextlib.suppress(OSError), filler.open("wb") as file:
                file.write(bytes(65536))
        calls = (("爱神", "1"), ("狼人", "2+3+4+5"), ("女先知", "6"), ("女巫", "7"), ("守护者", "8"), ("猎人", "9"))
        for role, seats in calls:
            session.wait_for(f"{role}，请睁", 30)
            session.wait_until(lambda: "座位号" in panel(session), "the question", 30)
            session.type(f"{seats}\r")
        for asked, entry in (("哪两位相爱", "10+11"), ("请轻拍", ""), ("相爱的是", "")):
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
    with begun("", tmp_path) as session:
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        shutil.rmtree(tmp_path / "narrator")
        session.wait_for("请按每一位", 30)
        session.type("2\r")
        session.wait_for("女先知，请", 30)
        stop(session)
        assert "narrator resume" in session.screen.text
    (path,) = tmp_path.glob("narrator/games/*.jsonl")
    journal, game = Journal.resume(path)
    journal.close()
    assert [ask for ask, _ in game.answers] == ["roll.cupid", "roll.werewolf"]


@pytest.mark.parametrize("damage", ["torn", "changed"])
def test_a_damaged_save_is_told_and_played_on(tmp_path: Path, damage: str) -> None:
    """Resumed, a game says what of its save was left out, and goes on from the last whole answer."""
    with begun("", tmp_path) as session:
        session.type("1\r")
        session.wait_for("狼人，请", 30)
        session.wait_until(lambda: "座位号" in panel(session), "the question", 30)
        session.type("2\r")
        session.wait_for("女先知，请", 30)
        stop(session)
    (path,) = tmp_path.glob("narrator/games/*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    second = [number for number, line in enumerate(lines) if "ask" in json.loads(line)][1]
    lines[second] = lines[second][:-9] if damage == "torn" else lines[second].replace(b"roll", b"toll")
    path.write_bytes(b"".join(lines[: second + 1] if damage == "torn" else lines))
    with Session([sys.executable, "-m", "narrator", "resume", "--silent", "--fast"], columns=120, XDG_DATA_HOME=str(tmp_path)) as session:
        session.wait_for("不完整" if damage == "torn" else f"第 {second + 1} 行坏了", 30)
        session.wait_for("狼人，请", 30)
        stop(session)
    assert len(list(tmp_path.glob("narrator/games/*.damaged-1"))) == (damage == "changed")
