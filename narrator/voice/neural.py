"""The process in which the Kokoro model says what its pack lacks; it speaks as `narrator.voice.worker` does. Needs the extra `studio`."""

from __future__ import annotations

import sys
from pathlib import Path

import soundfile

from narrator.clip import RATE
from narrator.voice.pack import About
from narrator.voice.studio import Files, kokoro
from narrator.voice.worker import Render, serve


def main() -> None:
    """Serve the pack whose folder is the first argument, with the model in the folder that is the second."""
    serve(lambda: _open(*map(Path, sys.argv[1:])))


def _open(folder: Path, model: Path) -> Render:
    """The model with the pack's own speaker. Raises `BadVoice`."""
    speaker, recipe = kokoro(folder, Files.found(model)), About.read(folder).render

    def render(sentence: str, path: str) -> None:
        clip = speaker.speak(speaker.phonemes(sentence), recipe.speed if recipe else 1.0)
        soundfile.write(path, clip, RATE, format="WAV", subtype="FLOAT")

    return render
