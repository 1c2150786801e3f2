"""What the service waits for before it starts: that sound can be heard."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "narrator" / "box" / "wait.sh"

CARD = " 0 [Speaker        ]: USB-Audio - USB Speaker\n"


def waited(folder: Path, seconds: int, programs: dict[str, str]) -> int:
    """The exit code, on a machine with these programs beside the usual ones, where a second's sleep takes none."""
    for name, does in {"systemctl": "exit 1", "sleep": f"echo x >>{folder}/slept", **programs}.items():
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)
    ended = subprocess.run(
        ["/bin/sh", SCRIPT, str(seconds), folder / "cards"], env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}, timeout=60
    )
    return ended.returncode


def sleeps(folder: Path) -> int:
    return len((folder / "slept").read_text().splitlines()) if (folder / "slept").exists() else 0


def appears(folder: Path, after: int, then: str, before: str) -> str:
    """A program that prints one thing until the script has slept so often, then another."""
    return f'if [ "$(cat {folder}/slept 2>/dev/null | wc -l)" -ge {after} ]; then {then}; else {before}; fi'


@pytest.mark.parametrize(
    "programs",
    [
        {},
        {"systemctl": 'case "$*" in *pulse*) exit 0 ;; esac; exit 1', "pactl": "echo alsa_output.usb"},
        {"systemctl": 'case "$*" in *pipewire.socket*) exit 0 ;; esac; exit 1', "wpctl": "echo Volume: 0.40"},
    ],
    ids=["no sound server", "PulseAudio", "PipeWire"],
)
def test_a_machine_that_can_be_heard_is_not_kept_waiting(tmp_path: Path, programs: dict[str, str]) -> None:
    """With its sound card, and a sound server that has found it where one runs, the box starts at once."""
    (tmp_path / "cards").write_text(CARD)
    assert waited(tmp_path, 5, programs) == 0
    assert sleeps(tmp_path) == 0


def test_a_sound_server_that_has_not_found_its_card_is_waited_for(tmp_path: Path) -> None:
    """Its dummy does not count."""
    (tmp_path / "cards").write_text(CARD)
    found = appears(tmp_path, 3, "echo alsa_output.usb", "echo auto_null")
    assert waited(tmp_path, 9, {"systemctl": "exit 0", "pactl": found}) == 0
    assert sleeps(tmp_path) == 3


@pytest.mark.parametrize(
    ("cards", "programs"),
    [
        ("--- no soundcards ---\n", {}),
        (CARD, {"systemctl": "exit 0", "pactl": "exit 1"}),
        (CARD, {"systemctl": 'case "$*" in *pipewire.socket*) exit 0 ;; esac; exit 1', "wpctl": "exit 1"}),
    ],
    ids=["no card", "PulseAudio without a sink", "PipeWire without a sink"],
)
def test_it_gives_up_in_time(tmp_path: Path, cards: str, programs: dict[str, str]) -> None:
    """After the seconds that it was given, the box starts all the same."""
    (tmp_path / "cards").write_text(cards)
    assert waited(tmp_path, 4, programs) == 1
    assert sleeps(tmp_path) == 4
