"""A real game at a pseudo-terminal, brought to its first question, and what its journal has kept of it."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tests.terminal import Session

NARRATOR = (sys.executable, "-m", "narrator")
PLAY = (*NARRATOR, "play", "--silent", "--hurry")
SIX = ("--players", "6")


def begun(folder: Path, command: tuple[str, ...] = PLAY + SIX, *, unsaved: str = "", **environment: str) -> Session:
    """A real game that asks its first question, in any language; `unsaved`: what must be said before it can begin unsaved."""
    session = Session(command, columns=100, lines=30, XDG_DATA_HOME=str(folder), **environment)
    session.wait_until(lambda: "Enter" in session.written, "the cards to lay out", 30)
    session.type("\r")
    if unsaved:
        session.wait_for(unsaved, 30)
        session.type("\r")
    session.wait_until(lambda: "\x1b[?1049h" in session.written, "the table's screen", 30)
    shown = time.monotonic() + 0.5      # the screen is read meanwhile: the narrator waits for a terminal that takes nothing
    session.wait_until(lambda: time.monotonic() > shown, "half a second")
    session.type("\r")   # no explanation, please
    session.wait_until(lambda: bool(panel(session)), "the first question", 40)
    return session


def resumed(folder: Path, *notes: str, more: tuple[str, ...] = (), agree: bool = True) -> Session:
    """The game of a folder, resumed; `notes`: what must be said before the table agrees, and it goes on."""
    session = Session((*NARRATOR, "resume", "--silent", "--hurry", *more), columns=120, lines=30, XDG_DATA_HOME=str(folder))
    for note in notes:
        session.wait_for(note, 30)
    session.wait_for("都坐好了", 30)
    if agree:
        session.type("\r")
    return session


def panel(session: Session) -> str:
    """What stands in the private part of the screen."""
    parts = session.screen.text.split("====")
    return "".join(parts[1:-1]).replace("=", "").strip()


def journal_of(folder: Path) -> Path:
    """The journal of the only game."""
    (path,) = (folder / "narrator" / "games").glob("*.jsonl")
    return path


def answered(folder: Path) -> list[tuple[str, object]]:
    """The answers in the journal of the only game, those that were taken back among them."""
    records = [json.loads(line) for line in journal_of(folder).read_text("utf-8").splitlines()[1:]]
    return [(record["ask"], record["value"]) for record in records if "ask" in record]


def stop(session: Session) -> None:
    """End the game as a table does that wants to go to bed."""
    session.type("\x03")
    assert session.wait_for_end() == 0
    assert "Traceback" not in session.written
