"""A screen that is only written on: for a rehearsal, and for a stream that is no terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TextIO

from narrator.interface import Interface
from narrator.rules import Kind, Phase, Show
from narrator.screen.view import View
from narrator.script import Script


class Paper:
    """Each line as it is spoken; whatever is private is indented and marked with its audience."""

    readable = True

    def __init__(self, interface: Interface, script: Script, stream: TextIO) -> None:
        self._interface = interface
        self._script = script
        self._stream = forgiving(stream)
        self._phase: Phase | None = None
        self._typed = ""

    def public(self, view: View) -> None:
        if view.phase != self._phase:
            self._phase = view.phase
            self._write(f"\n== {self._interface.phase(view.phase)} ==")

    def speaking(self, _key: str, text: str) -> None:
        self._write(text)

    def asking(self, text: str, secret: bool, _kind: Kind | None = None) -> None:
        if text:
            self._write(f"   {'[?]' if secret else '?'} {text}")

    def awake(self, on: bool) -> None:
        """Whoever reads paper is always awake."""

    def private(self, audience: str, text: str, _large: Sequence[str] = (), _show: Show | None = None) -> None:
        self._write(f"   [{self._interface.awake(audience, self._script)}] {text}")

    def typed(self, text: str) -> None:
        """An entry is written once, when nothing more is typed to it."""
        if self._typed and not text:
            self._write(f"   > {self._typed}")
        self._typed = text

    def refuse(self, text: str) -> None:
        self._write(f"   ! {text}")

    def notice(self, text: str) -> None:
        if text:
            self._write(f"   * {text}")

    def cover(self, on: bool) -> None:
        """Paper cannot be covered either."""

    def hide(self, on: bool) -> None:
        """Nor hidden."""

    def wipe(self) -> None:
        """Paper cannot be wiped: it is for those who may know everything."""
        self._typed = ""

    def close(self) -> None:
        self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


def forgiving(stream: TextIO) -> TextIO:
    """The stream, told to write ? for what its encoding does not have: a game does not end over a glyph."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream
