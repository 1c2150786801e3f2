"""What recording a pack promises, with a speaker that hums: only the model itself is not here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.errors import BadVoice
from narrator.voice import Pack, shape
from narrator.voice.studio import Files, Progress, kokoro, render

from .helpers import VOICE_TOML, tone

RECIPE = '[render]\nengine = "kokoro"\nspeaker = "zf"\nspeed = 0.9\n'
SENTENCES = ["天黑请闭眼。", "狼人请睁眼。", "天亮了。"]


class Hummer:
    """A speaker who hums with silence before and after, and stops for good after some sentences."""

    def __init__(self, breath: int = 1000, accent: str = "") -> None:
        self.spoken: list[str] = []
        self.breath = breath
        self.accent = accent

    def phonemes(self, sentence: str) -> str:
        if "7" in sentence:
            raise BadVoice(f"cannot say {sentence!r}")
        return sentence + self.accent

    def speak(self, phonemes: str, speed: float) -> Clip:
        if len(self.spoken) == self.breath:
            raise KeyboardInterrupt
        self.spoken.append(phonemes)
        silence = np.zeros(RATE, np.float32)
        return np.concatenate([silence, tone((0.5 + 0.1 * len(phonemes)) / speed) * np.float32(0.05), silence])


def quiet(_: Progress) -> None:
    """Nobody watches."""


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    """The folder of a voice of which nothing is rendered yet."""
    (tmp_path / "voice.toml").write_text(VOICE_TOML + RECIPE, encoding="utf-8")
    return tmp_path


def test_recorded_pack_can_be_played(studio: Path) -> None:
    """Every sentence has a trimmed clip of the recipe's loudness, and progress was told of each."""
    seen: list[Progress] = []
    render(studio, Hummer(), SENTENCES, seen.append)
    pack = Pack.load(studio)
    assert pack.sentences() == set(SENTENCES)
    for sentence in SENTENCES:
        clip = pack.clip(sentence)
        assert clip is not None
        assert len(clip) < 2 * RATE
        assert shape.measure_loudness(clip) == pytest.approx(-18, abs=1)
    assert seen == [Progress(n, 3, sentence) for n, sentence in enumerate(SENTENCES, 1)]


def test_whole_clips_are_left_alone(studio: Path) -> None:
    """Recording again makes nothing again, and changes no byte."""
    render(studio, Hummer(), SENTENCES, quiet)
    before = {path: path.read_bytes() for path in studio.rglob("*.*")}
    again = Hummer()
    render(studio, again, reversed(SENTENCES), quiet)
    assert again.spoken == []
    assert {path: path.read_bytes() for path in studio.rglob("*.*")} == before


def test_interrupted_recording_goes_on(studio: Path) -> None:
    """What was recorded before an interruption is kept, and only the rest is recorded after it."""
    with pytest.raises(KeyboardInterrupt):
        render(studio, Hummer(breath=2), SENTENCES, quiet)
    rest = Hummer()
    render(studio, rest, SENTENCES, quiet)
    assert rest.spoken == [SENTENCES[2]]


def test_sentences_no_longer_said_are_dropped(studio: Path) -> None:
    """A sentence that left the script leaves the pack, with its file."""
    render(studio, Hummer(), SENTENCES, quiet)
    render(studio, Hummer(), SENTENCES[:1], quiet)
    assert Pack.load(studio).sentences() == set(SENTENCES[:1])
    assert len(list((studio / "clips").iterdir())) == 1


def test_changed_recipe_renders_again(studio: Path) -> None:
    """Another speed or another pronunciation makes a clip anew."""
    render(studio, Hummer(), SENTENCES, quiet)
    accented = Hummer(accent="儿")
    render(studio, accented, SENTENCES, quiet)
    assert len(accented.spoken) == 3
    (studio / "voice.toml").write_text(VOICE_TOML + RECIPE.replace("0.9", "0.8"), encoding="utf-8")
    slower = Hummer(accent="儿")
    render(studio, slower, SENTENCES, quiet)
    assert len(slower.spoken) == 3


def test_damaged_clip_is_rendered_again(studio: Path) -> None:
    """A clip whose file is not what was rendered is made anew."""
    render(studio, Hummer(), SENTENCES, quiet)
    min((studio / "clips").iterdir()).write_bytes(b"")
    again = Hummer()
    render(studio, again, SENTENCES, quiet)
    assert len(again.spoken) == 1


def test_unspeakable_sentence_is_found_before_recording(studio: Path) -> None:
    """A sentence that the speaker cannot say stops everything before hours are spent."""
    hummer = Hummer()
    with pytest.raises(BadVoice, match="7号"):
        render(studio, hummer, [*SENTENCES, "7号。"], quiet)
    assert hummer.spoken == []


def test_empty_script_does_not_empty_the_pack(studio: Path) -> None:
    """No sentences at all is a mistake."""
    render(studio, Hummer(), SENTENCES, quiet)
    with pytest.raises(BadVoice, match="no sentences"):
        render(studio, Hummer(), [], quiet)
    assert len(Pack.load(studio).sentences()) == 3


def test_recorded_voice_is_not_rendered_over(folder: Path) -> None:
    """A voice that a person recorded has no recipe, and is refused."""
    with pytest.raises(BadVoice, match="recorded"):
        render(folder, Hummer(), SENTENCES, quiet)


def test_missing_model_is_named(studio: Path) -> None:
    """Without the model's files, or the packages, rendering is refused with what is missing."""
    with pytest.raises(BadVoice, match=r"nowhere|nobody to read|no runtime"):
        kokoro(studio, Files(Path("/nowhere/m.onnx"), Path("/nowhere"), Path("/nowhere/v.json")))
