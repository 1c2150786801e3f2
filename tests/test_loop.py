"""The narration loop at a simulated table: its pacing, its keys, and its two promises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.clip import Clip
from narrator.clock import SimulatedClock
from narrator.hearing import Command, Entered, Payload, Typed
from narrator.hearing.grammar import write
from narrator.journal import Journal
from narrator.rules import Ask, Game, Setup
from narrator.script import Script
from narrator.sound import Silence
from narrator.voice import Pack, Voice
from tests.players import table
from tests.stage import Plan, Table, answers, new_journal

SMALL = table("anniversary", "werewolf", "seer", "witch", "villager", "villager", captain_elected="never")
"""Five seats; a game of two nights is below."""

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


def test_a_game_is_narrated_from_the_first_night_to_the_winner() -> None:
    """The lines come in the order of the rulebook, and the outcome is that of the rules."""
    at_table = play()
    assert at_table.game.outcome is not None
    assert at_table.game.outcome.winner == "village"
    spoken = [key for key in keys(at_table) if not key.startswith(("deal.", "table."))]
    assert spoken == [
        "night.first", "seer.wake", "seer.sleep", "werewolf.wake", "werewolf.sleep", "witch.wake", "witch.sleep",
        "morning", "morning.nobody", "day.discussion", "vote.open", "vote.nobody",
        "night.again", "seer.wake", "seer.sleep", "werewolf.wake", "werewolf.sleep", "witch.wake", "witch.sleep",
        "morning", "morning.dead", "card.shown", "day.discussion", "vote.open", "death.executed", "card.shown", "end.village",
    ]  # fmt: skip


@pytest.mark.parametrize("after", [0.5, 2.0, 4.9])
def test_an_answer_never_shortens_a_window(after: float) -> None:
    """Whenever the answers come inside the windows, every wake lasts what was drawn for it."""
    quick, slow = play(after=0.1), play(after=after)
    for name in ("seer", "werewolf", "witch"):
        assert quick.windows(name) == slow.windows(name)
        assert all(length >= Script("anniversary").pacing.wake[0] for length in quick.windows(name))


def test_a_window_that_runs_over_is_extended_in_fixed_steps() -> None:
    """A role that takes too long gets whole steps more, so that its length says no more than how many they were."""
    pacing = Script("anniversary").pacing
    drawn = play().windows("werewolf")
    slow = play(after=31.0).windows("werewolf")
    for before, extended in zip(drawn, slow, strict=True):
        steps = (extended - before) / pacing.extension
        assert steps >= 1
        assert abs(steps - round(steps)) < 1e-3


def test_the_private_screen_is_wiped_before_eyes_close() -> None:
    """What a role was shown is gone before its sleep line is spoken, and what it was asked has been answered by then."""
    calls = play().screen.calls
    for index, (_, name, value) in enumerate(calls):
        if name == "speaking" and value[0].endswith(".sleep"):
            secret = [position for position, (_, kind, _) in enumerate(calls[:index]) if kind in ("private", "asking secretly")]
            wiped = [position for position, (_, kind, _) in enumerate(calls[:index]) if kind == "wipe"]
            assert not secret or max(wiped) > max(secret)


def test_a_shown_card_stays_long_enough_to_be_seen() -> None:
    """Where nobody says that the card has been seen, it stays for the time that the edition gives, and the night goes on."""

    def plan(ask: Ask) -> list[tuple[float, Entered]]:
        if ask.id == "seer.seen":
            return []   # the seer forgets to press the key
        return scripted(ask)  # type: ignore[return-value]

    scripted: Plan = answers(*TWO_NIGHTS, after=11.0)
    at_table = Table(SMALL, plan)
    at_table.run()
    calls = at_table.screen.calls
    shown = [at for at, name, value in calls if name == "private" and value[0] == "seer"]
    for at in shown:
        wiped = min(when for when, name, _ in calls if name == "wipe" and when > at)
        assert wiped - at >= Script("anniversary").pacing.look


def test_a_refused_secret_answer_is_told_silently() -> None:
    """A wrong key at night gets a reason on the private screen and not a sound; the ask stays open."""

    def plan(ask: Ask) -> list[tuple[float, Entered]]:
        wrong = [(0.2, Entered("99")), (0.4, Entered("x")), (0.6, Entered(""))] if ask.audience in ("seer", "witch") else []
        return [*([] if ask.kind == "wait" else wrong), *scripted(ask)]  # type: ignore[list-item]

    scripted: Plan = answers(*TWO_NIGHTS)
    at_table = Table(SMALL, plan)
    at_table.run()
    assert [name for _, name, _ in at_table.screen.calls].count("refuse secretly") >= 9
    plain = play()
    assert at_table.public_transcript() == plain.public_transcript()
    assert at_table.screen.everyone_sees() == plain.screen.everyone_sees()


def test_keys_pressed_in_nobodys_wake_are_swallowed() -> None:
    """What is typed while nothing is asked shows nowhere and answers nothing."""
    noise = [(at / 2, payload) for at in range(200) for payload in (Typed("7"), Entered("7"))]
    deal = table("newmoon", "werewolf", "villager", "villager", captain_elected="never")
    plan = answers(("werewolf.kill", "2"), ("day.vote", "1"))
    quiet, noisy = Table(deal, plan), Table(deal, answers(("werewolf.kill", "2"), ("day.vote", "1")), interjections=noise[:60])
    quiet.run()
    noisy.run()
    assert quiet.public_transcript() == noisy.public_transcript()


def test_a_decoy_sounds_like_a_wake_and_asks_nothing() -> None:
    """In New Moon cupid and the lovers are called although nobody holds the card; a window passes, and no key answers it."""
    deal = table("newmoon", "werewolf", "villager", "villager", captain_elected="never")
    at_table = Table(deal, answers(("werewolf.kill", "2"), ("day.vote", "1")))
    at_table.run()
    night = keys(at_table)[keys(at_table).index("night.first") :]
    assert night[:6] == ["night.first", "cupid.wake", "cupid.tap", "cupid.sleep", "lovers.wake", "lovers.sleep"]
    low, high = Script("newmoon").pacing.wake_first_night
    assert all(low <= at_table.windows(name)[0] <= high for name in ("cupid", "lovers"))
    assert not any(ask.startswith(("cupid", "lovers")) for ask, _ in at_table.game.answers)


def test_decoys_are_extended_as_often_as_real_wakes() -> None:
    """At a table that runs over, a decoy runs over too."""
    deal = table("newmoon", "werewolf", "seer", "villager", "villager", "villager", captain_elected="never", decoys="absent")
    lengths = []
    for after in (1.0, 40.0):
        at_table = Table(deal, answers(("day.vote", "0"), ("day.vote", "1"), after=after))
        at_table.run()
        lengths.append(at_table.windows("witch")[-1])
    assert lengths[1] - lengths[0] >= Script("newmoon").pacing.extension


def test_an_answer_is_in_the_journal_before_anything_is_said(tmp_path: Path) -> None:
    """Whenever a clip starts or a scene opens, everything that has been answered is already in the file."""

    class Watching(Silence):
        def play(self, clip: Clip) -> float:
            self.look()
            return super().play(clip)

        def scene(self, name: str) -> None:
            self.look()
            super().scene(name)

        def look(self) -> None:
            records = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text("utf-8").splitlines()]
            seen.append((sum("ask" in record for record in records), len(at_table.game.answers)))

    seen: list[tuple[int, int]] = []
    voice = Voice(Pack.load("xiaoyi"), None, None)
    at_table = Table(SMALL, answers(*TWO_NIGHTS), journal=new_journal(tmp_path, SMALL), sound=Watching, voice=voice)
    at_table.run()
    assert len(seen) > 30
    assert all(written == given for written, given in seen)


def cut_and_resumed(path: Path, lines: list[str], whole: Table, setup: Setup) -> Table:
    """The game of the first lines of a journal, resumed and played on with the answers of the whole game."""
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    journal, game = Journal.resume(path)

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        saved, value = whole.game.answers[len(game.answers)]
        assert saved == ask.id
        return [(1.0, Entered(write(ask, value)))]

    resumed = Table(setup, plan, game=game, journal=journal)
    resumed.run()
    journal.close()
    assert Journal.resume(path)[1].answers == resumed.game.answers == whole.game.answers
    return resumed


HUNTED = table("newmoon", "werewolf", "hunter", "cupid", "seer", "villager", "villager", "villager", show_night_dead=False)
HUNTED_GAME = (
    ("cupid.pair", "5+6"), ("seer.check", "1"), ("werewolf.kill", "2"), ("hunter.shoot", "7"), ("captain.elect", "4"), ("day.vote", "0"),
    ("seer.check", "0"), ("werewolf.kill", "4"), ("captain.successor", "3"), ("day.vote", "1"),
)  # fmt: skip


DEATHS = ("morning.dead", "death.shot", "death.grief", "death.executed")


@pytest.mark.parametrize(
    ("setup", "given"),
    [(SMALL, TWO_NIGHTS), (HUNTED, HUNTED_GAME), (HUNTED.model_copy(update={"deal": None}), HUNTED_GAME)],
)
def test_a_game_resumes_where_it_was_cut_off(tmp_path: Path, setup: Setup, given: tuple[tuple[str, str], ...]) -> None:
    """Cut off behind any line of its journal, a game goes on from the wake that was open: nothing of the story is skipped, nothing
    but that wake is told twice, no death is seen before it is told, and the end is the same."""
    roll = (("roll.cupid", "3"), ("roll.werewolf", "1"), ("roll.seer", "4"), ("roll.hunter", "2"))
    whole = Table(setup, answers(*roll, *given), journal=new_journal(tmp_path, setup))
    whole.run()
    story = [key for key in keys(whole) if key != "table.open"]
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    for count in range(2, len(lines)):
        if all("ask" not in json.loads(line) for line in lines[1:count]):
            continue
        resumed = cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, setup)
        first, *rest = keys(resumed)
        assert rest == story[len(story) - len(rest) :], count
        closed = rest[0].endswith(".wake") and not rest[0].startswith("deal.")
        assert first == ("resume.night" if closed else "resume.day")
        told = [(name, value) for _, name, value in resumed.screen.calls if name in ("public", "speaking")]
        views = [(n, len(value.dead)) for n, (name, value) in enumerate(told) if name == "public"]
        died = next(n for n, dead in views if dead > views[0][1])
        assert any(name == "speaking" and value[0] in DEATHS for name, value in told[:died])


def test_a_card_is_not_shown_again_to_who_did_not_come_for_it(tmp_path: Path) -> None:
    """Cut off while a seat looks at its card, the deal goes on with that seat, and no card is on the screen before it has come."""
    whole = Table(SMALL, answers(*TWO_NIGHTS), journal=new_journal(tmp_path, SMALL))
    whole.run()
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    for count in [n for n, line in enumerate(lines, start=1) if '"deal.' in line][:-1]:   # the last one is the end of the deal
        calls = cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, SMALL).screen.calls
        shown = next(n for n, (_, name, _) in enumerate(calls) if name == "private")
        assert any(name == "asking secretly" and "到了屏幕前" in value for _, name, value in calls[:shown])


def test_a_silent_undo_stays_silent_after_a_cut(tmp_path: Path) -> None:
    """A wake in which something was taken back is resumed like any other."""
    plain = play()
    when = at(plain, "window.witch") + 1.5
    given = (("seer.check", "1"), ("werewolf.kill", "4"), ("witch.heal", "0"), ("witch.heal", "1"), *TWO_NIGHTS[3:])
    whole = Table(SMALL, answers(*given), interjections=[(when, Command("undo"))], journal=new_journal(tmp_path, SMALL))
    whole.run()
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    undone = next(n for n, line in enumerate(lines, start=1) if '"undo"' in line)
    for count in (undone, undone + 1):
        assert keys(cut_and_resumed(tmp_path / f"{count}.jsonl", lines[:count], whole, SMALL))[:2] == ["resume.night", "witch.wake"]


def test_what_was_shown_is_shown_again_after_a_power_cut() -> None:
    """A seer who answered but had not seen the card when the power went sees it after the game is resumed."""
    game = Game(SMALL)
    while game.turn.ask and game.turn.ask.id != "seer.check":
        game.answer(game.turn.ask.id, True)
    game.answer("seer.check", 1)
    resumed = Table(SMALL, answers(*TWO_NIGHTS[1:]), game=game)
    resumed.run()
    assert keys(resumed)[:2] == ["resume.night", "seer.wake"]
    assert next(value for _, name, value in resumed.screen.calls if name == "private")[0] == "seer"


def undo(when: float, times: int = 2) -> list[tuple[float, Payload]]:
    """The undo key, pressed twice: what everyone will hear of wants to be confirmed."""
    return [(when + 0.1 * n, Command("undo")) for n in range(times)]


def at(plain: Table, key: str, nth: int = 0) -> float:
    """When a line began in a game that nobody interrupted."""
    return [record["time"] for record in plain.transcript if record["key"] == key][nth]


def test_undo_inside_a_wake_is_silent() -> None:
    """The witch takes her antidote back: she is asked again at once, and nobody hears anything of it."""
    plain = play()
    when = at(plain, "window.witch") + 1.5    # the heal was answered at 1.0, the poison will be at 2.0
    undone = play(
        ("seer.check", "1"), ("werewolf.kill", "4"), ("witch.heal", "0"), ("witch.heal", "1"), *TWO_NIGHTS[3:],
        interjections=[(when, Command("undo"))],
    )  # fmt: skip
    assert undone.game.answers == plain.game.answers
    assert undone.public_transcript() == plain.public_transcript()


def test_a_roles_last_answer_is_taken_back_silently_while_its_window_is_open() -> None:
    """Until their eyes close, the wolves may take their choice back, and nobody hears anything of it."""
    plain = play()
    when = at(plain, "window.werewolf") + 5.0
    undone = play(("werewolf.kill", "2"), *TWO_NIGHTS, interjections=[(when, Command("undo"))])
    assert undone.game.answers == plain.game.answers
    assert undone.public_transcript() == plain.public_transcript()


def test_what_was_shown_cannot_be_taken_back_in_silence() -> None:
    """A seer who has seen one card cannot take the answer back to see another: the key tells so, and the night is as it was."""
    plain = play()
    when = at(plain, "window.seer") + 1.5   # the check was answered at 1.0, and its card is on the screen
    again = play(interjections=undo(when, times=1))
    assert again.game.answers == plain.game.answers
    assert any(name == "refuse secretly" and "不能再改" in str(value) for _, name, value in again.screen.calls)
    assert again.public_transcript() == plain.public_transcript()


def test_an_undo_that_everyone_hears_of_wants_the_key_twice() -> None:
    """Pressed once, or twice with a long time between, nothing is taken back, and the screen says what a second press would do."""
    plain = play()
    when = at(plain, "vote.nobody") + 0.2
    for presses in ([when], [when, when + 8.0]):
        once = play(interjections=[(press, Command("undo")) for press in presses])
        assert once.public_transcript() == plain.public_transcript()
        notices = [value for _, name, value in once.screen.calls if name == "notice"]
        assert len(notices) == 2 * len(presses)   # it is said, and taken away again
        assert "再按一次" in notices[0]


def test_undo_by_day_is_announced_and_asks_again() -> None:
    """A vote keyed wrong is taken back aloud, and the village votes again."""
    plain = play()
    when = at(plain, "vote.nobody") + 0.2
    undone = play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when))
    assert undone.game.answers == plain.game.answers
    spoken = keys(undone)
    assert spoken[spoken.index("undo.day") :][:3] == ["undo.day", "vote.open", "vote.nobody"]


def test_undo_into_the_night_starts_the_night_again() -> None:
    """From the morning back into a wake there is no way but the whole night, for everyone; the screen takes the dead back."""
    plain = play()
    when = at(plain, "card.shown") + 0.1
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
    when = at(play(), key, 1) + 0.1
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
    when = at(play(), "night.again") + 0.1
    spoken = keys(play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when)))
    assert spoken[spoken.index("undo.day") :][:3] == ["undo.day", "vote.open", "vote.nobody"]


def test_undo_at_the_deal_lets_the_last_seat_look_again() -> None:
    """At the deal eyes are open: the seat before comes to the screen again, and nobody is told to close them."""
    when = at(play(), "deal.wake", 2) + 0.1
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
    when = at(plain, "vote.nobody") + 0.2
    journal = new_journal(tmp_path, SMALL)
    undone = play(*TWO_NIGHTS[:5], ("day.vote", "0"), *TWO_NIGHTS[5:], interjections=undo(when), journal=journal)
    journal.close()
    assert any("undo" in json.loads(line) for line in (tmp_path / "game.jsonl").read_text("utf-8").splitlines())
    assert Journal.resume(tmp_path / "game.jsonl")[1].answers == undone.game.answers


def test_undo_at_the_very_beginning_changes_nothing() -> None:
    """Where nothing has been answered there is nothing to take back."""
    undone = play(*TWO_NIGHTS, interjections=undo(0.1))
    assert undone.game.answers == play().game.answers


class Mouth(Silence):
    """A loudspeaker that keeps when each clip began and was cut off, in order."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(clock)
        self._time = clock
        self.calls: list[tuple[float, int]] = []

    def play(self, clip: Clip) -> float:
        self.calls.append((self._time.now(), len(clip)))
        return super().play(clip)

    def hush(self) -> None:
        self.calls.append((self._time.now(), 0))
        super().hush()


def aloud(*given: tuple[str, str], **options: object) -> tuple[Table, Mouth]:
    """A game with the shipped voice."""
    mouths: list[Mouth] = []

    def mouth(clock: SimulatedClock) -> Mouth:
        mouths.append(Mouth(clock))
        return mouths[0]

    return play(*given, voice=Voice(Pack.load("xiaoyi"), None, None), sound=mouth, **options), mouths[0]


def lengths(text: str) -> list[int]:
    clips = [Pack.load("xiaoyi").clip(sentence) for sentence in text.replace("。", "。|").strip("|").split("|")]
    return [len(clip) for clip in clips if clip is not None]


def test_say_again_cuts_a_line_off_and_speaks_it_from_its_start() -> None:
    """Asked for while a line is spoken, it begins again and is heard whole."""
    plain, _ = aloud()
    when = at(plain, "night.first") + 1.0
    again, mouth = aloud(interjections=[(when, Command("again"))])
    first, second = lengths("幽暗森林进入夜晚，整个村庄都进入梦乡。所有的村民请闭上眼睛。")
    calls = [length for at_time, length in mouth.calls if at_time >= when - 1.1]
    assert calls[:4] == [first, 0, first, second]
    assert again.game.answers == plain.game.answers


def test_say_again_repeats_the_line_while_an_ask_is_open() -> None:
    """Asked for while an answer is waited for, the last line is heard once more, and the ask stays open."""
    slow = aloud(after=30.0)[0]
    when = at(slow, "vote.open") + 15.0
    again, mouth = aloud(after=30.0, interjections=[(when, Command("again"))])
    clips = lengths("现在投票。请一起指出最可疑的人，把结果按进键盘。")
    assert [length for at_time, length in mouth.calls if at_time == when] == [0, *clips]
    assert again.public_transcript() == slow.public_transcript()


def test_pause_stops_the_tables_time() -> None:
    """Paused for a minute, a window lasts a minute longer on the clock and nothing is said meanwhile."""
    plain = play()
    began = at(plain, "window.seer")
    paused = play(*TWO_NIGHTS, interjections=[(began + 2.0, Command("pause")), (began + 62.0, Command("pause"))])
    assert paused.windows("seer")[0] == pytest.approx(plain.windows("seer")[0] + 60.0, abs=1e-3)
    assert [r["duration"] for r in paused.transcript][-1] == plain.transcript[-1]["duration"]
    assert paused.game.answers == plain.game.answers


def test_keys_pressed_in_a_pause_are_not_lost() -> None:
    """What is entered in a pause answers when the game goes on; what is typed is shown; undo ends the pause."""
    slow = play(after=30.0)
    when = at(slow, "vote.open") + 15.0
    keyed = [(when, Command("pause")), (when + 1, Typed("5")), (when + 2, Entered("5")), (when + 60, Command("pause"))]
    paused = play(*TWO_NIGHTS, after=30.0, interjections=keyed)  # type: ignore[arg-type]
    assert ("day.vote", 5) in paused.game.answers
    assert (round(when + 1, 6), "typed", "5") in paused.screen.calls
    undone = play(*TWO_NIGHTS, after=30.0, interjections=[(when, Command("pause")), *undo(when + 5)])
    assert "undo.day" in keys(undone)


def test_quitting_leaves_a_game_to_resume() -> None:
    """Asked to stop, the narrator stops at once and says that there is no outcome."""
    stopped = Table(SMALL, answers(*TWO_NIGHTS), interjections=[(30.0, Command("quit"))])
    assert stopped.run() is None
    assert stopped.clock.now() == 30.0
