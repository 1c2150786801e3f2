"""A small pack on disk and a hand-written engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from narrator.clip import RATE, Clip
from narrator.voice import EngineError, codec, manifest
from narrator.voice.engine import Maker
from narrator.voice.manifest import Entry

VOICE_TOML = """
name = "test"
title = "测试"
loudness = -18.0
language = "zh-CN"
licence = "CC0-1.0"
source = "a tone"
"""


def tone(seconds: float = 0.5, pitch: float = 300.0) -> Clip:
    """A sine wave."""
    return (0.3 * np.sin(2 * np.pi * pitch * np.arange(int(RATE * seconds)) / RATE)).astype(np.float32)


def make_pack(folder: Path, *sentences: str) -> Path:
    """A pack with a tone for each sentence, as a person who recorded it would lay it out."""
    (folder / "clips").mkdir(parents=True)
    (folder / "voice.toml").write_text(VOICE_TOML, encoding="utf-8")
    entries = {}
    for number, sentence in enumerate(sentences, 1):
        content = codec.encode(tone(pitch=200.0 * number))
        (folder / "clips" / f"{number}.ogg").write_bytes(content)
        entries[sentence] = Entry(clip=f"{number}.ogg", sha256=manifest.checksum(content))
    manifest.write(folder, entries)
    return folder


class ToneEngine:
    """An engine that hums; it refuses to be used once closed, and fails on request."""

    identity = "tone 1"

    def __init__(self, name: Maker = "espeak") -> None:
        self.name = name
        self.rendered: list[str] = []
        self.broken = False
        self.closed = False

    def render(self, sentence: str) -> Clip:
        assert not self.closed, "rendering with a closed engine"
        if self.broken:
            raise EngineError("it is hoarse")
        self.rendered.append(sentence)
        return tone()

    def close(self) -> None:
        assert not self.closed, "closed twice"
        self.closed = True
