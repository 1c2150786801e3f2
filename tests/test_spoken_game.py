"""A table plays the day without touching anything, while the microphone hears the narrator too."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE
from narrator.voice import Pack
from tests.evening import NARRATOR, SIX, answered, begun, stop
from tests.sound.processes import children
from tests.terminal import Session
from tests.test_play import ROLL_CALL, TO_THE_SEER, key
from tests.virtual_audio import VirtualAudio

pytestmark = pytest.mark.real_time


PLAY = (*NARRATOR, "play", "--hurry", *SIX)


def choose(folder: Path, model: Path, *more: str) -> None:
    """What the table has chosen: to be heard, and this besides."""
    settings = folder / "narrator" / "settings.toml"
    settings.parent.mkdir()
    settings.write_text("\n".join(('ears = "whisper"', f'ears_model = "{model}"', "etiquette = false", *more)))


def say(session: Session, sentence: str, file: Path, until: str) -> None:
    """Say something, again where it is not heard or asked back, until the screen shows this; the narrator is let finish first."""
    clip = Pack.load("yunjian").clip(sentence)
    assert clip is not None
    quiet = np.zeros(RATE // 2, np.float32)
    soundfile.write(file, np.concatenate([quiet, clip / 2, quiet, quiet]), RATE)
    for _ in range(6):
        subprocess.run(["paplay", "--device=mic", file], check=True, timeout=20)
        with contextlib.suppress(AssertionError):
            session.wait_for(until, 7.0)
            return
    raise AssertionError(f"{sentence} was not understood: {session.screen.text}")


@pytest.mark.long
def test_a_game_whose_day_is_spoken(tmp_path: Path, audio: VirtualAudio, whisper: Path) -> None:
    """The captain and the vote are spoken, read back and counted. What the narrator says leaks into the microphone 20 dB below, night and
    day, and answers nothing; at night the screen says that nothing is listened to."""
    audio.leak(-20)
    choose(tmp_path, whisper)
    with begun(tmp_path, PLAY, XDG_CONFIG_HOME=str(tmp_path)) as session:
        key(session, *ROLL_CALL)
        assert "夜里不听声音" in session.screen.text
        key(session, *TO_THE_SEER, ("女先知醒来", "2 号的身份：狼人", ""), ("狼人醒来", "吃几号", "5"))
        key(session, ("女巫醒来", "被吃的是：5 号", "1"), ("女巫醒来", "毒几号", "0"))
        session.wait_for("谁当选村长", 60)
        session.wait_for("可以说", 60)
        say(session, "三号。", tmp_path / "said.wav", "村长  3")
        session.wait_for("讨论完", 60)
        session.type("\r")
        session.wait_for("处决几号", 60)
        say(session, "二号出局。", tmp_path / "said.wav", "获胜：村庄")
        session.wait_for("再来一局", 60)
        stop(session)
    given = answered(tmp_path)
    assert [answer for answer in given if answer[0] in ("captain.elect", "day.vote")] == [("captain.elect", 3), ("day.vote", 2)]


@pytest.mark.usefixtures("audio")
def test_a_game_that_is_put_aside_listens_to_nothing(tmp_path: Path, whisper: Path) -> None:
    """Stopped (SIGTSTP), it lets go of the microphone; continued, it listens again."""
    choose(tmp_path, whisper)
    with begun(tmp_path, PLAY, XDG_CONFIG_HOME=str(tmp_path)) as session:
        session.wait_until(lambda: len(listeners(session)) == 1, "somebody listens")
        session.send(signal.SIGTSTP)
        session.wait_until(session.stopped, "the program put aside")
        session.wait_until(lambda: not listeners(session), "nobody listens")
        time.sleep(5.0)
        assert not listeners(session)
        session.send(signal.SIGCONT)
        session.wait_until(lambda: len(listeners(session)) == 1, "somebody listens again", 10)
        stop(session)


def listeners(session: Session) -> list[int]:
    """The processes that listen for a game."""
    return children(session.pid, "narrator.hearing.listener")
