"""The journal: what was answered is on the disk, and comes back from it, whatever has become of the disk meanwhile."""

from __future__ import annotations

import json
import os
import random
import shutil
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.errors import BadJournal
from narrator.journal import FORMAT, Journal, last_game
from narrator.rules import Game, Setup
from narrator.script import editions
from tests.players import legal, table
from tests.texts import the_interface

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


def record(fields: dict[str, object]) -> str:
    """A line of a journal as the narrator would write it."""
    return json.dumps(fields | {"crc": f"{zlib.crc32(json.dumps(fields, ensure_ascii=False).encode()):08x}"}, ensure_ascii=False) + "\n"


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    """Resumed, the game has the same set-up, answers, turn and cue, and the journal goes on behind them."""
    game = written(tmp_path / "g.jsonl")
    journal, resumed = Journal.resume(tmp_path / "g.jsonl")
    assert journal.dropped is None
    assert (resumed.setup, resumed.answers, resumed.turn, resumed.answered_in) == (game.setup, game.answers, game.turn, game.answered_in)
    journal.mark(3)
    journal.undo(2, at=1)
    journal.close()
    journal, resumed = Journal.resume(tmp_path / "g.jsonl")
    assert (resumed.answers, journal.at) == (game.answers[:2], 1)


def read(path: Path, content: bytes) -> tuple[Journal, Game] | BadJournal:
    """What resuming comes to: the game, or why not, which must be a sentence in Chinese that names the file."""
    path.write_bytes(content)
    try:
        journal, game = Journal.resume(path)
    except BadJournal as error:
        told = the_interface().error(error)
        assert str(path) in told
        assert told.startswith("存档")
        return error
    journal.close()
    return journal, game


def test_a_journal_cut_off_at_every_byte(tmp_path: Path) -> None:
    """Cut off at any byte, the game comes back with every whole answer and the torn line is said to be dropped; without a set-up it
    is refused. What is answered then follows the last whole answer."""
    path = tmp_path / "g.jsonl"
    game = written(path, answers=15)
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    for cut in range(len(content)):
        resumed = read(path, content[:cut])
        if cut < head:
            assert isinstance(resumed, BadJournal)
            assert resumed.slots["reason"] == "empty"
            continue
        assert not isinstance(resumed, BadJournal)
        whole = content[head:cut].count(b"\n")
        assert resumed[1].answers == game.answers[:whole]
        assert (resumed[0].dropped is None) == content[:cut].endswith(b"\n")
        assert path.read_bytes() == content[: content.rfind(b"\n", 0, cut) + 1]
    assert not list(tmp_path.glob("*.damaged*"))


def test_a_journal_with_any_byte_changed(tmp_path: Path) -> None:
    """With any byte changed, the game comes back to the answer before, the line is named and a copy of the whole is kept; or it is
    refused. No answer that nobody gave is ever read."""
    path = tmp_path / "g.jsonl"
    game = written(path, answers=15)
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    rng = random.Random(7)
    for at in range(len(content)):
        changed = bytearray(content)
        changed[at] ^= rng.randrange(1, 256)
        resumed = read(path, bytes(changed))
        if not isinstance(resumed, BadJournal) and resumed[0].dropped is None:
            assert changed.split() == content.split()   # one blank became another
            assert (resumed[1].setup, resumed[1].answers) == (game.setup, game.answers)
        elif at < head:
            assert isinstance(resumed, BadJournal)
        else:
            assert not isinstance(resumed, BadJournal)
            line = content[:at].count(b"\n")
            assert resumed[1].answers == game.answers[: line - 1]
            assert resumed[0].dropped is not None
            assert resumed[0].dropped.line == line + 1
            copies = list(tmp_path.glob("*.damaged-*"))
            assert [copy.read_bytes() for copy in copies] == [changed] * (at < len(content) - 1)   # without its end a line is torn
            for copy in copies:
                copy.unlink()


def test_a_line_that_stands_twice_is_damage(tmp_path: Path) -> None:
    """A line out of its place is left out, with those behind it, and the file is kept as it was found."""
    game = written(tmp_path / "g.jsonl")
    lines = (tmp_path / "g.jsonl").read_bytes().splitlines(keepends=True)
    doubled = b"".join((*lines[:4], *lines[3:]))
    resumed = read(tmp_path / "g.jsonl", doubled)
    assert not isinstance(resumed, BadJournal)
    assert resumed[1].answers == game.answers[:3]
    assert resumed[0].dropped is not None
    assert resumed[0].dropped.copy is not None
    assert resumed[0].dropped.copy.read_bytes() == doubled


@given(position=st.integers(0, 10**6), count=st.integers(1, 5000))
@settings(max_examples=100, deadline=None)
def test_a_journal_with_a_hole(tmp_path_factory: pytest.TempPathFactory, position: int, count: int) -> None:
    """Zeros in the place of a block, as a file system leaves them after a power cut, lose what follows them and nothing else."""
    path = tmp_path_factory.mktemp("hole") / "g.jsonl"
    game = written(path)
    content = bytearray(path.read_bytes())
    head = content.index(b"\n") + 1
    at = head + position % (len(content) - head)
    end = min(at + count, len(content))
    content[at:end] = bytes(end - at)
    resumed = read(path, bytes(content))
    assert not isinstance(resumed, BadJournal)
    assert resumed[1].answers == game.answers[: content[:at].count(b"\n") - 1]


def test_two_narrators_never_write_one_journal(tmp_path: Path) -> None:
    """A journal that is open is refused to a second narrator, and is free once it is closed; two new games get two files."""
    first = Journal.begin(tmp_path, SETUP)
    with pytest.raises(BadJournal) as refused:
        Journal.resume(first.path)
    assert "正在另一个窗口里玩" in the_interface().error(refused.value)
    second = Journal.begin(tmp_path, SETUP)
    assert [first.path.name, second.path.name] == ["000001.jsonl", "000002.jsonl"]
    first.close()
    Journal.resume(first.path)


def test_a_game_is_never_written_over(tmp_path: Path) -> None:
    """A new game takes no file that exists."""
    game = written(tmp_path / "g.jsonl")
    with pytest.raises(FileExistsError):
        Journal.create(tmp_path / "g.jsonl", SETUP)
    assert Journal.resume(tmp_path / "g.jsonl")[1].answers == game.answers


@pytest.mark.parametrize(
    ("line", "fields", "told"),
    [
        (0, {"format": 0}, "第 0 版"),
        (0, {"format": FORMAT + 1, "setup": "of another shape"}, f"第 {FORMAT + 1} 版"),
        (0, {"setup": {"seats": 3}}, "第 1 行坏了"),
        (2, {"ask": "witch.heal"}, "第 2 个回答"),
        (2, {"value": 99}, "第 2 个回答"),
        (2, {"undo": 99}, "第 3 行坏了"),
        (2, {"undo": "x"}, "第 3 行坏了"),
        (2, {"again": 3}, "第 3 行坏了"),
        (2, {"keep": 0, "setup": {}}, "第 3 行坏了"),
        (2, {"dance": True}, "第 3 行坏了"),
    ],
)
def test_a_journal_that_does_not_fit_is_refused(tmp_path: Path, line: int, fields: dict[str, object], told: str) -> None:
    """Of another format, or with a whole record that is none of this game's, it is refused with what is wrong, and left as it is."""
    path = tmp_path / "g.jsonl"
    written(path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = json.loads(lines[line])
    for replaced in ("crc", *(("ask", "value") if line and not fields.keys() & {"ask", "value", "n"} else ())):
        del kept[replaced]
    lines[line] = record(kept | fields)
    resumed = read(path, "".join(lines).encode())
    assert isinstance(resumed, BadJournal)
    assert told in the_interface().error(resumed)
    assert path.read_text("utf-8") == "".join(lines)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"[]\n", b"no json\n", b"\xff\xfe\n", b'{"format": "1"}\n', b"[" * 100_000 + b"\n", bytes(20_000_000)]
)
def test_what_is_no_journal_is_refused(tmp_path: Path, content: bytes) -> None:
    """Any other file is refused with a clear error."""
    assert isinstance(read(tmp_path / "g.jsonl", content), BadJournal)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda _: None])
def test_what_is_no_file_is_refused(tmp_path: Path, make: object) -> None:
    """A folder, a pipe that nobody writes to, a device, nothing at all: refused at once."""
    path = tmp_path / "g.jsonl"
    make(path)  # type: ignore[operator]
    with pytest.raises(BadJournal) as refused:
        Journal.resume(path)
    assert "读不了" in the_interface().error(refused.value)


def test_saves_are_read_or_refused_by_their_format(tmp_path: Path) -> None:
    """A real game of every edition, saved in its midst, comes back with all its answers; one of an older format is refused by name."""
    saves = sorted((Path(__file__).parent / "saves").glob(f"{FORMAT}-*.jsonl"))
    assert [path.stem.partition("-")[2] for path in saves] == editions()
    for old in set((Path(__file__).parent / "saves").glob("*.jsonl")) - set(saves):
        with pytest.raises(BadJournal) as refused:
            Journal.resume(old)
        assert f"第 {old.stem.partition('-')[0]} 版" in the_interface().error(refused.value)
    for save in saves:
        path = shutil.copy(save, tmp_path)
        journal, game = Journal.resume(path)
        journal.close()
        assert journal.dropped is None
        assert not game.over
        records = list(map(json.loads, save.read_text("utf-8").splitlines()[1:]))
        given = [(ask, list(value) if isinstance(value, tuple) else value) for ask, value in game.answers]
        assert [(record["ask"], record["value"]) for record in records if "ask" in record] == given


def last_setup(folder: Path) -> Setup | None:
    """What the newest game of a folder is played by."""
    game = last_game(folder)
    return game.setup if game else None


def test_the_last_set_up_is_kept(tmp_path: Path) -> None:
    """The newest game that has a set-up tells what was played; a folder without games tells nothing."""
    assert last_setup(tmp_path) is None
    named = SETUP.model_copy(update={"names": tuple("ABCDEF")})
    for setup in (SETUP, named):
        Journal.begin(tmp_path, setup).close()
    (tmp_path / "000003.jsonl").touch()
    assert last_setup(tmp_path) == named


# --- a disk that gives trouble ------------------------------------------------------------------------------------------


def test_a_folder_that_goes_away_is_made_anew(tmp_path: Path) -> None:
    """Deleted while a game is played, the journal is on the disk again, whole, with the next answer."""
    journal = Journal.begin(tmp_path / "games", SETUP)
    journal.answer("deal.ready", True)
    shutil.rmtree(tmp_path / "games")
    journal.answer("deal.seen", True)
    assert journal.trouble is None
    journal.close()
    assert [ask for ask, _ in Journal.resume(journal.path)[1].answers] == ["deal.ready", "deal.seen"]


def test_a_disk_that_comes_back_takes_what_it_missed(tmp_path: Path) -> None:
    """Where a folder cannot be made there is trouble, not an end; once it can, the whole journal is written."""
    (tmp_path / "games").touch()   # a file in the place of the folder
    journal = Journal.begin(tmp_path / "games", SETUP)
    journal.answer("deal.ready", True)
    assert isinstance(journal.trouble, NotADirectoryError)
    (tmp_path / "games").unlink()
    journal.answer("deal.seen", True)
    assert journal.trouble is None
    journal.close()
    assert len(Journal.resume(journal.path)[1].answers) == 2


def test_a_stick_that_is_pulled_and_put_back(tmp_path: Path) -> None:
    """Its own file, found in place of the one that went away, is written on; another game's never is."""
    journal = Journal.begin(tmp_path, SETUP)
    journal.answer("deal.ready", True)
    (tmp_path / "other").write_bytes(journal.path.read_bytes())
    journal.path.unlink()
    (tmp_path / "other").rename(journal.path)
    journal.answer("deal.seen", True)
    assert journal.trouble is None
    journal.path.write_bytes(record({"format": FORMAT, "setup": {}}).encode())
    shutil.copy(journal.path, tmp_path / "other")
    (tmp_path / "other").replace(journal.path)
    journal.answer("deal.ready", True)
    assert isinstance(journal.trouble, FileExistsError)
    assert journal.path.read_bytes() == record({"format": FORMAT, "setup": {}}).encode()


def test_a_file_that_another_narrator_holds_is_trouble_and_no_end(tmp_path: Path) -> None:
    """Come back in another narrator's hands, its own file is left to that one, and the game goes on."""
    journal = Journal.begin(tmp_path / "games", SETUP)
    journal.answer("deal.ready", True)
    (tmp_path / "games").rename(tmp_path / "away")
    other, _ = Journal.resume(Path(shutil.copy(tmp_path / "away" / journal.path.name, tmp_path)))
    (tmp_path / "games").mkdir()
    other.path.rename(journal.path)
    journal.answer("deal.seen", True)
    assert isinstance(journal.trouble, BlockingIOError)


def test_the_last_set_up_is_the_one_played_by_in_the_end(tmp_path: Path) -> None:
    """Rules that the table overruled are not offered again."""
    changed = SETUP.altered(edition=SETUP.edition.by_rules(captain_elected="never"))
    journal = Journal.begin(tmp_path, SETUP)
    journal.change(changed, 0, None)
    journal.close()
    assert last_setup(tmp_path) == changed
