"""What most tests of the voice begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from .helpers import ToneEngine, make_pack


@pytest.fixture
def engine() -> ToneEngine:
    """A fallback engine that hums."""
    return ToneEngine()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pack of two sentences."""
    return make_pack(tmp_path / "pack", "天黑请闭眼。", "一号玩家请发言。")
