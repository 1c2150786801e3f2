"""Every rule case passes, and whatever is said, shown and ruled on the way is in the tables that the scripts are checked against."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator import cases
from narrator.rules import ASKS, LINES, ROLES, RULINGS, SHOWN, WAKES, CardShown, Elected, Game, Ruled, Say, Show, Sleep, Value, Wake, last

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))


def check(game: Game) -> None:
    """What this turn has a narrator say and show can be said and shown."""
    seats = range(1, game.setup.seats + 1)
    blanks = {"seat": seats, "seat_2": seats, "role": ROLES, "side": ("werewolf", "villager"), "side_2": ("werewolf", "villager")}
    for line in game.turn.lines:
        match line:
            case Say() | Show() | Ruled():
                tables = {Say: LINES, Show: SHOWN, Ruled: {key: blanks for key, (_, blanks) in RULINGS.items()}}
                assert tables[type(line)][line.key] == tuple(slot for slot, _ in line.slots)
                for slot, value in line.slots:
                    several = value if isinstance(value, tuple) else ()
                    assert value in blanks[slot] if slot in blanks else all(each in ROLES or each in seats for each in several), line
            case Wake() | Sleep():
                assert line.name in WAKES
            case CardShown():
                assert line.role in (*game.setup.deck, *game.setup.second, "werewolf")     # who has turned into one has no such card
            case Elected():
                assert line.seat == 0 or line.seat in seats
    elected = [event.seat for event in game.events if isinstance(event, Elected)]
    assert game.captain in (elected[-1] if elected else 0, 0)
    if ask := game.turn.ask:
        assert ask.kind == ("seats" if ask.id == "werewolf.kill" and ask.groups else ASKS[ask.id])
        assert all(seat in seats for seat in ask.actors)
        assert ask.audience == ("everyone" if game.wake is None else ask.audience)
    if game.wake and ask and not ask.id.startswith(("roll.", "deal.")):
        shown = [line for line in game.turn.lines[(last(Wake, game.turn.lines) or 0) :] if isinstance(line, Show)]
        audience = "narrator" if ask.audience == "narrator" else game.wake.name     # what he decides by chance
        assert {(each.audience, each.actors) for each in (ask, *shown)} == {(audience, game.wake.actors)}


class Checked(Game):
    """A game that is looked at after every answer."""

    def answer(self, ask_id: str, value: object) -> Value:
        checked = super().answer(ask_id, value)
        check(self)
        return checked


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_rule_case_passes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rulebook says of this situation is what comes of it."""
    monkeypatch.setattr(cases, "Game", Checked)
    assert cases.run(cases.Case.read(path)) == []
