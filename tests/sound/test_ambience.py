"""The loops and effects that ship, and the command that makes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE
from narrator.errors import BadVoice
from narrator.sound import ambience, levels
from narrator.sound.scenes import Scenery, home, load

SCENES = ["dawn", "day", "end", "night"]


def test_what_ships_is_what_render_makes(tmp_path: Path, shipped: Scenery) -> None:
    """`render` makes the very sounds that ship, says so one by one, and they weigh less than 2 MB."""
    told: list[str] = []
    ambience.render(tmp_path / "new", told.append)
    made = load(tmp_path / "new")
    assert sorted(told) == sorted(path.stem for path in home().glob("*.ogg"))
    assert sum(path.stat().st_size for path in home().glob("*.ogg")) < 2_000_000
    for name in SCENES:
        assert np.corrcoef(made.loops[name], shipped.loops[name])[0, 1] > 0.999
    for new, old in zip(made.effects["knock"], shipped.effects["knock"], strict=True):
        assert np.corrcoef(new, old)[0, 1] > 0.999


@pytest.mark.parametrize("name", SCENES)
def test_loops_have_no_seam(shipped: Scenery, name: str) -> None:
    """Across the loop point the wave goes on as anywhere else, in its height, its slope and its treble, and not a sample is missing."""
    loop = shipped.loops[name]
    assert len(loop) == 48 * RATE
    for order in (1, 2, 3):
        changes = np.abs(np.diff(np.concatenate([loop[-32:], loop[:32]]), order))
        assert changes.max() <= np.quantile(np.abs(np.diff(loop, order)), 0.9999)
    around = np.concatenate([loop[-600:], loop[:600]])
    loudness = np.sqrt(np.mean(loop.reshape(-1, 1200) ** 2, axis=1))
    assert loudness.min() * 0.9 < np.sqrt(np.mean(around**2)) < loudness.max()


@pytest.mark.parametrize("name", SCENES)
def test_loops_stay_in_the_background(shipped: Scenery, name: str) -> None:
    """A loop is 10 dB and more below a voice, never silent, has no offset, and keeps below the height that the mix has room for."""
    loop = shipped.loops[name]
    windows = 20 * np.log10(np.sqrt(np.mean(loop.reshape(-1, 1200) ** 2, axis=1)))
    assert -40 < 10 * np.log10(np.mean(loop**2)) < -30
    assert windows.min() > -50
    assert abs(loop.mean()) < 1e-4
    assert np.abs(loop).max() < levels.AMBIENCE_PEAK


def test_knocks_are_small_and_clean(shipped: Scenery) -> None:
    """A knock begins and ends in silence, is over in 0.2 s, and no take is louder than another."""
    for take in shipped.effects["knock"]:
        assert len(take) < 0.2 * RATE
        assert max(abs(take[0]), abs(take[-1])) < 0.01
        assert np.abs(take).max() == pytest.approx(levels.EFFECT_PEAK, rel=0.1)


def test_a_folder_without_ambience(tmp_path: Path) -> None:
    """Missing, broken and empty files are told apart from sound before the game begins."""
    with pytest.raises(BadVoice, match="holds no ambience"):
        load(tmp_path)
    (tmp_path / "night.ogg").write_bytes(b"not a sound")
    with pytest.raises(BadVoice, match=r"night\.ogg"):
        load(tmp_path)
    soundfile.write(tmp_path / "night.ogg", np.zeros(0), RATE, format="WAV")
    with pytest.raises(BadVoice, match="holds no sound"):
        load(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Rendering into a place that is no folder raises OSError."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        ambience.render(tmp_path / "file")
