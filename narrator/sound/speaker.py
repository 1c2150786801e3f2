"""The loudspeaker: one output stream, open for the whole game, so that no first syllable is lost to a device waking up.

The stream lives in a process of its own (`narrator.sound.worker`), because PortAudio waits for ever where the sound server has
stopped. The process ends when sound no longer flows; while it says nothing, it counts as lost, and is killed. A lost one is followed
by another when the game next uses the loudspeaker or asks how it is. Meanwhile everything takes as long as if it were heard.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict

import numpy as np

from narrator.clip import RATE, Clip
from narrator.errors import BadVoice, NarratorError, NoSpeaker
from narrator.process import NoAnswer, Process, WorkerError, python
from narrator.sound.levels import Levels, Part
from narrator.sound.scenes import home, scenes
from narrator.sound.silence import Silence

_WAY = 0.05
"""Seconds from here into the mix, at most: the pipe, one block, and the fade of a clip cut off."""

_SILENT = 1.0
"""Seconds without a word from the process after which it counts as lost. It beats four times a second."""

_HANGING = 2.0
"""Seconds without a word after which it is killed."""

_OPENING = 10.0
"""Seconds that a process may take to start and open the device: a Raspberry Pi takes some, a stopped sound server for ever."""

_PROOF = 0.5
"""Seconds of sound that a device found again must have taken before it is trusted: one that sleeps fills its buffers first."""

_RETRY = 2.0, 8.0
"""Seconds from the start of one process to that of the next, at least: doubled from the first to the second while none finds a
device, since each costs a small computer a second's work."""


class Speaker:
    """Plays on `device`, a part of a device's name, or on the system's default; one that is lost may be followed by the default.

    Raises `NoSpeaker` if PortAudio is missing or the device cannot be opened, and `BadVoice` if the ambience cannot be read; once
    open it never raises for a device, and never waits for one.
    """

    def __init__(self, device: str | None = None, set_to: Levels | None = None, *, stereo: bool = False) -> None:
        self._name = device or "(default)"
        known = {name: asdict(scene) for name, scene in scenes(home()).items()}
        self._wanted: dict[str, object] = {"device": device, "or_default": False, "stereo": stereo, "scenes": known}
        self._levels = asdict(set_to or Levels())
        self._pace = Silence()
        self._scene = ""
        self._trouble: str | None = None
        self._worker: Process | None = None
        self._started = time.monotonic()
        self._retry = _RETRY[0]
        try:
            self._worker = self._process()
            self._latency: float = self._worker.receive(_OPENING)["latency"]
        except (WorkerError, OSError) as error:
            self.close()
            raise self._explained(error) from error
        self._flowing = True
        self._wanted["or_default"] = True

    def play(self, clip: Clip) -> float:
        """Queue the clip. The seconds returned include the way through the device."""
        seconds = self._pace.play(clip)
        self._tend()
        if not self._worker or self._trouble:
            return seconds
        samples = np.ascontiguousarray(clip, np.float32).tobytes()
        self._worker.send({"play": len(samples)}, samples)
        return seconds + self._latency + _WAY

    def effect(self, name: str) -> None:
        """Mix in an effect; one that falls while the device is lost is not made up for."""
        self._pace.effect(name)
        self._tend()
        if self._worker and not self._trouble:
            self._worker.send({"effect": name})

    def scene(self, name: str) -> None:
        """Cross-fade to a scene; a device found again comes back in it."""
        self._pace.scene(name)
        self._tend()
        self._scene = name
        if self._worker:
            self._worker.send({"scene": name, "opens": True})

    def level(self, part: Part, decibels: float) -> None:
        """Set how loud a part of the mix is, also on a device found again."""
        self._levels[part] = decibels
        if self._worker:
            self._worker.send({"level": [part, decibels]})

    def hush(self) -> float:
        """Cut off the clips; what the device already holds still sounds, for less than 0.3 seconds."""
        self._pace.hush()
        if not self._worker:
            return 0.0
        self._worker.send({"hush": True})
        return self._latency + _WAY

    def close(self) -> None:
        """Give back the device, within a second. The samples that it still holds are lost: wait for the last clip first."""
        if self._worker:
            self._worker.kill()
            self._worker.wait(1.0)

    @property
    def trouble(self) -> str | None:
        """Why nothing is heard. Asking looks for a lost device, so a game that waits should ask now and then."""
        self._tend()
        return self._trouble

    def _tend(self) -> None:
        """See whether sound flows; if not, look for the device again."""
        try:
            if self._worker:
                self._listen(self._worker)
        except WorkerError as error:
            self._lose(error)
        try:
            if not self._worker and time.monotonic() - self._started >= self._retry:
                self._start()
        except OSError as error:
            self._lose(error)

    def _listen(self, worker: Process) -> None:
        """Take in what the process has said. Raises `WorkerError` if it has ended or hangs."""
        # If it was this process that was stopped, the other's words lie in the pipe and only want to be picked up.
        glance = 0.01 if time.monotonic() - worker.heard > _SILENT else 0.0
        with suppress(NoAnswer):
            while True:
                reply = worker.receive(glance)
                self._latency = reply.get("latency", self._latency)
                if reply.get("beat", 0) > _PROOF * RATE:
                    self._flowing = True
                    self._trouble = None
                    self._retry = _RETRY[0]
        silent = time.monotonic() - worker.heard
        if silent > (_HANGING if self._flowing else _OPENING):
            raise WorkerError("its process hangs")
        if silent > _SILENT and self._flowing:
            self._trouble = f"the loudspeaker {self._name} is lost: its process says nothing"

    def _lose(self, error: WorkerError | OSError) -> None:
        """Give the process up."""
        self._trouble = f"the loudspeaker {self._name} is lost: {error}"
        if self._worker:
            self._worker.kill()
            self._worker = None

    def _start(self) -> None:
        """Start a process, and leave it to open the device. Raises `OSError`."""
        self._started = time.monotonic()
        self._retry = self._retry if self._flowing else min(2 * self._retry, _RETRY[1])
        self._flowing = False
        self._worker = self._process()
        if self._scene:
            self._worker.send({"scene": self._scene, "opens": False})

    def _process(self) -> Process:
        """A process that opens the device. Raises `OSError`."""
        return Process(python("narrator.sound.worker", json.dumps(self._wanted | {"levels": self._levels})))

    def _explained(self, error: WorkerError | OSError) -> NarratorError:
        """Why there is no loudspeaker."""
        reason = error.reason if isinstance(error, WorkerError) else ""
        if reason == "bad_voice":
            return BadVoice(str(error))
        if reason == "no_portaudio":
            return NoSpeaker(f"{error}; on Debian and Raspberry Pi OS: sudo apt install libportaudio2", reason=reason)
        return NoSpeaker(f"the loudspeaker {self._name} cannot be opened: {error}", reason="no_device")
