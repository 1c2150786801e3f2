"""What every test stands on.

Hypothesis draws the same examples in every CI run, so that a submission is judged by itself; at a person's desk it goes on looking. No
test reads or writes the settings of whoever runs it. Hundreds of them start the program, which is not compiled anew for each.
"""

from __future__ import annotations

import os
import tempfile
from itertools import islice

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

_nobody = tempfile.TemporaryDirectory(prefix="narrator.")
os.environ["XDG_CONFIG_HOME"] = _nobody.name
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


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
