"""`narrator voices`: what a person who looks after voices does with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE, Clip
from narrator.script import Script
from narrator.voice import Pack, manifest, shape
from narrator.voice.pack import JOINT, home, names
from tests.command import narrator
from tests.voice.helpers import VOICE_TOML, tone

SENTENCE = "游戏继续。"
DEAD = "发现三号、七号和十二号被掏干了内脏。"
NEW = "今夜月色很好。"


@pytest.fixture(autouse=True)
def _own_voices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's own voices are those of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_every_voice_is_listed_with_what_it_is() -> None:
    """The list has each voice's name, title, size, maker and licence, says that it is complete, and which one is used."""
    lines = narrator("voices", "list").stdout.splitlines()
    assert [line.split("　")[0] for line in lines] == names()
    for name, line in zip(names(), lines, strict=True):
        about = Pack.load(name).about
        assert about.title in line
        assert about.licence in line
        assert "齐全" in line
    assert [line.split("　")[0] for line in lines if "现在用的" in line] == ["xiaoyi"]


def test_a_broken_voice_hides_no_other() -> None:
    """A voice whose files are not what they should be is told, and the others are listed all the same."""
    (home() / "mine").mkdir(parents=True)
    (home() / "mine" / "voice.toml").write_text("name =", encoding="utf-8")
    ended = narrator("voices", "list")
    assert ended.returncode == 1
    assert "mine" in ended.stderr
    assert [line.split("　")[0] for line in ended.stdout.splitlines()] == ["xiaoyi", "yunjian"]


@pytest.mark.parametrize("name", ["xiaoyi", "yunjian"])
def test_a_sentence_that_names_several_seats_is_spoken_by_the_pack(name: str, tmp_path: Path) -> None:
    """Said from its text, with digits or without, it is the pack's parts joined, in the voice that is asked for."""
    out = tmp_path / "said.wav"
    ended = narrator("voices", "say", name, "发现3号、7号和１２号被掏干了内脏。", "--out", out)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[0].split() == ["录音", DEAD]
    pack = Pack.load(name)
    parts = [pack.clip(part) for part in ("发现，", "三号，", "七号，", "和十二号，", "被掏干了内脏。")]
    breath = np.zeros(round(JOINT * RATE), np.float32)
    expected = np.concatenate([piece for part in parts if part is not None for piece in (part, breath)])[: -len(breath)]
    said, _ = soundfile.read(out, dtype="float32")
    assert np.corrcoef(said[: len(expected)], expected)[0, 1] > 0.999


def test_what_no_pack_has_is_said_by_an_engine_that_is_named(tmp_path: Path) -> None:
    """A sentence that nobody foresaw is spoken by espeak, and the command says so; a model that is not there changes nothing."""
    for name in ("m.onnx", "voices.bin", "vocab.json"):
        (tmp_path / name).write_text("{}")
    for choice in ("model=", f"model={tmp_path}"):
        assert narrator("settings", choice, XDG_CONFIG_HOME=str(tmp_path)).returncode == 0
        ended = narrator("voices", "say", "xiaoyi", f"天黑请闭眼。{NEW}", "--out", tmp_path / "said.wav", XDG_CONFIG_HOME=str(tmp_path))
        assert [line.split()[0] for line in ended.stdout.splitlines()[:2]] == ["录音", "espeak"]
        assert soundfile.info(tmp_path / "said.wav").duration > 3


def test_unknown_voices_are_answered_with_the_known_ones() -> None:
    """Every command that takes a voice says which there are."""
    for command in (("say", "nobody", NEW), ("check", "nobody"), ("render", "nobody")):
        ended = narrator("voices", *command)
        assert ended.returncode == 1
        assert "xiaoyi" in ended.stderr


def test_rendering_says_what_it_lacks(tmp_path: Path) -> None:
    """Without the model, or the packages that run it, rendering is refused with what is missing, and the pack is as it was."""
    ended = narrator("voices", "render", "xiaoyi", "--model", tmp_path)
    assert ended.returncode == 1
    assert "onnx" in ended.stderr
    assert str(tmp_path) in ended.stderr


def _faded(clip: Clip) -> Clip:
    return shape.trim(shape.level(clip))


SPOILT: dict[str, Callable[[Clip], Clip]] = {
    "没有声音": lambda clip: clip * 0,
    "太短": lambda clip: clip[: RATE // 10],
    "削波": lambda clip: clip * np.float32(4.0 / np.abs(clip).max()),
    "太轻": lambda clip: clip * np.float32(0.8),
    "太响": lambda clip: clip * np.float32(1.25),
    "开头": lambda clip: np.concatenate([np.zeros(RATE // 5, np.float32), clip]),
    "结尾": lambda clip: np.concatenate([clip, np.zeros(RATE // 5, np.float32)]),
}


@pytest.mark.parametrize("flaw", SPOILT)
def test_what_is_wrong_with_a_clip_is_told(flaw: str) -> None:
    """A clip that is silent, cut off, clipped, soft, loud or has silence round it is named with its fault, and with the figure."""
    _pack({SENTENCE: SPOILT[flaw](_faded(tone(1.2)))})
    ended = narrator("voices", "check", "mine")
    assert ended.returncode == 1
    assert [line for line in ended.stdout.splitlines() if SENTENCE in line and flaw in line]


def test_what_is_missing_left_over_or_broken_is_told() -> None:
    """A pack is compared with the whole script: what it lacks, what it holds for nothing, and files that are not what was recorded."""
    script = Script("anniversary")
    first, second, *others = sorted({sentence.text for sentence in script.every_sentence() if not sentence.parts})
    folder = _pack({first: _faded(tone(1.0)), second: _faded(tone(1.2)), NEW: _faded(tone(1.4))})
    (folder / "clips" / manifest.clip_name(second)).write_bytes(b"OggS")
    lines = narrator("voices", "check", "mine", "--edition", "anniversary").stdout.splitlines()
    told = {line.rpartition("　")[2]: line for line in lines}
    assert first not in told
    assert "坏了" in told[second]
    assert "脚本里没有" in told[NEW]
    assert all("缺" in told[other] for other in others)
    assert "缺" in told["三号，"]


def _pack(clips: dict[str, Clip]) -> Path:
    """A table's own voice named mine."""
    folder = home() / "mine"
    (folder / "clips").mkdir(parents=True, exist_ok=True)
    (folder / "voice.toml").write_text(VOICE_TOML + '[recorded]\nby = "a tone"\nrate = 4.0\n', encoding="utf-8")
    manifest.write(folder, {text: manifest.keep(folder, text, clip) for text, clip in clips.items()})
    return folder


def test_a_choice_that_cannot_be_is_not_kept(tmp_path: Path) -> None:
    """A voice that is not there, or a folder without the model, is refused as it is chosen, not as a game begins; a path is kept whole."""
    for choice, part in (("voice=nobody", "xiaoyi"), (f"model={tmp_path}", "onnx")):
        ended = narrator("settings", choice, XDG_CONFIG_HOME=str(tmp_path))
        assert ended.returncode == 1
        assert part in ended.stderr
    assert not list(tmp_path.rglob("settings.toml"))
    _pack({SENTENCE: _faded(tone(1.2))})
    assert narrator("settings", f"voice=./{home().relative_to(tmp_path)}/mine", cwd=tmp_path, XDG_CONFIG_HOME=str(tmp_path)).returncode == 0
    assert str(home() / "mine") in narrator("settings", XDG_CONFIG_HOME=str(tmp_path)).stdout


def test_nothing_to_say_is_told() -> None:
    """An empty text is a mistake, not a silence."""
    for text in ("", "  ", "\u3000"):
        ended = narrator("voices", "say", "xiaoyi", text)
        assert ended.returncode == 1
        assert "没有要念的话" in ended.stderr
