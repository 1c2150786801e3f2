"""What hears words in a recording: the one that ships with real speech, the others with what stands in for their packages."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import speech_recognition

from narrator.clip import RATE, Clip
from narrator.errors import NoEars
from narrator.hearing.recognisers import Google, Sherpa, Vosk, Whisper, opened
from narrator.hearing.spoken import Guess
from narrator.voice import Pack

PHRASES = ["三号", "四号", "弃权"]
SEATS = ["三号", "七号", "十一号", "十七号", "四号"]


def recorded(clip: Clip) -> speech_recognition.AudioData:
    """A clip as a microphone hears it, with some quiet round it."""
    quiet = np.zeros(RATE // 3, np.float32)
    return speech_recognition.AudioData((np.concatenate([quiet, clip, quiet]) * 32767).astype("<i2").tobytes(), RATE, 2)


@pytest.fixture(scope="module")
def whisper_ears(whisper: Path) -> Whisper:
    return Whisper(whisper, threads=1)


@pytest.mark.parametrize("voice", ["xiaoyi", "yunjian"])
@pytest.mark.parametrize("seat", ["三号。", "七号。", "十一号。", "十七号。"])
def test_a_seat_is_heard(whisper_ears: Whisper, voice: str, seat: str) -> None:
    """Guesses come, the likeliest first: free ones, and others that are held to the words that may be said."""
    clip = Pack.load(voice).clip(seat)
    assert clip is not None
    guesses = whisper_ears.guesses(recorded(clip), SEATS)
    free, held = [guess for guess in guesses if not guess.held], [guess for guess in guesses if guess.held]
    assert free == sorted(free, key=lambda guess: -guess.likely)
    assert free[0].likely <= 0
    assert any(guess.text.strip("。") == seat.strip("。") for guess in held)
    assert {sign for guess in held for sign in guess.text} <= set("".join(SEATS))


@pytest.mark.parametrize("noise", [0.0, 0.003, 0.03])
def test_nobody_is_heard_in_a_room_where_nobody_speaks(whisper_ears: Whisper, noise: float) -> None:
    """A recogniser left to itself makes up a sentence."""
    room = np.random.default_rng(1).normal(0, 1, 3 * RATE).astype(np.float32) * noise
    assert whisper_ears.guesses(recorded(room), PHRASES) == []


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    """By its path, and not by what a library says of it."""
    with pytest.raises(NoEars) as error:
        opened("whisper", str(tmp_path))
    assert error.value.slots["reason"] == "no_speech_model"


@pytest.mark.parametrize(("engine", "package"), [("vosk", "vosk"), ("sherpa", "sherpa_onnx")])
def test_a_package_that_is_missing_is_named(engine: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NoEars) as error:
        opened(engine, str(tmp_path))
    assert error.value.slots["reason"] == "needs_package"


def test_vosk_is_told_what_may_be_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Character by character, as its models know them; its scores become logarithms of shares."""
    told: list[Any] = []

    class Recognizer:
        def __init__(self, model: str, rate: float, grammar: str) -> None:
            told.append((model, rate, json.loads(grammar)))

        def SetMaxAlternatives(self, most: int) -> None:  # noqa: N802 - Vosk's own names
            assert most > 1

        def AcceptWaveform(self, sound: bytes) -> None:  # noqa: N802
            told.append(len(sound) // 2)

        def FinalResult(self) -> str:  # noqa: N802
            found = [{"text": "四 号", "confidence": 300.0}, {"text": "三 号", "confidence": 299.0}, {"text": "[unk]", "confidence": 200.0}]
            return json.dumps({"alternatives": found})

    monkeypatch.setitem(sys.modules, "vosk", SimpleNamespace(SetLogLevel=lambda _: None, Model=str, KaldiRecognizer=Recognizer))
    guesses = Vosk(tmp_path).guesses(recorded(np.zeros(RATE, np.float32)), PHRASES)
    assert told[0] == (str(tmp_path), 16_000, ["三 号", "四 号", "弃 权", "[unk]"])
    assert told[1] == pytest.approx(16_000 * 5 / 3, rel=0.01)
    assert [guess.text for guess in guesses] == ["四号", "三号"]
    assert [guess.likely for guess in guesses] == pytest.approx([-0.313, -1.313], abs=0.01)


def test_a_spotter_is_given_the_phrases_spelled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each with its sounds; what it spots is what was said."""
    for name in ("encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"):
        (tmp_path / name).touch()
    keywords: list[str] = []

    class Spotter:
        def __init__(self, keywords_file: str, **_: object) -> None:
            keywords.extend(Path(keywords_file).read_text("utf-8").splitlines())
            self.left = ["", "三号", ""]

        def create_stream(self) -> Any:
            return SimpleNamespace(accept_waveform=lambda *_: None, input_finished=lambda: None)

        def is_ready(self, _: object) -> bool:
            return bool(self.left)

        def decode_stream(self, _: object) -> None:
            self.spotted = self.left.pop(0)

        def get_result(self, _: object) -> str:
            return self.spotted

        def reset_stream(self, _: object) -> None:
            pass

    def spelled(phrases: list[str], **_: object) -> list[list[str]]:
        return [list(phrase) for phrase in phrases]

    monkeypatch.setitem(sys.modules, "sherpa_onnx", SimpleNamespace(KeywordSpotter=Spotter, text2token=spelled))
    assert Sherpa(tmp_path).guesses(recorded(np.zeros(RATE, np.float32)), PHRASES) == [Guess("三号", 0.0)]
    assert keywords == ["三 号 @三号", "四 号 @四号", "弃 权 @弃权"]


def test_google_is_asked_in_chinese_and_may_be_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its order is all that it tells of how sure it is; without a network the reason is told."""
    ears = Google(tmp_path)
    answer: Any = {"alternative": [{"transcript": "四号", "confidence": 0.9}, {"transcript": "十号"}]}

    def ask(recording: object, language: str, show_all: bool) -> Any:
        assert (language, show_all, bool(recording)) == ("zh-CN", True, True)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(ears._recogniser, "recognize_google", ask)
    assert ears.guesses(recorded(np.zeros(RATE, np.float32)), PHRASES) == [Guess("四号", 0.0), Guess("十号", -1.0)]
    answer = []
    assert ears.guesses(recorded(np.zeros(RATE, np.float32)), PHRASES) == []
    answer = speech_recognition.RequestError("no network")
    with pytest.raises(NoEars) as error:
        ears.guesses(recorded(np.zeros(RATE, np.float32)), PHRASES)
    assert error.value.slots["reason"] == "no_service"
