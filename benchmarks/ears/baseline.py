"""What a program does that takes SpeechRecognition as it is: its text must be exactly what was to be said."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

from faster_whisper import WhisperModel
from speech_recognition.recognizers.whisper_local.base import WhisperCompatibleRecognizer
from speech_recognition.recognizers.whisper_local.faster_whisper import TranscribableAdapter

from narrator.hearing import Command, Entered


class Baseline:
    """SpeechRecognition's adapter for faster-whisper, with the model kept, and exact match."""

    def __init__(self, model: Path) -> None:
        kept = WhisperModel(str(model), "cpu", compute_type="int8", cpu_threads=1)
        self._recognizer = WhisperCompatibleRecognizer(TranscribableAdapter(kept))

    def meaning(self, recording: Any, phrases: dict[str, Entered | Command]) -> tuple[Entered | Command, ...]:
        """The meaning whose phrase was written, or nothing."""
        written = self._recognizer.recognize(recording, language="zh", beam_size=1, temperature=0, without_timestamps=True)
        plain = re.sub(r"\W", "", unicodedata.normalize("NFKC", written)).replace("號", "号")
        return (phrases[plain],) if plain in phrases else ()
