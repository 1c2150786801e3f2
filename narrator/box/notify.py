"""What the service tells systemd, which started it: that it is ready, what it does, that it is still alive (`sd_notify`).

Started by anything else it tells nobody.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

OFTEN = 4
"""How many signs of life are given in the time after which systemd takes the service for dead."""


class Manager:
    """Whoever started this process and looks after it.

    patience  seconds without a sign of life after which it starts the process anew; 0.0 where it never does
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, now: Callable[[], float] = time.monotonic) -> None:
        """`now`: a clock in seconds."""
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name    # one without a file, in Linux's abstract namespace
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        asked = environment.get("WATCHDOG_USEC", "")
        self.patience = int(asked) / 1e6 if self._address and meant and asked.isdecimal() else 0.0
        self._now, self._due = now, 0.0

    def ready(self) -> None:
        """The box can be used now."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """What it is doing, in one line, for `systemctl status`."""
        self._tell("STATUS=" + " ".join(text.split()))

    def stopping(self) -> None:
        """It is about to end."""
        self._tell("STOPPING=1")

    def beat(self) -> None:
        """It is alive. May be called as often as anybody likes."""
        if self.patience and self._now() >= self._due:
            self._due = self._now() + self.patience / OFTEN
            self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        """Send it, and go on if nobody takes it: whoever looks after a game must never end it."""
        if self._address:
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.setblocking(False)
                sender.sendto(state.encode(), self._address)
