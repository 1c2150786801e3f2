"""What is promised to a person who records a voice: which takes are kept, what is said of the others, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from narrator.clip import RATE, Clip, seconds
from narrator.errors import BadVoice
from narrator.voice import Pack, shape
from narrator.voice.booth import Booth, begun, draft, place
from narrator.voice.check import fault
from narrator.voice.take import cut

from .room import HZ, recorded, spoken

NIGHT = "天黑了。"
PAUSE = "游戏暂停。"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a voice is to be recorded."""
    return tmp_path / "grandma"


def take(folder: Path, text: str, samples: Clip, rate: int = HZ) -> str | None:
    """Record one line, and say what was wrong with it."""
    with Booth(folder, begun(folder) or draft(folder)) as booth:
        flaw = booth.take(text, samples, rate)
    return flaw.kind if flaw else None


@pytest.mark.parametrize("noise", [0.0, 0.0003, 0.003])
@pytest.mark.parametrize("text", [NIGHT, PAUSE, "昨夜被杀的是二十号。", "女巫睁眼"])
def test_a_take_is_cut_out_of_its_room(text: str, noise: float) -> None:
    """The room before and after a line, and the clicks in it, are cut away; the voice is whole, and at the product's rate."""
    speech = spoken(text)
    clip = cut(text, recorded(speech, noise=noise), HZ)
    assert isinstance(clip, np.ndarray)
    assert seconds(clip) == pytest.approx(seconds(speech), abs=0.15)
    products = np.correlate(np.pad(clip, RATE // 2), speech, "valid")
    assert products.max() / np.linalg.norm(speech) / np.linalg.norm(clip) > 0.95


def test_a_good_take_is_as_good_as_a_shipped_clip(folder: Path) -> None:
    """A take that is kept passes everything that a voice which ships must; the pack can be opened and says who speaks, and how fast."""
    assert take(folder, NIGHT, recorded(spoken(NIGHT))) is None
    pack = Pack.load(folder)
    clip = pack.clip(NIGHT)
    assert clip is not None
    assert fault(NIGHT, clip, shape.LOUDNESS) is None
    assert (pack.about.name, pack.about.title, pack.about.licence, pack.about.language) == ("grandma", "grandma", "private", "zh-CN")
    assert pack.about.recorded
    assert pack.about.recorded.by == "grandma"
    assert pack.about.recorded.rate == pytest.approx(3 / seconds(clip), abs=0.01)


def test_a_room_without_any_noise_is_no_trouble(folder: Path) -> None:
    """A line cut close, without a moment of silence round it, is kept whole; so is one in digital silence."""
    speech = spoken(PAUSE)
    lead, tail = (round(edge * RATE) for edge in shape.edges(speech))
    close = speech[lead : len(speech) - tail]
    gated = recorded(speech, noise=0.002, click=0.0)[::HZ // RATE]     # as a phone does that mutes what it takes for silence
    gated[: RATE // 4] = gated[-RATE // 4 :] = 0
    for samples in (close, np.pad(speech, RATE), gated):
        assert take(folder, PAUSE, samples, RATE) is None
        clip = Pack.load(folder).clip(PAUSE)
        assert clip is not None
        assert seconds(close) - 0.02 < seconds(clip) < seconds(speech) + 0.1


def test_the_louder_channel_is_taken(folder: Path) -> None:
    """Of a recording with two channels the one that holds the voice is kept, as loud as any other."""
    heard = recorded(spoken(NIGHT))
    assert take(folder, NIGHT, np.stack([np.zeros_like(heard), heard], axis=1)) is None


FLAWS: dict[str, Callable[[Clip], Clip]] = {
    "silent": np.zeros_like,
    "faint": lambda speech: recorded(speech, gain=0.003, noise=0.0),
    "noisy": lambda speech: recorded(speech, gain=0.2, noise=0.01),
    "overdriven": lambda speech: np.clip(recorded(speech, gain=4.0), -1.0, 1.0),
    "short": lambda speech: recorded(speech[: RATE // 5]),
    "long": lambda speech: recorded(np.tile(speech, 5)),
}


@pytest.mark.parametrize("kind", FLAWS)
def test_a_bad_take_is_told_and_not_kept(folder: Path, kind: str) -> None:
    """What is wrong with a take is named; an earlier good one stays, and without any there is no pack."""
    bad = FLAWS[kind](spoken(NIGHT))
    assert take(folder, NIGHT, bad) == kind
    assert not folder.exists()
    assert take(folder, NIGHT, recorded(spoken(NIGHT))) is None
    kept = Pack.load(folder).clip(NIGHT)
    assert take(folder, NIGHT, bad) == kind
    assert np.array_equal(Pack.load(folder).clip(NIGHT), kept)  # type: ignore[arg-type]


@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros((0, 2)), np.ones(7), np.full(HZ, np.nan), np.ones(HZ), np.full((HZ, 2), -1.0)])
def test_no_recording_breaks_anything(folder: Path, samples: Clip) -> None:
    """A recording without samples, or with ones that are no sound, is refused like any other."""
    assert take(folder, NIGHT, samples.astype(np.float32)) is not None
    assert not folder.exists()


def test_a_take_is_on_the_disk_at_once(folder: Path) -> None:
    """Whoever pulls the plug loses nothing: before the booth is left the pack holds all takes, the last of a line winning."""
    booth = Booth(folder, draft(folder)).__enter__()
    for samples in (recorded(spoken("狼人闭眼")), recorded(spoken(NIGHT))):
        assert booth.take(NIGHT, samples, HZ) is None
        clip = Pack.load(folder).clip(NIGHT)
    assert clip is not None
    assert seconds(clip) == pytest.approx(seconds(spoken(NIGHT)), abs=0.15)
    assert len(list((folder / "clips").iterdir())) == 1


def test_what_a_person_wrote_into_voice_toml_stays(folder: Path) -> None:
    """Recording on changes nothing in a voice.toml but how fast the person speaks."""
    assert take(folder, NIGHT, recorded(spoken(NIGHT))) is None
    file = folder / "voice.toml"
    file.write_text(file.read_text("utf-8").replace('title = "grandma"', 'title = "奶奶 \\"A\\""'), "utf-8")
    assert take(folder, PAUSE, recorded(spoken(PAUSE))) is None
    pack = Pack.load(folder)
    assert pack.about.title == '奶奶 "A"'
    assert pack.sentences() == {NIGHT, PAUSE}


@pytest.mark.parametrize("name", ["xiaoyi", "ambience", "", "..", "a b", "-x"])
def test_a_voice_that_ships_is_not_recorded_over(name: str) -> None:
    """Neither a voice that ships, nor what is no name, has a place to be recorded in."""
    with pytest.raises(BadVoice):
        place(name)


def test_a_rendered_voice_is_not_recorded_into(folder: Path) -> None:
    """A pack that a model speaks is refused, wherever it lies."""
    folder.mkdir()
    about = draft(folder).model_dump(exclude_none=True, exclude={"recorded"})
    lines = [f"{key} = {value!r}" for key, value in about.items()]
    render = ["[render]", "engine = 'kokoro'", "speaker = 'zf'", "speed = 1.0"]
    (folder / "voice.toml").write_text("\n".join([*lines, *render]), "utf-8")
    with pytest.raises(BadVoice, match="not a recorded one"):
        begun(folder)
