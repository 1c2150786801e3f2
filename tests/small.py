"""A small game that several tests play at the simulated table: five seats, two nights."""

from __future__ import annotations

from narrator.hearing import Command, Payload
from tests.players import table
from tests.stage import Table, answers

SMALL = table("anniversary", "werewolf", "seer", "witch", "villager", "villager", captain_elected="never")

TWO_NIGHTS = (
    ("seer.check", "1"), ("werewolf.kill", "4"), ("witch.heal", "1"), ("witch.poison", "0"), ("day.vote", "0"),
    ("seer.check", "3"), ("werewolf.kill", "4"), ("witch.poison", "0"), ("day.vote", "1"),
)  # fmt: skip


def play(*given: tuple[str, str], after: float = 1.0, **options: object) -> Table:
    """A whole game at the small table."""
    at_table = Table(SMALL, answers(*(given or TWO_NIGHTS), after=after), **options)  # type: ignore[arg-type]
    at_table.run()
    return at_table


def keys(at_table: Table) -> list[str]:
    return [key for key, _ in at_table.screen.heard()]


def undo(when: float, times: int = 2) -> list[tuple[float, Payload]]:
    """The undo key, pressed twice: what everyone will hear of wants to be confirmed."""
    return [(when + 0.1 * n, Command("undo")) for n in range(times)]


def began(plain: Table, key: str, nth: int = 0) -> float:
    """When a line began in a game that nobody interrupted."""
    return [record["time"] for record in plain.transcript if record["key"] == key][nth]
