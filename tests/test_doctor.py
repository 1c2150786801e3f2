"""`narrator doctor`: each thing a game needs is looked at, and what is missing is named with what mends it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.ambience.synth import chime
from narrator.clip import RATE, Clip
from narrator.sound.levels import VOICE
from narrator.sound.measure import speech_level
from narrator.voice import Pack
from tests.command import narrator
from tests.terminal import Session
from tests.virtual_audio import VirtualAudio

SOFTER = -6.0
"""dB by which the table has made the voice softer."""


def lines(text: str) -> list[tuple[str, str]]:
    """What the doctor found: the state and the finding of each line."""
    return [(line[:2], line[3:]) for line in text.splitlines()[:-1]]


def resemblance(heard: Clip, sound: Clip) -> float:
    """Correlation of the sound with that part of a recording which resembles it most."""
    places = np.correlate(heard, sound, "valid")
    best = int(np.argmax(places))
    return float(np.corrcoef(heard[best : best + len(sound)], sound)[0, 1])


def test_a_machine_with_a_loudspeaker_is_well(tmp_path: Path) -> None:
    """The chime is heard from the loudspeaker, and by the microphone where that is asked for; every voice is whole; a game can be
    played."""
    with VirtualAudio() as audio, audio.record() as recorder:
        audio.listen_to_itself()
        ended = narrator("doctor", "--record", XDG_DATA_HOME=str(tmp_path), **audio.environment)
        heard = recorder.samples()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "可以开局" in ended.stdout
    found = {finding.partition("（")[0].partition("：")[0]: state for state, finding in lines(ended.stdout)}
    for what in ("扬声器", "麦克风听到了铃声", "脚本", "声音包 xiaoyi", "合成声音能用", "存档放在 " + str(tmp_path / "narrator/games")):
        assert any(key.startswith(what) and state == "好　" for key, state in found.items()), (what, found)
    sound = np.asarray(chime(), np.float32)
    assert resemblance(heard[:: RATE // 4000], sound[:: RATE // 4000]) > 0.9
    assert not list((tmp_path / "narrator/games").iterdir())


def with_ears(folder: Path, model: Path) -> dict[str, str]:
    """The environment of a table that wants to be heard."""
    settings = folder / "narrator" / "settings.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(f'ears = "whisper"\nears_model = "{model}"\nvoice_level = {SOFTER}\n')
    return {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}


def hum(folder: Path, decibels: float) -> Path:
    """A minute of a room's noise, of so many dBFS."""
    noise = np.random.default_rng(1).normal(0, 10 ** (decibels / 20), 60 * RATE)
    soundfile.write(folder / "hum.wav", noise, RATE)
    return folder / "hum.wav"


def narrators_level() -> float:
    """How loud, in dBFS, the sentence leaves the loudspeaker that the doctor has the narrator say."""
    pack = Pack.load("xiaoyi")
    said = np.concatenate([clip for sentence in ("各位请就座。", "今晚，由我来主持。") if (clip := pack.clip(sentence)) is not None])
    return speech_level(said * VOICE, RATE) + SOFTER


def of(text: str, key: str) -> tuple[str, list[float]]:
    """The state of the line in which this stands, and the numbers in it."""
    (line,) = [line for line in text.splitlines() if key in line]
    return line[:2], [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line)]


def test_ears_are_looked_at_where_a_table_wants_to_be_heard(tmp_path: Path, whisper: Path) -> None:
    """The recogniser is opened and the room listened to; one that is not there is told, as is a microphone that is off, and a game can
    be played all the same. Where nobody reads what is written, nobody is asked to speak."""
    with VirtualAudio() as audio:
        mute, missing = (narrator("doctor", **with_ears(tmp_path, model), **audio.environment) for model in (whisper, tmp_path))
        with audio.speak(hum(tmp_path, -55.0)):
            heard = narrator("doctor", **with_ears(tmp_path, whisper), **audio.environment)
    assert heard.returncode == mute.returncode == missing.returncode == 0
    assert of(mute.stdout, "一点声音也没有")[0] == "注意"
    assert of(heard.stdout, "听大家说话：whisper 能用")[0] == "好　"
    assert of(heard.stdout, "房间声：")[0] == "好　"
    assert of(heard.stdout, "听不到法官自己的声音")[0] == "好　"
    assert "请坐在" not in heard.stdout
    assert of(missing.stdout, "narrator ears")[0] == "注意"
    assert "房间声" not in missing.stdout


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("decibels", "late", "loud", "slow"), [(-15, 60, False, False), (6, 60, True, False), (-15, 700, False, True)]
)
def test_the_narrators_own_voice_is_measured_at_the_microphone(
    tmp_path: Path, whisper: Path, decibels: int, late: int, loud: bool, slow: bool
) -> None:
    """How far it stands above the room, and whether it is gone before the ears open; what is to be moved where it is louder than a
    person, and that a loudspeaker is late."""
    with VirtualAudio(microphone_rate=RATE) as audio, audio.speak(hum(tmp_path, -50.0)):
        audio.leak(decibels, late)
        found = narrator("doctor", **with_ears(tmp_path, whisper), **audio.environment).stdout
    _, (room,) = of(found, "房间声：")
    assert room == pytest.approx(-50, abs=1)
    state, (above, *_) = of(found, "法官自己的声音在麦克风里")
    assert above == pytest.approx(narrators_level() + decibels + 50, abs=2)
    assert state == ("注意" if loud else "好　")
    assert ("把音箱挪远" in found) == loud
    state, (lasts, *_) = of(found, "还听到")
    assert state == ("注意" if slow else "好　"), found
    assert late / 1000 - 0.3 < lasts < late / 1000 + 0.3
    assert ("蓝牙" in found) == slow


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("sentence", "state", "what"),
    [("三号。", "好　", "听懂了“"), ("八号。", "注意", "没有听准，听到的是“"), ("", "注意", "没有听到人说话")],
)
def test_a_person_is_asked_to_speak(tmp_path: Path, whisper: Path, sentence: str, state: str, what: str) -> None:
    """At a terminal: what was understood and how far it stands above the room, or what to do; where nobody speaks the doctor goes on. The
    narrator, who is louder here, is compared with whoever spoke."""
    clip = Pack.load("yunjian").clip(sentence)
    quiet = np.zeros(RATE, np.float32)
    soundfile.write(tmp_path / "said.wav", quiet if clip is None else np.concatenate([quiet, clip / 2, quiet]), RATE)
    command = (sys.executable, "-m", "narrator", "doctor")
    with (
        VirtualAudio(microphone_rate=RATE) as audio,
        audio.speak(hum(tmp_path, -55.0)),
        Session(command, columns=120, lines=40, **with_ears(tmp_path, whisper), **audio.environment) as session,
    ):
        audio.leak(6)
        session.wait_for("说：我投三号", 60)
        with audio.speak(tmp_path / "said.wav"):
            session.wait_for(what, 30)
        assert session.wait_for_end(60) == 0
        found = "\n".join(session.screen.rows)
    told, numbers = of(found, what)
    assert told == state
    if clip is None:
        assert "离麦克风近一点" in found
    else:
        assert numbers[-1] == pytest.approx(speech_level(clip / 2, RATE) + 55, abs=2)
    person = -25.0 if clip is None else speech_level(clip / 2, RATE)
    state, (_, louder) = of(found, "法官自己的声音在麦克风里")
    assert state == "注意"
    assert louder == pytest.approx(narrators_level() + 6 - person, abs=2)


@pytest.mark.real_time
def test_a_microphone_that_goes_while_a_person_is_asked_is_told(tmp_path: Path, whisper: Path) -> None:
    """With what to do, and the doctor goes on."""
    command = (sys.executable, "-m", "narrator", "doctor")
    with VirtualAudio() as audio, Session(command, columns=120, lines=40, **with_ears(tmp_path, whisper), **audio.environment) as session:
        session.wait_for("说：我投三号", 60)
        audio.kill()
        session.wait_for("没有可用的麦克风：麦克风断了", 30)
        assert session.wait_for_end(60) == 0


@pytest.mark.parametrize(
    ("environment", "code", "state", "what", "mend"),
    [
        ({}, 0, "注意", "扬声器", "aplay -l"),
        ({"PYTHONPATH": "stub"}, 0, "注意", "PortAudio", "sudo apt install libportaudio2"),
        ({"XDG_DATA_HOME": "/proc"}, 1, "不行", "存不了档", "ls -ld /proc"),
        ({"XDG_DATA_HOME": "/dev/null"}, 1, "不行", "存不了档", "XDG_DATA_HOME"),
        ({}, 0, "注意", "不是终端", "narrator doctor"),
    ],
)
def test_what_is_missing_is_told_with_what_mends_it(
    tmp_path: Path, environment: dict[str, str], code: int, state: str, what: str, mend: str
) -> None:
    """Each thing that is not as it should be has a line in Chinese with the command that mends it; the exit code is 1 only where no
    game could be played."""
    if "PYTHONPATH" in environment:
        (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')")   # what the real module does
        environment = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parent.parent}"}
    ended = narrator("doctor", **{"XDG_DATA_HOME": str(tmp_path / "data"), **environment})
    assert ended.returncode == code, ended.stdout
    assert ended.stderr == ""
    told = [line for line in ended.stdout.splitlines() if what in line]
    assert len(told) == 1
    assert told[0].startswith(state)
    assert mend in told[0]
    assert all(re.search(r"[一-鿿]", line) for line in ended.stdout.splitlines())


def test_a_console_that_shows_no_chinese_is_told() -> None:
    """Where nothing Chinese can be read no game can be led; the command that mends it stands there in letters that can."""
    ended = narrator("doctor", PYTHONIOENCODING="ascii")
    assert ended.returncode == 1
    assert "export LANG=C.UTF-8" in ended.stdout
