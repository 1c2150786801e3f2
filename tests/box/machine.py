"""A machine made of shell scripts: the programs of the system that the box calls, which write down how they were called and keep what
they are told in files."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from tests.command import narrator

PROGRAMS = {
    "id": """
case "$1 $2" in
  "-u ") cat uid ;;
  "-un ") echo pi ;;
  "-nG ") cat groups-now ;;
  "-nG pi") cat groups ;;
esac
""",
    "getent": 'grep -q " $2 " groups-there && echo "$2:x:29:"',
    "sudo": 'exec "$@"',
    "usermod": 'for group in $(echo "$2" | tr , " "); do sed -i "s/$/ $group/" groups; done',
    "gpasswd": 'sed -i "s/ $3$//; s/ $3 / /" groups',
    "loginctl": """
case $1 in
  show-user) echo "Linger=$(cat linger)" ;;
  enable-linger) echo yes >linger ;;
  disable-linger) echo no >linger ;;
esac
""",
    "systemctl": """
shift
case $1 in
  is-enabled) cat enabled; grep -q enabled enabled ;;
  enable) echo enabled >enabled ;;
  disable) echo disabled >enabled ;;
  start | restart) echo active >state ;;
  stop) echo inactive >state ;;
  show) printf 'ActiveState=%s\\nResult=%s\\nNRestarts=%s\\nActiveEnterTimestampMonotonic=%s\\nStatusText=\\n' \
    "$(cat state)" "$(cat result)" "$(cat restarts)" "$(cat since)" ;;
esac
""",
    "journalctl": "cat journal",
    "wpctl": """
case $1 in
  get-volume) cat wpctl-volume ;;
  set-volume) echo "Volume: $3" >wpctl-volume ;;
  set-mute) if [ "$3" = 1 ]; then sed -i 's/$/ [MUTED]/' wpctl-volume; fi ;;
esac
""",
    "pactl": """
case $1 in
  get-sink-volume) cat pactl-volume ;;
  get-sink-mute) echo "Mute: $(cat pactl-mute)" ;;
  set-sink-volume) case $3 in
    70%) echo 'Volume: front-left: 45875 /  70% / -9.29 dB,   front-right: 45875 /  70% / -9.29 dB' >pactl-volume ;;
    *) echo "Volume: front-left: $3 /  40% / -23 dB,   front-right: $4 /  39% / -24 dB" >pactl-volume ;; esac ;;
  set-sink-mute) if [ "$3" = 1 ]; then echo yes; else echo no; fi >pactl-mute ;;
esac
""",
    "amixer": """
case "$1 $2" in
  "scontrols ") cat amixer-controls ;;
  "sget PCM") cat amixer-volume ;;
  "--quiet sset") case $4 in
    70%) echo '  Mono: Playback 180 [71%] [-7.00dB] [on]' >amixer-volume ;;
    *) echo "  Mono: Playback $4 [20%] [-30.00dB] [off]" >amixer-volume ;; esac ;;
esac
""",
}
"""What each does. Its working directory is the folder with the machine's state."""

ASKS = ("id", "getent", "loginctl show-user", "systemctl --user is-enabled", "systemctl --user show", "journalctl")
"""Calls that change nothing."""


class Machine:
    """A machine with a user pi who has never made a box of it. Its state lies in files, so that it can be read and set."""

    def __init__(self, folder: Path) -> None:
        self.home, self._bin, self.state = folder / "home", folder / "bin", folder / "state"
        self._path = f"{self._bin}:{os.environ['PATH']}"
        for made in (self.home, self._bin, self.state):
            made.mkdir()
        for name, does in PROGRAMS.items():
            self.program(name, does)
        for name, value in {
            "uid": "1000", "groups": "pi users audio", "groups-now": "pi users audio", "groups-there": " audio input gpio video ",
            "linger": "no", "enabled": "disabled", "state": "inactive", "result": "success", "restarts": "0", "since": "0", "journal": "",
        }.items():  # fmt: skip
            self.set(name, value)
        self.set("wpctl-volume", "Volume: 0.40")
        for name in ("pactl", "amixer"):    # a mixer that has nothing to mix
            self.lacks(name)

    def program(self, name: str, does: str) -> None:
        """Put a program on the machine."""
        note = f"echo {name} \"$@\" >>{shlex.quote(str(self.state))}/calls; cd {shlex.quote(str(self.state))}\n"
        path = self._bin / name
        path.write_text(f"#!/bin/sh\n{note}{does}\n")
        path.chmod(0o755)

    def without(self, name: str) -> None:
        """From now on this program is not there, whatever the machine that tests has."""
        (self._bin / name).unlink()
        for tool in ("sh", "cat", "grep", "sed", "tr"):
            (self._bin / tool).symlink_to(str(shutil.which(tool)))
        self._path = str(self._bin)

    def lacks(self, name: str) -> None:
        """Let a program fail, as one does whose server is not there."""
        self.program(name, "echo 'Connection refused' >&2; exit 1")

    def restores(self, name: str) -> None:
        self.program(name, PROGRAMS[name])

    def set(self, name: str, value: str) -> None:
        (self.state / name).write_text(value + "\n")

    def get(self, name: str) -> str:
        return (self.state / name).read_text().strip()

    def calls(self) -> list[str]:
        """What has been called to change something since this was asked last, in order."""
        path = self.state / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        asks = (*ASKS, "wpctl get", "pactl get", "amixer sget", "amixer scontrols")
        return [line for line in lines if not line.startswith(asks)]

    @property
    def unit(self) -> Path:
        return self.home / ".config/systemd/user/narrator-box.service"

    @property
    def record(self) -> Path:
        return self.home / ".local/share/narrator/box.json"

    def box(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `narrator box` on it."""
        unset = {"XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""}
        return narrator("box", *arguments, HOME=str(self.home), PATH=self._path, **unset | environment)

    def snapshot(self) -> dict[str, str]:
        """All that can be changed on it."""
        kept = ("groups", "linger", "enabled", "wpctl-volume", "pactl-volume", "pactl-mute", "amixer-volume")
        state = {name: self.get(name) for name in kept if (self.state / name).exists()}
        files = {str(path): path.read_text() for path in self.home.rglob("*") if path.is_file()}
        return state | files
