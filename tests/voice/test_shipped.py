"""What every voice that the narrator ships promises."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from narrator import resources
from narrator.clip import RATE, seconds
from narrator.voice import Pack, shape
from narrator.voice.pronunciation import Table

VOICES = resources.folder("voices")
NAMES = sorted(path.parent.name for path in VOICES.glob("*/voice.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_every_clip_is_sound(name: str) -> None:
    """Every clip decodes and is what was rendered; it is not clipped, equally loud, and has <= 120 ms of silence at its ends."""
    pack = Pack.load(name)
    loudness = pack.about.render.loudness if pack.about.render else shape.LOUDNESS
    wrong = {}
    for sentence in pack.sentences():
        clip = pack.clip(sentence)
        if clip is None:
            wrong[sentence] = "not whole"
            continue
        heard = np.flatnonzero(np.abs(clip) > 0.01)
        faults = {
            "length": not 0.3 < seconds(clip) < 0.5 + 0.6 * len(sentence),
            "peak": np.abs(clip).max() >= 10 ** (-1 / 20),
            "loudness": abs(shape.measure_loudness(clip) - loudness) > 1.5,
            "start": heard[0] > 0.12 * RATE,
            "end": len(clip) - heard[-1] > 0.12 * RATE,
        }
        if any(faults.values()):
            wrong[sentence] = ", ".join(fault for fault, found in faults.items() if found)
    assert pack.sentences()
    assert wrong == {}


@pytest.mark.parametrize("name", NAMES)
def test_folder_holds_what_the_manifest_names(name: str) -> None:
    """No clip lies about that no sentence uses; manifest and voice.toml are as the renderer writes them, with the licence's text."""
    folder = VOICES / name
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {path.name for path in (folder / "clips").iterdir()} == {entry["clip"] for entry in entries.values()}
    assert list(entries) == sorted(entries)
    assert Pack.load(name).about.name == name
    assert (folder / "LICENSE").stat().st_size > 500


@pytest.mark.parametrize("name", NAMES)
def test_seats_are_written_in_chinese_numerals(name: str) -> None:
    """No sentence of a pack holds a digit or a Latin letter: those would be read in English."""
    assert [sentence for sentence in Pack.load(name).sentences() if not all(ord(sign) > 127 for sign in sentence)] == []


def test_pronunciation_table_is_valid() -> None:
    """The shipped table of pronunciations has a syllable for each character."""
    assert Table.read(VOICES / "pronunciation.toml").words


def test_voices_are_small() -> None:
    """All voices together stay small enough to travel inside the wheel."""
    assert sum(path.stat().st_size for path in Path(VOICES).rglob("*.ogg")) < 25_000_000
