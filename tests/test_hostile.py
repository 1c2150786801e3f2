"""Whatever is thrown at it: a clear sentence that says what was expected, nothing lost, no traceback, the terminal as it was found."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from narrator.hearing import Entered, Payload
from narrator.hearing.grammar import write
from narrator.practice import Players, deal
from narrator.rules import Ask, Setup
from narrator.script import Script, editions
from tests.command import ROOT, narrator
from tests.small import keys
from tests.stage import Table, answers
from tests.terminal import Session

PLAY = (sys.executable, "-m", "narrator", "play", "--silent", "--fast", "--players", "6")

GARBAGE = (
    "x", "abc", "²", "③", "99", "-1", "0x3", "1e3", "1+", "+", "１２３", "1+1", "1+99", "9" * 64, "9" * 10_000, "a" * 10_000,
    "\x00\x01", "\ud800", "号", "三", "٣٣", "1 2 3 4 5 6 7 8 9", "true", "None", " ", "；DROP", "1;2", "٫",
)  # fmt: skip


def told(text: str, *parts: str) -> None:
    """It is one Chinese sentence, with these parts and no English beside names, and no traceback."""
    assert "Traceback" not in text
    (line,) = text.strip().splitlines()
    assert re.search(r"[一-鿿]{2}", line), line
    assert not re.search(r"\b[A-Z]?[a-z]+ [a-z]+ [a-z]+\b", line), line
    for part in parts:
        assert part in line


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
    plain = Table(setup, answers(), hearing=lambda clock: Players(clock, cards, rng))
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


def at_the_roll_call(folder: Path, columns: int = 100, lines: int = 30, **environment: str) -> Session:
    """A real game that has asked its first question."""
    session = Session(PLAY, columns=columns, lines=lines, XDG_DATA_HOME=str(folder), **environment)
    session.wait_until(lambda: "Enter" in session.written, "the cards to lay out", 30)
    session.type("\r")
    session.wait_until(lambda: len(list(folder.glob("narrator/games/*"))) == 1, "the journal", 30)
    session.wait_until(lambda: "\x1b[?1049h" in session.written, "the table's screen", 30)
    time.sleep(0.3)
    session.type("\r")   # no explanation, please
    session.wait_until(lambda: asked(folder) or waiting(session), "the first question", 40)
    return session


def waiting(session: Session) -> bool:
    """Whether anything stands in the private panel, in whatever letters."""
    rows = [row for row in session.screen.rows if row]
    rules = [number for number, row in enumerate(rows) if row.startswith("====")]
    return len(rules) == 2 and rules[1] - rules[0] > 1


def together(play: Callable[[Any, Path], None], folder: Path, *cases: object) -> None:
    """Play these cases at the same time, each in a folder of its own: most of the time a game waits."""
    with ThreadPoolExecutor(4) as pool:
        folders = [folder / str(number) for number in range(len(cases))]
        for each in folders:
            each.mkdir()
        list(pool.map(play, cases, folders))


def asked(folder: Path) -> list[object]:
    (path,) = folder.glob("narrator/games/*.jsonl")
    return [record["value"] for record in map(json.loads, path.read_text("utf-8").splitlines()) if "ask" in record]


KEYS = (
    "x\r", "²\r", "99\r", "\r", "1" * 10_000 + "\r", b"\xff\xfe\x00\x9b\x80\r", "\x1b[99;99H\x1b]0;x\x07\r", "\x1a\x1c\x13\x11",
)  # fmt: skip


def test_hostile_keys_at_a_real_terminal(tmp_path: Path) -> None:
    """Letters, odd digits, a seat that is not there, nothing, a paste, binary, control keys: refused or ignored, and the right answer
    is taken afterwards."""
    with at_the_roll_call(tmp_path) as session:
        for pasted in KEYS:
            session.type(pasted)
            time.sleep(0.2)
            assert asked(tmp_path) == [], pasted
        session.type("\x1b１\r")
        session.wait_until(lambda: asked(tmp_path) == [[1]], "the answer in the journal", 20)
        session.type("\x03")
        assert session.wait_for_end() == 0
        assert "narrator resume" in session.screen.text
        assert "Traceback" not in session.written


def test_a_terminal_of_any_size(tmp_path: Path) -> None:
    """On a terminal too small to read, or changed in size over and over, the game goes on and takes its answers."""

    def play(size: tuple[int, int], folder: Path) -> None:
        with at_the_roll_call(folder) as session:
            for columns, lines in (size, (80, 24), size):
                session.resize(columns, lines)
                time.sleep(0.1)
            session.type("1\r")
            session.wait_until(lambda: asked(folder) == [[1]], "the answer in the journal", 20)
            session.resize(100, 30)
            session.wait_for("狼人，请睁开", 30)
            session.type("\x04")
            assert session.wait_for_end() == 0
            assert "Traceback" not in session.written

    together(play, tmp_path, (20, 5), (1, 1), (300, 100))


def test_a_game_in_any_surroundings(tmp_path: Path) -> None:
    """Whatever language, encoding or home the terminal has, the game is played, and what cannot be shown is a question mark."""

    def play(environment: dict[str, str], folder: Path) -> None:
        with at_the_roll_call(folder, **environment) as session:
            session.type("1\r")
            session.wait_until(lambda: asked(folder) == [[1]], f"the answer in the journal with {environment}", 20)
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
        with at_the_roll_call(folder) as session:
            session.type("1\r")
            session.wait_until(lambda: asked(folder) == [[1]], "the answer in the journal", 20)
            session.send(number)
            assert session.wait_for_end() == 128 + number
            assert "\x1b[?1049l" in session.written[-60:]
            assert "座位号" not in session.screen.text

    together(play, tmp_path, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def test_a_game_is_put_aside_and_taken_up_again(tmp_path: Path) -> None:
    """Stopped (SIGTSTP), the narrator gives the terminal back with nothing on it; continued, it stands where it stood, and no time
    has passed at the table."""
    with at_the_roll_call(tmp_path) as session:
        session.send(signal.SIGTSTP)
        session.wait_until(lambda: session.written.endswith("\x1b[?1049l"), "the terminal given back")
        assert session.stopped()
        time.sleep(6.0)
        session.send(signal.SIGCONT)
        session.wait_for("请按自己的座位号")
        session.type("1\r")
        session.wait_for("狼人，请睁开", 30)
        assert asked(tmp_path) == [[1]]


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
        ([], ["COMMAND"]),
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
        (["rehearse", "--rule", "tie=never"], ["tie"]),
        (["rehearse", "--rule", "gravity=9"], ["gravity"]),
        (["rehearse", "--names", "A,B"], ["2", "8"]),
        (["rehearse", "--voice", "nobody"], ["nobody", "xiaoyi"]),
        (["rehearse", "--voice", "/etc"], ["voice.toml"]),
        (["rehearse", "--out", "/nowhere/x.wav"], ["/nowhere/x.wav"]),
        (["rehearse", "--out", "/"], ["/"]),
        (["rehearse", "--out", "x.wav", "--transcript", "/"], ["/"]),
        (["editions", "a" * 5000], ["a"]),
        (["editions", "\udcff"], ["版本"]),
        (["voices"], ["ACTION"]),
        (["voices", "burn", "x"], ["burn"]),
        (["voices", "render", "x", "--model", "m", "--voices", "v"], ["--vocab"]),
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


# --- broken files -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of our own, whose files may be spoiled."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("narrator", "scripts", "voices"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


EDITION, HOUSE, INTERFACE = "scripts/editions/anniversary.toml", "scripts/house.toml", "scripts/interface.toml"

SPOILED = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "not UTF-8": "name = '狼人'".encode("gbk"),
    "no TOML": b"[rules\n",
    "50 MB": b"# " + b"x" * 50_000_000,
    "deep": b"x = " + b"[" * 20_000,
    "of a wrong type": b"rules = 3\n",
    "gone": None,
}


@pytest.mark.parametrize("name", [EDITION, HOUSE, "voices/xiaoyi/voice.toml", "voices/xiaoyi/manifest.json"])
@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_file_is_named(checkout: Path, how: str, name: str) -> None:
    """A script or voice that is no file of its kind ends the command with a sentence that names the file, at once."""
    path = checkout / name
    whole = path.read_bytes()
    content = SPOILED[how]
    try:
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        command = ("rehearse", "--fast", "--voice", "xiaoyi", "--edition", "anniversary", "--out", "x.wav")
        ended = narrator(*command, cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        path.write_bytes(whole)
    assert ended.returncode == 1
    told(ended.stderr, path.name if how != "gone" or "editions" not in name else "anniversary")


@pytest.mark.parametrize(
    ("file", "found", "put", "parts"),
    [
        (EDITION, 'seer_learns = "card"', "seer_learns = 3", ["rules.seer_learns", "card"]),
        (EDITION, "hunter_must_shoot = true", 'hunter_must_shoot = "yes"', ["rules.hunter_must_shoot", "true"]),
        (EDITION, "rounds = 1", "rounds = 1.5", ["rules.rounds", "整数"]),
        (EDITION, "rounds = 1", "rounds = 99", ["rules.rounds", "5"]),
        (EDITION, "captain_weight = 2", "captain_weight = 7", ["rules.captain_weight"]),
        (EDITION, "tie = [", "tie = {}  # [", ["rules.tie"]),
        (EDITION, "seer_learns = ", "seer_lerns = ", ["rules.seer_lerns"]),
        (EDITION, '"morning" =', '"mornig" =', ["mornig", "morning"]),
        (EDITION, '"morning" =', '# "morning" =', ["lines.morning"]),
        (EDITION, "发现{dead}被", "发现{who}被", ["morning.dead", "{dead}"]),
        (EDITION, "发现{dead}被", "发现{dead被", ["morning.dead", "{dead}"]),
        (EDITION, "发现{dead}被", "发现{dead}{被", ["morning.dead", "{dead}"]),
        (EDITION, "wake = [11, 15]", 'wake = "long"', ["pacing.wake"]),
        (EDITION, "look = 4", "look = -4", ["pacing.look", "0"]),
        (EDITION, 'guard = "守护者"', 'guard = ""', ["roles.guard"]),
        (EDITION, 'guard = "守护者"', "", ["roles.guard"]),
        (EDITION, "[rules]", "[rules]\nelder = 1", ["rules.elder"]),
        (EDITION, "wake = [11, 15]", "wake = [15, 11]", ["pacing.wake"]),
        (EDITION, "发现{dead}被", "发现有人被", ["morning.dead", "{dead}"]),
        (EDITION, 'id = "anniversary"', 'id = "anniversary', ["TOML"]),
        (HOUSE, '"vote.tied" = "票数相同。"', '"vote.tied" = ""', ["vote.tied"]),
        (HOUSE, '"vote.open" = "day"', '"vote.opened" = "day"', ["scenes.vote.opened", "vote.open"]),
        (HOUSE, 'ten = "十"', "", ["numerals.ten"]),
        (INTERFACE, '"seer.check" =', '"seer.chek" =', ["asks.seer.chek", "seer.check"]),
    ],
)
def test_a_fault_in_a_script_is_told_with_what_was_expected(
    checkout: Path, file: str, found: str, put: str, parts: list[str]
) -> None:
    """A wrong type or value, an unknown key, a missing line, a blank that is none: named, with what should stand there."""
    path = checkout / file
    whole = path.read_text("utf-8")
    assert found in whole
    try:
        path.write_text(whole.replace(found, put), "utf-8")
        ended = narrator("editions", "anniversary", cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        path.write_text(whole, "utf-8")
    assert ended.returncode == 1
    if file == INTERFACE:   # without its words there is only the error's own
        assert all(part in ended.stderr for part in (path.name, *parts))
    else:
        told(ended.stderr, path.name, *parts)


def test_a_voice_with_spoiled_clips_still_plays(checkout: Path) -> None:
    """Clips that are gone or broken are spoken by the fallback voice; the game is whole."""
    clips = sorted((checkout / "voices/xiaoyi/clips").glob("*.ogg"))
    kept = {path: path.read_bytes() for path in clips}
    try:
        for number, path in enumerate(clips):
            path.write_bytes([b"", kept[path][:500], b"RIFF" * 99][number % 3])
        ended = narrator("rehearse", "--fast", "--players", 6, "--seed", 2, "--out", "x.wav", cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        for path, content in kept.items():
            path.write_bytes(content)
    assert ended.returncode == 0, ended.stderr
    assert "获胜" in ended.stdout
    assert "合成声音" in ended.stdout
    assert "Traceback" not in ended.stderr


def test_a_misspelt_blank_of_the_interface_ends_no_game(checkout: Path) -> None:
    """A blank that nobody fills stays as it is written; braces that do not match are refused."""
    path = checkout / INTERFACE
    whole = path.read_text("utf-8")
    try:
        path.write_text(whole.replace("来源：{source}", "来源：{sauce}"), "utf-8")
        ended = narrator("editions", "anniversary", cwd=checkout, PYTHONPATH=str(checkout))
        assert ended.returncode == 0
        assert "来源：{sauce}" in ended.stdout
        path.write_text(whole.replace("来源：{source}", "来源：{source"), "utf-8")
        ended = narrator("editions", "anniversary", cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        path.write_text(whole, "utf-8")
    assert ended.returncode == 1
    assert "interface.toml" in ended.stderr
    assert "Traceback" not in ended.stderr
