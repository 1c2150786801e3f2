"""The Kokoro-82M v1.0 model in ONNX form: a sentence -> phonemes -> samples at 24 kHz. For the studio only: needs the extra `studio`."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from narrator.clip import Clip
from narrator.errors import BadVoice
from narrator.pronunciation import CHARACTERS, Reader, Table

_LONGEST = 510      # tokens, the model's limit
_STYLE = 256        # numbers in a speaker's style; there is one style for each length
_INPUTS = {"tokens", "style", "speed"}


@dataclass(frozen=True, slots=True)
class Files:
    """What the model consists of; all of it are downloads.

    model   an .onnx file with the inputs tokens, style, speed
    voices  a folder with SPEAKER.bin (float32) in it, or one .bin or .npz archive of all speakers
    vocab   a JSON object phoneme -> number, or the model's config.json, which holds it under `vocab`
    """

    model: Path
    voices: Path
    vocab: Path

    @classmethod
    def found(cls, folder: Path) -> Files:
        """Those in a folder, by their usual names. Raises `BadVoice` naming what is not there."""
        return cls(_first(folder, "*.onnx"), _first(folder, "voices", "voices*.bin", "*.npz"), _first(folder, "vocab.json", "config.json"))


def _first(folder: Path, *patterns: str) -> Path:
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            return path
    raise BadVoice(f"no {patterns[0]} in {folder}", reason="no_model", path=folder, what=" / ".join(patterns))


class Kokoro:
    """The model with one speaker. Raises `BadVoice` if a file is missing or not what it should be, or the extra is not installed."""

    def __init__(self, files: Files, table: Table, speaker: str) -> None:
        self._read = _phonemiser(table)
        self._vocab = _vocab(files.vocab)
        self._styles = _styles(files.voices, speaker)
        self._session = _session(files.model)

    def phonemes(self, sentence: str) -> str:
        """How the sentence is read. Raises `BadVoice` if the model cannot say it."""
        phonemes = self._read(sentence)
        unknown = sorted(set(phonemes) - self._vocab.keys())
        if unknown:
            raise BadVoice(f"the model has no sound for {' '.join(unknown)!r} in {sentence!r}; expected Chinese words and numerals")
        if not 0 < len(phonemes) <= _LONGEST:
            raise BadVoice(f"{sentence!r} has {len(phonemes)} phonemes; expected 1 to {_LONGEST}")
        return phonemes

    def speak(self, phonemes: str, speed: float) -> Clip:
        """The sound of phonemes, with the model's silence round it. At speed 1 it has the model's own pace."""
        tokens = [self._vocab[phoneme] for phoneme in phonemes]
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": self._styles[len(tokens) - 1],
            "speed": np.array([speed], np.float32),
        }
        return np.asarray(self._session.run(None, inputs)[0], np.float32).ravel()


def _phonemiser(table: Table) -> Callable[[str], str]:
    """A function sentence -> phonemes: the table's syllables, with spaces between words, at which the model pauses a little."""
    try:
        import jieba
        from misaki.zh import ZHG2P
    except ImportError as error:
        raise BadVoice(f"nobody to read: {error}", reason="needs_extra", extra="studio", why=error) from error
    jieba.setLogLevel(logging.WARNING)
    for word in table.words:
        jieba.add_word(word)
    for cut in table.cuts:
        jieba.suggest_freq(tuple(cut.split()), tune=True)
    reader = Reader(table)

    def words(characters: str) -> str:
        syllables = iter(reader.syllables(characters))
        return " ".join("".join(ZHG2P.py2ipa(next(syllables)) for _ in word) for word in jieba.cut(characters))

    def read(sentence: str) -> str:
        return CHARACTERS.sub(lambda found: words(found[0]), ZHG2P.map_punctuation(sentence)).replace("\u032f", "").strip()

    return read


def _vocab(path: Path) -> dict[str, int]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadVoice(f"{path} is not Kokoro's vocabulary: {error}", path=path) from error
    vocab = content.get("vocab", content) if isinstance(content, dict) else None
    if not isinstance(vocab, dict) or not all(isinstance(number, int) for number in vocab.values()):
        raise BadVoice(f"{path} is not Kokoro's vocabulary: expected an object phoneme -> number", path=path)
    return vocab


def _styles(path: Path, speaker: str) -> Clip:
    try:
        if path.is_dir():
            styles = np.fromfile(path / f"{speaker}.bin", np.float32)
        else:
            archive: Mapping[str, Clip] = np.load(path)
            styles = archive[speaker].astype(np.float32)
        return styles.reshape(_LONGEST, 1, _STYLE)
    except (OSError, ValueError, KeyError) as error:
        raise BadVoice(f"{path} has no Kokoro speaker {speaker!r}: {error}", path=path) from error


def _session(path: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise BadVoice(f"no runtime for models: {error}", reason="needs_extra", extra="studio", why=error) from error
    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:      # onnxruntime raises classes of its own that share no base
        raise BadVoice(f"{path} is not an ONNX model: {error}", path=path) from error
    inputs = {entry.name for entry in session.get_inputs()}
    if inputs != _INPUTS:
        raise BadVoice(f"{path} takes {sorted(inputs)}; expected a Kokoro model that takes {sorted(_INPUTS)}", path=path)
    return session
