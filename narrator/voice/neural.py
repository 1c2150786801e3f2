"""The process in which the Kokoro model says what its pack lacks: `main` serves one pack's speaker.

It writes {"ready": true} or {"error": why}, then answers each line {"sentence": s, "path": p} of its input, once the sentence is in
the WAV file p, with {"done": p} or {"error": why}. It ends with its input. Needs the extra `studio`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import soundfile

from narrator.clip import RATE
from narrator.errors import BadVoice
from narrator.voice.pack import About
from narrator.voice.studio import Files, kokoro


def main() -> None:
    """Serve the pack whose folder is the first argument, with the model in the folder that is the second, until the input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)       # nothing but replies may go out here, whatever the model's libraries print

    def reply(**message: object) -> None:
        print(json.dumps(message), file=replies, flush=True)

    folder, model = map(Path, sys.argv[1:])
    try:
        speaker, recipe = kokoro(folder, Files.found(model)), About.read(folder).render
    except BadVoice as error:
        reply(error=str(error))
        return
    reply(ready=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            clip = speaker.speak(speaker.phonemes(request["sentence"]), recipe.speed if recipe else 1.0)
            soundfile.write(request["path"], clip, RATE, format="WAV", subtype="FLOAT")
        except Exception as error:
            reply(error=repr(error))
        else:
            reply(done=request["path"])
