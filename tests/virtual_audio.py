"""A loudspeaker and a microphone made of software: a private PulseAudio with two null sinks.

    with VirtualAudio() as audio:
        subprocess.run([...], env=os.environ | audio.environment)

Whoever plays or listens must be started with `audio.environment`, since PortAudio looks for devices as soon as it is imported. What
plays is heard by `record`; whatever is played into the sink `mic` (`paplay --device=mic`) is what the default microphone hears. Needs
the Debian packages pulseaudio, pulseaudio-utils, libasound2-plugins and libportaudio2; without them tests fail, they are not skipped.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

_DEADLINE = 10.0
"""Seconds that anything here may take before the test fails."""


class VirtualAudio:
    """The sinks run at the rate of what is played, since a resampled recording no longer equals what was played. With `only_rate` the
    loudspeaker takes that and few others, and not ours, like one without a sound server in between. `more_speakers` can be opened and
    recorded by their names."""

    def __init__(
        self, speaker_rate: int = 24_000, microphone_rate: int = 16_000, only_rate: int = 0, more_speakers: tuple[str, ...] = ()
    ) -> None:
        self._speaker_rate = speaker_rate
        self._microphone = f"module-null-sink sink_name=mic channels=1 norewinds=1 rate={microphone_rate}"
        self._folder = tempfile.TemporaryDirectory(prefix="va.")  # a short path: a socket's name has at most 107 characters
        home = Path(self._folder.name)
        for name in ("run", "state"):
            (home / name).mkdir(mode=0o700)
        pulse = "type pulse"
        if only_rate:   # PortAudio forbids ALSA to resample
            pulse = f"type plug slave {{ pcm {{ type pulse }} rate {only_rate} channels 2 }}"
        self._more = more_speakers
        more = "".join(f"pcm.{name} {{ type pulse device {name} hint {{ show on description {name} }} }}\n" for name in more_speakers)
        default = f"pcm.!default {{ {pulse} hint {{ show on description pulse }} }}\n"
        (home / "asound.conf").write_text(more + default + "ctl.!default { type pulse }\n")
        self._socket = home / "native"
        self.environment = {
            "ALSA_CONFIG_PATH": str(home / "asound.conf"),
            "PULSE_COOKIE": str(home / "cookie"),
            "PULSE_RUNTIME_PATH": str(home / "run"),
            "PULSE_SERVER": f"unix:{self._socket}",
            "PULSE_STATE_PATH": str(home / "state"),
        }

    def __enter__(self) -> VirtualAudio:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()
        self._folder.cleanup()

    def start(self) -> None:
        """Start the server, anew after `kill`."""
        # Without norewinds an idle null sink renders two seconds ahead, and the next stream is not asked for sound that long.
        # setpriv ends the server when the test's process dies.
        command = ["setpriv", "--pdeathsig", "KILL", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
        for module in (
            f"module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={self._socket}",
            f"module-null-sink sink_name=speaker channels=1 norewinds=1 rate={self._speaker_rate}",
            self._microphone,
            *(f"module-null-sink sink_name={name} channels=1 norewinds=1 rate={self._speaker_rate}" for name in self._more),
        ):
            command += ["-L", module]
        self._server = subprocess.Popen(command, env=self._full_environment(), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self._pactl("info") == 0, "the sound server answers")
        assert self._pactl("set-default-sink", "speaker") == 0
        assert self._pactl("set-default-source", "mic.monitor") == 0

    @contextmanager
    def speak(self, file: Path) -> Iterator[None]:
        """Let the microphone hear a sound file while the block runs, or for as long as it lasts."""
        process = subprocess.Popen(["paplay", "--device=mic", file], env=self._full_environment())
        try:
            yield
        finally:
            process.kill()
            process.wait(_DEADLINE)

    def kill(self) -> None:
        """End the server at once, as if it had crashed."""
        self._server.kill()
        self._server.wait(_DEADLINE)
        self._socket.unlink(missing_ok=True)

    def stop(self) -> None:
        """Let the server stand still: whoever asks it anything waits."""
        self._server.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._server.send_signal(signal.SIGCONT)

    def suspend(self, asleep: bool, sink: str = "speaker") -> None:
        """Put the loudspeaker, or the microphone `mic`, to sleep or wake it: asleep it takes or gives no sound, and tells nobody."""
        assert self._pactl("suspend-sink", sink, str(int(asleep))) == 0

    def listen_to_itself(self) -> None:
        """From now on the default microphone hears what the loudspeaker plays."""
        assert self._pactl("set-default-source", "speaker.monitor") == 0

    def unplug(self) -> None:
        """Take the microphone away. As a desktop's does, the server lets whoever listened hear the loudspeaker instead."""
        listed = self._told("list", "short", "modules")
        assert self._pactl("unload-module", *(line.split()[0] for line in listed if "sink_name=mic " in line)) == 0

    def plug_in(self) -> None:
        """Bring it back."""
        assert self._pactl("load-module", *self._microphone.split()) == 0

    def leak(self, decibels: int, late: int = 60) -> None:
        """From now on the microphone hears what the loudspeaker plays, as much louder (fainter, below 0), and so many ms later."""
        loopback = ("source=speaker.monitor", "sink=mic", f"latency_msec={late}", "source_dont_move=true", "sink_dont_move=true")
        assert self._pactl("load-module", "module-loopback", *loopback) == 0
        for line in filter(lambda line: "module-loopback" in line, self._told("list", "short", "sink-inputs")):
            assert self._pactl("set-sink-input-volume", line.split()[0], f"{decibels}dB") == 0

    @contextmanager
    def record(self, speaker: str = "speaker") -> Iterator[Recorder]:
        """Record what a loudspeaker plays while the block runs. The first 20 ms may be lost."""
        with tempfile.TemporaryFile() as file:
            form = [f"--rate={self._speaker_rate}", "--channels=1", "--format=float32le", "--raw"]
            command = ["parec", f"--device={speaker}.monitor", *form]
            process = subprocess.Popen([*command, "--latency-msec=10"], stdout=file, env=self._full_environment())
            recorder = Recorder(file.fileno())
            try:
                wait_until(lambda: recorder.count > 0, "the recording begins")
                yield recorder
            finally:
                process.kill()
                process.wait(_DEADLINE)

    def _pactl(self, *arguments: str) -> int:
        return subprocess.run(["pactl", *arguments], env=self._full_environment(), capture_output=True, timeout=_DEADLINE).returncode

    def _told(self, *arguments: str) -> list[str]:
        asked = subprocess.run(["pactl", *arguments], env=self._full_environment(), capture_output=True, text=True, timeout=_DEADLINE)
        return asked.stdout.splitlines()

    def _full_environment(self) -> dict[str, str]:
        return os.environ | self.environment


class Recorder:
    """What has been recorded so far."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @property
    def count(self) -> int:
        """Samples so far."""
        return os.fstat(self._descriptor).st_size // 4

    def samples(self) -> NDArray[np.float32]:
        """All of them."""
        return np.frombuffer(os.pread(self._descriptor, self.count * 4, 0), np.float32)


def wait_until(condition: Callable[[], bool], promise: str) -> None:
    """Poll until the condition holds; fail, naming the promise, if it does not in time."""
    end = time.monotonic() + _DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not in {_DEADLINE:.0f} s: {promise}")
        time.sleep(0.02)
