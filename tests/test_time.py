"""How long one may speak by day, and at which pace the night goes."""

from __future__ import annotations

import pytest

from narrator.hearing import Command, Entered, Payload
from narrator.pacing import PACES, Pacing
from narrator.rules import Ask, Setup
from narrator.script import Script
from tests.players import table
from tests.stage import Table, answers

DEAL = ("werewolf", "seer", "witch", "villager", "villager", "villager")
SPEECHES: dict[str, object] = {"captain_elected": "never", "speeches": "clockwise_from_dead"}
SPOKEN_FOR = {"day.speech", "day.discussion", "vote.again", "words.last", "captain.speech"}


def silent(ask: Ask) -> list[tuple[float, Payload]]:
    """Nobody says that he has done speaking; everything else is passed at once."""
    return [] if ask.id in SPOKEN_FOR else answers()(ask)


def told(at_table: Table, key: str) -> list[float]:
    """When, in seconds, a line was begun."""
    return [record["time"] for record in at_table.transcript if record["key"] == key]


def played(setup: Setup, plan: object = silent, **options: object) -> Table:
    """A game of one day: on the second night the wolf goes home."""
    at_table = Table(setup, plan, interjections=[(1800.0, Command("quit"))], **options)  # type: ignore[arg-type]
    at_table.run()
    return at_table


def test_a_speech_ends_in_time() -> None:
    """What is left is told 30 and 10 seconds before the end; at the end the next one is called."""
    at_table = played(table("flow", *DEAL, **SPEECHES))
    limit = Script("flow").pacing.speech
    called = told(at_table, "day.speech")
    lasted = at_table.transcript[[record["key"] for record in at_table.transcript].index("day.speech")]["duration"]
    for left, key in ((30.0, "time.thirty"), (10.0, "time.ten"), (0.0, "time.up")):
        assert len(told(at_table, key)) >= 6, "everybody's time is up"
        begins = told(at_table, key)[0] - called[0] - lasted
        assert begins == pytest.approx(limit - left + Script("flow").pacing.between_lines, abs=0.1)
    assert called[1] > told(at_table, "time.up")[0]


def test_who_has_done_is_not_told_of_the_time() -> None:
    """Enter ends a speech; what was told before does not come again."""
    at_table = played(table("flow", *DEAL, **SPEECHES), lambda ask: [(100.0, Entered(""))] if ask.id in SPOKEN_FOR else silent(ask))
    assert told(at_table, "time.thirty")
    assert not told(at_table, "time.ten")
    assert not told(at_table, "time.up")


def test_to_hear_again_that_the_time_is_up_gives_no_more_of_it() -> None:
    """The key for it, pressed in these very words, has them said once more, and the table goes on."""
    plain = played(table("anniversary", *DEAL, captain_elected="never"))
    (up, *_) = told(plain, "time.up")
    again = Table(
        table("anniversary", *DEAL, captain_elected="never"), silent,
        interjections=[(up + 0.2, Command("again")), (1800.0, Command("quit"))],
    )  # fmt: skip
    again.run()
    assert told(again, "vote.open")[0] == pytest.approx(told(plain, "vote.open")[0], abs=2.0)


def test_a_pause_takes_no_time_from_who_speaks() -> None:
    """While the table's time stands still nobody's time runs out."""
    plain = played(table("anniversary", *DEAL, captain_elected="never"))
    (up, *_) = told(plain, "time.up")
    paused = Table(
        table("anniversary", *DEAL, captain_elected="never"), silent,
        interjections=[(up - 100.0, Command("pause")), (up + 400.0, Command("pause")), (1800.0, Command("quit"))],
    )  # fmt: skip
    paused.run()
    assert told(paused, "time.up")[0] == pytest.approx(up + 500.0, abs=2.0)


@pytest.mark.parametrize("seconds", [0.0, 5.0, 20.0])
def test_a_limit_that_is_off_or_short(seconds: float) -> None:
    """0 is no limit; one that is short is told only as far as so much is left."""
    pacing = Script("anniversary").pacing.model_copy(update={"discussion": seconds})
    ask = Ask("day.discussion", "wait", "everyone", (1, 2))
    assert pacing.limit(ask) == seconds
    at_table = Table(table("anniversary", *DEAL, captain_elected="never"), silent, interjections=[(1800.0, Command("quit"))])
    at_table.loop._stage.pacing = pacing
    at_table.run()
    assert bool(told(at_table, "time.up")) == (seconds > 0)
    assert bool(told(at_table, "time.ten")) == (seconds > 10)
    assert not told(at_table, "time.thirty")


def test_paces_change_every_silence_and_nothing_else() -> None:
    """Slower, as it is written, and faster."""
    plain = Script("anniversary").pacing
    assert PACES["slow"] > PACES["normal"] == 1.0 > PACES["fast"] > 0
    for factor in PACES.values():
        changed = plain.scaled(factor)
        for name in Pacing.model_fields:
            before, after = (_figures(getattr(pacing, name)) for pacing in (plain, changed))
            assert after == pytest.approx([value * factor for value in before])


def _figures(figure: float | tuple[float, ...] | dict[str, float]) -> list[float]:
    return [figure] if isinstance(figure, float) else [*figure.values()] if isinstance(figure, dict) else [*figure]
