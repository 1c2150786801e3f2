"""What a game sounded like, line by line: one JSON object for each thing that was said, shown or waited for.

    {"time": 0.0, "duration": 4.2, "phase": "night 1", "key": "seer.wake", "text": "...", "audience": "everyone", "scene": "night"}

`time` and `duration` are seconds from the start. What everyone could hear has the audience "everyone"; what only a private screen
showed has the role it was shown to. A window is there as "window.NAME" with an empty text: its length is public, like a line's.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a transcript; times in seconds from the start."""

    time: float
    duration: float
    phase: str
    key: str
    text: str
    audience: str
    scene: str


class Transcript:
    """Writes records to a stream as they happen."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, record: Record) -> None:
        """Append one record."""
        written = asdict(record) | {"time": round(record.time, 4), "duration": round(record.duration, 4)}
        self._stream.write(json.dumps(written, ensure_ascii=False) + "\n")
        self._stream.flush()
