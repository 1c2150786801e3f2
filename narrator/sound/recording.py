"""A game's sound as a WAV file, mixed behind a simulated clock.

It is mixed from one request to the next, never between: two games with the same requests at the same times are the same file to
the sample, whatever else happened at the table meanwhile.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile

from narrator.clip import RATE, Clip
from narrator.clock import SimulatedClock
from narrator.sound.levels import Levels, Part
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import home, load


class Recording:
    """Writes 24 kHz 16-bit WAV, mono or `stereo`. Closed, the file holds exactly `round(now * RATE)` samples of the clock's time.

    Raises `OSError` if the file cannot be written, and `BadVoice` if the ambience cannot be read.
    """

    def __init__(self, path: Path, clock: SimulatedClock, set_to: Levels | None = None, *, stereo: bool = False) -> None:
        self._path = path
        self._mixer = Mixer(load(home()), set_to, stereo=stereo)
        self._clock = clock
        self._block = np.zeros((RATE, self._mixer.channels), np.float32)
        path.open("wb").close()   # raises what says why a file cannot be written, which soundfile's own error does not
        with self._told():
            self._file = soundfile.SoundFile(path, "w", samplerate=RATE, channels=self._mixer.channels, subtype="PCM_16", format="WAV")

    def play(self, clip: Clip) -> float:
        """Queue the clip; wait for the clock to have moved by the seconds returned, and its last sample is in the file."""
        self._catch_up()
        return self._mixer.play(clip)

    def effect(self, name: str) -> None:
        """Mix in an effect."""
        self._catch_up()
        self._mixer.effect(name)

    def scene(self, name: str) -> None:
        """Cross-fade to a scene."""
        self._catch_up()
        self._mixer.scene(name)

    def level(self, part: Part, decibels: float) -> None:
        """Set how loud a part of the mix is."""
        self._catch_up()
        self._mixer.level(part, decibels)

    def hush(self) -> float:
        """Cut off the clips."""
        self._catch_up()
        self._mixer.hush()
        return 0.0

    def close(self) -> None:
        """Finish the file. The clock may go on; nothing more is written."""
        if not self._file.closed:
            self._catch_up()
            with self._told():
                self._file.close()

    @property
    def trouble(self) -> str | None:
        """A file has no trouble: what cannot be written raises."""
        return None

    def _catch_up(self) -> None:
        wanted = round(self._clock.now() * RATE)
        while self._mixer.position < wanted:
            block = self._block[: wanted - self._mixer.position]
            self._mixer.supply()
            self._mixer.mix(block)
            with self._told():
                self._file.write(block)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """soundfile's errors, told as a file's."""
        try:
            yield
        except soundfile.LibsndfileError as error:
            failed = OSError(f"{self._path} cannot be written: {error}")
            failed.filename = str(self._path)
            raise failed from error
