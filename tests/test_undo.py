"""What was answered can be taken back, to the very first answer, and a roll call that went wrong be held again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from narrator.hearing import Command, Entered, Payload, Typed
from narrator.journal import Journal
from narrator.rules import Setup
from narrator.stage import CONFIRM
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


def test_undo_twice_goes_on_from_the_night_to_the_day_before() -> None:
    """A night that was undone, and is undone once more before its first call is over, gives way to the day's last question."""
    once = [*TWO_NIGHTS[:5], *TWO_NIGHTS[5:6]]
    when = began(play(), "werewolf.wake", 1) + 0.1
    first = play(*once, *TWO_NIGHTS[5:], interjections=undo(when))
    again = began(first, "seer.wake", 2) + 0.1
    assert again > when
    both = play(*once, *TWO_NIGHTS[4:], interjections=[*undo(when), *undo(again)])
    spoken = keys(both)
    assert spoken[spoken.index("undo.day") :][:4] == ["undo.day", "vote.open", "vote.nobody", "night.again"]
    assert spoken.index("undo.night") < spoken.index("undo.day")
    assert both.game.over


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


# --- a roll call that went wrong ----------------------------------------------------------------------------------------


ROLLED = SMALL.model_copy(update={"deal": None})
WRONG = (("roll.werewolf", "1"), ("roll.seer", "2"), ("roll.witch", "4"))   # the witch is 3
RIGHT = (("roll.werewolf", "1"), ("roll.seer", "2"), ("roll.witch", "3"))


SEEN_WRONGLY = (("roll.werewolf", "4"), *RIGHT[1:])   # the seer is told that the wolf, 1, is none
TO_THE_SECOND_DAY = (*TWO_NIGHTS[:5], ("seer.check", "5"), ("werewolf.kill", "4"), ("witch.poison", "0"))
VOTE = (("day.vote", "1"),)

Entries: TypeAlias = tuple[tuple[str, str], ...]


def roll_again(when: float) -> list[tuple[float, Payload]]:
    """The two keys that have the roll call held again."""
    return [(when, Command("undo")), (when + 0.1, Command("again"))]


def rolled(*given: tuple[str, str], **options: object) -> Table:
    at_table = Table(ROLLED, answers(*given), **options)  # type: ignore[arg-type]
    at_table.run()
    return at_table


def shown_cards(at_table: Table) -> dict[int, str]:
    views = [value for _, name, value in at_table.screen.calls if name == "public"]
    return dict(views[-1].cards)


@pytest.mark.parametrize("key", ["card.shown", "day.discussion", "vote.open"])
def test_a_wrong_roll_call_is_held_again_and_the_game_goes_on_where_it_stood(tmp_path: Path, key: str) -> None:
    """Found by day, when a card is shown or later: the roll call is held again, aloud; nothing that was answered is asked again, and
    the card that stands on the screen is then the right one."""
    game = (*TO_THE_SECOND_DAY, *VOTE)
    plain = rolled(*WRONG, *game)
    assert shown_cards(plain)[4] == "witch"
    journal = new_journal(tmp_path, ROLLED)
    corrected = rolled(*WRONG, *RIGHT, *game, interjections=roll_again(began(plain, key, -1) + 0.1), journal=journal)
    journal.close()
    assert shown_cards(corrected)[4] == "villager"
    assert [value for ask, value in corrected.game.answers if ask.startswith("roll.")] == [(1,), (2,), (3,)]
    assert [answer for answer in corrected.game.answers if not answer[0].startswith("roll.")] == plain.game.answers[3:]
    spoken = keys(corrected)
    again = spoken[spoken.index("undo.roll") :]
    assert again[:2] == ["undo.roll", "roll.wake"]
    assert again[again.index("roll.close") + 1] == "resume.day"
    assert Journal.resume(journal.path)[1].answers == corrected.game.answers


def test_a_wrong_roll_call_found_at_night_goes_on_in_that_wake() -> None:
    """Found with eyes closed, the wake that was open begins again once the roll call is over."""
    game = (*TWO_NIGHTS[:5], ("seer.check", "5"), *TWO_NIGHTS[6:])
    plain = rolled(*WRONG, *game)
    corrected = rolled(*WRONG, *RIGHT, *game, interjections=roll_again(began(plain, "werewolf.wake", 1) + 0.5))
    spoken = keys(corrected)
    again = spoken[spoken.index("undo.roll") :]
    assert again[again.index("roll.close") :][:3] == ["roll.close", "resume.night", "werewolf.wake"]
    assert corrected.game.answers[3:] == plain.game.answers[3:]


def test_where_an_answer_no_longer_fits_the_night_starts_again() -> None:
    """Who was registered as the wolf may have been named as prey by the real one: that night is played again from its beginning."""
    wrong = (("roll.werewolf", "4"), ("roll.seer", "2"), ("roll.witch", "3"))
    plain = rolled(*wrong, ("seer.check", "1"), ("werewolf.kill", "1"), ("witch.heal", "1"), ("day.vote", "4"))
    when = began(plain, "day.discussion") + 0.5
    given = (*wrong, ("seer.check", "1"), ("werewolf.kill", "1"), ("witch.heal", "1"), *RIGHT, *TWO_NIGHTS)
    corrected = rolled(*given, interjections=roll_again(when))
    spoken = keys(corrected)
    again = spoken[spoken.index("undo.roll") :]
    assert again[again.index("roll.close") :][:3] == ["roll.close", "undo.night", "night.first"]
    notices = [value for _, name, value in corrected.screen.calls if name == "notice"]
    assert any("重新来" in notice for notice in notices)


@pytest.mark.parametrize(
    ("wrong", "before", "after", "key", "goes_on"),
    [
        (WRONG, (*TO_THE_SECOND_DAY, *VOTE), (), "card.shown", ["resume.day", "death.executed", "card.shown"]),
        (WRONG, TO_THE_SECOND_DAY, VOTE, "vote.open", ["resume.day", "vote.open"]),
        (WRONG, TO_THE_SECOND_DAY[:6], (*TO_THE_SECOND_DAY[6:], *VOTE), "werewolf.wake", ["resume.night", "werewolf.wake"]),
        (SEEN_WRONGLY, (("seer.check", "1"), ("werewolf.kill", "1")), TWO_NIGHTS, "witch.wake", ["undo.night", "night.first"]),
    ],
)
def test_a_roll_call_held_again_loses_nothing_to_a_power_cut(
    tmp_path: Path, wrong: Entries, before: Entries, after: Entries, key: str, goes_on: list[str]
) -> None:
    """Cut off behind any line of its journal, also in the midst of the second roll call, the game goes on where it stood, takes back
    what was shown wrongly, and comes to the same end."""
    when = began(rolled(*wrong, *before, *after) if wrong == WRONG else rolled(*wrong, *before, ("day.vote", "4")), key, -1) + 0.1
    journal = new_journal(tmp_path, ROLLED)
    whole = rolled(*wrong, *before, *RIGHT, *after, interjections=roll_again(when), journal=journal)
    lines = journal.path.read_text("utf-8").splitlines(keepends=True)
    first, last = (number for number, line in enumerate(lines) if '"again"' in line)
    for count in range(first + 1, last + 1):
        path = tmp_path / f"{count}.jsonl"
        path.write_text("".join(lines[:count]), "utf-8")
        resumed, cut = Journal.resume(path)
        table = Table(ROLLED, answers(*RIGHT[len(cut.answers) :], *after), game=cut, journal=resumed)
        table.run()
        resumed.close()
        assert table.game.answers == whole.game.answers, count
        spoken = keys(table)
        assert spoken[spoken.index("roll.close") + 1 :][: len(goes_on)] == goes_on


def test_a_roll_call_is_not_held_again_where_cards_were_dealt() -> None:
    """Where the narrator dealt, it knows every card: the keys say so and change nothing."""
    plain = play()
    again = play(*TWO_NIGHTS, interjections=roll_again(began(plain, "vote.open") + 0.5))
    assert again.game.answers == plain.game.answers
    assert "undo.roll" not in keys(again)
    assert any("法官发的" in value for _, name, value in again.screen.calls if name == "notice")


def test_by_another_rule_the_game_stays_as_far_as_it_can(tmp_path: Path) -> None:
    """A ruling that hangs on a switch is set right by playing it otherwise: what was answered before it stands."""
    plain = play()
    journal = new_journal(tmp_path, SMALL)
    for ask, value in plain.game.answers:
        journal.answer(ask, value)
    changed = Setup.model_validate(SMALL.altered(edition=SMALL.edition.by_rules(captain_elected="first_day")))
    game = plain.game.__class__(changed)
    keep = game.go_on(plain.game.answers)
    assert plain.game.answers[:keep] == game.answers
    assert game.turn.ask is not None
    assert game.turn.ask.id == "captain.elect"
    journal.change(changed, keep, game.question_began)
    journal.close()
    again, resumed = Journal.resume(journal.path)
    assert (resumed.setup, resumed.answers, again.at) == (changed, game.answers, game.question_began)


def test_who_was_shown_a_wrong_card_is_shown_the_right_one() -> None:
    """A seer who looked at the witch while she was registered as a villager learns the truth: that night is played again."""
    game = (("seer.check", "3"), *TWO_NIGHTS[1:5])
    plain = rolled(*WRONG, *game, ("day.vote", "1"))
    when = began(plain, "day.discussion") + 0.5
    corrected = rolled(*WRONG, *game[:3], *RIGHT, *game, ("day.vote", "1"), interjections=roll_again(when))
    cards = [value[1] for _, name, value in corrected.screen.calls if name == "private" and value[0] == "seer"]
    assert cards[:2] == ["3 号的身份：村民", "3 号的身份：女巫"]
    assert "undo.night" in keys(corrected)


def test_the_roll_call_is_held_again_also_from_a_window_that_was_answered() -> None:
    """While a role is awake too, the moment in which it sees a card that cannot be; where it has taken an answer back, with the undo key
    once more: each time the screen has said so before, in silence."""
    plain = rolled(*WRONG, *TWO_NIGHTS)
    for window, name, undos in (("window.seer", "refuse secretly", 1), ("window.werewolf", "notice", 2)):
        when = began(plain, window) + 5.9
        presses: list[tuple[float, Payload]] = [*undo(when, undos), (when + 0.1 * undos, Command("again"))]
        corrected = rolled(*WRONG, *RIGHT, *TWO_NIGHTS[:1], *TWO_NIGHTS, interjections=presses)
        calls = corrected.screen.calls
        (said,) = (at for at, (_, kind, value) in enumerate(calls) if kind == "speaking" and value[0] == "undo.roll")
        (warned,) = (at for at, (_, kind, value) in enumerate(calls) if kind == name and "登记错了" in value)
        assert not [value for _, kind, value in calls[warned:said] if kind == "speaking"]
        assert corrected.game.over


def test_an_answer_taken_back_in_silence_offers_no_roll_call() -> None:
    """Who has taken an answer back, and then wants to hear the line again, hears the line again: the night goes on as it was."""
    plain = rolled(*RIGHT, *TWO_NIGHTS)
    when = began(plain, "window.werewolf") + 5.0
    again = rolled(*RIGHT, ("werewolf.kill", "2"), *TWO_NIGHTS, interjections=roll_again(when))
    assert keys(again) == keys(plain)
    assert again.game.answers == plain.game.answers


SHOWN = "window.seer", 1.5
"""When the seer looks at her card: the check was answered at 1.0."""


@pytest.mark.parametrize(
    ("key", "between"),
    [
        (SHOWN, [Command("why")]),
        (SHOWN, [Typed("5"), Typed("")]),
        (SHOWN, [Entered("")]),                       # she has seen it: an answer that is taken
        (("seer.sleep", -1.0), []),                   # the wolves are called next
        (("vote.nobody", 0.2), [Command("hide"), Command("unhide")]),
    ],
)
def test_a_key_that_has_offered_a_roll_call_does_so_no_longer_once_something_else_has_come(
    key: tuple[str, float], between: list[Payload]
) -> None:
    """Another key, an answer that was taken, the call of the next role: then the key that says it again does only that."""
    plain = rolled(*RIGHT, *TWO_NIGHTS)
    name, later = key
    when = began(plain, name) + later
    pressed: list[tuple[float, Payload]] = [(when + 0.1 * n, payload) for n, payload in enumerate([Command("undo"), *between])]
    until = max(pressed[-1][0] + 0.1, began(plain, "werewolf.wake") + 0.5 if not between else 0.0)
    assert until - when < CONFIRM
    again = rolled(*RIGHT, *TWO_NIGHTS, interjections=[*pressed, (until, Command("again"))])
    assert "undo.roll" not in keys(again)
    assert again.game.answers == plain.game.answers


def test_an_undo_that_was_keyed_once_is_keyed_anew_after_any_other_key() -> None:
    """What stands between the two presses is no confirmation."""
    plain = play()
    when = began(plain, "vote.nobody") + 0.2
    once = play(interjections=[(when, Command("undo")), (when + 0.1, Command("why")), (when + 0.2, Command("undo"))])
    assert once.game.answers == plain.game.answers
    assert not {"undo.day", "undo.night"} & set(keys(once))


def test_what_everyone_reads_of_a_corrected_roll_call_counts_no_secret_answer() -> None:
    """Whether the seer looked at a card or passed, the public part of the screen is the same once the roll call is held again."""
    wrong = (("roll.werewolf", "4"), ("roll.seer", "2"), ("roll.witch", "3"))
    seen = []
    for check in ("1", "0"):
        game = (("seer.check", check), ("werewolf.kill", "1"), ("witch.heal", "1"))
        when = began(rolled(*wrong, *game, ("day.vote", "4")), "day.discussion") + 0.5
        table = rolled(*wrong, *game, *RIGHT, *TWO_NIGHTS, interjections=roll_again(when))
        seen.append([value for _, name, value in table.screen.calls if name == "notice"])
    assert seen[0] == seen[1]
