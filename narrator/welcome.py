"""The first evening: what a table may hear before its first game. Is it loud enough, and how does it all work?"""

from __future__ import annotations

from typing import Literal, TypeAlias

from narrator.hearing import Entered
from narrator.interface import Interface
from narrator.rules import Ask, Say, say
from narrator.stage import Stage

Welcome: TypeAlias = Literal["offer", "explain"]
"""Whether the explanation is offered, or has been asked for."""

OFFER = Ask("welcome.offer", "yes_no", "everyone", ())
VOLUME = Ask("welcome.volume", "wait", "everyone", ())
HOW = Ask("welcome.how", "wait", "everyone", ())


def welcome(stage: Stage, interface: Interface, kind: Welcome) -> None:
    """Offer the explanation, or give it. Enter goes on at any moment. Raises what `Stage.next` raises."""
    if kind == "offer" and not _wanted(stage, interface):
        return
    if stage.aloud:
        _put(stage, VOLUME, say("welcome.volume"))
    _put(stage, HOW, say("welcome.how"))


def _wanted(stage: Stage, interface: Interface) -> bool:
    while (entry := _put(stage, OFFER, say("welcome.offer"))) not in ("", "0", "1"):
        stage.refuse(interface.refused["not_yes_no"])
    return entry == "1"


def _put(stage: Stage, ask: Ask, line: Say) -> str:
    """Say it, as often as the table wants to hear it, until something is entered."""
    stage.attend(ask)
    while not isinstance(entry := stage.tell(line) or stage.next(), Entered):
        pass
    stage.attend(None)
    stage.screen.asking("", secret=False)
    return entry.text.strip()
