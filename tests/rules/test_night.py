"""The night, as far as a rule case cannot tell it: what is said, and who is called though nobody answers."""

from __future__ import annotations

import pytest

from narrator.rules import Game, Say, Sleep, Wake
from tests.rules.test_day import day, go_on

DEAL = ("werewolf", "seer", "villager", "villager", "villager", "villager")

Calls = list[tuple[str, tuple[int, ...]]]
"""Who is called, and which seats answer."""


def calls(game: Game, until: str) -> Calls:
    """Those from here to an ask, with nobody named meanwhile."""
    called: Calls = []
    while (ask := game.turn.ask) and ask.id != until and len(game.answers) < 200:
        game.answer(ask.id, True if ask.kind == "wait" else None)
        called += [(line.name, line.actors) for line in game.turn.lines if isinstance(line, Wake) and line.asleep]
    return called


FIRST = [("thief", ()), ("cupid", ()), ("lovers", ())]
HELD = [("seer", (2,)), ("werewolf", (1,))]
ABSENT = [("guard", ()), *HELD, ("witch", ()), ("piper", ()), ("charmed", ())]


@pytest.mark.parametrize(
    ("decoys", "first", "second", "third"),
    [
        ("never", HELD, HELD, [("werewolf", (1,))]),
        ("absent_first_night", [*FIRST, *HELD], HELD, [("werewolf", (1,))]),
        ("absent", [*FIRST, *ABSENT], ABSENT, [("guard", ()), ("werewolf", (1,)), *ABSENT[3:]]),
        ("absent_and_dead", [*FIRST, *ABSENT], ABSENT, [("guard", ()), ("seer", ()), *ABSENT[2:]]),
    ],
)
def test_who_is_called_though_nobody_answers(decoys: str, first: Calls, second: Calls, third: Calls) -> None:
    """Nobody; the first night's roles that are not in the deck; all that are not; and those that everyone has seen dead. The seer is
    executed after the second night."""
    game = day(*DEAL, until="deal.ready", decoys=decoys)
    assert calls(game, "day.vote") == first
    for executed, called in ((None, second), (2, third)):
        game.answer("day.vote", executed)
        at_once = [(line.name, line.actors) for line in game.turn.lines if isinstance(line, Wake)]
        assert at_once + calls(game, "day.vote") == called


def test_a_call_that_nobody_answers_sounds_like_one_that_is_answered() -> None:
    """The same lines in the same order, from the waking to the sleeping; only the window between them is empty."""
    game = day(*DEAL, until="seer.check", decoys="absent")
    lines = [line for line in game.turn.lines if isinstance(line, Say | Wake | Sleep)]
    guard = lines.index(Wake("guard", ()))
    assert lines[guard : guard + 4] == [Wake("guard", ()), Say("guard.wake"), Sleep("guard"), Say("guard.sleep")]
    assert lines[guard + 4 :] == [Wake("seer", (2,)), Say("seer.wake")]


def test_the_first_night_falls_with_other_words_than_those_after_it() -> None:
    """It is the first that everyone closes their eyes."""
    game = day(*DEAL, until="seer.check")
    assert Say("night.first") in game.turn.lines
    assert Say("night.again") not in game.turn.lines
    go_on(game, "day.vote")
    game.answer("day.vote", None)
    assert Say("night.again") in game.turn.lines
    assert Say("night.first") not in game.turn.lines


def test_a_morning_without_dead_is_told() -> None:
    """Either the dead are announced or that there are none, never both."""
    for prey, told in ((None, ["morning", "morning.nobody"]), (3, ["morning", "morning.dead"])):
        game = day(*DEAL, night=[("werewolf.kill", prey)], until="day.discussion")
        assert [line.key for line in game.turn.lines if isinstance(line, Say) and line.key.startswith("morning")] == told
