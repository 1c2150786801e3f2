"""Recordings in a folder, and which line each of them is.

A recording is named after its line (`天黑请闭眼.wav`), or by the line's number on a sheet, `lines.txt` in the same folder, with one line
for each line of the script: its number and its text.

    0001　天黑请闭眼。
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from narrator import files
from narrator.errors import BadVoice
from narrator.files import Fault
from narrator.voice.take import LONGEST

NAME = "lines.txt"

_RATES = range(8_000, 192_001)      # Hz: others are no recording
_LINE = re.compile(r"\s*(\d{1,9})\s*(.+)")


def written(texts: Mapping[int, str]) -> str:
    """A sheet of these lines by number."""
    return "".join(f"{number:04}\u3000{text}\n" for number, text in texts.items())


def numbered(folder: Path) -> dict[int, str]:
    """The lines of a folder's sheet by number; none where it has no sheet. Raises `BadVoice` for one that cannot be read."""
    path = folder / NAME
    if not path.exists():
        return {}
    try:
        text = files.read(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        fault = error if isinstance(error, OSError) else Fault("not_utf8")
        raise BadVoice(f"{path}: {error}", reason="file", path=path, fault=fault) from error
    return {int(found[1]): found[2].strip() for line in text.splitlines() if (found := _LINE.fullmatch(line))}


def recordings(folder: Path, texts: Sequence[str], spelled: Callable[[str], str]) -> list[tuple[Path, list[str]]]:
    """Each file of a folder, with those of these texts that it is a recording of. One whose name has no signs serves all texts that differ
    only in these; one that has them comes later, to take its place. `spelled` writes a text's digits as words. Raises `BadVoice` for a
    folder or sheet that cannot be read."""
    lines = numbered(folder)
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_file() and path.name != NAME and not path.name.startswith("."))
    except OSError as error:
        raise BadVoice(f"{folder}: {error}", reason="file", path=folder, fault=error) from error
    named = [(path, lines.get(int(path.stem), "") if path.stem.isdecimal() else spelled("".join(path.stem.split()))) for path in paths]
    found = [(path, _meant(name, texts), name) for path, name in named]
    return [(path, meant) for path, meant, name in sorted(found, key=lambda each: each[1] == [each[2]])]


def samples(path: Path) -> tuple[NDArray[np.float32], int]:
    """A sound file's samples, with its channels in the second dimension, and its rate in Hz; of a long one the first minute. Raises
    `OSError` if it is none that can be read."""
    try:
        with soundfile.SoundFile(path) as file:
            if file.samplerate not in _RATES:
                raise OSError(f"{path} has {file.samplerate} samples a second")
            return file.read(round(LONGEST * file.samplerate), dtype="float32", always_2d=True), file.samplerate
    except (soundfile.LibsndfileError, TypeError) as error:     # TypeError: a file without a header, by its name
        raise OSError(f"{path} is not a sound file: {error}") from error


def _meant(name: str, texts: Sequence[str]) -> list[str]:
    return [name] if name in texts else [text for text in texts if _bare(text) == _bare(name)]


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text))
