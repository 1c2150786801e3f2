"""A machine as small as a Raspberry Pi Zero 2 W, but for the speed: one core and 512 MB for a process and all that it starts."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType

MEMORY = 512 * 1024 * 1024
"""Bytes."""

_ROOT = Path("/sys/fs/cgroup")

_FORMS = ((_ROOT / "narrator-box", "memory.max"), (_ROOT / "memory" / "narrator-box", "memory.limit_in_bytes"))
"""A control group of the second version, and of the first: its folder, and the file with the limit."""


class Cage:
    """`how` says in a word how the memory is limited."""

    def __enter__(self) -> Cage:
        self._folder: Path | None = None
        self.how = "address space (prlimit)"
        for folder, limit in _FORMS:
            with suppress(OSError):
                folder.mkdir(exist_ok=True)
                with (folder / limit).open("r+") as file:    # what is no control group has no such file
                    file.write(str(MEMORY))
                self._folder, self.how = folder, f"cgroup {folder}"
                break
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for folder, _ in _FORMS:
            with suppress(OSError):
                folder.rmdir()

    def start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start a command inside."""
        enter = f'echo $$ >"{self._folder}/cgroup.procs"' if self._folder else f"prlimit --pid $$ --as={MEMORY}"
        inside = ["sh", "-c", f'{enter}; exec taskset -c 0 "$@"', "sh", *command]
        return subprocess.Popen(inside, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
