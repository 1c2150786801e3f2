"""Files that people write by hand or may have broken: read whole, checked against a model, and every fault told the same way; and
written whole."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from narrator.errors import NarratorError

T = TypeVar("T")

LARGEST = 1_000_000
"""Bytes that a file written by hand may have; the largest of ours has twenty thousand."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file's content. Its words stand in `scripts/interface.toml`, section `[faults]`, under `kind`.

    where     the place: keys joined by dots, or a line's number
    expected  what should stand there; of several things, each
    """

    kind: str
    where: object = ""
    expected: object = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.where}".rstrip() + f"; expected {self.expected}"


def read(path: Path, most: int = LARGEST) -> bytes:
    """A file's content. Raises `OSError`: also `EFBIG` for one of more than `most` bytes, and `EINVAL` for what is no file at all,
    such as a pipe that nobody writes to."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, also if the power fails. Raises `OSError`."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).chmod(0o644)    # a temporary file is born private; a voice pack is shared
            Path(file.name).replace(path)
            sync(path.parent)
        except BaseException:
            with suppress(OSError):
                Path(file.name).unlink()
            raise


def sync(path: Path) -> None:
    """Bring a file, or which files a folder has, to the disk. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where they are missing; they are on the disk then. Raises `OSError`."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync(path.parent)


def toml(path: Path, form: Any, raises: type[NarratorError]) -> Any:
    """The file's content as `form`, a type that pydantic knows. Raises an error of class `raises` that names file and fault."""
    return _checked(path, "TOML", tomllib.loads, form, raises)


def from_json(path: Path, form: Any, raises: type[NarratorError]) -> Any:
    """The same of a JSON file."""
    return _checked(path, "JSON", json.loads, form, raises)


def checked(path: Path, content: object, form: Any, raises: type[NarratorError]) -> Any:
    """What was read from a file, as `form`. Raises in the same way."""
    try:
        return TypeAdapter(form).validate_python(content)
    except ValidationError as error:
        raise _told(path, _first(error), raises) from error


def _checked(path: Path, language: str, parse: Callable[[str], Any], form: Any, raises: type[NarratorError]) -> Any:
    try:
        content = parse(read(path).decode("utf-8"))
    except OSError as error:
        fault: Fault | OSError = error
    except UnicodeDecodeError:
        fault = Fault("not_utf8")
    except (ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        fault = Fault("syntax", line[1], language) if line else Fault("syntax_end", "", language)
    else:
        return checked(path, content, form, raises)
    raise _told(path, fault, raises)


def _told(path: Path, fault: Fault | OSError, raises: type[NarratorError]) -> NarratorError:
    return raises(f"{path}: {fault}", reason="file", path=path, fault=fault)


def _first(error: ValidationError) -> Fault:
    """A file's first fault. A key that is unknown is told before one that is missing: most likely it is the same one, misspelt."""
    first = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    about = first.get("ctx", {})
    expected = next((about[name] for name in ("expected", "gt", "ge", "lt", "le", "pattern") if name in about), first["msg"])
    if first["type"] == "literal_error":    # in English and in Python: 'slow', 'fast' or True
        expected = tuple(re.split(r", | or ", expected.replace("'", "").lower()))
    return Fault(first["type"], ".".join(map(str, first["loc"])), expected)
