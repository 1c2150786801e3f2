"""`narrator doctor`: each thing a game needs is looked at, and what is missing is named with what mends it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from narrator.ambience.synth import chime
from narrator.clip import RATE, Clip
from tests.command import narrator
from tests.virtual_audio import VirtualAudio


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


def test_ears_are_looked_at_where_a_table_wants_to_be_heard(tmp_path: Path, whisper: Path) -> None:
    """The recogniser is opened and the room listened to; one that is not there is told, and a game can be played all the same."""
    settings = tmp_path / "narrator" / "settings.toml"
    settings.parent.mkdir()
    found = []
    with VirtualAudio() as audio:
        for model in (whisper, tmp_path):
            settings.write_text(f'ears = "whisper"\nears_model = "{model}"\n')
            ended = narrator("doctor", XDG_CONFIG_HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path), **audio.environment)
            assert ended.returncode == 0
            found.append([line for line in lines(ended.stdout) if "听" in line[1] or "房间声" in line[1]])
    (heard, room), (missing,) = found
    assert heard == ("好　", "听大家说话：whisper 能用")
    assert room[0] == "好　"
    assert missing[0] == "注意"
    assert "narrator ears" in missing[1]


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
