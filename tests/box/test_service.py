"""`narrator box install`, `uninstall` and `status` on a machine made of shell scripts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from narrator.box import unit
from tests.box.machine import Machine
from tests.command import ROOT, told

INSTALLED = [
    "sudo usermod -aG input,gpio pi",
    "usermod -aG input,gpio pi",
    "loginctl enable-linger pi",
    "systemctl --user daemon-reload",
    "systemctl --user enable narrator-box.service",
    "wpctl set-volume @DEFAULT_AUDIO_SINK@ 0.70",
    "wpctl set-mute @DEFAULT_AUDIO_SINK@ 0",
    "systemctl --user restart narrator-box.service",
]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_machine_is_made_a_box(machine: Machine) -> None:
    """Every command is printed before any is run, and they are run in that order; the user is told that his new groups want a restart."""
    ended = machine.box("install")
    assert ended.returncode == 0, ended.stderr
    calls = machine.calls()
    assert calls == INSTALLED
    plan, _, done = ended.stdout.partition("\n\n")
    printed = [line.strip() for line in plan.splitlines() if line.startswith("      ")]
    assert printed == [call for call in calls if not call.startswith("usermod")]
    assert "70%（现在 40%）" in plan
    assert done.count("好　") == 6
    assert "sudo reboot" in done
    text = machine.unit.read_text()
    assert f'ExecStart="{sys.executable}" -m narrator box run' in text
    assert f"WorkingDirectory={machine.record.parent}" in text
    assert machine.get("groups") == "pi users audio input gpio"


def test_a_dry_run_does_nothing(machine: Machine) -> None:
    """It prints the same plan."""
    before = machine.snapshot()
    dry = machine.box("install", "--dry-run")
    assert dry.returncode == 0
    assert machine.calls() == []
    assert machine.snapshot() == before
    assert dry.stdout.strip() == machine.box("install").stdout.partition("\n\n")[0].strip()
    before = machine.snapshot()
    machine.calls()
    assert machine.box("uninstall", "--dry-run").returncode == 0
    assert machine.calls() == []
    assert machine.snapshot() == before


def test_uninstall_undoes_all_of_it(machine: Machine) -> None:
    """The last first; then the machine is as it was, and nothing is left to undo."""
    before = machine.snapshot()
    machine.box("install")
    machine.calls()
    ended = machine.box("uninstall")
    assert ended.returncode == 0, ended.stderr
    assert [call for call in machine.calls() if not call.startswith("gpasswd")] == [
        "systemctl --user stop narrator-box.service",
        "systemctl --user disable narrator-box.service",
        "systemctl --user daemon-reload",
        "wpctl set-volume @DEFAULT_AUDIO_SINK@ 0.40",
        "wpctl set-mute @DEFAULT_AUDIO_SINK@ 0",
        "loginctl disable-linger pi",
        "sudo gpasswd -d pi input",
        "sudo gpasswd -d pi gpio",
    ]
    assert machine.snapshot() == before
    again = machine.box("uninstall")
    assert again.returncode == 0
    assert "没有什么要撤掉的" in again.stdout
    assert machine.calls() == []


def test_what_was_there_before_stays(machine: Machine) -> None:
    """Lingering, a group, a volume that was right, a unit of the user's own: an uninstall takes away or puts back none of them but the
    unit, which is as it was."""
    machine.set("linger", "yes")
    machine.set("groups", "pi audio input gpio")
    machine.set("wpctl-volume", "Volume: 0.70")
    machine.unit.parent.mkdir(parents=True)
    machine.unit.write_text("[Service]\nExecStart=/bin/true\n")
    before = machine.snapshot()
    assert machine.box("install").returncode == 0
    assert not any(call.startswith(("sudo", "loginctl", "wpctl")) for call in machine.calls())
    assert machine.box("uninstall").returncode == 0
    assert not any(call.startswith(("sudo", "loginctl", "wpctl")) for call in machine.calls())
    assert machine.snapshot() == before


def test_install_twice_changes_nothing_more(machine: Machine) -> None:
    """A box that runs goes on, a volume that the table has set since stays its own, and what was before the first time is not forgotten."""
    before = machine.snapshot()
    machine.box("install")
    machine.set("wpctl-volume", "Volume: 0.55")
    machine.calls()
    ended = machine.box("install")
    assert ended.returncode == 0
    assert machine.calls() == ["systemctl --user start narrator-box.service"]
    assert "sudo reboot" not in ended.stdout
    machine.box("uninstall")
    assert machine.snapshot() == before | {"wpctl-volume": "Volume: 0.55"}


def test_another_installation_takes_over(machine: Machine) -> None:
    """A unit that no longer fits is told by `status`, written anew and the service restarted; uninstall still knows what was there
    first."""
    before = machine.snapshot()
    machine.box("install")
    machine.unit.write_text(machine.unit.read_text().replace(sys.executable, "/gone/python"))
    assert "对不上" in machine.box("status").stdout
    machine.calls()
    machine.box("install")
    assert machine.calls() == ["systemctl --user daemon-reload", "systemctl --user restart narrator-box.service"]
    machine.box("uninstall")
    assert machine.snapshot() == before


@pytest.mark.parametrize("failing", ["sudo", "loginctl", "systemctl", "wpctl"])
def test_a_step_that_fails_is_told_and_the_others_can_be_undone(machine: Machine, failing: str) -> None:
    """The command and its own reason are named; what was done before it is undone by uninstall, and nothing that was not done."""
    before = machine.snapshot()
    asks = {"loginctl": "[ $1 = show-user ] && exec cat /dev/null", "systemctl": "[ $2 = is-enabled ] && exit 1",
            "wpctl": "[ $1 = get-volume ] && exec cat wpctl-volume", "sudo": ""}  # fmt: skip
    machine.program(failing, f"{asks[failing]}\necho '{failing}: not allowed' >&2; exit 1")
    ended = machine.box("install")
    assert ended.returncode == 1
    (error,) = ended.stderr.strip().splitlines()
    assert f"（{failing}: not allowed）" in error
    assert "narrator box uninstall" in error
    assert {"sudo": 0, "loginctl": 1, "systemctl": 2, "wpctl": 4}[failing] == ended.stdout.count("好　")
    machine.restores(failing)
    machine.calls()
    assert machine.box("uninstall").returncode == 0
    undone = machine.calls()
    assert any("gpasswd" in call for call in undone) == (failing != "sudo")
    assert any("disable-linger" in call for call in undone) == (failing in ("systemctl", "wpctl"))
    assert machine.snapshot() == before


@pytest.mark.parametrize("name", ["sudo", "systemctl"])
def test_a_program_that_is_not_there_is_named(machine: Machine, name: str) -> None:
    """With the command that it was wanted for; what was done before it can be undone."""
    before = machine.snapshot()
    machine.without(name)
    ended = machine.box("install")
    assert ended.returncode == 1
    assert f"没有 {name} 这个程序，做不成：{name} " in ended.stderr
    assert "Traceback" not in ended.stderr
    machine.restores(name)
    assert machine.box("uninstall").returncode == 0
    assert machine.snapshot() == before


def test_what_a_power_cut_left_is_undone(machine: Machine) -> None:
    """A step is written down before it is begun: where it was not carried out there is nothing to undo."""
    before = machine.snapshot()
    machine.record.parent.mkdir(parents=True)
    machine.record.write_text(json.dumps({"groups": ["gpio"], "linger": True}))
    ended = machine.box("uninstall")
    assert ended.returncode == 0
    assert "本来就不在 gpio 组里" in ended.stdout
    assert machine.calls() == []
    assert machine.snapshot() == before


@pytest.mark.parametrize(
    ("tool", "state", "sets", "back"),
    [
        (
            "pactl", {
                "pactl-volume": "Volume: front-left: 26214 /  40% / -23 dB,   front-right: 25559 /  39% / -24 dB",
                "pactl-mute": "yes",
            },
            ["pactl set-sink-volume @DEFAULT_SINK@ 70%", "pactl set-sink-mute @DEFAULT_SINK@ 0"],
            ["pactl set-sink-volume @DEFAULT_SINK@ 26214 25559", "pactl set-sink-mute @DEFAULT_SINK@ 1"],
        ),
        (
            "amixer", {
                "amixer-controls": "Simple mixer control 'Mic',0\nSimple mixer control 'PCM',0",
                "amixer-volume": "  Mono: Playback 52 [20%] [-30.00dB] [off]",
            },
            ["amixer --quiet sset PCM 70% unmute"], ["amixer --quiet sset PCM 52 mute"],
        ),
    ],
)  # fmt: skip
def test_the_mixer_that_answers_sets_the_volume(
    machine: Machine, tool: str, state: dict[str, str], sets: list[str], back: list[str]
) -> None:
    """PipeWire's, PulseAudio's or ALSA's; each channel is put back as it was, muted or not."""
    machine.lacks("wpctl")
    machine.restores(tool)
    for name, value in state.items():
        machine.set(name, value)
    before = machine.snapshot()
    assert "音量" in machine.box("install").stdout
    assert [call for call in machine.calls() if call.startswith(tool)] == sets
    machine.box("uninstall")
    assert [call for call in machine.calls() if call.startswith(tool)] == back
    assert machine.snapshot() == before


def test_a_machine_that_is_none(machine: Machine) -> None:
    """Root is sent away, and so is a machine without systemd, and a record that cannot be read is told: in one sentence each."""
    machine.set("uid", "0")
    ended = machine.box("install")
    assert ended.returncode == 1
    told(ended.stderr, "root", "sudo")
    machine.set("uid", "1000")
    machine.record.parent.mkdir(parents=True)
    machine.record.write_text('{"lingers": true}')
    for action in ("install", "uninstall"):
        ended = machine.box(action)
        assert ended.returncode == 1
        told(ended.stderr, "box.json", "lingers")
    assert machine.calls() == []


def test_status_of_a_box_that_is_well(machine: Machine) -> None:
    """Installed, enabled, running since when, and what it said last; exit code 0."""
    machine.box("install")
    machine.set("groups-now", machine.get("groups"))
    machine.set("since", str(round((time.monotonic() - 2 * 3600 - 3 * 60 - 20) * 1e6)))
    machine.set("journal", "[ 12.5] pi narrator[412]: 准备好了")
    ended = machine.box("status")
    assert ended.returncode == 0, ended.stdout
    assert all(line.startswith("好　") for line in ended.stdout.splitlines()[:-2])
    for part in (str(machine.unit), "一开机", "2 小时 3 分", "70%", "412]: 准备好了"):
        assert part in ended.stdout


@pytest.mark.parametrize(
    ("what", "value", "parts"),
    [
        ("enabled", "disabled", ["不行　", "narrator box install"]),
        ("linger", "no", ["不行　", "loginctl enable-linger pi"]),
        ("state", "failed", ["不行　", "watchdog", "重新起来过 7 次", "systemctl --user restart narrator-box"]),
        ("state", "activating", ["注意　", "重新起来过 7 次"]),
        ("groups", "pi audio", ["不行　", "sudo usermod -aG input,gpio pi"]),
        ("groups-now", "pi audio", ["注意　", "sudo reboot"]),
        ("wpctl-volume", "Volume: 0.70 [MUTED]", ["注意　", "alsamixer"]),
        ("wpctl-volume", "", ["注意　", "aplay -l"]),
    ],
)
def test_status_names_what_mends(machine: Machine, what: str, value: str, parts: list[str]) -> None:
    """Each thing that is not as it should be has its line with the command that mends it; exit code 1 where no game can be led."""
    machine.box("install")
    machine.set("groups-now", machine.get("groups"))
    machine.set("result", "watchdog")
    well = machine.box("status").stdout.splitlines()
    machine.set("restarts", "7")
    machine.set(what, value)
    ended = machine.box("status")
    (line,) = (line for line in ended.stdout.splitlines() if line not in well and all(part in line for part in parts))
    assert ended.returncode == int(line.startswith("不行　"))


def test_status_where_nothing_is_installed(machine: Machine) -> None:
    """It says so, and how to."""
    ended = machine.box("status")
    assert ended.returncode == 1
    assert "不行　还没有装成音箱　请运行：narrator box install" in ended.stdout
    assert "在运行" not in ended.stdout
    assert "还没有说过什么" in ended.stdout


@pytest.mark.parametrize("name", ["plain", 'odd $HOME %n "quoted" \\ name'])
def test_systemd_understands_the_unit(tmp_path: Path, name: str) -> None:
    """`systemd-analyze verify` has nothing to say, whatever the folder is called that the user's data lie in."""
    folder = tmp_path / name
    folder.mkdir()
    machine = Machine(folder)
    machine.box("install")
    (tmp_path / "run").mkdir()
    ended = subprocess.run(
        ["systemd-analyze", "verify", "--user", machine.unit], capture_output=True, text=True, timeout=60,
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path / "run"), "HOME": str(machine.home)},
    )  # fmt: skip
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")


def test_folders_that_are_elsewhere_are_known_to_the_service(machine: Machine, tmp_path: Path) -> None:
    """Where the user's data lie on a partition of their own, the service looks for them there."""
    data = tmp_path / "data 100%"
    assert machine.box("install", XDG_DATA_HOME=str(data)).returncode == 0
    assert (data / "narrator/box.json").exists()
    text = machine.unit.read_text()
    escaped = str(data).replace("%", "%%")
    assert f'Environment="XDG_DATA_HOME={escaped}"' in text
    assert f"WorkingDirectory={escaped}/narrator" in text


def test_the_service_and_its_page_know_every_folder_that_is_written_to() -> None:
    """Whoever makes the system read-only can trust the list; and the service looks where the user's own commands do."""
    code = "".join(path.read_text("utf-8") for path in (ROOT / "narrator").rglob("*.py"))
    folders = dict(re.findall(r'personal\("(XDG_\w+)", "([^"]+)"\)', code))
    assert set(folders) == set(unit.KEPT)
    page = (ROOT / "docs" / "box.md").read_text("utf-8")
    for usual in folders.values():
        assert re.search(rf"^\|[^|]*`~/{re.escape(usual)}/narrator`", page, re.MULTILINE), usual
