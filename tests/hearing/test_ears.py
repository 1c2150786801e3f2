"""A table is heard through a microphone: real speech into a virtual one, through the recogniser that ships."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE, seconds
from narrator.clock import RealClock
from narrator.hearing import Command, Entered, Event, Spoken
from narrator.hearing.ears import Ears
from narrator.rules import Ask
from narrator.voice import Pack
from tests.sound.processes import children
from tests.texts import script_of
from tests.virtual_audio import VirtualAudio, wait_until

pytestmark = pytest.mark.real_time

SEATS = tuple(range(1, 13))
VOTE = Ask("day.vote", "ballots", "everyone", SEATS, SEATS, may_pass=True)
RUN = Ask("captain.run", "seats", "everyone", SEATS, SEATS, count=(0, 12), may_pass=True)
SECRET = Ask("seer.check", "seat", "seer", (1,), SEATS)


class Heard:
    """A table with ears; `say` speaks into its microphone."""

    def __init__(self, audio: VirtualAudio, model: Path, folder: Path, *, barge_in: bool = False) -> None:
        self.events: list[Event] = []
        settings = {"device": None, "engine": "whisper", "model": str(model), "numerals": script_of("anniversary").numerals}
        self.ears = Ears(self.events.append, RealClock(), settings, barge_in=barge_in)
        self.audio, self._file, self._pack = audio, folder / "said.wav", Pack.load("yunjian")
        self.await_trouble("", 60.0)

    def await_trouble(self, trouble: str, patience: float) -> None:
        ends = time.monotonic() + patience
        while self.ears.trouble != trouble:
            assert time.monotonic() < ends, f"still {self.ears.trouble!r}"
            time.sleep(0.05)

    def say(self, *parts: str, device: str = "mic") -> None:
        clips = [self._pack.clip(part) for part in parts]
        assert all(clip is not None for clip in clips), parts
        quiet = np.zeros(RATE, np.float32)
        spoken = np.concatenate([quiet[: RATE // 4], *(clip for clip in clips if clip is not None), quiet])
        soundfile.write(self._file, spoken / 2, RATE)
        subprocess.run(["paplay", f"--device={device}", self._file], check=True, timeout=20 + seconds(spoken))

    def say_until_heard(self, *parts: str) -> tuple[Entered | Command, ...]:
        """Say it as a person would who is not answered, or asked back: four times at most. Returns what was understood."""
        for _ in range(4):
            before = len(self.meanings())
            self.say(*parts)
            ends = time.monotonic() + 4.0
            while time.monotonic() < ends:
                if len(self.meanings()) > before and len(self.meanings()[-1]) == 1:
                    return self.meanings()[-1]
                time.sleep(0.05)
        raise AssertionError(f"{parts} was not heard")

    def meanings(self) -> list[tuple[Entered | Command, ...]]:
        return [event.payload.meanings for event in self.events if isinstance(event.payload, Spoken)]


@pytest.fixture
def heard(audio: VirtualAudio, whisper: Path, tmp_path: Path) -> Iterator[Heard]:
    table = Heard(audio, whisper, tmp_path)
    yield table
    table.ears.close()


def test_a_table_is_understood(heard: Heard) -> None:
    """A seat, several, and the end of a talk; each is one answer, and each at its own question."""
    for ask, parts, meaning in (
        (VOTE, ("七号。",), Entered("7")),
        (RUN, ("三号，", "和七号。"), Entered("3+7")),
        (VOTE, ("十一号。",), Entered("11")),
    ):
        heard.ears.attend(ask)
        assert heard.say_until_heard(*parts) == (meaning,), heard.events


def test_nothing_is_heard_that_is_not_meant_for_it(heard: Heard) -> None:
    """At a secret question, with none, and while the narrator itself speaks, however clearly it is said."""
    for ask, deaf in ((SECRET, 0.0), (None, 0.0), (VOTE, 4.0)):
        heard.ears.attend(ask)
        heard.ears.deaf(deaf)
        heard.say("七号。")
        time.sleep(1.0)
    assert heard.events == []
    heard.ears.attend(VOTE)
    time.sleep(2.0)
    assert heard.say_until_heard("七号。") == (Entered("7"),)


def test_it_hears_as_soon_as_the_narrator_is_cut_off(heard: Heard) -> None:
    """And not only when the narrator would have ended."""
    heard.ears.attend(VOTE)
    heard.ears.deaf(60.0)
    heard.ears.deaf(0.2)
    assert heard.say_until_heard("七号。") == (Entered("7"),)


@pytest.mark.parametrize("barge_in", [True, False])
def test_the_narrator_may_be_interrupted(audio: VirtualAudio, whisper: Path, tmp_path: Path, barge_in: bool) -> None:
    """Where it has been chosen, and a question is open to everyone; else nothing is heard of what is said while it speaks."""
    table = Heard(audio, whisper, tmp_path, barge_in=barge_in)
    try:
        for ask in (VOTE, SECRET):
            table.ears.attend(ask)
            table.ears.deaf(30.0)
            if ask == VOTE and barge_in:
                assert table.say_until_heard("七号。") == (Entered("7"),)
                continue
            before = len(table.events)
            table.say("七号。")
            time.sleep(1.5)
            assert len(table.events) == before
    finally:
        table.ears.close()


def listener() -> int:
    """The process that listens."""
    (process,) = children(named="narrator.hearing.listener")
    return process


def used(process: int) -> float:
    """The processor time that it has taken, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def await_work(process: int) -> None:
    """Until it has half a processor to itself: it makes something of a phrase."""
    before = used(process)
    for _ in range(200):
        time.sleep(0.05)
        if used(process) - before > 0.025:
            return
        before = used(process)
    raise AssertionError("it has nothing to do")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_dies_or_hangs_is_followed_by_another(
    audio: VirtualAudio, whisper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Whether it was making something of a phrase, or nobody had said anything; the question that is open stays open."""
    monkeypatch.setattr("narrator.hearing.ears.DEADLINE", 3.0)
    table = Heard(audio, whisper, tmp_path)
    try:
        table.ears.attend(VOTE)
        os.kill(listener(), number)
        table.await_trouble("ears_lost", 10.0)
        table.await_trouble("", 60.0)
        speaking = threading.Thread(target=table.say, args=("七号。",))
        speaking.start()
        await_work(listener())
        os.kill(listener(), number)
        table.await_trouble("ears_lost", 10.0)
        speaking.join()
        assert table.events == []
        table.await_trouble("", 60.0)
        assert table.say_until_heard("七号。") == (Entered("7"),)
    finally:
        table.ears.close()


def test_a_quiet_process_is_left_alone(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody speaks, be it asked or not, for longer than one that hangs is waited for."""
    monkeypatch.setattr("narrator.hearing.ears.DEADLINE", 3.0)
    process = listener()
    for ask in (None, VOTE):
        heard.ears.attend(ask)
        time.sleep(5.0)
    assert listener() == process
    assert heard.ears.trouble == ""


def test_a_microphone_is_unplugged_and_plugged_in_again(heard: Heard) -> None:
    """The table is told, and what the server puts in its place is not listened to: that is the narrator's own voice."""
    heard.ears.attend(VOTE)
    heard.audio.unplug()
    heard.await_trouble("lost_microphone", 10.0)
    heard.say("七号。", device="speaker")
    time.sleep(2.0)
    assert heard.ears.trouble == "lost_microphone"
    assert heard.events == []
    heard.audio.plug_in()
    heard.await_trouble("", 10.0)
    assert heard.say_until_heard("七号。") == (Entered("7"),)


def test_why_nothing_can_be_heard_is_told(tmp_path: Path) -> None:
    """By the reason that the process gave: here there is no model."""
    settings = {"device": None, "engine": "whisper", "model": str(tmp_path), "numerals": script_of("anniversary").numerals}
    ears = Ears(lambda _: None, RealClock(), settings)
    try:
        wait_until(lambda: ears.trouble == "no_speech_model", "the reason is told")
    finally:
        ears.close()
