"""What a voice pack promises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, seconds
from narrator.errors import BadVoice
from narrator.voice import Pack
from narrator.voice.pack import JOINT, names

from .helpers import VOICE_TOML, make_pack

NIGHT = "天黑请闭眼。"


def test_sentence_of_the_pack_is_found(folder: Path) -> None:
    """A sentence of the manifest has its clip, at the product's rate, the same each time."""
    pack = Pack.load(folder)
    clip = pack.clip(NIGHT)
    assert clip is not None
    assert len(clip) == RATE // 2
    assert pack.clip(NIGHT) is clip
    assert pack.sentences() == {NIGHT, "一号玩家请发言。"}


def test_parts_are_joined_with_a_short_breath(folder: Path) -> None:
    """A sentence without a clip is joined from its parts: as long as they are with a breath between, each as it was recorded, and no step
    in the wave where they meet."""
    pack = Pack.load(folder)
    parts = [NIGHT, "一号玩家请发言。", NIGHT]
    joined = pack.clip("别的。", parts)
    clips = [pack.clip(part) for part in parts]
    assert joined is not None
    assert clips[0] is not None
    assert len(joined) == sum(len(clip) for clip in clips if clip is not None) + 2 * round(JOINT * RATE)
    assert np.array_equal(joined[: len(clips[0])], clips[0])
    assert np.array_equal(joined[-len(clips[0]) :], clips[0])
    breath = joined[len(clips[0]) : len(clips[0]) + round(JOINT * RATE)]
    assert not breath.any()
    assert pack.clip("别的。", [NIGHT, "没有。"]) is None
    assert pack.clip(NIGHT, ["没有。"]) is clips[0]


def test_other_sentences_are_not_found(folder: Path) -> None:
    """A sentence that the manifest lacks has no clip."""
    assert Pack.load(folder).clip("天亮了。") is None


def test_handed_out_clip_cannot_be_spoilt(folder: Path) -> None:
    """Whoever plays a clip cannot change what the next one hears."""
    clip = Pack.load(folder).clip(NIGHT)
    assert clip is not None
    with pytest.raises(ValueError, match="read-only"):
        clip *= 0


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "other"])
def test_damaged_clip_counts_as_missing(folder: Path, damage: str) -> None:
    """A clip file that is missing, or is not what was rendered, is no clip, and no error."""
    path = folder / "clips" / "1.ogg"
    whole = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2], "other": (folder / "clips" / "2.ogg").read_bytes()}[damage])
    pack = Pack.load(folder)
    assert pack.clip(NIGHT) is None
    assert pack.clip("一号玩家请发言。") is not None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (VOICE_TOML + "colour = 'red'\n", "colour"),
        (VOICE_TOML.replace('name = "test"', ""), "name"),
        (VOICE_TOML.replace('"test"', "7"), "name.*valid string"),
        ("name = ", "syntax"),
        (VOICE_TOML + '[render]\nengine = "kokoro"\nspeaker = "zf"\nspeed = 9.0\n', "render.speed"),
        (VOICE_TOML + '[render]\nengine = "other"\nspeaker = "zf"\nspeed = 1.0\n', "render.engine"),
    ],
)
def test_voice_toml_is_strict(folder: Path, text: str, complaint: str) -> None:
    """An unknown, missing or wrong value in voice.toml is refused, and the message names the file and the value."""
    (folder / "voice.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadVoice, match=complaint) as caught:
        Pack.load(folder)
    assert str(folder / "voice.toml") in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"好。": {}}',
        '{"好。": {"clip": "../x.ogg", "sha256": "0123456789abcdef"}}',
        '{"好。": {"clip": "x.ogg", "sha256": "0"}}',
    ],
)
def test_manifest_is_strict(folder: Path, text: str) -> None:
    """A manifest that is not of the form, or leads out of the pack, is refused, and the message names the file."""
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadVoice, match="expected") as caught:
        Pack.load(folder)
    assert str(folder / "manifest.json") in str(caught.value)


@pytest.mark.parametrize("name", ["voice.toml", "manifest.json"])
def test_missing_file_is_named(folder: Path, name: str) -> None:
    """A pack without its voice.toml or manifest is refused with the file's name."""
    (folder / name).unlink()
    with pytest.raises(BadVoice, match=name):
        Pack.load(folder)


def test_unknown_voice_is_answered_with_the_known_ones() -> None:
    """Asking for a voice that is not there tells which are."""
    with pytest.raises(BadVoice, match="xiaoyi"):
        Pack.load("nobody")


def test_own_voice_is_found_before_one_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table's own voices lie in the user's data folder, and win over those of the same name that ship."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    make_pack(tmp_path / "narrator" / "voices" / "xiaoyi", NIGHT)
    make_pack(tmp_path / "narrator" / "voices" / "grandmother", NIGHT)
    assert Pack.load("xiaoyi").sentences() == Pack.load("grandmother").sentences() == {NIGHT}
    assert {"grandmother", "xiaoyi"} <= set(names())


def test_voice_is_found_by_its_name() -> None:
    """A bare name means a folder of voices/."""
    pack = Pack.load("xiaoyi")
    assert pack.about.name == "xiaoyi"
    clip = pack.clip(min(pack.sentences()))
    assert clip is not None
    assert seconds(clip) > 0.3
