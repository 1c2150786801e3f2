"""`narrator box`: makes this machine a speaker box, which leads games as soon as it is switched on."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.box import health, service
from narrator.box.card import card
from narrator.box.record import Record
from narrator.box.service import Step
from narrator.cli import _box, _stage
from narrator.interface import Interface


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    action = _stage.actions(parser, words)
    for name, does, meaning in (("install", _install, "box_install"), ("uninstall", _uninstall, "box_uninstall")):
        added = action(name, does, meaning)
        added.add_argument("--dry-run", action="store_true", help=words["box_dry_run"])
    action("status", _status, "box_status")
    action("card", _card, "box_card")
    running = action("run", _box.run, "box_run")
    running.add_argument("--keypads", type=Path, action="append", metavar="FOLDER", help=words["box_keypads"])
    _stage.device_arguments(running, words)
    running.set_defaults(silent=False)


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Do what is asked for."""
    return _stage.act(args, interface)


def _install(args: argparse.Namespace, interface: Interface) -> int:
    """Say what will be done, then do it."""
    record = Record.load()
    steps = tuple(service.installing(record))
    _announce("box_will", steps, interface)
    if not args.dry_run:
        service.install(steps, record, lambda step: print(interface.cli["box_done"].format(what=_words(step, interface)), flush=True))
        reboot = any("groups" in step.changes for step in steps)
        print(interface.cli["box_reboot" if reboot else "box_is_ready"])
    return 0


def _uninstall(args: argparse.Namespace, interface: Interface) -> int:
    """Say what will be undone, then undo it."""
    record = Record.load()
    steps = tuple(service.uninstalling(record))
    if not steps:
        print(interface.cli["box_nothing"])
        return 0
    _announce("box_will_undo", steps, interface)
    if not args.dry_run:
        service.uninstall(steps, record, lambda step: print(interface.cli["box_done"].format(what=_words(step, interface)), flush=True))
        print(interface.cli["box_is_gone"])
    return 0


def _announce(key: str, steps: tuple[Step, ...], interface: Interface) -> None:
    """Each step, and below it the commands that it consists of."""
    print(interface.cli[key])
    for number, step in enumerate(steps, start=1):
        print(interface.cli["box_step"].format(number=number, what=_words(step, interface)))
        for line in step.lines:
            print(interface.cli["box_line"].format(line=line))
    print(flush=True)


def _words(step: Step, interface: Interface) -> str:
    return interface.cli[step.key].format(**step.slots)


def _card(_: argparse.Namespace, interface: Interface) -> int:
    """Print the key card."""
    print(card(interface.keycard), end="")
    return 0


def _status(_: argparse.Namespace, interface: Interface) -> int:
    """Print a line for each thing that a box needs, and its last words. Returns 1 if it leads no games."""
    bad = False
    for finding in health.findings():
        print(interface.finding(finding.state, finding.key, **finding.slots), flush=True)
        bad = bad or finding.state == "bad"
    said = health.journal()
    print(interface.cli["box_said" if said else "box_said_nothing"])
    print(*said, sep="\n", end="\n" if said else "")
    return 1 if bad else 0
