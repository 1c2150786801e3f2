"""What a table chooses once and for all: by command, by key in a game, and by hand in a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, read
from narrator.settings import Settings
from tests.command import ROOT, narrator, told
from tests.evening import NARRATOR, SIX, begun
from tests.terminal import Session
from tests.virtual_audio import VirtualAudio, wait_until

pytestmark = pytest.mark.real_time


def chosen(folder: Path) -> dict[str, object]:
    """What the settings' file says."""
    path = folder / "narrator" / "settings.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def test_choices_are_kept_and_shown(tmp_path: Path) -> None:
    """What is chosen is written down, shown with its meaning, and holds until it is chosen otherwise; without one nothing is."""
    shown = narrator("settings", XDG_CONFIG_HOME=str(tmp_path))
    assert shown.returncode == 0
    assert all(f"{name} = " in shown.stdout for name in Settings.model_fields)
    assert chosen(tmp_path) == {}
    narrator("settings", "voice_level=-3", "stereo=true", 'device=USB "Audio"', XDG_CONFIG_HOME=str(tmp_path))
    assert chosen(tmp_path) == {"voice_level": -3.0, "stereo": True, "device": 'USB "Audio"'}
    narrator("settings", "device=", XDG_CONFIG_HOME=str(tmp_path))
    assert chosen(tmp_path) == {"voice_level": -3.0, "stereo": True}


def test_pins_are_kept(tmp_path: Path) -> None:
    """Lamps and buttons are written with their pins; none has both."""
    for choice in ("gpio_lamps=23", "gpio_lamps=23,24", "gpio_buttons=enter=17,pause=27", "secrets=gpio"):
        assert narrator("settings", choice, XDG_CONFIG_HOME=str(tmp_path)).returncode == 0
    assert chosen(tmp_path) == {"gpio_lamps": "23,24", "gpio_buttons": "enter=17,pause=27", "secrets": "gpio"}
    ended = narrator("settings", "gpio_buttons=undo=24", XDG_CONFIG_HOME=str(tmp_path))
    assert ended.returncode == 1
    told(ended.stderr, "引脚 24 又接灯又接按钮")


@pytest.mark.parametrize(
    ("choice", "parts"),
    [
        ("voice_level", ["名字=取值", "voice_level"]),
        ("voice_level=9", ["voice_level", "6"]),
        ("duck=deep", ["duck", "数字"]),
        ("volume=3", ["volume"]),
        ("stereo=2", ["stereo", "true"]),
        ("pace=quick", ["pace 只能写 slow、normal、fast"]),
        ("device=a\x7fb", ["device"]),
        ("duck=nan", ["duck"]),
        ("secrets=lamp", ["secrets 只能写 auto、keypad、gpio、oled"]),
        ("gpio_lamps=23,23", ["gpio_lamps", "23,24"]),
        ("gpio_lamps=1", ["gpio_lamps", "2-27"]),
        ("gpio_lamps=23,24,25", ["gpio_lamps"]),
        ("gpio_buttons=17", ["gpio_buttons", "enter=17"]),
        ("gpio_buttons=entre=17", ["gpio_buttons", "enter、undo"]),
        ("gpio_buttons=enter=17,pause=17", ["gpio_buttons"]),
    ],
)
def test_a_choice_that_is_none(tmp_path: Path, choice: str, parts: list[str]) -> None:
    """It is refused in one sentence, and nothing is written."""
    ended = narrator("settings", choice, XDG_CONFIG_HOME=str(tmp_path))
    assert ended.returncode == 1
    told(ended.stderr, *parts)
    assert chosen(tmp_path) == {}


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    """A file written by hand with a choice that there is none of is named before anything else happens."""
    (tmp_path / "narrator").mkdir()
    (tmp_path / "narrator" / "settings.toml").write_text("voice_levle = 3\n")
    for command in (["settings"], ["rehearse", "--out", str(tmp_path / "g.wav")]):
        ended = narrator(*command, XDG_CONFIG_HOME=str(tmp_path))
        assert ended.returncode == 1
        told(ended.stderr, "settings.toml", "voice_levle")
    looked = narrator("doctor", XDG_CONFIG_HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path))
    assert "不行　" in looked.stdout
    assert "voice_levle" in looked.stdout
    assert "存档" in looked.stdout, "it goes on to the rest"


def test_a_broken_file_is_mended_by_a_choice(tmp_path: Path) -> None:
    """What is chosen by command takes the place of what is wrong; what is right in the file is kept."""
    (tmp_path / "narrator").mkdir()
    (tmp_path / "narrator" / "settings.toml").write_text("voice_level = 99\nduck = 20\nvoice_levle = 3\n")
    assert narrator("settings", "voice_level=3", XDG_CONFIG_HOME=str(tmp_path)).returncode == 0
    assert chosen(tmp_path) == {"voice_level": 3.0, "duck": 20.0}


def test_a_name_that_no_loudspeaker_has(tmp_path: Path) -> None:
    """It is told with the names that there are."""
    with VirtualAudio(more_speakers=("kitchen",)) as audio:
        ended = narrator("rehearse", "--device", "garden", "--hurry", "--players", 5, "--seed", 42, cwd=tmp_path, **audio.environment)
    assert ended.returncode == 0, ended.stderr
    assert "“garden”" in ended.stderr
    assert "kitchen" in ended.stderr
    assert (tmp_path / "narrator.wav").exists()


def rendered(folder: Path, *more: str) -> np.ndarray:   # type: ignore[type-arg]
    """A short game as a file, by these settings."""
    out = folder / "game.wav"
    ended = narrator("rehearse", "--hurry", "--players", "5", "--seed", "42", "--out", out, *more, XDG_CONFIG_HOME=str(folder))
    assert ended.returncode == 0, ended.stderr
    return read(out)


def test_a_game_is_as_loud_as_is_chosen(tmp_path: Path) -> None:
    """The voice's level is heard in a rendered game; `--quiet` leaves nothing but the voice."""
    usual = rendered(tmp_path)
    quiet = rendered(tmp_path, "--quiet")
    assert len(quiet) == len(usual)
    windows = np.sqrt(np.mean(quiet[: len(quiet) // 2400 * 2400].reshape(-1, 2400) ** 2, axis=1))
    assert (windows == 0).mean() > 0.1, "between two sentences there is nothing"
    narrator("settings", "voice_level=-6", XDG_CONFIG_HOME=str(tmp_path))
    softer = rendered(tmp_path, "--quiet")
    assert np.std(softer) / np.std(quiet) == pytest.approx(10 ** (-6 / 20), rel=0.01)


def test_levels_set_by_key_are_kept(tmp_path: Path) -> None:
    """In a pause the digits make the sound louder and softer, as the screen says; the next game begins so."""
    with begun(tmp_path, XDG_CONFIG_HOME=str(tmp_path)) as session:
        session.type("/")
        session.wait_for("已暂停", 10)
        session.type("7449")
        session.wait_for("人声 -3", 10)
        session.type("/")
        session.wait_until(lambda: "已暂停" not in session.screen.text, "the game goes on", 10)
        assert chosen(tmp_path) == {"voice_level": -3.0, "effects_level": 3.0}
        session.type("/4")
        session.wait_for("人声 -6", 10)
        session.type("/")
        session.wait_until(lambda: "已暂停" not in session.screen.text, "the game goes on again", 10)
        session.type("\x03")
        session.wait_for("先停在这里", 10)
    assert chosen(tmp_path) == {"voice_level": -6.0, "effects_level": 3.0}, "a second pause is kept like the first"


def test_what_is_off_for_one_game_is_not_kept(tmp_path: Path) -> None:
    """A key that is pressed in a game with `--quiet` changes that game, and not those after it."""
    with begun(tmp_path, (*NARRATOR, "play", "--silent", "--quiet", "--hurry", *SIX), XDG_CONFIG_HOME=str(tmp_path)) as session:
        session.type("/")
        session.wait_for("已暂停", 10)
        session.type("97")
        session.wait_for("木声 -27", 10)
        session.wait_for("人声 +3", 10)
        session.type("\x03")
        session.wait_for("先停在这里", 10)
    assert chosen(tmp_path) == {"voice_level": 3.0}


def test_settings_that_cannot_be_kept_end_no_game(tmp_path: Path) -> None:
    """Where the settings cannot be written, a chosen loudspeaker plays and a key works all the same; a sentence says why it is not kept."""
    (tmp_path / "narrator").write_text("a file in the folder's place")
    with VirtualAudio(more_speakers=("kitchen",)) as audio:
        environment = audio.environment | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
        with Session((*NARRATOR, "play", "--device", "kitchen", "--hurry", *SIX), columns=120, lines=30, **environment) as session:
            session.wait_for("发好了", 30)
            session.type("\r")
            session.wait_for("写不了", 30)
            session.type("/")
            session.wait_for("已暂停", 10)
            session.type("7")
            session.wait_for("人声 +3", 10)
            session.type("/")
            session.wait_until(lambda: "已暂停" not in session.screen.text, "the game goes on", 10)
            session.wait_until(lambda: session.screen.text.count("写不了") > 1, "a sentence says that this is not kept either", 10)
            session.type("\x03")
            session.wait_for("先停在这里", 10)


def test_a_loudspeaker_chosen_once_is_remembered(tmp_path: Path) -> None:
    """The device named in a command is used from then on; where it is not there any more the default takes its place, with a word."""
    with VirtualAudio(more_speakers=("kitchen",)) as audio:
        environment = audio.environment | {"XDG_CONFIG_HOME": str(tmp_path)}
        assert "kitchen" in narrator("settings", **environment).stdout
        for more in (("--device", "kitchen"), ()):
            with audio.record("kitchen") as recorder:
                game = subprocess.Popen(
                    [sys.executable, "-m", "narrator", "rehearse", *more], cwd=ROOT, env=os.environ | environment, stdout=subprocess.DEVNULL
                )
                wait_until(lambda: bool(np.abs(recorder.samples()[-RATE:]).max(initial=0) > 1e-3), "it is heard there")
                game.kill()
                game.wait()
            assert chosen(tmp_path) == {"device": "kitchen"}
    with VirtualAudio() as audio:
        gone = narrator("doctor", **audio.environment | {"XDG_CONFIG_HOME": str(tmp_path)})
        assert "上次选的扬声器“kitchen”不在" in gone.stdout
        assert "刚放了两声铃" in gone.stdout
        environment = audio.environment | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
        with Session((*NARRATOR, "play", "--hurry", *SIX), columns=100, lines=30, **environment) as session:
            session.wait_for("发好了", 30)
            session.type("\r")
            session.wait_for("没有找到“kitchen”", 30)


@pytest.mark.long
def test_a_game_waits_for_its_loudspeaker(tmp_path: Path) -> None:
    """On a real terminal: the loudspeaker is lost, the screen says within 2 s that the game waits; it comes back, and the game goes on."""
    with VirtualAudio() as audio, begun(tmp_path, (*NARRATOR, "play", "--hurry", *SIX), **audio.environment) as session:
        began = time.monotonic()
        audio.kill()
        session.wait_for("游戏停着等它", 10)
        assert time.monotonic() - began < 2.0
        time.sleep(1.0)
        assert "游戏停着等它" in session.screen.text
        audio.start()
        session.wait_until(lambda: "游戏停着等它" not in session.screen.text, "the game goes on", 15)
