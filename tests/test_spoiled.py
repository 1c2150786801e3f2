"""Files that somebody has broken: an edition, the house's words, a voice. The file is named, and what is wrong with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.command import ROOT, narrator, told


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of our own, whose files may be spoiled."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("narrator", "scripts", "voices"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


EDITION, HOUSE, INTERFACE = "scripts/editions/anniversary.toml", "scripts/house.toml", "scripts/interface.toml"
SCENES = "voices/ambience/scenes.toml"

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
        command = ("rehearse", "--hurry", "--voice", "xiaoyi", "--edition", "anniversary", "--out", "x.wav")
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
        (EDITION, "wake = [14, 16]", 'wake = "long"', ["pacing.wake"]),
        (EDITION, "longer = { cupid", "longer = { cupit", ["pacing.longer"]),
        (EDITION, "witch = 7", "witch = -7", ["pacing.longer.witch", "0"]),
        (EDITION, "look = 4", "look = -4", ["pacing.look", "0"]),
        (EDITION, 'guard = "守护者"', 'guard = ""', ["roles.guard"]),
        (EDITION, 'guard = "守护者"', "", ["roles.guard"]),
        (EDITION, "[rules]", "[rules]\nelder = 1", ["rules.elder"]),
        (EDITION, "wake = [14, 16]", "wake = [16, 14]", ["pacing.wake"]),
        (EDITION, "发现{dead}被", "发现有人被", ["morning.dead", "{dead}"]),
        (EDITION, 'id = "anniversary"', 'id = "anniversary', ["TOML"]),
        (HOUSE, '"vote.tied" = "票数相同。"', '"vote.tied" = ""', ["vote.tied"]),
        (HOUSE, '"vote.open" = "vote"', '"vote.opened" = "vote"', ["scenes.vote.opened", "vote.open"]),
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


@pytest.mark.parametrize(
    ("file", "found", "put", "parts"),
    [
        (HOUSE, '"vote.open" = "vote"', '"vote.open" = "storm"', ["storm", "nightfall"]),
        (SCENES, "wind = 1, crickets = -9", "wind = 1, frogs = -9", ["nightfall", "frogs"]),
        (SCENES, 'opens = ["bell"]', 'opens = ["gong"]', ["nightfall", "gong"]),
        (SCENES, "wolf = [40, 110]", "wolf = 40", ["scenes.toml", "nightfall.sounds.wolf"]),
        (SCENES, "wolf = [40, 110]", "wolf = [110, 40]", ["scenes.toml", "nightfall", "wolf"]),
        (SCENES, "wolf = [40, 110]", "wolf = [0, 0]", ["scenes.toml", "nightfall", "wolf"]),
        (SCENES, "wind = 1, crickets = -9", "wind = nan, crickets = -9", ["scenes.toml", "nightfall.beds.wind"]),
        (SCENES, "[nightfall]", "[nightfall", ["scenes.toml", "TOML"]),
        (SCENES, "opens = ", "open = ", ["scenes.toml", "nightfall.open"]),
    ],
)
def test_a_fault_in_a_scene_is_told_before_the_game(checkout: Path, file: str, found: str, put: str, parts: list[str]) -> None:
    """A scene, a bed or a sound that there is not, and whatever is not of the form: named before a word is spoken."""
    path = checkout / file
    whole = path.read_text("utf-8")
    assert found in whole
    try:
        path.write_text(whole.replace(found, put), "utf-8")
        ended = narrator("rehearse", "--hurry", "--players", 6, "--out", "x.wav", cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        path.write_text(whole, "utf-8")
    assert ended.returncode == 1
    told(ended.stderr, *parts)


@pytest.mark.parametrize("kind", ["nothing", "text", "other rate", "stereo", "too short"])
def test_a_sound_of_ones_own_that_does_not_fit(checkout: Path, kind: str) -> None:
    """It is told what a sound must be, by the game and by the doctor."""
    path = checkout / "voices/ambience/beds/wind.ogg"
    whole, silence = path.read_bytes(), np.zeros(48_000)
    try:
        match kind:
            case "nothing":
                path.write_bytes(b"")
            case "text":
                path.write_text("a wind")
            case "other rate":
                soundfile.write(path, silence, 48_000, format="OGG")
            case "stereo":
                soundfile.write(path, np.stack([silence, silence], axis=1), 24_000, format="OGG")
            case "too short":
                soundfile.write(path, silence[:5], 24_000, format="OGG")
        ended = narrator("rehearse", "--hurry", "--players", 6, "--out", "x.wav", cwd=checkout, PYTHONPATH=str(checkout))
    finally:
        path.write_bytes(whole)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert all(part in ended.stderr for part in ("wind.ogg", "24 kHz", "单声道"))


def test_a_voice_with_spoiled_clips_still_plays(checkout: Path) -> None:
    """Clips that are gone or broken are spoken by the fallback voice; the game is whole."""
    clips = sorted((checkout / "voices/xiaoyi/clips").glob("*.ogg"))
    kept = {path: path.read_bytes() for path in clips}
    try:
        for number, path in enumerate(clips):
            path.write_bytes([b"", kept[path][:500], b"RIFF" * 99][number % 3])
        ended = narrator("rehearse", "--hurry", "--players", 6, "--seed", 2, "--out", "x.wav", cwd=checkout, PYTHONPATH=str(checkout))
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
