"""A process with a loudspeaker, run by test_speaker: obeys one JSON list `[method, argument ...]` a line, and answers in JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from narrator.clip import read
from narrator.errors import NoSpeaker
from narrator.sound import Speaker


def main() -> None:
    try:
        speaker = Speaker(*sys.argv[1:])
    except NoSpeaker as error:
        sys.exit(f"NoSpeaker: {error}")
    print(json.dumps("open"), flush=True)
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        if method == "trouble":
            answer: object = speaker.trouble
        elif method == "play":
            answer = speaker.play(read(Path(arguments[0])))
        else:
            answer = getattr(speaker, method)(*arguments)
        print(json.dumps(answer), flush=True)


main()
