"""How the box's service is: what is as it should be, and what is not."""

from __future__ import annotations

import time
from collections.abc import Iterator

from narrator.box import service, unit, volume
from narrator.box.commands import answer, run
from narrator.finding import Finding

LINES = 8
"""How many of its last words are shown."""


def findings() -> Iterator[Finding]:
    """Everything that a box needs, one after the other. Raises `NoBox`."""
    name = service.user()
    unit_is = _unit()
    yield unit_is
    if unit_is.state != "bad":
        yield Finding("good", "box_enabled", {}) if service.enabled() else Finding("bad", "box_not_enabled", {})
        yield _running()
    yield Finding("good", "box_lingers", {}) if service.lingers(name) else Finding("bad", "box_no_linger", {"user": name})
    yield _groups(name)
    yield _volume()


def journal() -> list[str]:
    """What the service said last."""
    told = answer("journalctl", "--user", f"--unit={unit.NAME}", f"--lines={LINES}", "--output=short-monotonic", "--no-pager", "--quiet")
    return (told or "").strip().splitlines()


def _unit() -> Finding:
    there = service.written()
    if there is None:
        return Finding("bad", "box_not_installed", {})
    slots: dict[str, object] = {"path": unit.path()}
    return Finding("good", "box_unit", slots) if there == unit.text() else Finding("weak", "box_outdated", slots)


def _running() -> Finding:
    asked = ("ActiveState", "Result", "NRestarts", "ActiveEnterTimestampMonotonic", "StatusText")
    told = run("systemctl", "--user", "show", unit.NAME, f"--property={','.join(asked)}")
    state = dict(line.partition("=")[::2] for line in told.splitlines())
    slots: dict[str, object] = {"restarts": state.get("NRestarts") or 0, "doing": state.get("StatusText", "")}
    if state.get("ActiveState") == "active":
        minutes = int(time.monotonic() - int(state.get("ActiveEnterTimestampMonotonic") or 0) / 1e6) // 60     # the wall clock may be wrong
        since = {"hours": minutes // 60, "minutes": minutes % 60}
        return Finding("weak" if slots["restarts"] != "0" else "good", "box_running", slots | since)
    if state.get("ActiveState") == "activating":
        return Finding("weak", "box_starting", slots)
    return Finding("bad", "box_not_running", slots | {"why": state.get("Result", "")})


def _groups(name: str) -> Finding:
    """Whether he may use all devices; whoever was put into a group is in it from the next start of the machine on."""
    if missing := service.missing_groups(name):
        slots: dict[str, object] = {"groups": "、".join(missing), "line": ",".join(missing), "user": name}
        return Finding("bad" if "input" in missing else "weak", "box_no_group", slots)
    not_yet = service.groups(name) - service.groups()
    if late := [group for group in service.GROUPS if group in not_yet]:
        return Finding("weak", "box_reboot", {"groups": "、".join(late)})
    return Finding("good", "box_groups", {})


def _volume() -> Finding:
    sound = volume.now()
    if sound is None:
        return Finding("weak", "box_no_volume", {})
    if sound.muted or not sound.percent:
        return Finding("weak", "box_muted", {})
    return Finding("good", "box_volume", {"percent": sound.percent})
