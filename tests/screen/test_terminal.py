"""The screen in a terminal, read back through an emulated one."""

from __future__ import annotations

import io
import itertools
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace

import pytest

from narrator.interface import Interface, about
from narrator.rules import CardShown, Died, Phase, Returned, Setup, Voted, say
from narrator.screen import Screen as Contract
from narrator.screen import View
from narrator.screen.paper import Paper
from narrator.screen.terminal import Terminal
from narrator.script import Script
from tests.terminal import Screen, Session

INTERFACE = Interface.load()
SCRIPT = Script("newmoon")
DAY = View(
    seats=8, phase=Phase("day", 2), dead=(5, 3), cards={3: "witch"}, captain=7,
    vote=Voted((3, 3, 0, 2, 0, 3, 0, 0), (3,), ((2, 1), (3, 3))), winner=None,
)  # fmt: skip
NIGHT = View(seats=8, phase=Phase("night", 1), dead=(), cards={}, captain=0, vote=None, winner=None)
SECRET = "三号：狼人"
QUESTION = "查验几号？"
REFUSAL = "九号现在不能选"


class Glass:
    """A terminal screen and what can be seen on it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, columns: int = 80, lines: int = 24, script: Script = SCRIPT) -> None:
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        self._stream = io.StringIO()
        self._seen = Screen(columns, lines)
        self.terminal = Terminal(INTERFACE, script, self._stream)

    @property
    def seen(self) -> Screen:
        self._seen.feed(self._stream.getvalue())
        self._stream.seek(0)
        self._stream.truncate()
        return self._seen

    def row(self, text: str) -> int:
        """The row in which this can be read."""
        (row,) = (number for number, row in enumerate(self.seen.rows) if text in row)
        return row

    def panel(self) -> range:
        """The rows of the private panel."""
        first, last = (number for number, row in enumerate(self.seen.rows) if row.startswith("===="))
        return range(first, last + 1)


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> Iterator[Glass]:
    glass = Glass(monkeypatch)
    yield glass
    glass.terminal.close()


def ask_in_secret(screen: Contract) -> None:
    """All that is private at once."""
    screen.private("seer", SECRET, ("3", "狼人"))
    screen.asking(QUESTION, secret=True)
    screen.typed("9")
    screen.refuse(REFUSAL)
    screen.typed("12")


def test_everyone_sees_what_is_public(glass: Glass) -> None:
    """The edition, the phase, who lives, who is dead with the card shown, the captain, the vote, and the keys are on the screen."""
    glass.terminal.public(DAY)
    glass.terminal.speaking("vote.open", "现在投票。")
    glass.terminal.notice("已保存")
    text = glass.seen.text
    table = ("1  2  4  6  7  8", "5  3 女巫", "村长  7", "投票处决  3：3 票（1、2、6）   2：1 票（4）")
    for wanted in ("新月版", "第2天", *table, "现在投票。", "已保存", "Enter 确定"):
        assert wanted in text


@pytest.mark.parametrize("columns", [40, 64, 80])
def test_a_seat_stands_with_its_name_and_card(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """On one line, also where all have shown one, as in the small double role, and the seats need several."""
    glass = Glass(monkeypatch, columns, 30)
    names = tuple(f"小{letter}" for letter in "甲乙丙丁戊己庚辛壬")
    cards = ("seer", "witch", "hunter", "cupid", "guard", "elder", "scapegoat", "villager", "villager")
    glass.terminal.public(View(9, Phase("day", 1), (8, 9), dict(enumerate(cards, start=1)), 0, None, None, names))
    for seat, card in enumerate(cards, start=1):
        glass.row(f"{seat} {names[seat - 1]} {SCRIPT.word('role', card)}")
    glass.terminal.close()


def test_a_vote_without_ballots_shows_none(glass: Glass) -> None:
    """Where the table named only the outcome, there are no ballots to show."""
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 0, Voted((), (4,)), None))
    assert "投票" not in glass.seen.text


def test_the_captains_ballot_is_marked(glass: Glass) -> None:
    """The captain's ballot may weigh more than another, so it is seen which one it is; what all of them weigh is told."""
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 4, Voted((2, 2, 5, 5, 0, 0, 0, 0), (5,), ((2, 2), (5, 2.5)), 5), None))
    assert "5：2.5 票（3、村长4）   2：2 票（1、2）" in glass.seen.text


def test_an_election_is_told_from_an_execution(glass: Glass) -> None:
    """Its ballots are named for what they are, and marked as nobody's, for nobody was captain; where hands were counted, how many."""
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 4, Voted((2, 4, 4, 4, 0, 0, 0, 0), (4,), ((2, 1), (4, 3)), election=True), None))
    assert "投票选村长  4：3 票（2、3、4）   2：1 票（1）" in glass.seen.text
    assert "投票处决" not in glass.seen.text
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 4, Voted((), (5,), ((2, 1), (5, 3.5))), None))
    assert "投票处决  5：3.5 票   2：1 票" in glass.seen.text


def test_who_stands_is_seen_until_somebody_is_elected(glass: Glass) -> None:
    """The candidates have a row of their own while the election goes on."""
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 0, None, None, standing=(2, 7)))
    assert "参选  2  7" in glass.seen.text
    glass.terminal.public(DAY)
    assert "参选" not in glass.seen.text


def test_who_had_two_cards_is_seen_with_both() -> None:
    """The card that was shown last alone would make a dead wolf an elder. What an idiot has shown alive does not count."""
    setup = Setup(edition=SCRIPT.edition, seats=5, deck=("werewolf", "villager", "villager", "villager", "idiot"))
    events = (CardShown(5, "idiot"), Died(2), CardShown(2, "werewolf"), CardShown(2, "elder"), Died(5), CardShown(5, "idiot"))
    view = View.of(setup, events)
    assert (view.first, view.cards) == ({2: "werewolf"}, {2: "elder", 5: "idiot"})
    assert not View.of(setup, (*events, Returned(2))).first


def test_nothing_in_force_goes_for_a_blank_row(glass: Glass) -> None:
    """At night the public rows are few."""
    names = tuple(f"老{name}家" for name in "甲乙丙丁戊己庚辛壬癸子丑")
    glass.terminal.public(View(12, Phase("night", 2), (5, 3), {5: "witch"}, 7, None, None, names, in_force=("woodland_gathering",)))
    glass.terminal.speaking("witch.wake", "女巫睁眼")
    effect = about("woodland_gathering", SCRIPT).effect
    assert effect[-2:] in glass.seen.text.partition("====")[0].replace("\n", "")


def test_what_is_in_force_is_seen_with_what_it_does(glass: Glass) -> None:
    """Each event card by its name, with one sentence, in the words of the edition."""
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 0, None, None, in_force=("burial", "eclipse")))
    for name in ("burial", "eclipse"):
        event = about(name, SCRIPT)
        assert f"事件  {event.name}：{event.effect}"[:20] in glass.seen.text
    glass.terminal.public(DAY)
    assert "事件" not in glass.seen.text


def test_the_office_is_called_as_the_edition_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an edition has another word for its captain, that is what everyone reads."""
    glass = Glass(monkeypatch, script=Script("sides"))
    glass.terminal.public(View(8, Phase("day", 1), (), {}, 4, Voted((4,) * 8, (4,), ((4, 8),), election=True), None))
    assert "警长  4" in glass.seen.text
    assert "投票选警长" in glass.seen.text
    glass.terminal.close()


@pytest.mark.parametrize(
    ("columns", "lines", "keys"),
    [
        (32, 10, ["Enter 确定　0 过　- 撤销　/ 暂停"]),
        (40, 12, ["Enter 确定　0 过　- 撤销　/ 暂停", "* 再说一遍　+ 隔开号码　+ + 遮住屏幕"]),
        (80, 24, ["Enter 确定　0 过　- 撤销　/ 暂停　* 再说一遍　+ 隔开号码　+ + 遮住屏幕　. 为什么"]),
    ],
)
def test_a_small_screen_has_the_most_important_keys(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, keys: list[str]) -> None:
    """No key is torn from what it does; those that there is no room for are left out, from the last on."""
    glass = Glass(monkeypatch, columns, lines)
    glass.terminal.public(NIGHT)
    assert glass.seen.rows[-len(keys) :] == keys
    glass.terminal.close()


def test_where_everyone_looks_nobody_is_called_what_he_is(glass: Glass) -> None:
    """Who looks at the screen in his turn finds the same words over what he is shown, chosen or not."""
    glass.terminal.public(NIGHT)
    for text in ("没有选中你", "相爱的是：1、2 号"):
        glass.terminal.private("look", text)
        assert "轮到你看" in glass.seen.text
        assert "情侣" not in glass.seen.text


def test_the_winner_is_shown(glass: Glass) -> None:
    """At the end everyone sees who has won."""
    glass.terminal.public(View(8, Phase("day", 3), (), {}, 0, None, "village"))
    assert "获胜：村庄" in glass.seen.text


def test_what_is_private_stands_in_its_panel(glass: Glass) -> None:
    """What is shown, asked, typed and refused in secret is in the panel, under the name of whoever is awake."""
    glass.terminal.public(NIGHT)
    ask_in_secret(glass.terminal)
    for text in ("预言家", SECRET, QUESTION, "已按：12"):
        assert glass.row(text) in glass.panel()
    glass.terminal.refuse(REFUSAL)
    assert glass.row(REFUSAL) in glass.panel()


def test_what_is_asked_of_everyone_stands_outside_the_panel(glass: Glass) -> None:
    """A public question and its entry are on the public part."""
    glass.terminal.public(DAY)
    glass.terminal.asking("处决几号？", secret=False)
    glass.terminal.typed("3")
    for text in ("处决几号？", "已按：3"):
        assert glass.row(text) not in glass.panel()


@pytest.mark.parametrize(("columns", "lines"), [(40, 12), (32, 10), (60, 14), (80, 24)])
def test_on_a_small_terminal_what_waits_for_an_answer_is_seen_first(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int) -> None:
    """By day the longest question is read to its end, with what was typed, the refusal and a notice, whatever is being spoken; at
    night the panel's place and its light do not depend on whether anybody is asked."""
    glass = Glass(monkeypatch, columns, lines)

    def seen() -> str:
        return "".join(row.strip() for row in glass.seen.rows).replace(" ", "")

    def wanted(*texts: str) -> None:
        for text in texts:
            assert text.replace(" ", "") in seen(), text

    question, refusal, notice = INTERFACE.asks["day.vote"], INTERFACE.refused["only_done"], INTERFACE.screen["undo_again"]
    glass.terminal.public(DAY)
    glass.terminal.speaking("vote.open", SCRIPT.text(say("welcome.how")))
    glass.terminal.asking(question, secret=False)
    glass.terminal.typed("3+3+0+2")
    wanted(question, "已按：3+3+0+2")
    glass.terminal.refuse(refusal)
    glass.terminal.notice(notice)
    wanted(question, refusal, notice)
    glass.terminal.asking("", secret=False)
    glass.terminal.notice("")
    glass.terminal.public(NIGHT)
    line = SCRIPT.text(say("werewolf.wake")) * 3
    glass.terminal.speaking("werewolf.wake", line)
    wanted(INTERFACE.screen["speaking"] + line)
    place = [glass.seen.colours(row) for row in range(lines)]
    ask_in_secret(glass.terminal)
    wanted(QUESTION, SECRET)
    assert [glass.seen.colours(row) for row in range(lines)] == place
    glass.terminal.close()


@pytest.mark.parametrize(("columns", "lines", "seen"), [(32, 10, ()), (40, 12, ()), (80, 24, ("正在说", "村长  7"))])
def test_a_pause_has_the_room_of_the_panel(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, seen: tuple[str, ...]) -> None:
    """At night too everyone looks at it: what the keys do, and what came of them, is read to its end; then all is as it was."""
    glass = Glass(monkeypatch, columns, lines)
    glass.terminal.public(replace(DAY, phase=NIGHT.phase))
    glass.terminal.speaking("status.alive", "还在场的有，一号、二号、四号、六号、七号和八号。村长是七号。")
    ask_in_secret(glass.terminal)
    before = glass.seen.rows
    words = INTERFACE.screen
    for notices in ((words["paused"], words["leave_later"]), (words["paused"], words["end_again"])):
        glass.terminal.cover(True)
        glass.terminal.notice("\n".join(notices))
        text = "".join(glass.seen.text.split())
        for wanted in (*notices, *seen):
            assert "".join(wanted.split()) in text
        assert QUESTION not in text
        glass.terminal.notice("")
        glass.terminal.cover(False)
        assert glass.seen.rows == before
    glass.terminal.close()


CLOSING = tuple("，。、；：！？）”")


def every_text() -> list[str]:
    """What can stand on a screen at length."""
    sections = (INTERFACE.screen, INTERFACE.asks, INTERFACE.refused, INTERFACE.shown, INTERFACE.rulings)
    return [text for section in sections for text in section.values()]


@pytest.mark.parametrize("columns", [10, 20, 32, 33, 40])
def test_no_line_begins_with_what_closes_the_one_before(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """A comma or a bracket goes to the next line with the letter before it, on both parts of the screen; no letter is lost."""
    glass = Glass(monkeypatch, columns, 60)
    glass.terminal.public(NIGHT)
    for text, secret in itertools.product((*every_text(), "，" * 50), (False, True)):
        glass.terminal.asking(text, secret=secret)
        rows = glass.seen.rows
        assert "".join(text.split()) in "".join("".join(rows).split())
        if not text.startswith(CLOSING):
            assert not [row for row in rows if row.strip().startswith(CLOSING)]
        glass.terminal.wipe()
    glass.terminal.close()


def test_wiping_leaves_no_trace_of_what_was_private(glass: Glass) -> None:
    """After `wipe` the screen is what it was before the role woke, and nothing has scrolled away."""
    glass.terminal.public(NIGHT)
    before = glass.seen.rows
    ask_in_secret(glass.terminal)
    assert SECRET in glass.seen.text
    glass.terminal.wipe()
    assert glass.seen.rows == before
    assert glass.seen.scrolled == 0


def test_wiping_leaves_a_public_question(glass: Glass) -> None:
    """Only what is private is wiped."""
    glass.terminal.public(DAY)
    glass.terminal.asking("处决几号？", secret=False)
    glass.terminal.wipe()
    assert "处决几号？" in glass.seen.text


def test_the_panel_gives_the_same_light_with_and_without_a_secret(glass: Glass) -> None:
    """The panel's place and background do not change when a role wakes."""
    glass.terminal.public(NIGHT)
    asleep = glass.panel(), [glass.seen.colours(row) for row in range(24)]
    ask_in_secret(glass.terminal)
    assert (glass.panel(), [glass.seen.colours(row) for row in range(24)]) == asleep
    assert all(len(colours) == 1 for colours in asleep[1])


FOUR_AND_SEVEN = ["# #    ###", "# #      #", "###      #", "  #      #", "  #      #"]


def drawn(screen: Screen) -> list[str]:
    """What is drawn large, from its first row to its last, without the blanks that all of them begin with."""
    rows = [screen.drawn(row) for row in range(len(screen.rows))]
    used = [number for number, row in enumerate(rows) if row]
    rows = rows[used[0] : used[-1] + 1] if used else []
    return textwrap.dedent("\n".join(rows)).splitlines()


def test_seats_and_cards_are_large(glass: Glass) -> None:
    """What was shown last is drawn in figures five rows high, and a card's name is set off; both stand in words below."""
    glass.terminal.public(NIGHT)
    glass.terminal.private("witch", "今夜被吃的是：8 号", ("8",))
    glass.terminal.private("witch", "4 号和 7 号：白痴", ("4", "7", "白痴"))
    assert [row.rstrip() for row in drawn(glass.seen)[:5]] == FOUR_AND_SEVEN
    assert "白  痴" in glass.seen.text
    assert "4 号和 7 号：白痴" in glass.seen.text
    glass.terminal.private("witch", "没有人")
    assert not drawn(glass.seen)


def test_what_is_typed_in_secret_is_large(glass: Glass) -> None:
    """While a seat keys, its numbers take the place of what it was shown; what the table keys is small."""
    glass.terminal.public(NIGHT)
    glass.terminal.private("witch", "今夜被吃的是：8 号", ("8",))
    glass.terminal.asking("毒几号？", secret=True)
    glass.terminal.typed("4+７")
    assert drawn(glass.seen) == FOUR_AND_SEVEN
    glass.terminal.wipe()
    assert not drawn(glass.seen)
    glass.terminal.asking("处决几号？", secret=False)
    glass.terminal.typed("4")
    assert not drawn(glass.seen)


@pytest.mark.parametrize(("columns", "lines", "numbers"), [(32, 10, 1), (80, 16, 1), (80, 24, 20), (20, 40, 3)])
def test_where_there_is_no_room_nothing_is_large(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, numbers: int) -> None:
    """A small window, or a long list, has the words alone."""
    glass = Glass(monkeypatch, columns, lines)
    glass.terminal.public(NIGHT)
    glass.terminal.private("charmed", "迷住：1 号", [str(seat) for seat in range(1, numbers + 1)])
    assert not drawn(glass.seen)
    assert "迷住：1 号" in glass.seen.text
    glass.terminal.close()


def test_what_is_hidden_comes_back_until_it_is_wiped(glass: Glass) -> None:
    """Hidden, the screen is what it was before the role woke; then all is there again. Who is woken next finds an open screen."""
    glass.terminal.public(NIGHT)
    before = glass.seen.rows
    ask_in_secret(glass.terminal)
    shown = glass.seen.rows
    glass.terminal.hide(True)
    assert glass.seen.rows == before
    assert not drawn(glass.seen)
    glass.terminal.hide(False)
    assert glass.seen.rows == shown
    glass.terminal.hide(True)
    glass.terminal.wipe()
    ask_in_secret(glass.terminal)
    assert glass.seen.rows == shown


def test_a_refusal_stays_until_the_next_key(glass: Glass) -> None:
    """A refusal takes the place of the entry, and the next key takes its place."""
    glass.terminal.public(NIGHT)
    glass.terminal.asking(QUESTION, secret=True)
    glass.terminal.typed("9")
    glass.terminal.refuse(REFUSAL)
    glass.terminal.typed("")
    assert REFUSAL in glass.seen.text
    assert "已按" not in glass.seen.text
    glass.terminal.typed("2")
    assert REFUSAL not in glass.seen.text


def test_a_new_question_takes_the_last_entry_away(glass: Glass) -> None:
    """With a new question neither the last one's entry nor its refusal is left."""
    glass.terminal.public(DAY)
    glass.terminal.asking("处决几号？", secret=False)
    glass.terminal.typed("3")
    glass.terminal.asking("议完，按 Enter", secret=False)
    assert "处决几号" not in glass.seen.text
    assert "已按" not in glass.seen.text


def test_what_one_role_was_shown_is_not_shown_to_the_next(glass: Glass) -> None:
    """Another audience sees only what is meant for it, while one audience may be shown several things, each once."""
    glass.terminal.public(NIGHT)
    for text in ("今夜被吃的是：三号", "今夜没有人被吃", "今夜没有人被吃"):
        glass.terminal.private("witch", text)
    assert "三号" in glass.seen.text
    assert glass.seen.text.count("没有人被吃") == 1
    glass.terminal.private("lovers", "相爱的是：一号和二号")
    assert "被吃" not in glass.seen.text
    assert "情侣" in glass.seen.text


def test_what_is_typed_is_never_taken_for_markup(glass: Glass) -> None:
    """Brackets and braces are shown as they were typed."""
    glass.terminal.public(NIGHT)
    glass.terminal.asking(QUESTION, secret=True)
    glass.terminal.typed("[red]{text}:smile:")
    assert "[red]{text}:smile:" in glass.seen.text


@pytest.mark.parametrize(("columns", "lines"), [(20, 5), (1, 1), (3, 2), (10, 40), (40, 14), (200, 60), (80, 6)])
def test_no_window_is_too_small(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int) -> None:
    """Whatever the size, nothing fails, nothing scrolls, and what is private goes when it is wiped."""
    glass = Glass(monkeypatch, columns, lines)
    glass.terminal.public(DAY)
    glass.terminal.speaking("vote.open", "现在投票。" * 20)
    before = glass.seen.rows
    ask_in_secret(glass.terminal)
    glass.terminal.refuse(REFUSAL * 5)
    glass.terminal.wipe()
    assert glass.seen.rows == before
    assert glass.seen.scrolled == 0
    glass.terminal.close()


def test_a_small_window_still_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 20 columns and 5 rows a role still sees what it is shown and asked."""
    glass = Glass(monkeypatch, 20, 5)
    glass.terminal.public(NIGHT)
    glass.terminal.private("seer", SECRET)
    glass.terminal.asking(QUESTION, secret=True)
    assert SECRET in glass.seen.text
    assert QUESTION in glass.seen.text
    glass.terminal.close()


@pytest.mark.parametrize(("encoding", "kind"), [*itertools.product(("ascii", "gbk", "latin-1", "utf-8"), (Terminal, Paper))])
def test_a_glyph_that_the_stream_lacks_ends_nothing(monkeypatch: pytest.MonkeyPatch, encoding: str, kind: type[Terminal | Paper]) -> None:
    """On a stream that cannot write Chinese, or not all of it, what it cannot write becomes a question mark."""
    monkeypatch.setenv("TERM", "xterm-256color")     # rich keeps how a style was first written, for every terminal after it
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding)
    screen = kind(INTERFACE, SCRIPT, stream)
    screen.public(DAY)
    screen.notice("♞ \udc80")
    ask_in_secret(screen)
    screen.wipe()
    screen.close()
    assert b"?" in written.getvalue()


def test_on_a_stream_without_chinese_wiping_is_complete_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every glyph has become a narrower one, no piece of a longer row stays behind a shorter one."""
    monkeypatch.setenv("TERM", "xterm-256color")     # rich remembers how it wrote a style first, for every terminal after
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    written, seen = io.BytesIO(), Screen()
    terminal = Terminal(INTERFACE, SCRIPT, io.TextIOWrapper(written, encoding="ascii"))
    terminal.public(NIGHT)
    seen.feed(written.getvalue().decode())
    before = seen.rows
    terminal.private("seer", "SECRET" * 13)
    terminal.wipe()
    seen.feed(written.getvalue().decode())
    assert seen.rows == before
    terminal.close()


def test_closing_leaves_the_terminal_as_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`close` empties the screen, and turns the alternate screen, the hidden cursor and the wrapping back; a second time nothing."""
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = io.StringIO()
    terminal = Terminal(INTERFACE, SCRIPT, stream)
    terminal.public(NIGHT)
    ask_in_secret(terminal)
    terminal.close()
    screen = Screen()
    screen.feed(stream.getvalue())
    assert screen.text.strip() == ""
    for on, off in (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?7l", "\x1b[?7h")):
        assert stream.getvalue().index(on) < stream.getvalue().index(off)
    length = len(stream.getvalue())
    terminal.close()
    terminal.notice("已保存")
    assert len(stream.getvalue()) == length


PROGRAM = """
import sys
import time
from narrator.interface import Interface
from narrator.rules import Phase
from narrator.screen import View
from narrator.screen.terminal import Terminal
from narrator.script import Script
terminal = Terminal(Interface.load(), Script("newmoon"), sys.stdout)
terminal.public(View(8, Phase("night", 1), (), {}, 0, None, None))
terminal.private("seer", "OPEN")
time.sleep(60)
"""


def test_a_window_that_changes_its_size_is_drawn_anew() -> None:
    """When the window is made smaller while nothing happens, the frame fits it at once."""
    with Session([sys.executable, "-c", PROGRAM]) as session:
        session.wait_for("OPEN")
        session.resize(40, 12)
        session.wait_until(lambda: session.screen.rows.count("=" * 40) == 2 and "OPEN" in session.screen.text, "frame of 40 columns")


def test_a_program_that_fails_gives_the_terminal_back() -> None:
    """An error takes the secret off the screen and gives the terminal back."""
    with Session([sys.executable, "-c", PROGRAM.replace("time.sleep(60)", "raise SystemExit('oops')")]) as session:
        assert session.wait_for_end() == 1
        assert "\x1b[?1049l" in session.written
        assert "OPEN" not in session.screen.text
