"""The programs of the system, each run to its end: the one place that does."""

from __future__ import annotations

import os
import shlex
import subprocess

from narrator.errors import NoBox

DEADLINE = 150.0
"""Seconds that a program may take: one asks for a password, another waits until the box is ready."""


def run(*command: str) -> str:
    """Run a program. Returns what it printed, in English. Raises `NoBox` where it is not there, or fails."""
    line = shlex.join(command)
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=DEADLINE, stdin=subprocess.DEVNULL,
            env=os.environ | {"LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise NoBox(f"{line}: {error}", reason="command_late", command=line, seconds=round(DEADLINE)) from error
    except OSError as error:
        raise NoBox(f"{line}: {error}", reason="no_command", command=line, what=command[0]) from error
    if ended.returncode:
        why = (ended.stderr.strip() or ended.stdout.strip() or f"exit code {ended.returncode}").splitlines()[-1]
        raise NoBox(f"{line}: {why}", reason="command_failed", command=line, why=why)
    return ended.stdout


def answer(*command: str) -> str | None:
    """What a program printed; None where it is not there, or fails."""
    try:
        return run(*command)
    except NoBox:
        return None
