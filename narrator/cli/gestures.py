"""`narrator gestures`: what is said without a word at night, and how to behave at the keypad; a page to be printed."""

from __future__ import annotations

import argparse

from narrator.interface import Interface


def arguments(parser: argparse.ArgumentParser, _: dict[str, str]) -> None:
    """Add this command's arguments: there are none."""


def run(_: argparse.Namespace, interface: Interface) -> int:
    """Print it."""
    print(interface.cli["gestures_page"], end="")
    return 0
