"""The narration loop at a simulated table: its pacing, its keys, and its two promises."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from narrator.clip import Clip
from narrator.clock import SimulatedClock
from narrator.hearing import Command, Entered, Louder, Payload, Spoken, Typed
from narrator.rules import Ask, Setup
from narrator.script import Script
from narrator.sound import Part, Silence, levels
from narrator.voice import Pack, Voice
from tests.players import table
from tests.small import SMALL, TWO_NIGHTS, began, keys, play, undo
from tests.stage import Plan, Table, answers, new_journal


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
        "morning", "morning.dead", "card.shown", "death.silence",
        "day.discussion", "vote.open", "death.executed", "card.shown", "end.village", "recap.offer",
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


def test_whatever_is_keyed_in_a_wake_makes_no_sound() -> None:
    """Typing, a refusal, a confirmation, an answer taken back and a hidden screen: not a clip, not a knock, not a scene more or less,
    and each at its time; nor anything on the public screen."""

    class Listening(Silence):
        def __init__(self, clock: SimulatedClock) -> None:
            super().__init__(clock)
            self.clock = clock
            self.heard: list[tuple[float, str, object]] = []

        def play(self, clip: Clip) -> float:
            self.heard.append((self.clock.now(), "clip", len(clip)))
            return super().play(clip)

        def scene(self, name: str) -> None:
            self.heard.append((self.clock.now(), "scene", name))

        def effect(self, name: str) -> None:
            self.heard.append((self.clock.now(), "effect", name))

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        if ask.audience == "everyone" or ask.kind == "wait":
            return scripted(ask)  # type: ignore[return-value]
        fumbled: list[tuple[float, Payload]] = [(0.1, Typed("9")), (0.2, Command("hide")), (0.3, Command("unhide")), (0.4, Entered("99"))]
        if ask.id == "werewolf.kill" and ask.id not in taken_back:
            taken_back.add(ask.id)
            return [*fumbled, (0.5, Entered("3")), (0.6, Command("undo"))]
        return [*fumbled, *scripted(ask)]  # type: ignore[list-item]

    def played(plan: Plan) -> tuple[Table, list[tuple[float, str, object]]]:
        voice = Voice(Pack.load("xiaoyi"), None, None)
        at_table = Table(SMALL, plan, voice=voice, sound=Listening)
        at_table.run()
        assert isinstance(at_table.sound, Listening)
        return at_table, at_table.sound.heard

    scripted: Plan = answers(*TWO_NIGHTS)
    taken_back: set[str] = set()
    (fumbled, noise), (plain, sounds) = played(plan), played(answers(*TWO_NIGHTS))
    assert taken_back
    told = fumbled.screen.calls
    assert sum(name == "refuse secretly" for _, name, _ in told) > 5
    assert sum(name == "hide" and value for _, name, value in told) > 5
    assert {kind for _, kind, _ in sounds} == {"clip", "scene", "effect"}
    assert noise == sounds
    assert fumbled.screen.everyone_sees() == plain.screen.everyone_sees()


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
    called = ["thief.wake", "thief.sleep", "cupid.wake", "cupid.tap", "cupid.sleep", "lovers.wake", "lovers.sleep"]
    assert night[:8] == ["night.first", *called]
    pacing = Script("newmoon").pacing
    low, high = pacing.wake_first_night
    for name in ("thief", "cupid", "lovers"):
        assert low <= at_table.windows(name)[0] - pacing.longer.get(name, 0.0) <= high
    assert not any(ask.startswith(("thief", "cupid", "lovers")) for ask, _ in at_table.game.answers)


def test_decoys_are_extended_as_often_as_real_wakes() -> None:
    """At a table that runs over, a decoy runs over too."""
    deal = table("newmoon", "werewolf", "seer", "villager", "villager", "villager", captain_elected="never", decoys="absent")
    lengths = []
    for after in (1.0, 40.0):
        at_table = Table(deal, answers(("day.vote", "0"), ("day.vote", "1"), after=after))
        at_table.run()
        lengths.append(at_table.windows("witch")[-1])
    assert lengths[1] - lengths[0] >= Script("newmoon").pacing.extension


def test_who_is_only_shown_something_runs_over_as_often_as_a_decoy() -> None:
    """Where nobody is asked anything nobody can be late; at a table that runs over, such a wake lasts as long as others all the same."""
    deal = table("newmoon", "cupid", "werewolf", "villager", "villager", "villager", captain_elected="never")

    def lovers(after: float) -> float:
        late = answers(("cupid.pair", "3+4"), ("werewolf.kill", "5"), ("day.vote", "2"), after=after)
        at_table = Table(deal, lambda ask: [(1.0, Entered(""))] if ask.id == "lovers.seen" else late(ask))
        at_table.run()
        return at_table.windows("lovers")[0]

    steps = (lovers(after=40.0) - lovers(after=1.0)) / Script("newmoon").pacing.extension
    assert steps >= 1
    assert abs(steps - round(steps)) < 1e-3


def test_an_answer_is_late_at_the_same_time_whatever_was_drawn() -> None:
    """A short window runs over no sooner than a long one, or the length of those that do not would tell them from decoys."""
    pacing = Script("anniversary").pacing
    on_time = pacing.wake[0] - pacing.look - 0.1

    def longest(after: float, seed: int) -> float:
        given = answers(*TWO_NIGHTS)
        at_table = Table(SMALL, lambda ask: [(after if ask.id == "seer.check" else 1.0, entry) for _, entry in given(ask)], seed=seed)
        at_table.run()
        return at_table.windows("seer")[-1]

    for seed in range(10):
        assert longest(on_time, seed) <= pacing.wake[1]
        assert longest(on_time + 0.2, seed) >= pacing.wake[0] + pacing.extension


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


class Mouth(Silence):
    """A loudspeaker that keeps when each clip began and was cut off, in order; it is lost from one time to another."""

    def __init__(self, clock: SimulatedClock, lost: float, found: float) -> None:
        super().__init__(clock)
        self._time, self._lost, self._found = clock, lost, found
        self.calls: list[tuple[float, int]] = []

    @property
    def trouble(self) -> str | None:
        return "lost" if self._lost <= self._time.now() < self._found else None

    def play(self, clip: Clip) -> float:
        self.calls.append((self._time.now(), len(clip)))
        return super().play(clip)

    def hush(self) -> float:
        self.calls.append((self._time.now(), 0))
        return super().hush()


def aloud(*given: tuple[str, str], lost: tuple[float, float] = (0.0, 0.0), **options: object) -> tuple[Table, Mouth]:
    """A game with the shipped voice, whose loudspeaker is `lost` from one time to another."""
    mouths: list[Mouth] = []

    def mouth(clock: SimulatedClock) -> Mouth:
        mouths.append(Mouth(clock, *lost))
        return mouths[0]

    return play(*given, voice=Voice(Pack.load("xiaoyi"), None, None), sound=mouth, **options), mouths[0]


def lengths(text: str) -> list[int]:
    clips = [Pack.load("xiaoyi").clip(sentence) for sentence in text.replace("。", "。|").strip("|").split("|")]
    return [len(clip) for clip in clips if clip is not None]


def test_say_again_cuts_a_line_off_and_speaks_it_from_its_start() -> None:
    """Asked for while a line is spoken, it begins again and is heard whole."""
    plain, _ = aloud()
    when = began(plain, "night.first") + 1.0
    again, mouth = aloud(interjections=[(when, Command("again"))])
    first, second = lengths("幽暗森林进入夜晚，整个村庄都进入梦乡。所有的村民请闭上眼睛。")
    calls = [length for at_time, length in mouth.calls if at_time >= when - 1.1]
    assert calls[:4] == [first, 0, first, second]
    assert again.game.answers == plain.game.answers


def test_say_again_repeats_the_line_while_an_ask_is_open() -> None:
    """Asked for while an answer is waited for, the last line is heard once more, and the ask stays open."""
    slow = aloud(after=30.0)[0]
    when = began(slow, "vote.open") + 15.0
    again, mouth = aloud(after=30.0, interjections=[(when, Command("again"))])
    clips = lengths("现在投票。请一起指出最可疑的人，把结果按进键盘。")
    assert [length for at_time, length in mouth.calls if at_time == when] == [0, *clips]
    assert again.public_transcript() == slow.public_transcript()


def test_pause_stops_the_tables_time() -> None:
    """Paused for a minute, a window lasts a minute longer on the clock and nothing is said meanwhile."""
    plain = play()
    opened = began(plain, "window.seer")
    paused = play(*TWO_NIGHTS, interjections=[(opened + 2.0, Command("pause")), (opened + 62.0, Command("pause"))])
    assert paused.windows("seer")[0] == pytest.approx(plain.windows("seer")[0] + 60.0, abs=1e-3)
    assert [r["duration"] for r in paused.transcript][-1] == plain.transcript[-1]["duration"]
    assert paused.game.answers == plain.game.answers


def test_in_a_pause_nothing_is_answered() -> None:
    """What would answer a question comes to nothing while the game is paused; undo ends the pause."""
    slow = play(after=30.0)
    when = began(slow, "vote.open") + 15.0
    keyed = [(when, Command("pause")), (when + 2, Entered("5")), (when + 60, Command("pause"))]
    paused = play(*TWO_NIGHTS, after=30.0, interjections=keyed)  # type: ignore[arg-type]
    assert paused.game.answers == slow.game.answers
    undone = play(*TWO_NIGHTS, after=30.0, interjections=[(when, Command("pause")), *undo(when + 5)])
    assert "undo.day" in keys(undone)


def test_in_a_pause_the_table_sets_how_loud_it_is() -> None:
    """Each part of the sound becomes louder or softer by itself, within its limits; the screen says how loud, and the game goes on."""
    asked: list[tuple[str, float]] = []

    class Heard(Silence):
        def level(self, part: Part, decibels: float) -> None:
            asked.append((part, decibels))

    keyed = [Louder("voice", 1), Louder("voice", 1), Louder("voice", 1), Louder("ambience", -1), *[Louder("effects", -1)] * 12]
    pause = [(20.0, Command("pause")), *((21.0 + at, key) for at, key in enumerate(keyed)), (60.0, Command("pause"))]
    at_table = play(*TWO_NIGHTS, interjections=pause, sound=Heard)  # type: ignore[arg-type]
    assert asked[:4] == [("voice", 3.0), ("voice", 6.0), ("voice", 6.0), ("ambience", -3.0)]
    assert asked[-1] == ("effects", levels.OFF)
    told = [value for _, name, value in at_table.screen.calls if name == "notice"]
    assert any("人声 +6" in text and "环境声 -3" in text and "木声 关" in text for text in told)
    assert told[-1] == ""
    assert at_table.game.answers == play().game.answers


def test_a_game_waits_for_a_lost_loudspeaker() -> None:
    """The table's time stands still until it is found again; then the line that was cut is spoken once more, and nothing is lost."""
    plain = aloud()[0]
    lost = began(plain, "vote.open") + 2.0
    waited = aloud(lost=(lost, lost + 40.0))[0]
    told = [(at, value) for at, name, value in waited.screen.calls if name == "notice"]
    noticed = next(at for at, value in told if "扬声器" in value)
    assert lost <= noticed <= lost + 1.0
    assert told[-1][1] == ""
    assert waited.game.answers == plain.game.answers
    record = next(r for r in waited.transcript if r["key"] == "vote.open")
    usual = next(r for r in plain.transcript if r["key"] == "vote.open")
    assert 40.0 <= record["time"] - usual["time"] <= 44.0   # when it began once more
    assert record["duration"] == pytest.approx(usual["duration"])
    assert waited.windows("seer") == plain.windows("seer")


def test_what_may_not_have_been_heard_is_spoken_again() -> None:
    """A loss that is noticed once the line is over has the line spoken again over the time that passes; one long after it has not."""
    slow = aloud(after=30.0)[0]
    ended = began(slow, "vote.open") + next(r["duration"] for r in slow.transcript if r["key"] == "vote.open")
    clips = lengths("现在投票。请一起指出最可疑的人，把结果按进键盘。")
    for lost, again in ((ended + 1.0, clips), (ended + 15.0, [])):
        waited, mouth = aloud(after=30.0, lost=(lost, lost + 5.0))
        assert [length for at, length in mouth.calls if lost <= at < lost + 10.0 and length] == again
        assert waited.game.answers == slow.game.answers


def test_a_game_gives_signs_of_life_whatever_the_table_does() -> None:
    """In play, in windows, in a pause of a minute and while the loudspeaker is lost for another, never two seconds go by without one: only
    a game that hangs gives none."""
    plain = aloud(after=30.0)[0]
    vote = began(plain, "vote.open")
    paused = [(vote + 5.0, Command("pause")), (vote + 65.0, Command("pause"))]
    for at_table in (plain, aloud(after=30.0, interjections=paused)[0], aloud(after=30.0, lost=(vote + 2.0, vote + 62.0))[0]):
        beats = [0.0, *at_table.beats, at_table.clock.now()]
        assert max(later - earlier for earlier, later in pairwise(beats)) < 2.0
        assert len(beats) < 4 * at_table.clock.now(), "nor is it busy with them"


def test_a_loudspeaker_lost_in_a_pause() -> None:
    """Paused already, the table does not wait twice: its time has stood still once, and goes on when both are over."""
    plain = aloud(after=30.0)[0]
    when = began(plain, "vote.open") + 15.0
    pause = [(when, Command("pause")), (when + 20.0, Command("pause"))]
    for found, waited_for in ((when + 10.0, 20.0), (when + 50.0, 50.0)):
        both = aloud(after=30.0, lost=(when + 5.0, found), interjections=pause)[0]
        assert both.game.answers == plain.game.answers
        assert both.clock.now() == pytest.approx(plain.clock.now() + waited_for, abs=1.0)
        assert [value for _, name, value in both.screen.calls if name == "notice"][-1] == ""


def test_undo_ends_the_waiting() -> None:
    """While the game waits for its loudspeaker an answer can be taken back; then it waits again."""
    slow = aloud(after=30.0)[0]
    when = began(slow, "vote.open") + 15.0
    undone = aloud(after=30.0, lost=(when, when + 60.0), interjections=undo(when + 5))[0]
    assert "undo.day" in keys(undone)
    assert undone.game.outcome


def test_a_table_may_go_on_without_its_loudspeaker() -> None:
    """Whoever does not want to wait presses pause: the game goes on as text, and is heard again when the loudspeaker is found."""
    plain = aloud()[0]
    lost = began(plain, "vote.open") + 2.0
    went_on = aloud(lost=(lost, lost + 600.0), interjections=[(lost + 10.0, Command("pause"))])[0]
    assert went_on.game.answers == plain.game.answers
    assert went_on.clock.now() == pytest.approx(plain.clock.now() + 10.0, abs=1.0)


def test_no_word_does_without_a_loudspeaker() -> None:
    """Somebody who says 继续 while the game waits, or 暂停, has switched no sound off: the game waits on."""
    plain = aloud()[0]
    lost = began(plain, "vote.open") + 2.0
    word = Spoken((Command("pause"),), "继续")
    waited = aloud(lost=(lost, lost + 40.0), interjections=[(lost + 10.0, word), (lost + 20.0, word)])[0]
    assert waited.clock.now() == pytest.approx(plain.clock.now() + 42.0, abs=2.0)
    assert waited.game.answers == plain.game.answers


def test_quitting_leaves_a_game_to_resume() -> None:
    """Asked to stop, the narrator stops at once and says that there is no outcome."""
    stopped = Table(SMALL, answers(*TWO_NIGHTS), interjections=[(30.0, Command("quit"))])
    assert stopped.run() is None
    assert stopped.clock.now() == 30.0


def test_a_card_that_was_left_over_is_called_like_any_other() -> None:
    """In the roll call the thief keys the two cards in; whose card is on the table is called all the same, there and at night, for a
    window in which nobody is asked anything."""
    edition = Script("anniversary").edition.by_rules(captain_elected="never")
    setup = Setup(edition=edition, seats=4, deck=("thief", "werewolf", "villager", "villager", "seer", "villager"))
    asked: list[str] = []
    given = answers(
        ("roll.thief", "1"), ("roll.spare", "2"), ("roll.spare", "3"), ("roll.werewolf", "2"), ("thief.swap", "0"),
        ("werewolf.kill", "3"), ("werewolf.kill", "4"), ("werewolf.kill", "1"),
    )  # fmt: skip

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        asked.append(ask.id)
        return [*given(ask)]

    at_table = Table(setup, plan)
    at_table.run()
    spoken = [line for line in at_table.screen.heard() if line[0] in ("roll.wake", "roll.wake_all", "seer.wake")]
    assert [text[:3] for _, text in spoken] == ["盗贼，", "狼人，", "女先知", "女先知", "女先知", "女先知"]
    assert "roll.seer" not in asked
    assert "seer.check" not in asked
    assert len(at_table.windows("roll.seer")) == 1
    shown = [value for _, name, value in at_table.screen.calls if name == "private"]
    assert shown[:3] == [
        ("thief", "1 狼人　2 女先知　3 村民"), ("thief", "第一张：女先知。再按另一张"), ("thief", "桌上的两张：1 女先知　2 村民"),
    ]  # fmt: skip


def test_a_wolf_who_shows_himself_ends_the_day() -> None:
    """By day a wolf's seat may be keyed in the place of Enter; of anyone else it is told that he is none, and the day goes on."""
    deal = ("werewolf", "werewolf", "seer", "villager", "villager", "villager")
    setup = table("sides", *deal, wolves_may_show_themselves=True, captain_elected="never")
    at_table = Table(setup, answers(("day.discussion", "4"), ("day.discussion", "1"), ("werewolf.kill", "0"), ("day.vote", "2")))
    at_table.run()
    spoken = keys(at_table)
    day = spoken[spoken.index("day.discussion") :]
    assert day[:4] == ["day.discussion", "day.no_wolf", "death.showed_himself", "card.shown"]
    assert day[4:6] == ["death.silence", "night.again"]
    assert [seat for ask, seat in at_table.game.answers if ask == "day.discussion"] == [4, 1, True]
