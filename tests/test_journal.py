"""The journal: what was answered is on the disk, and comes back from it."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.errors import BadJournal
from narrator.journal import FORMAT, Journal
from narrator.rules import Game
from tests.players import legal, table

SETUP = table("anniversary", "werewolf", "cupid", "seer", "witch", "villager", "villager")


def written(path: Path, seed: int = 3, answers: int = 30) -> Game:
    """A journal with a game's answers in it, closed; the game as it stands."""
    journal, game, rng = Journal.create(path, SETUP), Game(SETUP), random.Random(seed)
    while not game.over and len(game.answers) < answers:
        ask = game.turn.ask
        assert ask is not None
        journal.answer(ask.id, game.answer(ask.id, legal(ask, rng, SETUP.seats)))
    journal.close()
    return game


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    """Resumed, the game has the same set-up, answers, turn and cue, and the journal goes on behind them."""
    game = written(tmp_path / "g.jsonl")
    journal, resumed = Journal.resume(tmp_path / "g.jsonl")
    assert not journal.dropped
    assert (resumed.setup, resumed.answers, resumed.turn, resumed.answered_in) == (game.setup, game.answers, game.turn, game.answered_in)
    journal.mark(3)
    journal.undo(2, at=1)
    journal.close()
    journal, resumed = Journal.resume(tmp_path / "g.jsonl")
    assert (resumed.answers, journal.at) == (game.answers[:2], 1)


@given(cut=st.integers(1, 10**6))
@settings(max_examples=60, deadline=None)
def test_a_journal_torn_anywhere_resumes_to_its_last_whole_answer(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """Cut off at any byte behind the set-up, the game comes back with every whole answer, and the torn one is said to be dropped."""
    path = tmp_path_factory.mktemp("torn") / "g.jsonl"
    game = written(path)
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    kept = head + cut % (len(content) - head)
    path.write_bytes(content[:kept])
    journal, resumed = Journal.resume(path)
    whole = content[head:kept].count(b"\n")
    assert resumed.answers == game.answers[:whole]
    assert journal.dropped == (not content[:kept].endswith(b"\n"))
    ask = resumed.turn.ask
    assert ask is not None
    journal.answer(ask.id, resumed.answer(ask.id, game.answers[whole][1]))
    journal.close()
    assert Journal.resume(path)[1].answers == game.answers[: whole + 1]


@given(position=st.integers(0, 10**6), bit=st.integers(0, 7))
@settings(max_examples=300, deadline=None)
def test_a_flipped_bit_never_becomes_an_answer(tmp_path_factory: pytest.TempPathFactory, position: int, bit: int) -> None:
    """With any bit of the file flipped, the game comes back as it was but for a last answer that is dropped, or is refused."""
    path = tmp_path_factory.mktemp("flipped") / "g.jsonl"
    game = written(path, answers=12)
    content = bytearray(path.read_bytes())
    content[position % len(content)] ^= 1 << bit
    path.write_bytes(content)
    try:
        journal, resumed = Journal.resume(path)
    except BadJournal:
        return
    journal.close()
    assert resumed.setup == game.setup
    # One line is lost at the most, or two where the bit was the line break between them.
    assert resumed.answers in (game.answers, game.answers[:-1], game.answers[:-2])
    assert journal.dropped == (resumed.answers != game.answers)


def test_two_narrators_never_write_one_journal(tmp_path: Path) -> None:
    """A journal that is open is refused to a second narrator, and is free once it is closed."""
    written(tmp_path / "g.jsonl")
    first, _ = Journal.resume(tmp_path / "g.jsonl")
    with pytest.raises(BadJournal, match="another narrator"):
        Journal.resume(tmp_path / "g.jsonl")
    first.close()
    Journal.resume(tmp_path / "g.jsonl")


def test_a_game_is_never_written_over(tmp_path: Path) -> None:
    """A new game takes no file that exists."""
    game = written(tmp_path / "g.jsonl")
    with pytest.raises(BadJournal):
        Journal.create(tmp_path / "g.jsonl", SETUP)
    assert Journal.resume(tmp_path / "g.jsonl")[1].answers == game.answers



@pytest.mark.parametrize(
    ("line", "fields", "told"),
    [
        (0, {"format": FORMAT + 1}, f"format {FORMAT + 1}"),
        (0, {"setup": {"seats": 3}}, "set-up"),
        (2, {"n": 7}, "line 3"),
        (2, {"ask": "witch.heal"}, "does not fit"),
        (2, {"value": 99}, "does not fit"),
        (2, {"undo": 99}, "line 3"),
        (2, {"undo": "x"}, "line 3"),
    ],
)
def test_a_journal_that_does_not_fit_is_refused_by_line(tmp_path: Path, line: int, fields: dict[str, object], told: str) -> None:
    """A changed record is refused with the line and what is wrong with it, and the file stays as it is."""
    path = tmp_path / "g.jsonl"
    written(path)
    lines = path.read_text("utf-8").splitlines()
    record = json.loads(lines[line]) | fields
    for replaced in ("crc", "ask", "value") if "undo" in fields else ("crc",):
        del record[replaced]
    record["crc"] = f"{zlib.crc32(json.dumps(record, ensure_ascii=False).encode()):08x}"
    lines[line] = json.dumps(record, ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(BadJournal, match=told):
        Journal.resume(path)
    assert path.read_text("utf-8").splitlines() == lines


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b"no json\n", b"\xff\xfe\n", b'{"format": "1"}\n'])
def test_what_is_no_journal_is_refused(tmp_path: Path, content: bytes) -> None:
    """Any other file is refused with a clear error."""
    path = tmp_path / "g.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadJournal):
        Journal.resume(path)
