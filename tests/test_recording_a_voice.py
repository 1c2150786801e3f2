"""`narrator voices record`: a person's voice becomes a pack, from a folder of recordings or at a microphone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import read, seconds
from narrator.script import Script, editions, every_sentence, joined
from narrator.voice import Pack, manifest, shape
from narrator.voice.check import fault
from tests.command import narrator, told
from tests.terminal import Session
from tests.virtual_audio import VirtualAudio
from tests.voice.room import recorded, spoken, write

pytestmark = pytest.mark.real_time

NIGHT, PAUSE, WOLVES = "天黑了。", "游戏暂停。", "狼人闭眼"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for recordings."""
    (tmp_path / "recordings").mkdir()
    return tmp_path / "recordings"


def pack(home: Path) -> Pack:
    """The voice `oma` that has been recorded there, each of its clips as good as a shipped one's."""
    pack = Pack.load(home / "narrator" / "voices" / "oma")
    for text in pack.sentences():
        clip = pack.clip(text)
        assert clip is not None
        assert fault(text, clip, shape.LOUDNESS) is None
    return pack


def test_a_folder_of_recordings_becomes_a_voice(folder: Path, tmp_path: Path) -> None:
    """Files named after their lines, or by their numbers on a sheet, become a pack that says them; digits may stand for numbers, and a
    name without a sign serves every line that differs only in it. What is still missing is counted."""
    sheet = narrator("voices", "record", "oma", "--sheet", folder / "lines.txt", XDG_DATA_HOME=str(tmp_path))
    assert sheet.returncode == 0, sheet.stderr
    numbers = dict(line.split("\u3000")[::-1] for line in (folder / "lines.txt").read_text("utf-8").splitlines())
    assert list(numbers) == joined(dict.fromkeys(sentence for name in editions() for sentence in Script(name).every_sentence()))
    assert not (tmp_path / "narrator").exists()
    for name, text in {
        "天黑了.wav": NIGHT, f"{numbers[PAUSE]}.flac": PAUSE, "3号.ogg": PAUSE, "三号。.mp3": WOLVES,
        "昨夜被杀的是 2 号.wav": "昨夜被杀的是二号。",
    }.items():  # fmt: skip
        write(folder / name, recorded(spoken(text)))
    ended = narrator("voices", "record", "oma", "--from", folder, "--title", "奶奶", XDG_DATA_HOME=str(tmp_path))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    voice = pack(tmp_path)
    assert voice.sentences() == {NIGHT, PAUSE, "三号，", "三号。", "昨夜被杀的是二号。"}
    assert (voice.about.name, voice.about.title, voice.about.recorded.by) == ("oma", "奶奶", "oma")  # type: ignore[union-attr]
    lengths = {text: seconds(voice.clip(text)) for text in ("三号，", "三号。")}  # type: ignore[arg-type]
    assert lengths["三号，"] == pytest.approx(seconds(spoken(PAUSE)), abs=0.15)
    assert lengths["三号。"] == pytest.approx(seconds(spoken(WOLVES)), abs=0.15)
    assert f"还缺 {len(numbers) - 4} 段" in ended.stdout
    heard = narrator("voices", "say", "oma", NIGHT, "--out", tmp_path / "heard.wav", XDG_DATA_HOME=str(tmp_path))
    assert "录音" in heard.stdout, heard.stderr
    assert np.abs(read(tmp_path / "heard.wav")).max() > 0.1


def test_what_cannot_be_taken_is_told_file_by_file(folder: Path, tmp_path: Path) -> None:
    """A file that is no line, no sound, or a bad take is named with the reason; the others are kept, and the exit code is 1. A later
    run with better files goes on from there."""
    write(folder / "天黑了.wav", recorded(spoken(NIGHT)))
    write(folder / "游戏暂停.wav", recorded(spoken(PAUSE), gain=0.2, noise=0.01))
    write(folder / "哈哈.wav", recorded(spoken(PAUSE)))
    write(folder / "0007.wav", recorded(spoken(PAUSE)))
    (folder / "天黑请闭眼.raw").write_bytes(bytes(1000))
    (folder / "狼人闭眼.m4a").write_bytes(b"ftypM4A ")
    ended = narrator("voices", "record", "oma", "--from", folder, XDG_DATA_HOME=str(tmp_path))
    assert ended.returncode == 1
    lines = {line.split("　")[1 if line[0] != "好" else 2]: line for line in ended.stdout.splitlines()[:-1]}
    assert lines["天黑了.wav"].startswith("好")
    assert "太吵" in lines["游戏暂停.wav"]
    assert "lines.txt" in lines["哈哈.wav"]
    assert "lines.txt" in lines["0007.wav"]
    for name in ("狼人闭眼.m4a", "天黑请闭眼.raw"):
        assert "wav、flac、ogg 或 mp3" in lines[name]
    assert pack(tmp_path).sentences() == {NIGHT}
    for path in folder.iterdir():
        path.unlink()
    write(folder / "游戏暂停.wav", recorded(spoken(PAUSE)))
    assert narrator("voices", "record", "oma", "--from", folder, XDG_DATA_HOME=str(tmp_path)).returncode == 0
    assert pack(tmp_path).sentences() == {NIGHT, PAUSE}


def test_a_smaller_table_has_less_to_record(tmp_path: Path) -> None:
    """For one edition and a small table only its own sentences and seats are asked for; a line keeps its number."""
    sheets = {}
    for name, arguments in {"all": [], "one": ["--edition", "flow"], "small": ["--edition", "flow", "--players", "8"]}.items():
        ended = narrator("voices", "record", "oma", "--sheet", tmp_path / name, *arguments, XDG_DATA_HOME=str(tmp_path))
        assert ended.returncode == 0, ended.stderr
        sheets[name] = set((tmp_path / name).read_text("utf-8").splitlines())
    assert sheets["small"] < sheets["one"] < sheets["all"]
    texts = {name: {line.split("\u3000")[1] for line in sheet} for name, sheet in sheets.items()}
    assert texts["all"] == set(joined(every_sentence()))
    assert texts["small"] == set(joined(Script("flow").every_sentence(8)))
    assert {"和八号。", "八号，"} <= texts["small"]
    assert not [text for text in texts["small"] if "九号" in text or "十一" in text]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["xiaoyi"], "“xiaoyi”不是录的声音"),
        (["a b"], "“a b”"),
        (["oma"], "--from"),
        (["oma", "--from", "/nowhere"], "/nowhere"),
        (["oma", "--sheet", "/nowhere/x"], "/nowhere/x"),
        (["oma", "--sheet", "x", "--players", "4"], "4"),
        (["oma", "--sheet", "x", "--edition", "lunar"], "lunar"),
        (["/proc/oma", "--from", "."], "/proc"),
    ],
)
def test_what_cannot_be_recorded_is_told_in_a_sentence(tmp_path: Path, arguments: list[str], part: str) -> None:
    """A voice that ships, a name that is none, a folder that is not there: one sentence, exit code 1, and nothing is written."""
    ended = narrator("voices", "record", *arguments, cwd=tmp_path, XDG_DATA_HOME=str(tmp_path))
    assert ended.returncode == 1
    told(ended.stderr, part)
    assert not list(tmp_path.iterdir())


def test_the_meter_is_missed_before_anybody_has_spoken(folder: Path, tmp_path: Path) -> None:
    """Without the package that measures loudness the first thing said is how to install it."""
    (folder / "pyloudnorm.py").write_text("raise ImportError('No module named pyloudnorm')")
    path = f"{folder}:{Path(__file__).parent.parent}"
    ended = narrator("voices", "record", "oma", "--from", folder, XDG_DATA_HOME=str(tmp_path), PYTHONPATH=path)
    assert ended.returncode == 1
    assert ".[recording]" in ended.stderr


# --- at a microphone ----------------------------------------------------------------------------------------------------


def session(home: Path, audio: VirtualAudio, *arguments: str) -> Session:
    """A person at a terminal who is about to record."""
    command = [sys.executable, "-m", "narrator", "voices", "record", "oma", "--edition", "flow", *arguments]
    return Session(command, columns=100, lines=40, **audio.environment, XDG_DATA_HOME=str(home), XDG_CONFIG_HOME=str(home))


def speak(audio: VirtualAudio, path: Path) -> None:
    """Speak a recording into the microphone, to its end."""
    subprocess.run(["paplay", "--device=mic", path], env=os.environ | audio.environment, check=True, timeout=10)


def test_a_person_is_walked_through_the_lines(tmp_path: Path) -> None:
    """Line by line: what was wrong with a take is said and the line asked again; a good one is kept, can be heard, and done again; a
    line may be skipped; whoever ends it, by key or by Ctrl-C, finds the rest next time."""
    first, second = joined(dict.fromkeys(Script("flow").every_sentence()))[:2]
    write(tmp_path / "good.wav", recorded(spoken(first)))
    with VirtualAudio() as audio:
        with session(tmp_path, audio, "--by", "奶奶", "--title", "奶奶的声音") as person:
            person.wait_for("别人能不能用", 20)
            person.type("\r")
            person.wait_for(first)
            person.type("\r")
            person.wait_for("在录")
            person.type("\r")
            person.wait_for("再来一次")
            person.type("\r")
            person.wait_until(lambda: person.written.count("● 在录") == 2, "the second take")
            speak(audio, tmp_path / "good.wav")
            person.type("\r")
            person.wait_for("好，")
            person.wait_for(second)
            with audio.record() as recorder:
                person.type("p\r")
                person.wait_until(lambda: person.written.count(second) == 2, "the take played", 20)
                assert np.abs(recorder.samples()).max() > 0.1
            person.type("what\r")
            person.wait_until(lambda: person.written.count("s 跳过") == 2, "the keys")
            person.type("ｂ\r")
            person.wait_until(lambda: person.written.count(first) == 3, "the first line again")
            person.type("s\r")
            person.wait_until(lambda: person.written.count(second) == 4, "the second line")
            person.type("q\r")
            person.wait_for("录好了 1 段")
            assert person.wait_for_end() == 0
        voice = pack(tmp_path)
        assert voice.sentences() == {first}
        assert voice.about.title == "奶奶的声音"
        assert seconds(voice.clip(first)) == pytest.approx(seconds(spoken(first)), abs=0.2)  # type: ignore[arg-type]
        with session(tmp_path, audio) as person:
            person.wait_for(second, 20)
            assert first not in person.written
            person.type("\r")
            person.wait_for("在录")
            time.sleep(0.3)     # Python misses a Ctrl-C that falls between a prompt and the read behind it, as no person's does
            person.type("\x03")
            person.wait_for("录好了 1 段")
            assert person.wait_for_end() == 0
    assert set(manifest.read(tmp_path / "narrator/voices/oma")) == {first}


def test_a_microphone_that_is_lost_is_told(tmp_path: Path) -> None:
    """A microphone that goes in the midst of a take is told within seconds, and the line asked again; one that is not there at all
    is told with those that are."""
    with VirtualAudio() as audio:
        with session(tmp_path, audio, "--by", "奶奶", "--title", "她", "--licence", "CC0-1.0") as person:
            person.wait_for("Enter 开始：", 20)
            person.type("\r")
            person.wait_for("在录")
            audio.stop()    # it does not even say so
            time.sleep(1.2)
            person.type("\r")
            person.wait_for("没有可用的麦克风")
            person.wait_until(lambda: person.written.count("Enter 开始：") == 2, "the line again")
            audio.go_on()
            person.type("\r")
            person.wait_until(lambda: person.written.count("在录") == 2, "a take with the microphone found again", 15)
            person.type("\x04")
            assert person.wait_for_end() == 0
        assert not (tmp_path / "narrator/voices/oma").exists()
        with session(tmp_path, audio, "--microphone", "banjo") as person:
            assert person.wait_for_end(20) == 1
            assert "没有名字里有“banjo”的，有：default" in person.screen.text
