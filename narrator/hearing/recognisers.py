"""What hears words in a recording: a phrase -> guesses at what was said. Each takes its model once, and keeps it.

whisper     faster-whisper with a model on the disk: needs no network. It writes what it hears, in several readings; and once more
            held to the words that may be said now, for a model that may write anything seldom writes 四号 where it hears it
vosk        a Vosk model on the disk, told which phrases there are
sherpa      a sherpa-onnx keyword spotter on the disk, told the same
google      Google's web service: the sound leaves the house, so only for who asks for it

All go through SpeechRecognition, or take its recordings. Needs the extra `speech`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.errors import NoEars
from narrator.hearing.spoken import Guess

RATE = 16_000
"""Samples a second that every recogniser wants."""


class Recogniser(Protocol):
    """Hears words in a recording."""

    def guesses(self, recording: Any, phrases: Sequence[str]) -> list[Guess]:
        """What may have been said in this `speech_recognition.AudioData`, where these phrases may be said; nothing where nobody spoke."""


class Whisper:
    """A Whisper model in faster-whisper's form, in the folder `model`. Raises `NoEars` if it, or the package, is not there."""

    def __init__(self, model: Path, threads: int = 0) -> None:
        try:
            from faster_whisper import WhisperModel
            from faster_whisper.tokenizer import Tokenizer
            from speech_recognition.recognizers.whisper_local.base import WhisperCompatibleRecognizer
        except ImportError as error:
            raise NoEars(f"nobody to listen: {error}", reason="needs_extra", extra="speech", why=error) from error
        if not (model / "model.bin").is_file():
            raise NoEars(f"no model.bin in {model}", reason="no_speech_model", path=model)
        try:
            self._model = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
        except Exception as error:      # each of its libraries raises its own
            raise NoEars(f"{model} is no Whisper model: {error}", reason="no_speech_model", path=model) from error
        tokens = Tokenizer(self._model.hf_tokenizer, True, task="transcribe", language="zh")
        self._tokens = tokens
        self._prompt = [*tokens.sot_sequence, tokens.no_timestamps]
        self._recognizer: Any = WhisperCompatibleRecognizer(self)

    def guesses(self, recording: Any, phrases: Sequence[str]) -> list[Guess]:
        """See `Recogniser`."""
        heard: list[Guess] = self._recognizer.recognize(recording, show_dict=True, phrases=phrases)["segments"]
        return heard

    def transcribe(self, audio_array: NDArray[np.float32], phrases: Sequence[str]) -> dict[str, Any]:
        """What SpeechRecognition calls, with samples at 16 kHz."""
        from faster_whisper.vad import VadOptions, get_speech_timestamps

        speech = get_speech_timestamps(audio_array, VadOptions(min_silence_duration_ms=300, speech_pad_ms=200))
        guesses = self._heard(audio_array[: _WINDOW * RATE], phrases) if speech else []
        return {"text": guesses[0].text if guesses else "", "segments": guesses, "language": "zh"}

    def _heard(self, samples: NDArray[np.float32], phrases: Sequence[str]) -> list[Guess]:
        from ctranslate2 import StorageView

        features = self._model.feature_extractor(np.pad(samples, (0, _WINDOW * RATE - len(samples))), padding=0)[:, : _WINDOW * 100]
        encoded = self._model.model.encode(StorageView.from_array(np.ascontiguousarray(features[None], np.float32)), to_cpu=True)
        options = {
            "beam_size": _READINGS, "num_hypotheses": _READINGS, "length_penalty": 0, "return_scores": True, "return_no_speech_prob": True,
            "max_length": _TOKENS + len(samples) * _TOKENS // RATE,
        }  # fmt: skip
        (free,) = self._model.model.generate(encoded, [self._prompt], **options)
        if free.no_speech_prob >= _NOBODY:
            return []
        (held,) = self._model.model.generate(encoded, [self._prompt], suppress_tokens=self._others(phrases), **options)
        return [*self._read(free), *(replace(guess, held=True) for guess in self._read(held))]

    def _read(self, result: Any) -> list[Guess]:
        return [Guess(self._tokens.decode(ids), score) for ids, score in zip(result.sequences_ids, result.scores, strict=True)]

    def _others(self, phrases: Sequence[str]) -> list[int]:
        """All that the model could write and that is in none of these phrases."""
        allowed = {token for phrase in phrases for token in self._tokens.encode(phrase)} | {self._tokens.eot}
        return [token for token in range(self._model.hf_tokenizer.get_vocab_size()) if token not in allowed]


class Vosk:
    """A Vosk model in the folder `model`. Raises `NoEars` if it, or the package, is not there."""

    def __init__(self, model: Path) -> None:
        try:
            import vosk
        except ImportError as error:
            raise NoEars(f"nobody to listen: {error}", reason="needs_package", package="vosk", why=error) from error
        vosk.SetLogLevel(-1)
        try:
            self._model = vosk.Model(str(model))
        except Exception as error:      # it raises nothing more precise
            raise NoEars(f"{model} is no Vosk model: {error}", reason="no_speech_model", path=model) from error
        self._open = vosk.KaldiRecognizer

    def guesses(self, recording: Any, phrases: Sequence[str]) -> list[Guess]:
        """See `Recogniser`."""
        recogniser = self._open(self._model, RATE, json.dumps([*map(" ".join, phrases), "[unk]"], ensure_ascii=False))
        recogniser.SetMaxAlternatives(_READINGS)
        recogniser.AcceptWaveform(recording.get_raw_data(convert_rate=RATE, convert_width=2))
        found = [(option["text"].replace(" ", ""), option["confidence"]) for option in json.loads(recogniser.FinalResult())["alternatives"]]
        total = np.logaddexp.reduce([score for _, score in found]) if found else 0.0    # "confidence" is a logarithm of any size
        return [Guess(text, float(score - total)) for text, score in found if text and text != "[unk]"]


class Sherpa:
    """A sherpa-onnx keyword spotter in the folder `model`, with its usual files. Raises `NoEars` if it, or the package, is not there."""

    def __init__(self, model: Path) -> None:
        try:
            import sherpa_onnx
        except ImportError as error:
            raise NoEars(f"nobody to listen: {error}", reason="needs_package", package="sherpa-onnx", why=error) from error
        parts = {part: next(iter(sorted(model.glob(f"{part}*.onnx"))), None) for part in ("encoder", "decoder", "joiner")}
        tokens = model / "tokens.txt"
        if None in parts.values() or not tokens.is_file():
            raise NoEars(f"{model} is no keyword spotter", reason="no_speech_model", path=model)
        self._tokens = tokens
        self._spell: Any = sherpa_onnx.text2token
        self._open: Any = lambda keywords: sherpa_onnx.KeywordSpotter(
            tokens=str(tokens), keywords_file=str(keywords), num_threads=1, **{part: str(path) for part, path in parts.items()}
        )

    def guesses(self, recording: Any, phrases: Sequence[str]) -> list[Guess]:
        """See `Recogniser`. A spotter does not say how sure it is."""
        spelled = self._spell(list(phrases), tokens=str(self._tokens), tokens_type="ppinyin")
        with NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as keywords:
            keywords.writelines(f"{' '.join(sounds)} @{phrase}\n" for sounds, phrase in zip(spelled, phrases, strict=True))
            keywords.flush()
            spotter = self._open(keywords.name)
        stream = spotter.create_stream()
        samples = np.frombuffer(recording.get_raw_data(convert_rate=RATE, convert_width=2), "<i2") / 32768
        stream.accept_waveform(RATE, np.concatenate([samples, np.zeros(RATE // 2)]).astype(np.float32))
        stream.input_finished()
        found = []
        while spotter.is_ready(stream):
            spotter.decode_stream(stream)
            if spotted := spotter.get_result(stream):
                found.append(spotted)
                spotter.reset_stream(stream)
        return [Guess("".join(found), 0.0)] if found else []


class Google:
    """Google's service, through SpeechRecognition. Raises `NoEars` without that package."""

    def __init__(self, model: Path) -> None:
        """`model` has no meaning here."""
        del model
        try:
            import speech_recognition
        except ImportError as error:
            raise NoEars(f"nobody to listen: {error}", reason="needs_extra", extra="speech", why=error) from error
        self._recogniser: Any = speech_recognition.Recognizer()
        self._lost = speech_recognition.RequestError
        self._recogniser.operation_timeout = _ONLINE

    def guesses(self, recording: Any, phrases: Sequence[str]) -> list[Guess]:
        """See `Recogniser`. Raises `NoEars` where the network, or the service, is not there."""
        del phrases
        try:
            answer = self._recogniser.recognize_google(recording, language="zh-CN", show_all=True)
        except (self._lost, OSError) as error:
            raise NoEars(f"Google does not answer: {error}", reason="no_service", why=str(error)) from error
        options = answer["alternative"] if answer else []
        return [Guess(option["transcript"], -float(place)) for place, option in enumerate(options)]


ENGINES: dict[str, Callable[[Path], Recogniser]] = {"whisper": Whisper, "vosk": Vosk, "sherpa": Sherpa, "google": Google}
"""What may be chosen."""


def opened(engine: str, model: str) -> Recogniser:
    """The recogniser of this name, with the model in this folder. Raises `NoEars`."""
    return ENGINES[engine](Path(model))


_WINDOW = 10        # seconds that are looked at: nothing that may be said is longer, and the usual 30 take four times as long
_READINGS = 8
_TOKENS = 10        # at first, and in a second: one that has lost its way repeats a word for ever
_NOBODY = 0.6       # how sure the model may be that nobody spoke
_ONLINE = 3.5       # seconds that a service may take
