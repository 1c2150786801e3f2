"""How a machine is made a box, and how that is undone: step by step, each known before anything is done.

A step is written down before it is begun, so that after a power cut, too, what may have been done is undone.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator import files
from narrator.box import unit, volume
from narrator.box.commands import answer, run
from narrator.box.record import Record
from narrator.errors import CannotWrite, NoBox

GROUPS = ("audio", "input", "gpio", "i2c")
"""Who may use the sound card, the keypad, the pins, and a small display."""

_SYSTEMCTL = ("systemctl", "--user")


@dataclass(frozen=True, slots=True)
class Write:
    """A file that is written, or taken away where `content` is None."""

    path: Path
    content: str | None

    def do(self) -> None:
        """Raises `CannotWrite`."""
        try:
            if self.content is None:
                self.path.unlink(missing_ok=True)
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                files.write(self.path, self.content.encode())
        except OSError as error:
            raise CannotWrite(self.path, error) from error


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the machine: a file, then commands.

    key       names its words under `[cli]`, which `slots` fill
    changes   what of the record is otherwise once it is done
    """

    key: str
    slots: dict[str, object] = field(default_factory=dict)
    commands: tuple[tuple[str, ...], ...] = ()
    write: Write | None = None
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[str, ...]:
        """Its commands as they would be typed."""
        return tuple(map(shlex.join, self.commands))

    def do(self) -> None:
        """Raises `NoBox`, `CannotWrite`."""
        if self.write:
            self.write.do()
        for command in self.commands:
            run(*command)


def user() -> str:
    """Whose service it is. Raises `NoBox` for root, who has no desktop's sound and whose services nobody wants."""
    if run("id", "-u").strip() == "0":
        raise NoBox("root", reason="as_root")
    return run("id", "-un").strip()


def groups(of: str = "") -> set[str]:
    """The groups that a user is in, or that this process is in."""
    return set(run("id", "-nG", *([of] if of else [])).split())


def lingers(name: str) -> bool:
    """Whether a user's services go on without him."""
    return "Linger=yes" in (answer("loginctl", "show-user", name, "--property=Linger") or "")


def enabled() -> bool:
    """Whether the service starts with the machine."""
    return (answer(*_SYSTEMCTL, "is-enabled", unit.NAME) or "").strip() == "enabled"


def written() -> str | None:
    """What the unit's file holds; None where there is none. Raises `NoBox` if it cannot be read."""
    try:
        return files.read(unit.path()).decode(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoBox(str(error), reason="unreadable", path=unit.path(), why=error) from error


def missing_groups(name: str) -> tuple[str, ...]:
    """Those of `GROUPS` that there are here and that a user is not in."""
    his = groups(name)
    return tuple(group for group in GROUPS if group not in his and answer("getent", "group", group))


def installing(record: Record) -> Iterator[Step]:
    """What is still to be done to make this machine a box. Raises `NoBox`."""
    name = user()
    if lacking := missing_groups(name):
        command = ("sudo", "usermod", "-aG", ",".join(lacking), name)
        joined = tuple(dict.fromkeys((*record.groups, *lacking)))
        yield Step("box_groups", {"groups": "、".join(lacking)}, (command,), changes={"groups": joined})
    if not lingers(name):
        yield Step("box_linger", {}, (("loginctl", "enable-linger", name),), changes={"linger": True})
    before, text = written(), unit.text()
    if before != text:
        write = Write(unit.path(), text)
        changes = {"unit": before or ""} if record.unit is None else {}
        yield Step("box_unit", {"path": write.path}, ((*_SYSTEMCTL, "daemon-reload"),), write, changes)
    if not enabled():
        yield Step("box_enable", {}, ((*_SYSTEMCTL, "enable", unit.NAME),), changes={"enabled": True})
    sound = volume.now() if record.volume is None else None     # set once: from then on it is the table's own
    if sound and not sound.planned:
        slots: dict[str, object] = {"percent": volume.LOUDNESS, "before": sound.percent}
        yield Step("box_volume", slots, sound.plan().commands(), changes={"volume": sound})
    yield Step("box_start", {}, ((*_SYSTEMCTL, "start" if before == text else "restart", unit.NAME),))


def uninstalling(record: Record) -> Iterator[Step]:
    """What undoes all that was written down, the last first. Raises `NoBox`."""
    name = user()
    if record.unit is not None or record.enabled:
        yield Step("box_stop", {}, ((*_SYSTEMCTL, "stop", unit.NAME),))
    if record.enabled:
        yield Step("box_disable", {}, ((*_SYSTEMCTL, "disable", unit.NAME),), changes={"enabled": False})
    if record.unit is not None:
        write = Write(unit.path(), record.unit or None)
        key = "box_unit_back" if record.unit else "box_unit_away"
        yield Step(key, {"path": write.path}, ((*_SYSTEMCTL, "daemon-reload"),), write, {"unit": None})
    if record.volume:
        yield _volume_back(record.volume)
    if record.linger:
        still = lingers(name)
        commands = [("loginctl", "disable-linger", name)] if still else []
        yield Step("box_no_linger" if still else "box_lingers_not", {}, tuple(commands), changes={"linger": False})
    if record.groups:
        now = groups(name)
        his = [group for group in record.groups if group in now]
        leave = tuple(("sudo", "gpasswd", "-d", name, group) for group in his)
        slots: dict[str, object] = {"groups": "、".join(his or record.groups)}
        yield Step("box_no_groups" if his else "box_not_in_groups", slots, leave, changes={"groups": ()})


def _volume_back(before: volume.Volume) -> Step:
    """Set the loudspeaker as it was; one that has been set otherwise since, or is gone, is left alone."""
    sound = volume.now()
    if sound and sound.planned and (sound.tool, sound.control) == (before.tool, before.control):
        return Step("box_volume", {"percent": before.percent, "before": sound.percent}, before.commands(), changes={"volume": None})
    return Step("box_volume_kept", changes={"volume": None})


def install(steps: tuple[Step, ...], record: Record, tell: Callable[[Step], None]) -> None:
    """Do these steps, each told when it is done. Raises `NoBox`, `CannotWrite` at the first that fails, which may be half done: it stays
    written down like those before it."""
    for step in steps:
        record = record.model_copy(update=step.changes)
        record.save()
        step.do()
        tell(step)


def uninstall(steps: tuple[Step, ...], record: Record, tell: Callable[[Step], None]) -> None:
    """The same, but that a step is struck from what is written down only once it is undone."""
    for step in steps:
        step.do()
        record = record.model_copy(update=step.changes)
        record.save()
        tell(step)
