"""The command line, as a person runs it."""

from __future__ import annotations

import os
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
