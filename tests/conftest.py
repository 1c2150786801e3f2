"""What every test stands on.

Hypothesis draws the same examples in every CI run, so that a submission is judged by itself; at a person's desk it goes on looking. No
test reads or writes the settings of whoever runs it. Hundreds of them start the program, which is not compiled anew for each.
"""

from __future__ import annotations

import os
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

_nobody = tempfile.TemporaryDirectory(prefix="narrator.")
os.environ["XDG_CONFIG_HOME"] = _nobody.name
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest, each at the head of what one process is given, so that none is alone with them at the end."""
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    longest = [item for item in items if item.get_closest_marker("long")]
    count = len(items)
    items[:] = [item for item in items if item not in longest]
    for number, item in enumerate(longest):
        items.insert(number % processes * count // processes, item)
