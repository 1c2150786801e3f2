"""Clips as files. Opus in Ogg: 12 kB a sentence. Vorbis would spend 4 kB of that on headers, and overflows its stack on long sounds."""

from __future__ import annotations

import io

import soundfile

from narrator.clip import RATE, Clip

_COMPRESSION = 0.86
"""libsndfile's own scale from 0 (large) to 1 (small); 0.86 is about 45 kbit/s."""


def encode(clip: Clip) -> bytes:
    """A clip as an Ogg Opus file."""
    buffer = io.BytesIO()
    soundfile.write(buffer, clip, RATE, format="OGG", subtype="OPUS", compression_level=_COMPRESSION)
    return buffer.getvalue()
