"""The files of `scripts/` are read strictly: an unknown key is refused, one that is missing is named."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from narrator import files
from narrator.errors import BadScript
from narrator.files import Fault

T = TypeVar("T", bound=BaseModel)


class Strict(BaseModel):
    """What a file holds, and nothing else."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Word = Annotated[str, Field(min_length=1)]


def read_strictly(path: Path, model: type[T]) -> T:
    """A TOML file of scripts/, checked against its model. Raises `BadScript` naming the file and what is wrong with it."""
    content: T = files.toml(path, model, BadScript)
    return content


def check_keys(path: Path, what: str, found: Collection[str], wanted: Collection[str]) -> None:
    """Raise `BadScript` where a table of a file has a key that is not wanted, or lacks one that is."""
    check_known(path, what, found, wanted)
    missing = [key for key in wanted if key not in found]
    if missing:
        raise bad(path, "missing", f"{what}.{missing[0]}")


def check_known(path: Path, what: str, found: Collection[str], known: Collection[str]) -> None:
    """Raise `BadScript` where a table of a file has a key that is not known."""
    for key in found:
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            raise bad(path, "unknown_like" if close else "extra_forbidden", f"{what}.{key}", *close)


def bad(path: Path, kind: str, where: object, expected: object = "") -> BadScript:
    """The error that names a file and its fault."""
    fault = Fault(kind, where, expected)
    return BadScript(f"{path}: {fault}", reason="file", path=path, fault=fault)
