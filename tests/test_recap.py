"""After the end: the story of the game, told aloud and as a page, agrees with what happened, and comes out of no game that goes on.

The story of one game is golden. To accept another: `python -m tests.test_recap`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator import recap
from narrator.cards import deal
from narrator.hearing import Command, Entered, Payload
from narrator.interface import Interface
from narrator.journal import Journal
from narrator.practice import Players
from narrator.recap.page import page
from narrator.rules import SPARE, Ask, Died, Game, Say, Setup, Voted
from narrator.script import Script, editions, every_sentence, whole
from tests.command import narrator, told
from tests.players import legal, table
from tests.random_games import random_setup
from tests.small import SMALL, TWO_NIGHTS, keys
from tests.stage import Table, answers, new_journal

GOLDEN = Path(__file__).parent / "golden" / "recap.txt"
NAMES = tuple("甲乙丙丁戊己庚辛壬癸子丑")


def ended(setup: Setup, cards: tuple[str, ...], rng: random.Random) -> Game:
    """A game that was played by chance to its end."""
    game = Game(setup)
    while ask := game.turn.ask:
        if ask.kind == "seat" and ask.may_pass and not ask.candidates:
            game.answer(ask.id, None)
        else:
            game.answer(ask.id, legal(ask, rng, setup.seats, cards, game.answers))
    return game


def slots(line: Say, *names: str) -> Iterator[int]:
    """The seats that a line names in these blanks."""
    for name, value in line.slots:
        if name in names and not isinstance(value, str):
            yield from (seat for seat in (value if isinstance(value, tuple) else (value,)) if isinstance(seat, int))


# --- the story agrees with the game -------------------------------------------------------------------------------------


@cache
def recorded() -> set[str]:
    return whole(every_sentence())


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_the_story_is_that_of_the_game(seed: int) -> None:
    """At any table: each seat with its card, each ballot as it was given, everyone who died and nobody else, the winner at the end; no seat
    that is not there; and a voice has all of it recorded."""
    rng = random.Random(seed)
    setup, cards = random_setup(rng)
    game = ended(setup, cards, rng)
    lines = recap.told(game)
    seats = range(1, setup.seats + 1)
    held = {seat: dict(line.slots)["role"] for line in lines if line.key == "recap.card" for seat in slots(line, "seats")}
    assert held == {seat: game.role(seat) for seat in seats}
    assert all(seat in seats for line in lines for seat in slots(line, "seat", "seats", "dead"))
    ends = ("morning.dead", "recap.shot", "death.grief", "death.executed", "death.idiot", "death.showed_himself", "recap.left")
    assert [seat for line in lines if line.key in ends for seat in slots(line, "dead", "seat")] == [
        event.seat for event in game.events if isinstance(event, Died)
    ]
    assert game.outcome
    assert lines[-1].key == f"end.{game.outcome.winner}"
    votes = [event for event in game.events if isinstance(event, Voted) and (event.ballots or event.weights)]
    assert list(ballots(lines, setup.seats)) == [vote.ballots or (0,) * setup.seats for vote in votes]
    hands = [dict(line.slots) for line in lines if line.key == "vote.count"]
    counted = [weight for vote in votes if not vote.ballots for weight in vote.weights]
    assert sorted((hand["seat"], hand["votes"]) for hand in hands) == sorted(counted)
    script = Script(setup.edition.id)
    for line in lines:
        for sentence in script.sentences(line):
            assert set(sentence.parts if sentence.joined else [sentence.text]) <= recorded(), sentence


def ballots(lines: tuple[Say, ...], seats: int) -> Iterator[tuple[int, ...]]:
    """The ballots of each vote that is told."""
    vote: list[int] | None = None
    for line in (*lines, Say("recap.vote")):
        if line.key in ("recap.vote", "recap.election"):
            if vote is not None:
                yield tuple(vote)
            vote = [0] * seats
        elif line.key == "recap.voted" and vote is not None:
            for voter in slots(line, "seats"):
                (vote[voter - 1],) = slots(line, "seat")


KNOWN: tuple[tuple[tuple[str, object], ...], ...] = (
    (("thief.swap", 1), ("cupid.pair", (2, 6)), ("guard.protect", 3), ("seer.check", 7), ("werewolf.kill", 6), ("witch.heal", True)),
    (("guard.protect", None), ("seer.check", None), ("werewolf.kill", None), ("witch.poison", 7)),
)


def test_each_choice_of_a_night_is_told() -> None:
    """What each role chose, or that it chose nobody, stands in the story in the order of the night, in the edition's words."""
    cards = ("werewolf", "villager", "guard", "seer", "witch", "thief", "werewolf", "cupid", "villager", "villager", "hunter")
    rules = Script("flow").edition.by_rules(captain_elected="never")
    setup = Setup(edition=rules, seats=len(cards) - SPARE, deck=cards, deal=cards[:-SPARE], spare=cards[-SPARE:])
    game = Game(setup)
    for choices in KNOWN:
        given = dict(choices)
        while (ask := game.turn.ask) and game.phase.kind != "day":
            game.answer(ask.id, given.get(ask.id, True if ask.kind == "wait" else None))
        while (ask := game.turn.ask) and game.phase.kind == "day":
            game.answer(ask.id, True if ask.kind == "wait" else None)
    nights = ["".join(map(Script("flow").text, chapter.lines)) for chapter in recap.story(game) if chapter.phase.kind == "night"]
    assert nights[0] == (
        "第一夜。六号原来是小偷，换了牌。丘比特射中了二号和六号。守卫守了三号。先知查验了七号，是狼人。狼人刀了六号。女巫救了六号。"
        "天亮了。昨夜平安，无人死去。"
    )
    assert nights[1].startswith("又一夜。守卫谁也没守。先知没有查验。狼人谁也没刀。女巫毒了七号。天亮了。昨夜被杀的是七号。")


def test_who_went_home_did_not_die_of_anything() -> None:
    """A player who had to go is told as having gone home, in the story, in the picture and in the table; and as out of the game."""
    game = Game(SMALL)
    while not game.leaving:
        assert game.turn.ask
        game.answer(game.turn.ask.id, True if game.turn.ask.kind == "wait" else None)
    game.answer("table.leave", 5)
    while game.turn.ask:
        game.answer(game.turn.ask.id, 1 if game.turn.ask.id == "day.vote" else True)
    script = Script("anniversary")
    day = next(chapter for chapter in recap.story(game) if chapter.phase.kind == "day")
    assert "五号回家了。" in "".join(map(script.text, day.lines))
    assert [mark.what for mark in day.marks if mark.seat == 5] == ["left", "dead"]
    text = Page(page(game, Interface.load(), script)).text
    assert "第1天：回家、出局" in text
    assert "走　回家" in text


def test_who_went_home_during_a_vote_has_not_abstained() -> None:
    """A vote in which a player had to go is told once, without his ballot; who else gave none is named once."""
    cards = ("werewolf", "villager", "villager", "villager", "seer", "villager")
    game = Game(table("sides", *cards, captain_elected="never", voting="ballots"))
    left: dict[str, list[object]] = {"day.ballot": [1, None, None, 1, 1]}
    while (ask := game.turn.ask) and game.phase.number < 2:
        if ask.id == "day.ballot" and ask.actors == (2,) and 6 in game.alive:
            game.answer("table.leave", 6)
            continue
        given = left.get(ask.id)
        game.answer(ask.id, given.pop(0) if given else True if ask.kind == "wait" else None)
    text = "".join(Script("sides").text(line) for line in recap.told(game))
    assert "六号回家了。" in text
    assert "一号、四号和五号投了一号。二号和三号弃权。" in text


def golden() -> str:
    """The story of a game with a thief, a pair of lovers, a piper, and nearly every other card."""
    rng = random.Random(12)
    base = Script("anniversary").edition
    specials = ("thief", "cupid", "seer", "witch", "guard", "hunter", "elder", "idiot", "piper")
    cards = deal((*specials, *["werewolf"] * 3, *["villager"] * 4), rng)
    seats = len(cards) - SPARE
    game = ended(Setup(edition=base, seats=seats, deck=cards, deal=cards[:seats], spare=cards[seats:]), cards, rng)
    script, interface = Script("anniversary"), Interface.load()
    return "".join(f"{interface.phase(chapter.phase)}\n" + "".join(f"  {script.text(line)}\n" for line in chapter.lines)
                   for chapter in recap.story(game))  # fmt: skip


def test_the_story_reads_as_it_was_accepted() -> None:
    """One whole game is told exactly as it was when its story was accepted."""
    assert golden() == GOLDEN.read_text("utf-8")


# --- told aloud ---------------------------------------------------------------------------------------------------------


def at_the_end(*entries: tuple[float, Payload], **options: object) -> Table:
    """The small game, at whose end these are entered, in seconds after the offer; after each that it takes nothing more is entered."""
    left = [[entry] for entry in entries]
    game = answers(*TWO_NIGHTS)

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        return list(game(ask)) if ask.id != "table.over" else left.pop(0) if left else []

    at_table = Table(SMALL, plan, **options)  # type: ignore[arg-type]
    at_table.run()
    return at_table


def test_the_story_is_told_aloud_to_a_table_that_wants_it() -> None:
    """1 and Enter, once the game is over, has the whole story told, line by line, for everyone; then the curtain falls by itself."""
    at_table = at_the_end((1.0, Entered("1")))
    story = recap.told(at_table.game)
    spoken = [(record["key"], record["text"]) for record in at_table.public_transcript()]
    script = Script("anniversary")
    assert len(story) > 15
    assert spoken[-len(story) - 1 : -1] == [(line.key, script.text(line)) for line in story]
    assert spoken[-1] == ("curtain", "")


@pytest.mark.parametrize("entry", ["", "0"])
def test_enter_ends_it_without_a_story(entry: str) -> None:
    """Who does not want to hear it ends the game as before; so does who does nothing for a while."""
    for at_table in (at_the_end((1.0, Entered(entry))), at_the_end()):
        assert keys(at_table)[-1] == "recap.offer"
        assert at_table.game.over


def test_a_story_is_stopped_by_enter() -> None:
    """Enter in its midst ends it, and the game with it; the line that was being told is the last."""
    at_table = at_the_end((1.0, Entered("1")), (9.0, Entered("")))
    told_so_far = keys(at_table)[keys(at_table).index("recap.open") :]
    assert 1 < len(told_so_far) < len(recap.told(at_table.game))


def test_a_line_of_the_story_is_said_again() -> None:
    """The key for it says the line once more from its start; the story goes on."""
    plain = at_the_end((1.0, Entered("1")))
    when = next(record["time"] for record in plain.transcript if record["key"] == "recap.attacked") + 0.5
    again = at_the_end((1.0, Entered("1")), interjections=[(when, Command("again"))])
    assert len(keys(again)) == len(keys(plain)) + 1
    assert keys(again).count("recap.attacked") == keys(plain).count("recap.attacked") + 1


def test_what_the_story_shows_to_be_wrong_can_be_undone(tmp_path: Path) -> None:
    """A table that hears its mistake in the story takes the last answer back, and plays on from there."""
    plain = at_the_end((1.0, Entered("1")))
    when = next(record["time"] for record in plain.transcript if record["key"] == "recap.morning")
    journal = new_journal(tmp_path, SMALL)
    left = [[(1.0, Entered("1"))], [], [(1.0, Entered(""))]]
    game = answers(*TWO_NIGHTS, ("day.vote", "2"), ("day.vote", "1"))

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        return list(left.pop(0) if ask.id == "table.over" else game(ask))

    at_table = Table(SMALL, plan, journal=journal, interjections=[(when, Command("undo")), (when + 0.1, Command("undo"))])
    at_table.run()
    journal.close()
    assert "undo.day" in keys(at_table)
    assert at_table.game.over
    assert [value for ask, value in at_table.game.answers if ask == "day.vote"] != [
        value for ask, value in plain.game.answers if ask == "day.vote"
    ]
    assert Journal.resume(journal.path)[1].answers == at_table.game.answers


# --- as a page ----------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a browser reads in a page. Raises `AssertionError` where a tag is not closed, or where it wants something from elsewhere."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(content)
        self.close()
        assert not self.open

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "href", "onload"} & {name for name, _ in attrs}
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def saved_game(folder: Path, edition: str = "anniversary", players: int = 12, names: tuple[str, ...] = NAMES) -> tuple[Path, Game]:
    """The journal of a whole game of simulated players."""
    rng = random.Random(edition)
    base = Script(edition).edition
    cards = deal(base.deck(players), rng)
    setup = Setup(edition=base, seats=players, deck=base.deck(players), names=names)
    journal = new_journal(folder, setup)
    at_table = Table(setup, answers(), hearing=lambda clock: Players(clock, setup.seats, cards, rng), journal=journal)
    at_table.run()
    journal.close()
    return journal.path, at_table.game


@pytest.mark.parametrize("edition", editions())
def test_a_journal_becomes_a_page(edition: str, tmp_path: Path) -> None:
    """`narrator recap FILE` writes a well-formed page that needs nothing else: every seat with its name and card, every vote, the story,
    and a picture with each mark in it."""
    path, game = saved_game(tmp_path, edition)
    ended = narrator("recap", path, "--out", tmp_path / "story.html")
    assert ended.returncode == 0, ended.stderr
    assert str(tmp_path / "story.html") in ended.stdout
    content = (tmp_path / "story.html").read_text("utf-8")
    assert "@import" not in content
    assert "url(" not in content
    text, script, interface = Page(content).text, Script(edition), Interface.load()
    rows = ElementTree.fromstring(content).findall(".//tbody/tr")
    assert [["".join(cell.itertext()) for cell in row][:3] for row in rows] == [
        [f"{seat} 号", game.setup.name(seat), script.word("role", game.role(seat))] for seat in range(1, 13)
    ]
    for chapter in recap.story(game):
        assert interface.phase(chapter.phase) in text
        for line in chapter.lines:
            assert script.text(line) in text or line.key in recap.NIGHTFALL
    svg = ElementTree.fromstring(content).find(".//{http://www.w3.org/2000/svg}svg")
    assert svg is not None
    marks = [group.get("class") for group in svg.iter("{http://www.w3.org/2000/svg}g")]
    assert sorted(str(mark) for mark in marks) == sorted(f"badge {mark.what}" for chapter in recap.story(game) for mark in chapter.marks)
    phases = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text") if element.get("class") == "phase"]
    assert phases == [interface.phase(chapter.phase) for chapter in recap.story(game) if chapter.phase.number or chapter.marks]


def test_the_picture_stays_inside_its_frame(tmp_path: Path) -> None:
    """Every mark lies within the picture, in the row of its seat, and none lies on another."""
    _, game = saved_game(tmp_path)
    root = ElementTree.fromstring(page(game, Interface.load(), Script("anniversary")))
    svg = root.find(".//{http://www.w3.org/2000/svg}svg")
    assert svg is not None
    width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
    boxes = [
        tuple(float(group[1].attrib[side]) for side in ("x", "y", "width", "height")) for group in svg.iter("{http://www.w3.org/2000/svg}g")
    ]
    assert len(boxes) > 20
    for number, (x, y, wide, high) in enumerate(boxes):
        assert 0 < x < x + wide <= width
        assert 0 < y < y + high <= height
        assert not [other for other in boxes[:number] if other[1] == y and other[0] < x + wide and x < other[0] + other[2]]


def test_a_name_is_only_a_name(tmp_path: Path) -> None:
    """Whatever a player is called, the page stays what it is."""
    names = ("<script>alert(1)", "</table>&amp;", "\"'><b>", "甲&乙", "$title", "{seat}")
    _, game = saved_game(tmp_path, players=6, names=names)
    content = page(game, Interface.load(), Script("anniversary"))
    text = Page(content).text
    assert all(name in text for name in names)
    assert "<script" not in content


def test_the_last_game_that_was_played_to_its_end_is_told(tmp_path: Path) -> None:
    """Without a file it is the newest that is over, whatever has been begun since; where there is none it says so."""
    told(narrator("recap", cwd=tmp_path, XDG_DATA_HOME=str(tmp_path)).stderr, "复盘")
    games = tmp_path / "narrator" / "games"
    games.mkdir(parents=True)
    path, _ = saved_game(tmp_path)
    path.rename(games / "000001.jsonl")
    journal = Journal.begin(games, SMALL)
    journal.close()
    ended = narrator("recap", cwd=tmp_path, XDG_DATA_HOME=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert "甲" in Page((tmp_path / "recap.html").read_text("utf-8")).text


def test_a_page_that_is_there_stays(tmp_path: Path) -> None:
    """Where no file is named, one that lies there is left alone, and it is said where the page is; a named one is written over."""
    path, _ = saved_game(tmp_path)
    for name in ("recap.html", "recap-2.html", "recap-3.html"):
        assert name in narrator("recap", path, cwd=tmp_path).stdout
    (tmp_path / "recap-2.html").write_text("mine")
    assert narrator("recap", path, "--out", "recap-2.html", cwd=tmp_path).returncode == 0
    pages = sorted(tmp_path.glob("*.html"))
    assert [page.name for page in pages] == ["recap-2.html", "recap-3.html", "recap.html"]
    assert len({page.read_text("utf-8") for page in pages}) == 1


@pytest.mark.parametrize("voting", ["ballots", "hands"])
def test_the_page_tells_an_election_from_an_execution(voting: str) -> None:
    """Ballots in an election are told as what they are, in the edition's word, in the picture as in the table."""
    everyone = ("werewolf", "villager", "villager", "villager", "seer")
    game = Game(table("sides", *everyone, captain_elected="first_day", captain_candidates="everyone", voting=voting))
    left = {"captain.ballot": [4, 4, 4, 3, 3], "captain.hands": [0, 0, 2, 3]}
    left |= {"day.ballot": [1] * 5, "day.hands": [5], "day.captain_hand": [1]}
    while ask := game.turn.ask:
        given = left.get(ask.id)
        game.answer(ask.id, given.pop(0) if given else True if ask.kind == "wait" else None)
    content = page(game, Interface.load(), Script("sides"))
    rows = {row[0].text: "".join(row.itertext()) for row in ElementTree.fromstring(content).findall(".//tbody/tr")}
    assert "选警长得了 3 票、当警长" in rows["4 号"]
    assert "处决得了" not in rows["4 号"]
    assert "选警长得了 2 票" in rows["3 号"]
    assert f"处决得了 {5 if voting == 'ballots' else 6} 票、被处决" in rows["1 号"]    # a hand has no number, the captain's counts twice
    assert {"选3", "选2"} <= set(Page(content).text.split())
    assert all(sign in Page(content).text for sign in ("选n　选警长得了 n 票", "n票　处决得了 n 票"))


@pytest.mark.parametrize("voting", ["ballots", "hands"])
def test_the_page_tells_the_rounds_of_a_vote_apart(voting: str) -> None:
    """Where a tie is voted on again, the ballots of each round are told as that round's; the next vote is a first one."""
    everyone = ("werewolf", "villager", "villager", "villager", "seer")
    rules = {"captain_elected": "first_day", "captain_candidates": "everyone", "tie": ["second_vote", "nobody"]}
    game = Game(table("sides", *everyone, voting=voting, **rules))
    left = {"captain.ballot": [4, 4, 3, 3, None, 4, 4, 4, 3, None], "captain.hands": [0, 0, 2, 2, 0, 1, 3]}
    left |= {"day.ballot": [1, 1, 2, None, 2, 1, 1, 1, 1, 2], "day.hands": [2, 2, 0, 0, 0, 4, 1], "day.captain_hand": [None, None]}
    while ask := game.turn.ask:
        given = left.get(ask.id)
        game.answer(ask.id, given.pop(0) if given else True if ask.kind == "wait" else None)
    content = page(game, Interface.load(), Script("sides"))
    rows = {row[0].text: "".join(row.itertext()) for row in ElementTree.fromstring(content).findall(".//tbody/tr")}
    assert "选警长得了 2 票、第2轮选警长得了 3 票、当警长" in rows["4 号"]
    assert "选警长得了 2 票、第2轮选警长得了 1 票" in rows["3 号"]
    assert "：处决得了 2 票、第2轮处决得了 4 票、被处决" in rows["1 号"]
    assert "第2轮处决得了 4 票" in content[: content.index("<table")], "in the picture too"


def test_a_game_that_goes_on_keeps_its_secrets(tmp_path: Path) -> None:
    """A game that is not over is refused, also while it is being played, and no page is written; so is one that was undone at its end."""
    path, game = saved_game(tmp_path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if '"ask"' in line)
    for number in (1, len(lines) // 2, last):
        (tmp_path / "cut.jsonl").write_text("".join(lines[:number]), "utf-8")
        ended = narrator("recap", tmp_path / "cut.jsonl", cwd=tmp_path)
        assert ended.returncode == 1
        told(ended.stderr, "cut.jsonl", "还没玩完")
    (tmp_path / "cut.jsonl").write_text("".join([*lines[:5], "no record\n", *lines[5:]]), "utf-8")
    told(narrator("recap", tmp_path / "cut.jsonl", cwd=tmp_path).stderr, "第 6 行坏了")
    journal, _ = Journal.resume(path)
    journal.undo(len(game.answers) - 1, None)
    told(narrator("recap", path, cwd=tmp_path).stderr, "还没玩完")
    journal.close()
    assert not list(tmp_path.glob("*.html"))


def test_what_cannot_be_told_is_a_sentence(tmp_path: Path) -> None:
    """A file that is not there, is no journal, or cannot be written, ends with one sentence and exit code 1; the journal is as it was."""
    path, _ = saved_game(tmp_path)
    before = path.read_bytes()
    (tmp_path / "other.txt").write_text("hello\n")
    for arguments, part in (
        ((tmp_path / "gone.jsonl",), "没有这个文件"),
        ((tmp_path / "other.txt",), "坏了"),
        ((tmp_path,), "文件夹"),
        ((path, "--out", tmp_path / "no" / "x.html"), "写不了"),
        ((path, "--out", tmp_path), "写不了"),
        ((path, "--out", path), "存档"),
    ):
        ended = narrator("recap", *arguments, cwd=tmp_path)
        assert ended.returncode == 1
        told(ended.stderr, part)
    assert path.read_bytes() == before


if __name__ == "__main__":
    GOLDEN.write_text(golden(), "utf-8")
