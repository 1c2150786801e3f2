"""`narrator ears`: what a table has chosen stays chosen, and a model that is damaged is fetched anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.settings import Settings
from tests.command import narrator


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of its own, whom no package index answers."""
    for name in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    return tmp_path


@pytest.mark.usefixtures("home")
def test_a_model_that_was_named_once_is_remembered(whisper: Path) -> None:
    """Who then names a microphone, or listens again after a while, downloads nothing."""
    assert narrator("ears", "--model", whisper).returncode == 0
    for again in (("--microphone", "USB"), ("--off",), ()):
        ended = narrator("ears", *again)
        assert ended.returncode == 0, ended.stderr
    settings = Settings.mended()
    assert (settings.ears, Path(settings.ears_model), settings.microphone) == ("whisper", whisper.resolve(), "USB")


def test_a_damaged_model_is_fetched_anew(home: Path) -> None:
    """And not told to be downloaded by the command that has just been given."""
    model = home / "narrator" / "whisper-base" / "model.bin"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"half of it")
    ended = narrator("ears")
    assert ended.returncode == 1
    assert "没有下载成" in ended.stderr
    assert model.is_file(), "nothing better has come"
