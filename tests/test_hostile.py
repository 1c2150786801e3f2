"""Whatever is thrown at it: a clear sentence that says what was expected, nothing lost, no traceback, the terminal as it was found."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from narrator.cards import deal
from narrator.hearing import Entered, Payload
from narrator.hearing.grammar import write
from narrator.practice import Players
from narrator.rules import Ask, Setup
from narrator.script import Script, editions
from tests.command import ROOT, narrator, told
from tests.evening import answered, begun
from tests.small import keys
from tests.stage import Table, answers

GARBAGE = (
    "x", "abc", "²", "③", "99", "-1", "0x3", "1e3", "1+", "+", "１２３", "1+1", "1+99", "9" * 64, "9" * 10_000, "a" * 10_000,
    "\x00\x01", "\ud800", "号", "三", "٣٣", "1 2 3 4 5 6 7 8 9", "true", "None", " ", "；DROP", "1;2", "٫",
)  # fmt: skip


# --- at the table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("dealt", [False, True])
def test_garbage_at_every_ask_changes_nothing(edition: str, dealt: bool) -> None:
    """Keyed before every answer of a whole game, garbage gets a reason each time, silently at night, and the game is the same."""
    script = Script(edition)
    deck = script.edition.deck(10)
    rng = random.Random(4)
    cards = deal(deck, rng)
    setup = Setup(edition=script.edition, seats=10, deck=deck, deal=cards if dealt else None)
    plain = Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, cards, rng))
    plain.run()
    given = iter(plain.game.answers)
    refused = 0

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        nonlocal refused
        if ask.id == "table.over":
            return [(1.0, Entered(""))]
        entries = (*GARBAGE, *_dead(table), "" if ask.kind != "wait" else "7")
        wrong = [entry for entry in entries if not table.game.can(ask.id, _read(ask, entry))]
        refused += len(wrong)
        right = write(ask, next(given)[1])
        return [*((0.01 * n, Entered(entry)) for n, entry in enumerate(wrong, start=1)), (1.0, Entered(right))]

    table = Table(setup, plan)
    table.run()
    assert table.game.answers == plain.game.answers
    assert keys(table) == keys(plain)
    reasons = [(name, value) for _, name, value in table.screen.calls if name.startswith("refuse")]
    assert len(reasons) == refused > 300
    for _, reason in reasons:
        assert re.search(r"[一-鿿]{2}", reason)
        assert "{" not in reason


def _dead(table: Table) -> list[str]:
    return [str(seat) for seat in range(1, 11) if seat not in table.game.alive]


def _read(ask: Ask, entry: str) -> object:
    """What a permissive reader would make of it, so that what happens to be legal is left out."""
    if not entry.strip():
        return True if ask.kind == "wait" else "nothing"
    words = re.split(r"[\s+]+", entry.strip("+"))
    if not all(word.isdecimal() for word in words) or len(entry) > 64:
        return "nothing"
    numbers = tuple(int(word) for word in words)
    if ask.kind == "yes_no":
        return bool(numbers[0]) if numbers in ((0,), (1,)) else "nothing"
    return numbers[0] if len(numbers) == 1 and ask.kind in ("seat", "ballots") else numbers


def together(play: Callable[[Any, Path], None], folder: Path, *cases: object) -> None:
    """Play these cases at the same time, each in a folder of its own: most of the time a game waits."""
    with ThreadPoolExecutor(4) as pool:
        folders = [folder / str(number) for number in range(len(cases))]
        for each in folders:
            each.mkdir()
        list(pool.map(play, cases, folders))


ROLLED = [("roll.cupid", [1])]
"""What is answered when the first question is: cupid sits on seat 1."""

KEYS = (
    "x\r", "²\r", "99\r", "\r", "1" * 10_000 + "\r", b"\xff\xfe\x00\x9b\x80\r", "\x1b[99;99H\x1b]0;x\x07\r", "\x1a\x1c\x13\x11",
)  # fmt: skip


def test_hostile_keys_at_a_real_terminal(tmp_path: Path) -> None:
    """Letters, odd digits, a seat that is not there, nothing, a paste, binary, control keys: refused or ignored, and the right answer
    is taken afterwards."""
    with begun(tmp_path) as session:
        for pasted in KEYS:
            session.type(pasted)
            time.sleep(0.2)
            assert answered(tmp_path) == [], pasted
        session.type("\x1b１\r")
        session.wait_until(lambda: answered(tmp_path) == ROLLED, "the answer in the journal", 20)
        session.type("\x03")
        assert session.wait_for_end() == 0
        assert "narrator resume" in session.screen.text
        assert "Traceback" not in session.written


def test_a_terminal_of_any_size(tmp_path: Path) -> None:
    """On a terminal too small to read, or changed in size over and over, the game goes on and takes its answers."""

    def play(size: tuple[int, int], folder: Path) -> None:
        with begun(folder) as session:
            for columns, lines in (size, (80, 24), size):
                session.resize(columns, lines)
                time.sleep(0.1)
            session.type("1\r")
            session.wait_until(lambda: answered(folder) == ROLLED, "the answer in the journal", 20)
            session.resize(100, 30)
            session.wait_for("狼人，请睁开", 30)
            session.type("\x04")
            assert session.wait_for_end() == 0
            assert "Traceback" not in session.written

    together(play, tmp_path, (20, 5), (1, 1), (300, 100))


def test_a_game_in_any_surroundings(tmp_path: Path) -> None:
    """Whatever language, encoding or home the terminal has, the game is played, and what cannot be shown is a question mark."""

    def play(environment: dict[str, str], folder: Path) -> None:
        with begun(folder, **environment) as session:
            session.type("1\r")
            session.wait_until(lambda: answered(folder) == ROLLED, f"the answer in the journal with {environment}", 20)
            session.type("\x03")
            assert session.wait_for_end() == 0
            assert "Traceback" not in session.written

    together(
        play, tmp_path,
        {"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "gbk"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"}, {"TERM": "vt100"}, {"LANG": "zz_ZZ.nonsense"},
        {"XDG_CACHE_HOME": "/dev/null"}, {"HOME": "/nowhere"},
    )  # fmt: skip


def test_a_signal_ends_a_game_in_order(tmp_path: Path) -> None:
    """Told to end, the narrator leaves the terminal as it found it, and the game can be resumed."""

    def play(number: signal.Signals, folder: Path) -> None:
        with begun(folder) as session:
            session.type("1\r")
            session.wait_until(lambda: answered(folder) == ROLLED, "the answer in the journal", 20)
            session.send(number)
            assert session.wait_for_end() == 128 + number
            assert "\x1b[?1049l" in session.written[-60:]
            assert "座位号" not in session.screen.text

    together(play, tmp_path, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def test_a_game_is_put_aside_and_taken_up_again(tmp_path: Path) -> None:
    """Stopped (SIGTSTP), the narrator gives the terminal back with nothing on it; continued, it stands where it stood, and no time
    has passed at the table."""
    with begun(tmp_path) as session:
        session.send(signal.SIGTSTP)
        session.wait_until(lambda: session.written.endswith("\x1b[?1049l"), "the terminal given back")
        session.wait_until(session.stopped, "the program put aside")      # it gives the terminal back first
        time.sleep(6.0)
        session.send(signal.SIGCONT)
        session.wait_for("请按自己的座位号")
        session.type("1\r")
        session.wait_for("狼人，请睁开", 30)
        assert answered(tmp_path) == ROLLED


def test_closed_streams_are_no_terminal() -> None:
    """Without a terminal, or with closed streams, a real game is refused in a sentence."""
    for command in ("play", "resume"):
        for closed in ("<&-", "</dev/null", ">&- 2>/dev/null <&-", "</dev/zero", "| cat"):
            ended = subprocess.run(
                ["bash", "-c", f"set -o pipefail; {sys.executable} -m narrator {command} {closed}"],
                capture_output=True, text=True, timeout=60, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            assert ended.returncode == 1, (command, closed, ended.stderr)
            if "2>" not in closed:
                told(ended.stderr, "终端")


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (["sing"], ["sing", "命令"]),
        (["rehearse", "--playres", "8"], ["--playres"]),
        (["rehearse", "--players"], ["--players"]),
        (["rehearse", "--players", "８x"], ["８x"]),
        (["rehearse", "--players", "²"], ["²"]),
        (["rehearse", "--players", "-3"], ["-3"]),
        (["rehearse", "--seed", "1.5"], ["1.5"]),
        (["rehearse", "--deal=3"], ["--deal"]),
        (["rehearse", "--edition", "moon"], ["moon", "newmoon"]),
        (["rehearse", "--edition", "../../etc/passwd"], ["passwd"]),
        (["rehearse", "--rule", "tie"], ["tie"]),
        (["rehearse", "--rule", "tie=never"], ["tie", "scapegoat"]),
        (["rehearse", "--rule", "gravity=9"], ["gravity"]),
        (["rehearse", "--names", "A,B"], ["2", "5"]),
        (["rehearse", "--names", "A" * 5000], ["1", "5"]),
        (["rehearse", "--names", "A,B,C,D,E," + "F" * 5000], ["FFF"]),
        (["rehearse", "--voice", "nobody"], ["nobody", "xiaoyi"]),
        (["rehearse", "--voice", "/etc"], ["voice.toml"]),
        (["rehearse", "--out", "/nowhere/x.wav"], ["/nowhere/x.wav"]),
        (["rehearse", "--out", "/"], ["/"]),
        (["rehearse", "--out", "x.wav", "--transcript", "/"], ["/"]),
        (["editions", "a" * 5000], ["a"]),
        (["editions", "\udcff"], ["版本"]),
        (["voices"], ["ACTION"]),
        (["voices", "burn", "x"], ["burn"]),
        (["voices", "render", "x", "--model"], ["--model"]),
        (["cases"], ["PATH"]),
        (["cases", "/nowhere.d/*"], []),
        (["doctor", "--device"], ["--device"]),
        (["resume", "a", "b"], ["b"]),
    ],
)  # fmt: skip
def test_a_command_that_is_none_is_told_in_a_sentence(tmp_path: Path, command: list[str], parts: list[str]) -> None:
    """A wrong command, argument or value: one Chinese sentence that names it, and exit code 1."""
    ended = narrator(*command, cwd=tmp_path)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    if command[0:1] != ["cases"] or parts:
        told(ended.stderr, *parts)
    assert not list(tmp_path.iterdir())
