"""What the fallback engine promises: with the real espeak, and whatever happens to its process."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path

import numpy as np
import pytest

import narrator.voice
from narrator.clip import seconds
from narrator.voice import EngineError, Espeak, shape
from tests.sound.processes import children, killed, slowed, stopped

SENTENCE = "狼人醒来，认识彼此。"

SLOW_START = f"""
import runpy, time
time.sleep(2.5)
runpy.run_path({str(Path(narrator.voice.__file__).with_name("worker.py"))!r}, run_name="__main__")
"""

ANSWER_WITHOUT_SOUND = """
import json, wave
print('{"ready": true}', flush=True)
with wave.open(json.loads(input())["path"], "wb") as file:
    file.setparams((1, 2, 22050, 0, "NONE", ""))
print('{"done": ""}')
"""


@pytest.fixture
def espeak() -> Iterator[Espeak]:
    engine = Espeak()
    yield engine
    engine.close()


def test_chinese_sentence_is_audible(espeak: Espeak) -> None:
    """A rendered sentence has the product's loudness, no clipping and no long silence at its ends."""
    clip = espeak.render(SENTENCE)
    assert clip.dtype == np.float32
    assert 1.5 < seconds(clip) < 6
    assert shape.measure_loudness(clip) == pytest.approx(shape.LOUDNESS, abs=1)
    assert shape.measure_peak(clip) < -1
    assert len(clip) - len(shape.trim(clip)) < 240


def test_many_sentences_are_whole(espeak: Espeak) -> None:
    """Of many sentences in a row none is cut short, missing or mixed up with another."""
    lengths = {len(espeak.render(f"{SENTENCE}{tail}")) for tail in ("一号。", "十七号。") for _ in range(5)}
    assert len(lengths) <= 4
    assert min(lengths) > len(espeak.render(SENTENCE))


@pytest.mark.parametrize("harm", [stopped, killed])
def test_lost_process_is_replaced(harm: Callable[[int], AbstractContextManager[None]]) -> None:
    """A process that hangs or dies is replaced: the sentence that met it is still spoken, and so is the next. The deadline is longer than
    a game's, since a busy machine starts a process slowly."""
    with closing(Espeak(deadline=12.0)) as espeak:
        espeak.render(SENTENCE)
        (victim,) = children()
        with harm(victim):
            assert len(espeak.render(SENTENCE))
            (successor,) = children()
            assert successor != victim
            assert len(espeak.render("天亮了。"))


def test_slow_process_holds_nobody_up(espeak: Espeak) -> None:
    """With a process that crawls every sentence is spoken or given up soon, and it is soon replaced."""
    espeak.render(SENTENCE)
    (victim,) = children()
    with slowed(victim):
        for _ in range(6):
            start = time.monotonic()
            with suppress(EngineError):
                espeak.render(SENTENCE)
            assert time.monotonic() - start < 3
    assert len(espeak.render(SENTENCE))


def test_starting_process_is_left_to_start() -> None:
    """A sentence is given up rather than wait for a process that is slow to start; a later one finds that process ready."""
    engine = Espeak([sys.executable, "-c", SLOW_START, "cmn+f3", "150"])
    start = time.monotonic()
    with pytest.raises(EngineError, match="still starting"):
        engine.render(SENTENCE)
    assert time.monotonic() - start < 3
    started = children()
    time.sleep(1)
    assert len(engine.render(SENTENCE))
    assert children() == started
    engine.close()


def test_process_that_never_starts_is_replaced() -> None:
    """A process is not left to start for ever."""
    engine = Espeak([sys.executable, "-c", "import time; time.sleep(60)"], start=2.0)
    with pytest.raises(EngineError, match="still starting"):
        engine.render(SENTENCE)
    (first,) = children()
    start = time.monotonic()
    with pytest.raises(EngineError):
        engine.render(SENTENCE)
    assert time.monotonic() - start < 3
    assert first not in children()
    engine.close()


def test_closing_leaves_no_process() -> None:
    """A closed engine has no process, and starts one again when it is needed."""
    engine = Espeak()
    engine.render(SENTENCE)
    engine.close()
    assert children() == []
    assert len(engine.render(SENTENCE))
    engine.close()


def test_interrupt_at_the_terminal_does_not_reach_the_process(espeak: Espeak) -> None:
    """Ctrl-C goes to the game's process group; the worker is not in it."""
    espeak.render(SENTENCE)
    (worker,) = children()
    assert os.getpgid(worker) != os.getpgid(0)


def test_empty_sentence_never_reaches_espeak(espeak: Espeak) -> None:
    """An empty sentence is refused without starting a process."""
    with pytest.raises(EngineError, match="empty"):
        espeak.render(" ")
    assert children() == []


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import time; time.sleep(60)", "no answer"),
        ("raise SystemExit(3)", "ended"),
        ("print('hello')", "not JSON"),
        ("print('{\"error\": \"No module named pyttsx3: pip install pyttsx3\"}')", "pip install pyttsx3"),
        (ANSWER_WITHOUT_SOUND, "made no sound"),
        ("print('{\"ready\": true}', flush=True); input(); print('{\"done\": \"\"}')", "cannot be read"),
    ],
)
def test_worker_that_cannot_serve_is_named_with_its_reason(script: str, reason: str) -> None:
    """A worker that hangs, ends, babbles or reports an error gives an `EngineError` that says so."""
    engine = Espeak([sys.executable, "-c", script], start=0.5, answer=0.5)
    with pytest.raises(EngineError, match=reason):
        engine.render(SENTENCE)
    assert children() == []


def test_missing_program_is_named() -> None:
    """A worker that cannot be started is an `EngineError`, not an `OSError`."""
    with pytest.raises(EngineError, match="nowhere"):
        Espeak(["/nowhere/python"]).render(SENTENCE)


def test_repeated_failure_is_followed_by_rest(tmp_path: Path) -> None:
    """After failures in a row nothing is tried for a while, and the reason says so; then it is tried again."""
    starts = tmp_path / "starts"
    script = f"open({str(starts)!r}, 'a').write('x')"
    engine = Espeak([sys.executable, "-c", script], start=5.0, rest=0.4)
    for _ in range(4):
        with pytest.raises(EngineError, match="ended"):
            engine.render(SENTENCE)
    assert starts.read_text() == "xxx"
    with pytest.raises(EngineError, match="rests"):
        engine.render(SENTENCE)
    time.sleep(0.5)
    with pytest.raises(EngineError):
        engine.render(SENTENCE)
    assert len(starts.read_text()) > 3
