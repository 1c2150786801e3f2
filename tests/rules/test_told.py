"""How lovers and the charmed learn of it: tapped and called, or at the screen, at which everyone looks in turn."""

from __future__ import annotations

import pytest

from narrator.rules import Ask, Game, Say, Show, Sleep, Wake
from tests.players import table

DEAL = ("werewolf", "cupid", "piper", "villager", "villager", "villager", "villager", "villager")


def night(*, edition: str = "anniversary", **switches: object) -> list[object]:
    """Everything that is called, said, shown and asked in the first night, in its order."""
    game = Game(table(edition, *DEAL, captain_elected="never", **switches))
    given = {"cupid.pair": (4, 6), "piper.charm": (5, 6)}
    seen: list[object] = []
    while (ask := game.turn.ask) and game.phase.kind != "day":
        seen += [*game.turn.lines, ask]
        game.answer(ask.id, given.get(ask.id, True if ask.kind == "wait" else None))
    return [*seen, *game.turn.lines]


def test_everyone_looks_at_the_screen_and_nobody_stands_out() -> None:
    """Each seat in turn is called with the same words, shown something, and asked the same; only the chosen see whom it is about."""
    seen = night(told_by="screen")
    looks = [line for line in seen if isinstance(line, Wake) and line.name == "look"]
    assert [wake.actors for wake in looks] == [(seat,) for _ in range(2) for seat in range(1, 9)]
    shown = [line for line in seen if isinstance(line, Show) and line.audience == "look"]
    assert [show.actors for show in shown] == [wake.actors for wake in looks]
    assert {show.actors[0]: show.value for show in shown[:8] if show.value} == {4: (4, 6), 6: (4, 6)}
    assert {show.actors[0]: show.value for show in shown[8:] if show.value} == {5: (5, 6), 6: (5, 6)}
    said = [line.key for line in seen if isinstance(line, Say)]
    assert said.count("look.wake") == said.count("look.sleep") == 16
    assert said.count("look.open") == 2
    assert not {"cupid.tap", "piper.tap", "lovers.wake", "charmed.wake"} & set(said)
    asked = [line.id for line in seen if isinstance(line, Ask)]
    assert asked.count("look.seen") == 16
    assert not {"cupid.tapped", "piper.tapped", "lovers.seen", "charmed.seen"} & set(asked)
    assert sum(isinstance(line, Sleep) and line.name == "look" for line in seen) == 16


def test_where_they_learn_the_side_each_sees_it() -> None:
    """The screen tells what the edition has the lovers told."""
    (one, other) = (line for line in night(edition="newmoon", told_by="screen") if isinstance(line, Show) and line.key == "lovers.side")
    assert one.value == other.value == ((4, "villager"), (6, "villager"))


@pytest.mark.parametrize(("told_by", "audience", "times"), [("tap", "lovers", 1), ("screen", "look", 2)])
def test_lovers_who_may_not_vote_for_each_other_are_told_so_in_secret(told_by: str, audience: str, times: int) -> None:
    """They read it where they read who they are, so that no ballot has to be refused before everyone; where they may, nothing is said."""
    for allowed, told in ((False, times), (True, 0)):
        seen = night(told_by=told_by, lovers_may_vote_each_other=allowed)
        shown = [line for line in seen if isinstance(line, Show) and line.audience == audience]
        at = [number for number, show in enumerate(shown) if show.key == "lovers.no_vote"]
        assert len(at) == told
        assert all(shown[number + 1].key == "lovers.who" and shown[number + 1].actors == shown[number].actors for number in at)


@pytest.mark.parametrize("decoys", ["never", "absent"])
def test_tapped_they_are_called_together(decoys: str) -> None:
    """As the box has it: the one who chose taps them, and they open their eyes at their call."""
    said = [line.key for line in night(told_by="tap", decoys=decoys) if isinstance(line, Say)]
    assert {"cupid.tap", "lovers.wake", "piper.tap", "charmed.wake"} <= set(said)
    assert "look.wake" not in said
