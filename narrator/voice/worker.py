"""The process in which pyttsx3 runs: it may hang, crash or be killed without harm to the game.

Run as a file, not as a module, so that it starts without numpy and the rest of the voice:

    worker.py VOICE RATE

It writes {"ready": true} or {"error": why}, then answers each line {"sentence": s, "path": p} of its input, once the
sentence is in the WAV file p, with {"done": p} or {"error": why}. It ends with its input.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import wave
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from narrator.pronunciation import Reader, Table

Render = Callable[[str, str], None]

_ATTEMPTS = 5   # on a busy machine one in ten of a new process's first sentences comes out empty


def _open(voice: str, rate: int) -> Render:
    """pyttsx3 on the espeak library that came as a package. Raises what those raise."""
    import espeakng_loader

    # espeak ends the process if it does not find its data; pyttsx3 finds the library by name only if it is already loaded.
    os.environ["ESPEAK_DATA_PATH"] = str(Path(espeakng_loader.get_data_path()).parent)
    ctypes.CDLL(espeakng_loader.get_library_path(), mode=ctypes.RTLD_GLOBAL)
    import pyttsx3
    from pyttsx3.drivers import _espeak

    engine = pyttsx3.init("espeak")
    engine.runAndWait()     # the first call returns at once
    engine.setProperty("voice", voice)
    engine.setProperty("rate", rate)
    _espeak.Synchronize()
    if not (engine.getProperty("voice") or "").endswith(voice):     # an unknown voice is no error to pyttsx3
        raise RuntimeError(f"espeak has no voice {voice!r}")

    reader = Reader(Table.shipped())

    def render(sentence: str, path: str) -> None:
        pinyin = reader.pinyin(sentence)
        for _ in range(_ATTEMPTS):
            engine.save_to_file(pinyin, path)       # one at a time: of several, only the last is rendered
            engine.runAndWait()
            _espeak.Synchronize()                   # without it a sentence is cut short now and then under load
            with wave.open(path) as file:
                if file.getnframes():
                    return
        raise RuntimeError("espeak made no sound")

    return render


def serve(start: Callable[[], Render]) -> None:
    """Start an engine, and render with it until the input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)       # what libraries print goes where nobody reads; nothing but replies may go out here

    def reply(**message: object) -> None:
        print(json.dumps(message), file=replies, flush=True)

    try:
        render = start()
    except ImportError as error:
        reply(error=f"{error}: pip install pyttsx3 espeakng-loader pypinyin")
        return
    except Exception as error:
        reply(error=repr(error))
        return
    reply(ready=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            render(request["sentence"], request["path"])
        except Exception as error:
            reply(error=repr(error))
        else:
            reply(done=request["path"])


def main() -> None:
    """Serve the voice and the rate that the command line names."""
    serve(lambda: _open(sys.argv[1], int(sys.argv[2])))


if __name__ == "__main__":
    main()
