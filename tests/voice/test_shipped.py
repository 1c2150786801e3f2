"""What every voice that the narrator ships promises."""

from __future__ import annotations

import json

import pytest

from narrator import resources
from narrator.script import every_sentence, whole
from narrator.voice import Pack
from narrator.voice.check import check

VOICES = resources.folder("voices")
NAMES = sorted(path.parent.name for path in VOICES.glob("*/voice.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_voice_can_say_everything_and_every_clip_is_sound(name: str) -> None:
    """Whatever an edition can say has its clip, and no clip is left over; each is what was rendered, not clipped, within 1 LU of the
    voice's loudness, and has at most 0.12 s of silence at its ends."""
    pack = Pack.load(name)
    assert list(check(pack, sorted(every_sentence()))) == []
    assert pack.sentences() == whole(every_sentence())


@pytest.mark.parametrize("name", NAMES)
def test_folder_holds_what_the_manifest_names(name: str) -> None:
    """No clip lies about that no sentence uses; manifest and voice.toml are as the renderer writes them, with the licence's text."""
    folder = VOICES / name
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {path.name for path in (folder / "clips").iterdir()} == {entry["clip"] for entry in entries.values()}
    assert list(entries) == sorted(entries)
    assert Pack.load(name).about.name == name
    assert (folder / "LICENSE").stat().st_size > 500


def test_voices_are_small() -> None:
    """Two voices, a woman's and a man's, together stay small enough to travel inside the wheel."""
    assert {"xiaoyi", "yunjian"} <= set(NAMES)
    assert sum(path.stat().st_size for name in NAMES for path in (VOICES / name).rglob("*")) < 25_000_000
