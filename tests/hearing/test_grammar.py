"""What entries mean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.errors import Refused
from narrator.hearing.grammar import LONGEST, read, write
from narrator.interface import Interface
from narrator.rules import Ask, Value
from narrator.rules.answers import verify
from narrator.rules.turn import Kind

INTERFACE = Interface.load()
SEATS = 6
ALL = (1, 2, 3, 4, 5, 6)


def ask(kind: Kind, **fields: Any) -> Ask:
    given: dict[str, Any] = {"actors": ALL, "candidates": ALL, "may_pass": True} | fields
    return Ask("some.ask", kind, "everyone", **given)


DONE = ask("wait", candidates=())
THREE = ask("ballots", actors=(2, 3, 5))

ANSWERS: list[tuple[Ask, str, Value]] = [
    (DONE, "", True),
    (DONE, "  ", True),
    (ask("wait"), "", True),
    (ask("wait"), "3", 3),
    (ask("choice", candidates=(0, 1, 2)), "0", 0),
    (ask("choice", may_pass=False), "0", 0),
    (ask("choice"), "0", None),
    (ask("choice"), "2", 2),
    (ask("seats", count=(0, 6)), "0", ()),
    (ask("pairs", count=(0, 6)), "2+5", (2, 5)),
    (ask("pairs", count=(0, 6)), "0", ()),
    (ask("seat"), "3", 3),
    (ask("seat"), "03", 3),
    (ask("seat"), " 3 ", 3),
    (ask("seat"), "１２", 12),
    (ask("seat"), "٣", 3),
    (ask("seat"), "3+", 3),
    (ask("seat"), "0", None),
    (ask("seat"), "00", None),
    (ask("yes_no"), "1", True),
    (ask("yes_no"), "０", False),
    (ask("seats"), "1+2", (1, 2)),
    (ask("seats"), "2 1", (2, 1)),
    (ask("seats"), "1.2,3，4、5。6", (1, 2, 3, 4, 5, 6)),
    (ask("seats"), "１＋２．３\u3000４", (1, 2, 3, 4)),
    (ask("seats"), "1 + 2", (1, 2)),
    (ask("seats"), "1++2", (1, 2)),
    (ask("seats"), "5", (5,)),
    (ask("seats"), "0", None),
    (ask("seats"), "0+1", (0, 1)),
    (THREE, "4", 4),
    (THREE, "0", None),
    (THREE, "4+0+1", (0, 4, 0, 0, 1, 0)),
    (THREE, "0+4+0+0+1+0", (0, 4, 0, 0, 1, 0)),
    (ask("ballots"), "1+2+3+0+5+6", (1, 2, 3, 0, 5, 6)),
    (ask("ballots", actors=(5, 2, 3)), "4+0+1", (0, 4, 0, 0, 1, 0)),
    (ask("ballots", actors=(3,)), "4", 4),
]

REFUSED: list[tuple[Ask, str, str]] = [
    (DONE, "1", "only_done"),
    (DONE, "好", "only_done"),
    (ask("seat"), "", "empty"),
    (ask("seat"), " + ", "empty"),
    (ask("yes_no"), "", "empty"),
    (ask("seats"), "", "empty"),
    (THREE, "", "empty"),
    (ask("seat"), "²", "not_a_number"),
    (ask("seat"), "③", "not_a_number"),
    (ask("seat"), "三", "not_a_number"),
    (ask("seat"), "1_2", "not_a_number"),
    (ask("seat"), "−3", "not_a_number"),
    (ask("seat"), "3号", "not_a_number"),
    (ask("seat"), "1+2", "not_a_seat"),
    (ask("seat"), "0+0", "not_a_seat"),
    (ask("yes_no"), "2", "not_yes_no"),
    (ask("yes_no"), "1+1", "not_yes_no"),
    (ask("yes_no"), "y", "not_a_number"),
    (THREE, "1+2", "wrong_ballots"),
    (THREE, "1+2+3+4", "wrong_ballots"),
    (ask("seat"), "1" * 65, "too_long"),
    (ask("seat"), "9" * 10_000, "too_long"),
    (ask("wait"), " " * 65, "too_long"),
]


@pytest.mark.parametrize(("ask", "text", "value"), ANSWERS)
def test_an_entry_is_read_as_the_answer_it_stands_for(ask: Ask, text: str, value: Value) -> None:
    """Each kind of ask reads its entries as the table in the grammar says."""
    answer = read(ask, text, SEATS)
    assert answer == value
    assert type(answer) is type(value)


@pytest.mark.parametrize(("ask", "text", "reason"), REFUSED)
def test_an_entry_that_is_no_answer_is_refused_with_its_reason(ask: Ask, text: str, reason: str) -> None:
    """What stands for no answer is refused, and the screen has a sentence that says why."""
    with pytest.raises(Refused) as refused:
        read(ask, text, SEATS)
    assert refused.value.reason == reason
    assert INTERFACE.refusal(refused.value)


def test_wrong_ballots_tell_how_many_are_wanted() -> None:
    """A wrong number of ballots is refused with the number of voters and the number given."""
    with pytest.raises(Refused) as refused:
        read(THREE, "1+2", SEATS)
    assert (refused.value.slots["expected"], refused.value.slots["given"]) == (3, 2)


def test_the_longest_ballots_fit() -> None:
    """Twenty seats that all vote for a seat of two digits can be keyed."""
    everyone = tuple(range(1, 21))
    assert read(ask("ballots", actors=everyone, candidates=everyone), "+".join(["20"] * 20), 20) == (20,) * 20


def test_a_number_no_table_has_is_for_the_rules_to_refuse() -> None:
    """A number as long as an entry may be is read without an error, and the rules refuse it."""
    huge = read(ask("seat"), "9" * LONGEST, SEATS)
    with pytest.raises(Refused, match="no_such_seat"):
        verify(ask("seat"), huge, SEATS)


def test_who_votes_is_named_where_the_ballots_are_too_many_or_few() -> None:
    """The table is told whose ballots it has to key, in the order in which it keys them."""
    with pytest.raises(Refused) as refused:
        read(ask("ballots", actors=(6, 1, 4, 2)), "5+5+0", 8)
    assert INTERFACE.refusal(refused.value) == "要按一个号码，或 4 张票，按了 3 个。投票的依次是：1、2、4、6"


def _documented() -> list[tuple[str, str]]:
    """The questions and keys of the examples in docs/keys.md."""
    page = (Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8").partition("## Answers")[2]
    rows = re.findall(r"^\| (\S+(?: Enter)?) \| (`.+?`) \|", page, re.MULTILINE)
    return [(question, "".join(re.findall(r"`(.+?)`", keys)).removesuffix("Enter")) for question, keys in rows]


@pytest.mark.parametrize(("question", "keys"), _documented())
def test_the_examples_in_the_docs_are_answers(question: str, keys: str) -> None:
    """Every example in docs/keys.md belongs to a question that the screen puts, and its keys are an answer to it."""
    kinds: dict[str, Kind] = {"查": "seat", "守": "seat", "哪": "seats", "用": "yes_no", "看": "wait", "处": "ballots"}
    kind = kinds[question[0]]
    assert any(asked.startswith(question) for asked in INTERFACE.asks.values())
    read(ask(kind, actors=(1, 2, 4, 6)), keys, 8)


def test_the_docs_have_examples() -> None:
    """The page is read as it is written."""
    assert len(_documented()) == 10


@st.composite
def answered(draw: st.DrawFn) -> tuple[Ask, Value, int]:
    """An ask, an answer that the rules take in its one form, and the number of seats."""
    seats = draw(st.integers(3, 20))
    everyone = tuple(range(1, seats + 1))
    kind: Kind = draw(st.sampled_from(get_args(Kind)))
    actors = tuple(sorted(draw(st.sets(st.sampled_from(everyone), min_size=1))))
    asked = ask(kind, actors=actors, candidates=everyone, count=(1, seats))
    seat = st.sampled_from(everyone)
    ballots = st.tuples(*(st.integers(0, seats) if voter in actors else st.just(0) for voter in everyone))
    passed: st.SearchStrategy[Value] = st.none()
    several = passed | st.sets(seat, min_size=1).map(lambda named: tuple(sorted(named)))
    values: dict[str, st.SearchStrategy[Value]] = {
        "wait": st.just(True) | seat,
        "seat": passed | seat,
        "seats": several,
        "pairs": several,
        "yes_no": st.booleans(),
        "choice": seat,
        "ballots": passed | seat | ballots,
    }
    return asked, draw(values[kind]), seats


@given(answered())
def test_what_is_written_is_read_as_the_same_answer(case: tuple[Ask, Value, int]) -> None:
    """`write` is what a person keys for an answer: `read` gives that answer again, and it is short enough to be keyed."""
    asked, value, seats = case
    keyed = write(asked, value)
    assert read(asked, keyed, seats) == value
    assert verify(asked, value, seats) == value


ENTRIES = st.text() | st.text("0123456789+., ０１²③三-−\n", max_size=70) | st.integers(4000, 6000).map("9".__mul__)


@given(answered(), ENTRIES)
def test_any_entry_is_an_answer_or_refused(case: tuple[Ask, Value, int], text: str) -> None:
    """Whatever is keyed is an answer that the rules can look at, or is refused with words; nothing else ever happens."""
    asked, _, seats = case
    refusal = "none"
    try:
        verify(asked, read(asked, text, seats), seats)
    except Refused as refused:
        refusal = INTERFACE.refusal(refused)
    assert refusal
