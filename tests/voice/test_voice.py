"""In which order a sentence is looked for, and what is promised when nothing has it."""

from __future__ import annotations

import shutil
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
    assert first.source == "espeak"
    second = Voice(None, Cache(tmp_path / "cache"), engine)
    cached = second.clip(NEW)
    assert cached is not None
    assert second.source == "espeak"
    assert engine.rendered == [NEW]
    assert np.corrcoef(rendered, cached)[0, 1] > 0.9


def test_missing_sentence_is_joined_from_its_parts(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """A sentence that the pack has only in parts is spoken by the pack; with one of them missing, by the engine, whole."""
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    assert voice.clip(NEW, [NIGHT, "一号玩家请发言。"]) is not None
    assert voice.source == "pack"
    assert voice.clip(NEW, [NIGHT, "二号玩家请发言。"]) is not None
    assert voice.source == "espeak"
    assert engine.rendered == [NEW]


def test_first_engine_that_can_say_it_does(tmp_path: Path, engine: ToneEngine) -> None:
    """Of two engines the better one is asked first; what it cannot say the other does."""
    better = ToneEngine("neural")
    better.identity = "tone 2"
    voice = Voice(None, Cache(tmp_path), better, engine)
    assert voice.clip(NEW) is not None
    assert voice.source == "neural"
    better.broken = True
    assert voice.clip(NIGHT) is not None
    assert voice.source == "espeak"
    assert (better.rendered, engine.rendered) == ([NEW], [NIGHT])


def test_what_is_joined_is_kept(folder: Path, engine: ToneEngine) -> None:
    """Parts of sentences that must be joined can be had ready before the game: the folder may be gone by then."""
    voice = Voice(Pack.load(folder), None, engine)
    voice.keep(["没有这样一段，", NIGHT, "一号玩家请发言。"])
    shutil.rmtree(folder)
    assert voice.clip(NEW, [NIGHT, "一号玩家请发言。"]) is not None
    assert voice.source == "pack"


def test_slow_engine_makes_beforehand_what_the_pack_lacks(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """Before a game everything that a slow engine must say is made, and told; with a quick one nothing needs to be."""
    told: list[tuple[int, int]] = []
    sentences = [(NIGHT, ()), (NEW, ("今夜，", "月色很好。")), ("月色很好。", ())]
    Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine).prepare(sentences, lambda done, total: told.append((done, total)))
    assert told == engine.rendered == []
    slow = ToneEngine("neural")
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), slow)
    voice.prepare(sentences, lambda done, total: told.append((done, total)))
    assert slow.rendered == [NEW, "月色很好。"]
    assert told == [(1, 2), (2, 2)]


def test_broken_clip_falls_through(folder: Path, tmp_path: Path, engine: ToneEngine) -> None:
    """A sentence whose clip file is broken is rendered like one that the pack lacks."""
    (folder / "clips" / "1.ogg").write_bytes(b"OggS")
    voice = Voice(Pack.load(folder), Cache(tmp_path / "cache"), engine)
    assert voice.clip(NIGHT) is not None
    assert voice.source == "espeak"


def test_broken_cache_file_is_rendered_again(tmp_path: Path, engine: ToneEngine) -> None:
    """A torn file in the cache is replaced."""
    voice = Voice(None, Cache(tmp_path), engine)
    voice.clip(NEW)
    (kept,) = tmp_path.rglob("*.ogg")
    kept.write_bytes(b"OggS")
    assert voice.clip(NEW) is not None
    assert voice.clip(NEW) is not None
    assert engine.rendered == [NEW, NEW]


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
    voice = Voice(None, None)
    assert voice.clip(NEW) is None
    voice.close()


def test_closing_closes_the_engine(engine: ToneEngine) -> None:
    """A closed voice leaves no process behind."""
    Voice(None, None, engine).close()
    assert engine.closed
