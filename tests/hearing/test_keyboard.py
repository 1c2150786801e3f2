"""The keyboard, driven through a real pseudo-terminal."""

from __future__ import annotations

import contextlib
import math
import os
import pty
import random
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.clock import RealClock
from narrator.errors import NoTerminal
from narrator.hearing import Command, Entered, Louder, Payload, Typed
from narrator.hearing.grammar import LONGEST
from narrator.hearing.keyboard import Keyboard
from narrator.rules import Ask
from tests.terminal import Session

ASK = Ask("seer.check", "seat", "seer", (1,), candidates=(2, 3))


class Desk:
    """A keyboard, the pseudo-terminal that it reads, and hands on the keys."""

    def __init__(self) -> None:
        self.clock = RealClock()
        self.hands, self.terminal = pty.openpty()
        self.before = termios.tcgetattr(self.terminal)
        self.keyboard = Keyboard(self.clock, self.terminal)
        self.keyboard.attend(ASK)

    def press(self, keys: str | bytes) -> None:
        os.write(self.hands, keys.encode() if isinstance(keys, str) else keys)

    def next(self) -> Payload:
        event = self.keyboard.wait(self.clock.now() + 5)
        assert event is not None, "nothing was heard within 5 s"
        return event.payload

    def until(self, last: Payload) -> list[Payload]:
        """What is heard up to `last`."""
        heard = [self.next()]
        while heard[-1] != last:
            heard.append(self.next())
        return heard

    def enters(self, keys: str | bytes) -> str:
        """What these keys and Enter have entered."""
        self.press(keys)
        self.press("\r")
        while not isinstance(heard := self.next(), Entered):
            assert isinstance(heard, Typed)
        return heard.text

    def silent(self, seconds: float = 0.15) -> bool:
        return self.keyboard.wait(self.clock.now() + seconds) is None

    def close(self) -> None:
        self.keyboard.close()
        for end in (self.hands, self.terminal):
            with contextlib.suppress(OSError):
                os.close(end)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


def test_digits_are_told_as_they_come_and_enter_confirms_them(desk: Desk) -> None:
    """Each digit is heard at once, Enter confirms the entry, and the next one begins empty."""
    desk.press("1")
    assert desk.next() == Typed("1")
    desk.press("2")
    assert desk.next() == Typed("12")
    desk.press("\r")
    assert desk.next() == Entered("12")
    desk.press("\n")
    assert desk.next() == Entered("")


def test_an_event_names_its_source_and_its_time(desk: Desk) -> None:
    """An event tells that a keyboard heard it, and when by the clock."""
    before = desk.clock.now()
    desk.press("1")
    event = desk.keyboard.wait(before + 5)
    assert event is not None
    assert event.source == "keyboard"
    assert before <= event.at <= desk.clock.now()


@pytest.mark.parametrize("key", ["\x7f", "\b"])
def test_backspace_deletes_the_last_character(desk: Desk, key: str) -> None:
    """Both codes that terminals send for Backspace delete one character; with nothing typed nothing is heard."""
    assert desk.enters(f"12{key}3{key}{key}{key}{key}4") == "4"


@pytest.mark.parametrize(
    ("key", "name"),
    [("-", "undo"), ("－", "undo"), ("*", "again"), ("＊", "again"), ("/", "pause"), ("／", "pause"), ("\x03", "quit"), ("\x04", "quit")],
)
def test_commands_are_heard_at_once_and_leave_the_entry_alone(desk: Desk, key: str, name: str) -> None:
    """A command needs no Enter, and what has been typed before it still counts after it."""
    desk.press("1" + key)
    assert desk.until(Command(name))[:-1] == [Typed("1")]   # type: ignore[arg-type]
    desk.keyboard.pause(False)
    assert desk.enters("2") == "12"


def test_in_a_pause_digits_ask_the_narrator_for_something(desk: Desk) -> None:
    """From the key of the pause on, three columns of digits are heard as louder and softer, also full-width, and the lowest ones as
    commands; 3, Enter and letters are not heard; what had been typed before is typed still."""
    desk.press("1/7４93x\r/")
    heard = desk.until(Command("pause"))
    assert heard == [Typed("1"), Command("pause")]
    heard = desk.until(Command("pause"))
    assert heard == [Louder("voice", 1), Louder("voice", -1), Louder("effects", 1), Command("pause")]
    desk.press("/１20/")
    desk.until(Command("pause"))
    assert desk.until(Command("pause")) == [Command("status"), Command("leave"), Command("end"), Command("pause")]
    assert desk.enters("2") == "12"
    desk.keyboard.pause(True)
    desk.press("56")
    assert [desk.next(), desk.next()] == [Louder("ambience", -1), Louder("effects", -1)]


HIDING = [("", "+"), ("", "＋"), ("", "\x1bOk"), ("1+", "+"), ("", "\t"), ("12", "\t")]


@pytest.mark.parametrize(("typed", "key"), HIDING)
def test_a_key_hides_what_is_private_and_the_next_brings_it_back(desk: Desk, typed: str, key: str) -> None:
    """Plus where no number stands before it, or Tab: however often it is hit; the key that brings it back does nothing else, and what had
    been typed is typed still."""
    desk.press(typed + key)
    heard = desk.until(Command("hide"))
    assert all(isinstance(payload, Typed) for payload in heard[:-1])
    desk.press("\t\r")
    assert [desk.next(), desk.next()] == [Command("hide"), Command("unhide")]
    assert desk.enters("3") == typed + "3"


def test_a_command_works_from_behind_a_hidden_screen(desk: Desk) -> None:
    """It is heard as always, and the key after it too."""
    desk.press("+-")
    assert [desk.next(), desk.next()] == [Command("hide"), Command("undo")]
    assert desk.enters("3") == "3"


def test_nothing_is_hidden_where_everyone_is_asked(desk: Desk) -> None:
    """The ballots of a table may be keyed with a plus too many; and what was shown in a wake can be hidden when all has been answered."""
    desk.keyboard.attend(None)
    desk.press("+5")
    assert [desk.next(), desk.next()] == [Command("hide"), Command("unhide")]
    desk.keyboard.attend(Ask("day.vote", "ballots", "everyone", (1, 2, 3), candidates=(1, 2, 3)))
    assert desk.enters("+5++5\t+2") == "+5++5+2"


def test_a_chinese_keyboard_may_be_used(desk: Desk) -> None:
    """Full-width digits and separators are heard as they are; the grammar reads them."""
    assert desk.enters("１２＋３，４、５") == "１２＋３，４、５"


def test_a_character_may_come_in_pieces(desk: Desk) -> None:
    """A character of several bytes is whole however its bytes arrive."""
    for byte in "１".encode():
        desk.press(bytes([byte]))
        time.sleep(0.02)
    assert desk.enters("") == "１"


def test_a_keypad_in_application_mode_is_a_keypad(desk: Desk) -> None:
    """What a keypad sends in application mode means what is printed on its keys."""
    digits = "".join(f"\x1bO{key}" for key in "pqrstuvwxy")
    assert desk.enters(digits + "\x1bOk\x1bOq\x1bOn\x1bOr\x1bOl") == "0123456789+1.2,"
    for key, payload in (("m", Command("undo")), ("j", Command("again")), ("o", Command("pause")), ("M", Entered(""))):
        desk.press(f"\x1bO{key}")
        assert desk.next() == payload
        desk.keyboard.pause(False)


ARROWS_AND_FUNCTION_KEYS = ["\x1b[A", "\x1b[1;5C", "\x1bOA", "\x1bOP", "\x1b[15~", "\x1b[[A", "\x1b[200~", "\x1b[<0;12;3M"]


@pytest.mark.parametrize("key", [*ARROWS_AND_FUNCTION_KEYS, "\x00", "\x1a", "\x13", "\u200b"])
def test_other_keys_do_nothing(desk: Desk, key: str) -> None:
    """Arrows, function keys and control characters neither type nor clear nor stop anything."""
    assert desk.enters(f"1{key}2") == "12"


def test_a_key_may_come_in_pieces(desk: Desk) -> None:
    """The rest of a key that sends several characters may be a moment late."""
    desk.press("1\x1b")
    time.sleep(0.01)
    desk.press("O")
    time.sleep(0.01)
    desk.press("r")
    assert desk.enters("") == "12"


def test_esc_alone_clears_the_entry(desk: Desk) -> None:
    """ESC on its own takes back all that was typed and not confirmed."""
    desk.press("12\x1b")
    assert desk.until(Typed(""))
    assert desk.enters("3") == "3"


def test_half_a_key_is_no_key(desk: Desk) -> None:
    """The beginning of a key whose rest never comes types nothing and clears nothing."""
    desk.press("1\x1b[")
    time.sleep(0.15)
    assert desk.enters("2") == "12"


def test_a_long_paste_is_one_entry_that_is_too_long(desk: Desk) -> None:
    """10,000 pasted characters make few events and one entry, which is one character too long."""
    paste = threading.Thread(target=desk.press, args=("7" * 10_000 + "\r",))
    paste.start()
    heard = desk.until(Entered("7" * (LONGEST + 1)))
    paste.join()
    assert len(heard) < 100
    assert desk.enters("3") == "3"


def test_backspace_in_what_is_too_long_clears_it(desk: Desk) -> None:
    """What did not fit has been lost, so Backspace cannot make an entry of the rest."""
    assert desk.enters("7" * 100 + "\x7f" + "3") == "3"


def test_binary_junk_does_no_harm(desk: Desk) -> None:
    """After any bytes the next entry is heard as it was typed."""
    junk = bytes(byte for byte in random.Random(1).randbytes(20_000) if byte not in b"\r\n")
    for start in range(0, len(junk), 1000):
        desk.press(junk[start : start + 1000])
    time.sleep(0.2)
    desk.keyboard.attend(ASK)
    desk.press("\x1b")
    time.sleep(0.1)
    desk.press("5")
    desk.until(Typed("5"))
    assert desk.enters("") == "5"


def test_a_new_question_forgets_what_came_before_it(desk: Desk) -> None:
    """What was typed or confirmed before a question is put is no answer to it."""
    desk.press("1\r23")
    time.sleep(0.1)
    desk.keyboard.attend(ASK)
    assert desk.silent()
    assert desk.enters("4") == "4"


def test_a_new_question_forgets_no_command(desk: Desk) -> None:
    """A command that nobody has heeded yet is not lost when a question is put."""
    desk.press("1\r/3\r-")
    time.sleep(0.1)
    desk.keyboard.attend(ASK)
    assert [desk.next(), desk.next()] == [Command("pause"), Command("undo")]
    assert desk.silent()


def test_while_nothing_is_asked_only_commands_are_heard(desk: Desk) -> None:
    """Keys pressed while nothing is asked go nowhere, commands excepted."""
    desk.keyboard.attend(None)
    desk.press("12\r*3\r")
    assert desk.next() == Command("again")
    assert desk.silent()
    desk.keyboard.attend(ASK)
    assert desk.enters("4") == "4"


def test_waiting_ends_when_the_clock_shows_the_time(desk: Desk) -> None:
    """Without a key `wait` returns None at the time given, at once if it is past, but what is there it hands over."""
    start = desk.clock.now()
    assert desk.keyboard.wait(start + 0.1) is None
    assert 0.1 <= desk.clock.now() - start < 2
    assert desk.keyboard.wait(start) is None
    desk.press("1")
    time.sleep(0.1)
    event = desk.keyboard.wait(start)
    assert event is not None
    assert event.payload == Typed("1")


def test_waiting_for_ever_ends_with_a_key(desk: Desk) -> None:
    """`wait` takes infinity."""
    threading.Timer(0.1, desk.press, ("1",)).start()
    event = desk.keyboard.wait(math.inf)
    assert event is not None
    assert event.payload == Typed("1")


def test_a_lost_terminal_quits_once(desk: Desk) -> None:
    """When the terminal hangs up, that is heard as one wish to quit, and no processor time is burnt."""
    os.close(desk.hands)
    assert desk.next() == Command("quit")
    used = time.process_time()
    assert desk.silent(0.3)
    assert time.process_time() - used < 0.1
    desk.keyboard.close()


def test_keys_are_not_echoed_and_stop_nothing(desk: Desk) -> None:
    """While the keyboard is open the terminal echoes nothing, waits for no Enter, sends no signals, and never stops its output."""
    iflag, oflag, _, lflag, *_ = termios.tcgetattr(desk.terminal)
    assert not lflag & (termios.ECHO | termios.ICANON | termios.ISIG)
    assert not iflag & termios.IXON
    assert oflag == desk.before[1]


def test_closing_leaves_the_terminal_as_it_was(desk: Desk) -> None:
    """After `close`, twice too, every setting is as it was found and keys not read yet are dropped."""
    desk.keyboard.close()
    desk.keyboard.close()
    assert termios.tcgetattr(desk.terminal) == desk.before
    desk.press("1")


def test_the_terminal_is_restored_when_the_program_fails() -> None:
    """A program that dies of an error leaves its terminal as it was found."""
    program = (
        "import termios; before = termios.tcgetattr(0)\n"
        "import atexit; atexit.register(lambda: print('restored', termios.tcgetattr(0) == before))\n"
        "from narrator.clock import RealClock; from narrator.hearing.keyboard import Keyboard\n"
        "Keyboard(RealClock()); raise SystemExit('oops')"
    )
    with Session([sys.executable, "-c", program]) as session:
        session.wait_for("restored True")
        assert session.wait_for_end() == 1


def test_no_terminal_is_an_error() -> None:
    """A file that is no terminal is refused when the keyboard is opened."""
    reading, writing = os.pipe()
    try:
        with pytest.raises(NoTerminal):
            Keyboard(RealClock(), reading)
    finally:
        os.close(reading)
        os.close(writing)
    with pytest.raises(NoTerminal):
        Keyboard(RealClock(), reading)


def test_no_thread_and_no_file_stays_behind() -> None:
    """Opening and closing many keyboards leaves neither threads nor open files."""
    _, terminal = pty.openpty()
    threads, files = threading.active_count(), _open_files()
    for _ in range(20):
        Keyboard(RealClock(), terminal).close()
    assert (threading.active_count(), _open_files()) == (threads, files)


def _open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))
