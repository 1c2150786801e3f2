"""The commands, as a person runs them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from narrator.cli import COMMANDS
from narrator.clip import RATE, read
from narrator.rules import LINES
from narrator.script import editions
from tests.command import ROOT, narrator

OFFICIAL = tomllib.loads((Path(__file__).parent / "official_lines.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, object]]]:
    """The game of README: its WAV file and its transcript."""
    folder = tmp_path_factory.mktemp("rehearsal")
    ended = narrator(
        "rehearse", "--seed", 1, "--players", 8, "--edition", "anniversary", "--hurry",
        "--out", folder / "g.wav", "--transcript", folder / "g.jsonl",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return folder / "g.wav", [json.loads(line) for line in (folder / "g.jsonl").read_text("utf-8").splitlines()]


def test_every_official_line_of_the_cards_dealt_is_spoken(rehearsal: tuple[Path, list[dict[str, object]]]) -> None:
    """In a rehearsed game the official lines stand word for word in the transcript, for everyone."""
    spoken = {record["key"]: record["text"] for record in rehearsal[1] if record["audience"] == "everyone"}
    dealt = {"night", "cupid", "lovers", "seer", "werewolf", "witch", "morning"}
    for key, text in OFFICIAL["anniversary"].items():
        if key in LINES and key.partition(".")[0] in dealt:
            before, _, after = text.partition("{dead}")
            assert str(spoken[key]).startswith(before), key
            assert str(spoken[key]).endswith(after), key


def test_the_page_of_gestures_is_the_one_in_docs() -> None:
    """`narrator gestures > docs/gestures.md` changes nothing. It names the keys that a table needs at night."""
    page = narrator("gestures")
    assert page.returncode == 0
    assert page.stdout == (ROOT / "docs" / "gestures.md").read_text("utf-8")
    assert all(f"`{key}`" in page.stdout for key in ("0", "1", "Enter", "Esc", "-", "+", "Tab"))


def test_file_and_transcript_agree(rehearsal: tuple[Path, list[dict[str, object]]]) -> None:
    """The file ends with the transcript's last record, nothing in it clips, and each line in it is louder than the night."""
    samples, records = read(rehearsal[0]), rehearsal[1]
    last = records[-1]
    assert len(samples) / RATE == pytest.approx(last["time"] + last["duration"], abs=0.01)  # type: ignore[operator]
    assert np.abs(samples).max() < 0.99
    times = [record["time"] for record in records if record["duration"]]
    assert times == sorted(times)  # type: ignore[type-var]
    bed = np.sqrt(np.mean(np.square(samples[-RATE:])))
    for record in records:
        if record["text"] and record["audience"] == "everyone":
            begin = round(record["time"] * RATE)  # type: ignore[operator]
            line = samples[begin : begin + round(record["duration"] * RATE)]  # type: ignore[operator]
            assert np.sqrt(np.mean(np.square(line))) > 2 * bed, record


def test_the_ambience_never_stops(rehearsal: tuple[Path, list[dict[str, object]]]) -> None:
    """From the first scene to the last sample no tenth of a second is silent."""
    samples = read(rehearsal[0])
    tenths = samples[RATE : len(samples) // 2400 * 2400].reshape(-1, 2400)
    assert np.sqrt(np.mean(np.square(tenths), axis=1)).min() > 1e-4


def test_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    """A seed rehearses the same game again, another seed another; --deal shows each seat its card first."""
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        ended = narrator(
            "rehearse", "--seed", seed, "--deal", "--hurry", "--edition", "newmoon", "--players", 6,
            "--out", tmp_path / f"{name}.wav", "--transcript", tmp_path / name,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
    a, b, c = ((tmp_path / name).read_text("utf-8") for name in "abc")
    assert a == b != c
    assert '"deal.card"' in a
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


def test_without_a_loudspeaker_a_rehearsal_is_written_to_a_file(tmp_path: Path) -> None:
    """The command says why it is not heard, and where the game has been written."""
    ended = narrator("rehearse", "--hurry", "--seed", 2, "--players", 6, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "narrator.wav").stat().st_size > RATE
    assert "narrator.wav" in ended.stderr
    assert "获胜" in ended.stdout


def test_rule_cases_all_pass() -> None:
    """Every rule case of ours passes, and the sums are said."""
    ended = narrator("cases", "tests/cases")
    assert ended.stdout.splitlines()[-1] == f"{len(list((ROOT / 'tests/cases').glob('*.toml')))} passed, 0 failed"
    assert ended.returncode == 0


CASE = """
title = "{title}"
edition = "anniversary"
deal = ["werewolf", "seer", "villager", "villager"]
rules = {{ captain_elected = "never" }}
{extra}
[[play]]
at = "night 1"
answers = {answers}
[play.expect]
{expect}
"""


@pytest.mark.parametrize(
    ("answers", "expect", "extra", "told"),
    [
        ('[["werewolf.kill", 3]]', "dead = [4]", "", "expected [4], came [3]"),
        ('[["werewolf.kill", 3]]', 'winner = "village"', "", "expected village"),
        ('[["werewolf.kill", 3]]', 'shown = { seer = "werewolf" }', "", "shown to seer"),
        ('[["seer.check", 1]]', 'shown = { seer = "villager" }', "", "came werewolf"),
        ('[["werewolf.kill", 3], ["witch.heal", true]]', "", "", "never asked for: ('witch.heal', True)"),
        ('[["werewolf.kill", 1]]', "", "", "refused 1"),
        ("[]", 'asked = ["witch.heal"]', "", "witch.heal"),
        ("[]", 'not_asked = ["seer.check"]', "", "seer.check"),
        ("[]", 'refused = [["seer.check", 3]]', "", "it was taken"),
        ("[]", 'refused = [["witch.heal", true]]', "", "never asked"),
        ("[]", "captain = 2", "", "captain"),
        ("[]", 'roles = { "1" = "seer" }', "", "role of 1"),
        ("[]", 'weight = { "1" = 2 }', "", "weight of 1"),
        ('[["werewolf.kill", "none"]]', "", '[[play]]\nat = "setup"\nanswers = [["captain.elect", 2]]', "never asked for"),
    ],
)
def test_a_case_that_fails_says_what_was_expected_and_what_came(tmp_path: Path, answers: str, expect: str, extra: str, told: str) -> None:
    """One line for each failing case: file, title, what was expected, what came; exit code 1."""
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(title="A title", answers=answers, expect=expect, extra=extra), "utf-8")
    ended = narrator("cases", tmp_path)
    assert ended.returncode == 1
    line, sums = ended.stdout.splitlines()
    assert sums == "0 passed, 1 failed"
    assert str(case) in line
    assert "A title" in line
    assert told in line


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        ('variant = "nobody"', "no variant 'nobody'"),
        ('events = { "night 1" = "miracle" }', "events 要写成"),
        ('[[play]]\nat = "nigth 1"', "play.0.at"),
        ('[[play]]\nat = "day 1"', "play 要按一局游戏的先后"),
        ("[[play]", "第 6 行"),
    ],
)
def test_a_case_that_is_none_is_told_in_a_sentence(tmp_path: Path, extra: str, told: str) -> None:
    """What is no rule case fails with the file and what is wrong with it; so does a file that is not there."""
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(title="A title", answers="[]", expect="", extra=extra), "utf-8")
    ended = narrator("cases", tmp_path, tmp_path / "gone.toml")
    assert ended.returncode == 1
    wrong, gone, sums = ended.stdout.splitlines()
    assert sums == "0 passed, 2 failed"
    assert str(case) in wrong
    assert told in wrong
    assert gone == f"规则例子不对：{tmp_path}/gone.toml：没有这个文件或文件夹"


@pytest.mark.parametrize("edition", editions())
def test_an_edition_prints_every_switch(edition: str) -> None:
    """`narrator editions NAME` prints the source, the set-ups and each switch as the edition's file writes it, with what it may be
    set to; and what is printed can be written into an edition's file."""
    printed = narrator("editions", edition).stdout
    rules = tomllib.loads((ROOT / f"scripts/editions/{edition}.toml").read_text("utf-8"))["rules"]
    lines = [line for line in printed.splitlines() if "  # " in line]
    assert tomllib.loads("\n".join(lines)) == rules
    for line in lines:
        written, _, choices = line.partition("  # ")
        value = tomllib.loads(written)[written.split()[0]]
        if choices.startswith("≥"):
            assert value >= int(choices[1:])
            continue
        assert {json.dumps(each).strip('"') for each in (value if isinstance(value, list) else [value])} <= set(choices.split())
    assert "8 人" in printed
    assert not re.search(r"来源：.*[A-Za-z0-9]", printed), "a source is cited, not a file named"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["editions", "lunar"], 1, "lunar"),
        (["cases", "nowhere.toml"], 1, "nowhere.toml"),
        (["rehearse", "--players", "3"], 1, "3 个不够"),
        (["rehearse", "--names", "A,B"], 1, "2 个不够"),
        (["rehearse", "--names", "A,B,C,D,E,F", "--players", "7"], 1, "名字有 6 个，座位有 7 个"),
        (["rehearse", "--names", "A,B,C,D,E," + "F" * 21], 1, "最多 20 个字"),
        (["rehearse", "--rule", "tie=never"], 1, "规则 tie 只能取 captain_ballot、captain_choice、scapegoat、revote、second_vote、nobody"),
        (["rehearse", "--rule", "captain_weight=7"], 1, "1、1.5、2、3"),
        (["rehearse", "--rule", "rounds=9"], 1, "0、1、2、3、4、5"),
        (["rehearse", "--rule", "hunter_must_shoot=1"], 1, "true、false"),
        (["rehearse", "--rule", "gravity=9"], 1, "“gravity”"),
        (["play", "--rule", "gravity=9"], 1, "“gravity”"),
        (["play", "--edition", "moon"], 1, "没有“moon”这个版本，有：anniversary, flow"),
        (["rehearse", "--with", "dragon"], 1, "没有“dragon”这张牌，有：盗贼、爱神、狼人"),
        (["rehearse", "--without", "吹笛者"], 1, "牌里没有“吹笛者”"),
        (["rehearse", "--edition", "sides", "--players", "5", "--without", "爱神"], 1, "牌里没有“丘比特”"),
        (["rehearse", "--edition", "flow", "--players", "12", "--with", "thief,小偷"], 1, "“小偷”只能有一张"),
        (["rehearse", "--with", "女先知"], 1, "只能有一张"),
        (["rehearse", "--players", "5", "--with", "盗贼,小女孩,elder,idiot,piper"], 1, "多了 1 张"),
        (["rehearse", "--with", "little_girl", "--rule", "girl_allowed=false"], 1, "小女孩"),
        (["rehearse", "--rule", "captain_elected=never", "--rule", "captain_weight=3"], 1, "captain_weight"),
        (["rehearse", "--out", "x.wav", "--transcript", "./x.wav"], 1, "x.wav"),
        (["resume", "--rule", "tie"], 1, "“tie”"),
        (["rehearse", "--players", "21"], 1, "21"),
        (["rehearse", "--players", "0"], 1, "0 个不够"),
        (["rehearse", "--players", "9" * 30], 1, "20"),
        (["rehearse", "--hurry", "--out", "/dev/full"], 1, "写不了 /dev/full：没有写成"),
        (["rehearse", "--hurry", "--out", "/dev/null", "--transcript", "/dev/full"], 1, "磁盘满了"),
        (["editions", "../house"], 1, "../house"),
        (["cases", "."], 1, "例子"),
        (["rehearse", "--voice", "nobody", "--out", "x.wav"], 1, "nobody"),
        (["rehearse", "--hurry", "--out", "no/such/folder/x.wav"], 1, "写不了 no/such/folder/x.wav：没有这个文件或文件夹"),
        (["rehearse", "--hurry", "--out", "x.wav", "--transcript", "no/such/x.jsonl"], 1, "no/such"),
        (["play"], 1, "终端"),
        (["resume"], 1, "终端"),
        (["voices", "render", "xiaoyi", "--model", "m"], 1, "onnx"),
        (["rehearse", "--players", "many"], 1, "many"),
        (["sing"], 1, "sing"),
        ([], 1, "用法"),
    ],
)
def test_a_users_error_is_one_sentence(tmp_path: Path, arguments: list[str], code: int, told: str) -> None:
    """A mistake ends with a sentence that names it and an exit code, never with a traceback."""
    ended = narrator(*arguments, cwd=tmp_path)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert told in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr
    assert not list(tmp_path.glob("*.wav"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    """`--help` of every command is in Chinese and exits 0."""
    ended = narrator(command, "--help")
    assert ended.returncode == 0
    assert any("一" <= letter <= "鿿" for letter in ended.stdout)


def test_a_console_that_shows_no_chinese_ends_nothing() -> None:
    """With an ASCII console the text is question marks, and the command still does its work."""
    ended = narrator("editions", LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ended.returncode == 0, ended.stderr
    assert "anniversary" in ended.stdout
