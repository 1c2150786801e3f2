"""Whatever befalls the loudspeaker's process or the sound server, the game goes on in silence, and sound comes back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.sound import Speaker
from tests.sound.processes import children, killed, lives, slowed, stopped
from tests.virtual_audio import VirtualAudio, wait_until

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[2]

OWNER = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from narrator.sound import Speaker
print("opening", flush=True)
speaker = Speaker()
print("open", flush=True)
sys.stdin.read()
"""


def worker(of: int | None = None) -> int:
    """The loudspeaker's process."""
    (found,) = children(of, "narrator.sound.worker")
    return found


class Table:
    """Uses a speaker as a game does, and notes how many seconds each call took."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self.took: list[float] = []

    def trouble(self) -> str | None:
        with self._timed():
            return self._speaker.trouble

    def play(self, clip: Clip) -> float:
        with self._timed():
            return self._speaker.play(clip)

    def everything(self, clip: Clip) -> None:
        """Every method there is; the clip is said to end when it would in the best of times."""
        with self._timed():
            self._speaker.hush()
        with self._timed():
            self._speaker.scene("night")
        with self._timed():
            self._speaker.effect("knock")
        assert len(clip) / RATE - 0.1 < self.play(clip) < len(clip) / RATE + 0.5

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.took.append(time.monotonic() - began)


def likeness(heard: Clip, clip: Clip) -> float:
    """How well the best of the clip's quarter seconds is heard, as a correlation: pieces, as the machine may stall in between."""
    size = RATE // 4
    best = 0.0
    for begin in range(0, len(clip) - size + 1, size):
        piece = clip[begin : begin + size]
        length = len(heard) + size
        spectrum = np.fft.rfft(heard, length) * np.conj(np.fft.rfft(piece, length))
        at = int(np.argmax(np.fft.irfft(spectrum, length)[: len(heard) - size]))
        best = max(best, float(np.corrcoef(heard[at : at + size], piece)[0, 1]))
    return best


@contextmanager
def server_stopped(audio: VirtualAudio) -> Iterator[None]:
    """The sound server stands still while the block runs."""
    audio.stop()
    try:
        yield
    finally:
        audio.go_on()


HARMS: dict[str, Callable[[VirtualAudio], AbstractContextManager[None]]] = {
    "worker killed": lambda _: killed(worker()),
    "worker stopped": lambda _: stopped(worker()),
    "worker slowed": lambda _: slowed(worker()),
    "server stopped": server_stopped,
}


@pytest.mark.parametrize("harm", HARMS)
def test_sound_is_lost_and_comes_back(audio: VirtualAudio, spoken: Clip, harm: str) -> None:
    """Within 3 s `trouble` says so; no call waits; the process is replaced by itself; what was said before is not heard late."""
    early, late = spoken[::-1].copy(), spoken
    with audio.record() as recorder, closing(Speaker()) as speaker:
        table = Table(speaker)
        speaker.scene("night")
        time.sleep(1)
        lost = worker()
        began = time.monotonic()
        with HARMS[harm](audio):
            while not table.trouble():
                assert time.monotonic() - began < 3
                table.everything(early)
                time.sleep(0.1)
            for _ in range(4):  # less than another process needs to be trusted
                table.everything(early)
                time.sleep(0.1)
            if harm != "server stopped":
                wait_until(lambda: not table.trouble(), "another process takes its place")
        wait_until(lambda: not table.trouble(), "sound flows again")
        assert not lives(lost)
        again = recorder.count
        time.sleep(table.play(late) + 0.3)
        heard = recorder.samples()[again:]
        ambience = recorder.samples()[again - RATE // 5 : again]
    assert likeness(heard, late) > 0.9
    assert likeness(heard, early) < 0.3
    assert np.abs(ambience).max() > 1e-3
    # The machine itself stalls now and then; a call that waits for the process or the server takes a second and more.
    assert sorted(table.took)[-3] < 0.1
    assert max(table.took) < 0.5


def test_what_was_said_meanwhile_is_not_heard_late(audio: VirtualAudio, spoken: Clip) -> None:
    """A process that stood still, and goes on by itself before anybody missed it, does not catch up on what it was told meanwhile."""
    with audio.record() as recorder, closing(Speaker()) as speaker:
        speaker.scene("night")
        time.sleep(0.5)
        with stopped(worker()):
            speaker.play(spoken)
            time.sleep(1.5)
        gone_on = recorder.count
        wait_until(lambda: speaker.trouble is not None, "the loss is noticed")
        wait_until(lambda: speaker.trouble is None, "sound flows again")
        time.sleep(0.5)
        heard = recorder.samples()[gone_on:]
    assert np.abs(heard[-RATE // 5 :]).max() > 1e-3
    assert likeness(heard, spoken) < 0.3


def test_closing_with_a_stopped_server(audio: VirtualAudio) -> None:
    """A stopped sound server does not keep anybody from closing, and the process is gone."""
    speaker = Speaker()
    process = worker()
    with server_stopped(audio):
        began = time.monotonic()
        speaker.close()
        assert time.monotonic() - began < 1.5
        assert not lives(process)


@pytest.mark.parametrize("opened", [True, False])
def test_the_process_ends_with_its_game(audio: VirtualAudio, opened: bool) -> None:
    """A game killed by force leaves no process behind, not even one that still waits for a sound server that has stopped."""
    if not opened:
        audio.stop()
    with subprocess.Popen([sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        for _ in range(1 + opened):
            owner.stdout.readline()
        wait_until(lambda: bool(children(owner.pid, "narrator.sound.worker")), "the process has started")
        process = worker(owner.pid)
        if not opened:
            time.sleep(1)  # it has come to where it waits for the server
            assert lives(process)
        os.kill(owner.pid, signal.SIGKILL)
        wait_until(lambda: not lives(process), "the process is gone")
