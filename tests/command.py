"""The command line, as a person runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def narrator(*arguments: object, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "narrator", *map(str, arguments)],
        capture_output=True, text=True, encoding="utf-8", timeout=120, cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PULSE_SERVER": "none", **environment}, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def told(text: str, *parts: str) -> None:
    """It is one Chinese sentence, with these parts and no English beside names, and no traceback."""
    assert "Traceback" not in text
    (line,) = text.strip().splitlines()
    assert re.search(r"[一-鿿]{2}", line), line
    assert not re.search(r"\b[A-Z]?[a-z]+ [a-z]+ [a-z]+\b", line), line
    for part in parts:
        assert part in line
