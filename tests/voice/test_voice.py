"""In which order a sentence is looked for, and what is promised when nothing has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from narrator.voice import Cache, Pack, Voice

from .helpers import ToneEngine

NIGHT = "天黑请闭眼。"
NEW = "今夜月色很好。"


def test_pack_comes_first(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """A prerendered sentence is neither rendered nor cached."""
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    assert voice.clip(NIGHT) is not None
    assert voice.source == "pack"
    assert engine.rendered == []
    assert not (tmp_path / "cache").exists()


def test_unknown_sentence_is_rendered_once(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """What the pack lacks is rendered, and next time comes from the cache, in another game too."""
    first = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    rendered = first.clip(NEW)
    assert rendered is not None
    assert first.source == "engine"
    second = Voice(None, Cache(tmp_path / "cache"), engine)
    cached = second.clip(NEW)
    assert cached is not None
    assert second.source == "cache"
    assert engine.rendered == [NEW]
    assert np.corrcoef(rendered, cached)[0, 1] > 0.9


def test_broken_clip_falls_through(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """A sentence whose clip file is broken is rendered like one that the pack lacks."""
    (folder / "clips" / "1.ogg").write_bytes(b"OggS")
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    assert voice.clip(NIGHT) is not None
    assert voice.source == "engine"


def test_broken_cache_file_is_rendered_again(tmp_path: Path, engine: ToneEngine) -> None:
    """A torn file in the cache is replaced."""
    voice = Voice(None, Cache(tmp_path), engine)
    voice.clip(NEW)
    (kept,) = tmp_path.rglob("*.ogg")
    kept.write_bytes(b"OggS")
    assert voice.clip(NEW) is not None
    assert voice.source == "engine"
    assert voice.clip(NEW) is not None
    assert voice.source == "cache"


def test_other_engine_does_not_get_the_cached_clip(tmp_path: Path, engine: ToneEngine) -> None:
    """A cached clip belongs to the engine that made it."""
    Voice(None, Cache(tmp_path), engine).clip(NEW)
    other = ToneEngine()
    other.identity = "tone 2"
    Voice(None, Cache(tmp_path), other).clip(NEW)
    assert other.rendered == [NEW]


def test_unusable_cache_folder_is_harmless(tmp_path: Path, engine: ToneEngine) -> None:
    """A cache that can be neither read nor written costs rendering again, nothing else."""
    (tmp_path / "file").write_text("in the way")
    voice = Voice(None, Cache(tmp_path / "file"), engine)
    assert voice.clip(NEW) is not None
    assert voice.clip(NEW) is not None
    assert engine.rendered == [NEW, NEW]


def test_cache_lies_in_the_users_cache_folder(tmp_path: Path, engine: ToneEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder given, clips are kept under $XDG_CACHE_HOME/narrator."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Voice(None, Cache(), engine).clip(NEW)
    assert len(list((tmp_path / "narrator").rglob("*.ogg"))) == 1


def test_nothing_can_say_it(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """A sentence that cannot be said is None, and has no source; the next one that can be has."""
    engine.broken = True
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    assert voice.clip(NEW) is None
    assert voice.source is None
    assert voice.clip(NIGHT) is not None
    assert voice.source == "pack"


def test_nothing_to_say_it_with() -> None:
    """Without pack, cache and engine every sentence is None."""
    voice = Voice(None, None, None)
    assert voice.clip(NEW) is None
    voice.close()


def test_closing_closes_the_engine(engine: ToneEngine) -> None:
    """A closed voice leaves no process behind."""
    Voice(None, None, engine).close()
    assert engine.closed
