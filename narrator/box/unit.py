"""The unit by which systemd runs the box, for this installation and this user."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from narrator import resources

NAME = "narrator-box.service"

KEPT = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
"""Where the user keeps what is his, if that is not the usual place: a service does not know his shell."""

_SOUND = "pipewire.socket pipewire-pulse.socket wireplumber.service pulseaudio.socket"

_FORM = """\
# Written by `narrator box install`, taken away by `narrator box uninstall`.
[Unit]
Description=narrator, the game master in a speaker box
# Whichever sound server there is; which one that is the system has chosen, so that none is wanted here.
After={sound}
# One that fails a hundred times in ten minutes stays down: no further try would mend it.
StartLimitIntervalSec=600
StartLimitBurst=100

[Service]
Type=notify
ExecStartPre=-/bin/sh {wait}
ExecStart={python} -m narrator box run
# Programs for the pins write into the working directory.
WorkingDirectory={folder}
# What it says is in the journal at once, also where it hung; numpy needs no threads, each of which takes memory.
Environment=PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1 OPENBLAS_NUM_THREADS=1
{environment}TimeoutStartSec=120
# A game gives a sign of life every half second; one that hangs is started again, and goes on where it stood.
WatchdogSec=30
Restart=always
RestartSec=2
TimeoutStopSec=10

[Install]
WantedBy=default.target
"""


def path() -> Path:
    """Where the user's own units lie."""
    return resources.personal("XDG_CONFIG_HOME", ".config").parent / "systemd" / "user" / NAME


def folder() -> Path:
    """The service's working directory."""
    return resources.personal("XDG_DATA_HOME", ".local/share")


def text() -> str:
    """The unit's file."""
    kept = "".join(f"Environment={_quoted(f'{name}={os.environ[name]}')}\n" for name in KEPT if os.environ.get(name))
    return _FORM.format(
        sound=_SOUND, wait=_argument(str(Path(__file__).with_name("wait.sh"))), python=_argument(sys.executable),
        folder=str(folder()).replace("%", "%%"), environment=kept,
    )  # fmt: skip


def _argument(text: str) -> str:
    """A word of a command line, which knows variables too."""
    return _quoted(text).replace("$", "$$")


def _quoted(text: str) -> str:
    """A word as systemd reads it, whatever is in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", "\\n") + '"'
