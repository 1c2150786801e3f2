"""What the service tells systemd, on a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from narrator.box.notify import Manager


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    """A socket as systemd opens one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address)
        receiver.setblocking(False)
        yield receiver


def heard(receiver: socket.socket) -> list[str]:
    """All that has been told."""
    found: list[str] = []
    while True:
        try:
            found.append(receiver.recv(4096).decode())
        except BlockingIOError:
            return found


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_told(tmp_path: Path, abstract: bool) -> None:
    """Ready, what it does in one line, and that it ends: on a socket with a file, and on one without."""
    name = f"@narrator-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with listening(name.replace("@", "\0")) as receiver:
        manager = Manager({"NOTIFY_SOCKET": name})
        manager.ready()
        manager.status("第一夜\n等狼人")
        manager.stopping()
        assert heard(receiver) == ["READY=1", "STATUS=第一夜 等狼人", "STOPPING=1"]


def test_signs_of_life_come_as_often_as_systemd_wants_them(tmp_path: Path) -> None:
    """Four in its time, however often the game gives one."""
    time = 0.0
    with listening(str(tmp_path / "notify")) as receiver:
        manager = Manager({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "8000000"}, lambda: time)
        assert manager.patience == 8.0
        for tick in range(40):
            time = tick / 2
            manager.beat()
        assert heard(receiver) == ["WATCHDOG=1"] * 10


@pytest.mark.parametrize(
    "environment",
    [{"WATCHDOG_USEC": "8000000", "WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}, {}],
    ids=["another process is meant", "no number", "no watchdog"],
)
def test_signs_of_life_that_nobody_wants_are_not_given(tmp_path: Path, environment: dict[str, str]) -> None:
    """They are for the process that systemd watches, if it watches any."""
    with listening(str(tmp_path / "notify")) as receiver:
        manager = Manager({"NOTIFY_SOCKET": str(tmp_path / "notify"), **environment})
        manager.beat()
        assert (manager.patience, heard(receiver)) == (0.0, [])


def test_nobody_to_tell(tmp_path: Path) -> None:
    """Without systemd, or when it does not listen any more, or not now, the box goes on."""
    Manager({"WATCHDOG_USEC": "8000000"}).beat()
    Manager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready()
    with listening(str(tmp_path / "notify")) as receiver:
        manager = Manager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        for _ in range(2000):
            manager.ready()
        assert 0 < len(heard(receiver)) < 2000
