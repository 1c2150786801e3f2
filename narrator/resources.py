"""Where things are: the content, beside the package in a checkout and inside it once installed; and what is the user's own."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """The folder `scripts` or `voices`. A checkout's own wins, so that an edited file is heard at once."""
    beside = _PACKAGE.parent / name
    return beside if (_PACKAGE.parent / "pyproject.toml").is_file() and beside.is_dir() else _PACKAGE / name


def personal(variable: str, usual: str) -> Path:
    """The narrator's folder within one of the user's: the one that the environment's `variable` names, else `usual` in the home. A relative
    one is ignored, as the XDG base directory specification demands."""
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path(os.path.expanduser(f"~/{usual}"))) / "narrator"  # noqa: PTH111 - Path.expanduser raises without a home
