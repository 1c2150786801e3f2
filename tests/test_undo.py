"""What was answered can be taken back, to the very first answer, and a roll call that went wrong be held again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.hearing import Command
from narrator.journal import Journal
from tests.small import SMALL, TWO_NIGHTS, began, keys, play, undo
from tests.stage import Table, answers, new_journal


def test_undo_inside_a_wake_is_silent() -> None:
    """The witch takes her antidote back: she is asked again at once, and nobody hears anything of it."""
    plain = play()
    when = began(plain, "window.witch") + 1.5    # the heal was answered at 1.0, the poison will be at 2.0
    undone = play(
        ("seer.check", "1"), ("werewolf.kill", "4"), ("witch.heal", "0"), ("witch.heal", "1"), *TWO_NIGHTS[3:],
        interjections=[(when, Command("undo"))],
    )  # fmt: skip
    assert undone.game.answers == plain.game.answers
    assert undone.public_transcript() == plain.public_transcript()


def test_a_roles_last_answer_is_taken_back_silently_while_its_window_is_open() -> None:
    """Until their eyes close, the wolves may take their choice back, and nobody hears anything of it."""
    plain = play()
    when = began(plain, "window.werewolf") + 5.0
    undone = play(("werewolf.kill", "2"), *TWO_NIGHTS, interjections=[(when, Command("undo"))])
    assert undone.game.answers == plain.game.answers
    assert undone.public_transcript() == plain.public_transcript()


def test_what_was_shown_cannot_be_taken_back_in_silence() -> None:
    """A seer who has seen one card cannot take the answer back to see another: the key tells so, and the night is as it was."""
    plain = play()
    when = began(plain, "window.seer") + 1.5   # the check was answered at 1.0, and its card is on the screen
    again = play(interjections=undo(when, times=1))
    assert again.game.answers == plain.game.answers
    assert any(name == "refuse secretly" and "不能再改" in str(value) for _, name, value in again.screen.calls)
    assert again.public_transcript() == plain.public_transcript()


def test_an_undo_that_everyone_hears_of_wants_the_key_twice() -> None:
    """Pressed once, or twice with a long time between, nothing is taken back, and the screen says what a second press would do."""
    plain = play()
    when = began(plain, "vote.nobody") + 0.2
    for presses in ([when], [when, when + 8.0]):
        once = play(interjections=[(press, Command("undo")) for press in presses])
        assert once.public_transcript() == plain.public_transcript()
        notices = [value for _, name, value in once.screen.calls if name == "notice"]
        assert len(notices) == 2 * len(presses)   # it is said, and taken away again
        assert "再按一次" in notices[0]


def test_undo_by_day_is_announced_and_asks_again() -> None:
    """A vote keyed wrong is taken back aloud, and the village votes again."""
    plain = play()
    when = began(plain, "vote.nobody") + 0.2
    undone = play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when))
    assert undone.game.answers == plain.game.answers
    spoken = keys(undone)
    assert spoken[spoken.index("undo.day") :][:3] == ["undo.day", "vote.open", "vote.nobody"]


def test_undo_into_the_night_starts_the_night_again() -> None:
    """From the morning back into a wake there is no way but the whole night, for everyone; the screen takes the dead back."""
    plain = play()
    when = began(plain, "card.shown") + 0.1
    undone = play(*TWO_NIGHTS[:8], *TWO_NIGHTS[5:], interjections=undo(when))
    assert undone.game.answers == plain.game.answers
    spoken = keys(undone)
    assert spoken[spoken.index("undo.night") :][:4] == ["undo.night", "night.again", "seer.wake", "seer.sleep"]
    views = [value for _, name, value in undone.screen.calls if name == "public"]
    counts = [len(view.dead) for view in views]
    assert 1 in counts[: counts.index(0, counts.index(1))]


@pytest.mark.parametrize("key", ["seer.wake", "seer.sleep", "werewolf.wake", "witch.wake", "witch.sleep"])
def test_undo_once_somebody_has_been_called_starts_the_night_again(key: str) -> None:
    """Whether there was anything to take back or not, a night that is stopped outside an answered window starts again."""
    when = began(play(), key, 1) + 0.1
    spoken = keys(play(*TWO_NIGHTS[:5], *TWO_NIGHTS[5:7], *TWO_NIGHTS[5:], interjections=undo(when)))
    again = spoken[spoken.index("undo.night") :]
    assert again[:3] == ["undo.night", "night.again", "seer.wake"]
    assert "morning.dead" in again


@pytest.mark.parametrize("key", ["roll.wake", "roll.sleep", "roll.close"])
def test_undo_in_the_roll_call_starts_it_again(key: str) -> None:
    """To its very last word a roll call that is stopped starts again from its beginning."""
    setup = SMALL.model_copy(update={"deal": None})
    roll = (("roll.werewolf", "1"), ("roll.seer", "2"), ("roll.witch", "3"))
    plain = Table(setup, answers(*roll, *TWO_NIGHTS))
    plain.run()
    when = [record["time"] for record in plain.transcript if record["key"] == key][-1] + 0.1
    undone = Table(setup, answers(*roll, *roll, *TWO_NIGHTS), interjections=undo(when))
    undone.run()
    spoken = keys(undone)
    assert spoken[spoken.index("undo.night") :][:3] == ["undo.night", "roll.open", "roll.wake"]
    assert undone.game.answers == plain.game.answers


def test_undo_before_anybody_is_called_goes_back_to_the_day() -> None:
    """While the night is only being announced, the day's last answer can be taken back."""
    when = began(play(), "night.again") + 0.1
    spoken = keys(play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when)))
    assert spoken[spoken.index("undo.day") :][:3] == ["undo.day", "vote.open", "vote.nobody"]


def test_undo_at_the_deal_lets_the_last_seat_look_again() -> None:
    """At the deal eyes are open: the seat before comes to the screen again, and nobody is told to close them."""
    when = began(play(), "deal.wake", 2) + 0.1
    spoken = keys(play(*TWO_NIGHTS, interjections=undo(when)))
    assert spoken[spoken.index("undo.day") :][:3] == ["undo.day", "deal.wake", "deal.sleep"]
    assert "undo.night" not in spoken


def test_undoing_again_and_again_leads_to_the_first_answer() -> None:
    """From the end of a game undo after undo leads back to its very beginning."""
    plain = play()
    when = plain.clock.now() - 3.0
    every = 0.15   # sooner than the night's first line has been spoken, so that each press goes on back
    presses = [(when + every * n, Command("undo")) for n in range(40)]
    undone = play(*TWO_NIGHTS, *TWO_NIGHTS, interjections=presses)
    assert keys(undone).count("deal.open") >= 2
    assert undone.game.answers == plain.game.answers


def test_undo_is_kept_by_the_journal(tmp_path: Path) -> None:
    """A game with an undo in it resumes to the answers that stayed."""
    plain = play()
    when = began(plain, "vote.nobody") + 0.2
    journal = new_journal(tmp_path, SMALL)
    undone = play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when), journal=journal)
    journal.close()
    assert any("undo" in json.loads(line) for line in (tmp_path / "game.jsonl").read_text("utf-8").splitlines())
    assert Journal.resume(tmp_path / "game.jsonl")[1].answers == undone.game.answers


def test_undo_at_the_very_beginning_changes_nothing() -> None:
    """Where nothing has been answered there is nothing to take back."""
    undone = play(*TWO_NIGHTS, interjections=undo(0.1))
    assert undone.game.answers == play().game.answers
