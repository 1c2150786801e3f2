"""Scripts: the official lines word for word, numbers as they are spoken, and every fault named before a word is spoken."""

from __future__ import annotations

import random
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from narrator import resources
from narrator.errors import BadScript
from narrator.interface import Interface
from narrator.rules import LINES, WAKES, Ask, Game, Say, say
from narrator.script import OWN_LINES, Script, Sentence, editions, every_sentence, joined, meant, whole
from narrator.sound.scenes import home, scenes
from tests.command import ROOT
from tests.players import legal
from tests.random_games import random_setup

COMMANDS = {path.stem for path in (ROOT / "narrator" / "cli").glob("*.py")}

VOICES = (ROOT / "docs" / "voices.md").read_text("utf-8")

OFFICIAL = tomllib.loads((Path(__file__).parent / "official_lines.toml").read_text("utf-8"))
"""The moderator sentences of the source documents, word for word."""


@pytest.mark.parametrize("edition", editions())
def test_the_official_lines_are_spoken_word_for_word(edition: str) -> None:
    """Every line that an edition's source gives, for a role that is played, is said exactly so."""
    script = Script(edition)
    given = {key: text for key, text in OFFICIAL.get(edition, {}).items() if key in LINES}
    assert script.official == set(given)
    for key, text in given.items():
        slots = dict.fromkeys(LINES[key], (3,))
        assert script.text(say(key, **slots)) == text.format(dead="三号")


@pytest.mark.parametrize(
    ("seats", "spoken"),
    [
        ((1,), "一号"), ((2,), "二号"), ((9,), "九号"), ((10,), "十号"), ((11,), "十一号"), ((12,), "十二号"), ((19,), "十九号"),
        ((20,), "二十号"), ((3, 7), "三号和七号"), ((1, 3, 7), "一号、三号和七号"), ((), "无人"),
    ],
)  # fmt: skip
def test_seats_are_spoken_as_chinese_numerals(seats: tuple[int, ...], spoken: str) -> None:
    """Seats are ordinals (二号, never 两号), and several are read as a person would read them out."""
    assert Script("anniversary").word("seat", seats) == spoken


def test_a_sentence_falls_into_parts_where_its_blanks_are() -> None:
    """A sentence with a blank can be joined from the words round it and what fills it, each with the sign that says how it goes on; one
    that names several seats is always joined, and seats share their parts over all lines."""
    script = Script("anniversary")
    assert script.sentences(say("morning.dead", dead=(3, 7, 12))) == (
        Sentence("发现三号、七号和十二号被掏干了内脏。", ("发现，", "三号，", "七号，", "和十二号，", "被掏干了内脏。"), joined=True),
    )
    assert script.sentences(say("death.executed", dead=(4, 9)))[0].parts == ("村民们决定，处决，", "四号，", "和九号。")
    assert script.sentences(say("day.speech", seat=2)) == (Sentence("请二号发言。", ("请，", "二号，", "发言。")),)
    assert script.sentences(say("roll.sleep", role="seer")) == (Sentence("女先知，请闭上眼睛。", ("女先知，", "请闭上眼睛。")),)
    assert script.sentences(say("pause")) == (Sentence("游戏暂停。"),)


def test_a_line_of_the_recap_is_always_joined() -> None:
    """A story has too many sentences to record each: its seats are joined on, one alone too; a card is read in one with its words."""
    script = Script("newmoon")
    (checked,) = script.sentences(say("recap.checked", role="seer", seat=3, role_2="witch"))
    assert checked == Sentence("预言家查验了三号，是女巫。", ("预言家查验了，", "三号，", "是女巫。"), joined=True)
    (voted,) = script.sentences(say("recap.voted", seats=(1, 4, 9), seat=12))
    assert voted == Sentence("一号、四号和九号投了十二号。", ("一号，", "四号，", "和九号，", "投了，", "十二号。"), joined=True)
    assert script.sentences(say("recap.attacked_nobody", role="werewolf")) == (Sentence("狼人谁也没刀。"),)
    assert {*checked.parts, *voted.parts} <= whole(every_sentence())


def test_parts_are_few_and_serve_every_list_of_seats() -> None:
    """Any list of seats in any line is joined from what a voice records; a person who records has much less to speak."""
    recorded = whole(every_sentence())
    for edition in editions():
        script = Script(edition)
        for key in ("morning.dead", "death.grief", "death.executed", "death.idiot"):
            for seats in ((1, 2), (5, 20), (3, 4, 19), tuple(range(1, 21))):
                for sentence in script.sentences(say(key, dead=seats)):
                    assert set(sentence.parts) <= recorded, sentence
    assert len(joined(every_sentence())) < len(recorded) * 0.75


@pytest.mark.parametrize("edition", editions())
def test_a_text_is_understood_as_the_sentence_it_is(edition: str) -> None:
    """Whatever the edition can say, written down, is the same sentence with the same parts again."""
    script = Script(edition)
    sentences = {sentence.text: sentence for sentence in script.every_sentence()}
    for text, sentence in sentences.items():
        (found,) = meant(text.rstrip("。"), [script])
        assert (found.text.rstrip("。"), found.joined) == (text.rstrip("。"), sentence.joined)
        assert found.parts == sentence.parts or not sentence.joined     # a line without a blank may read like one with its blank filled


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("3号", "三号。"), ("１２号", "十二号。"), ("20号", "二十号。"), ("第③局", "第三局"), ("105", "一零五"), ("007", "零零七"),
        ("0", "零"), ("没有", "没有"),
    ],
)  # fmt: skip
def test_digits_are_spelled_out(written: str, spoken: str) -> None:
    """No voice reads digits: whatever holds one is spoken in Chinese numerals."""
    assert [sentence.text for sentence in meant(written, [Script("flow")])] == [spoken]


def test_the_office_has_one_word(tmp_path: Path) -> None:
    """What an edition calls its captain is said once, and stands in all that it speaks and the screen asks; a table may change it."""
    own = tmp_path / "mine.toml"
    own.write_text('extends = "flow"\nname = "我们"\n[roles]\ncaptain = "里长"\n[ours]\n"captain.gone" = "没有{captain}了。"\n', "utf-8")
    scripts = [*map(Script, editions()), Script(str(own))]
    assert {script.captain for script in scripts} == {"村长", "警长", "里长"}
    named = ("captain.elect", "captain.choose", "captain.successor", "day.captain_hand")
    for script in scripts:
        others = {other.captain for other in scripts} - {script.captain}
        assert all(script.captain in script.text(say(key, seat=3)) for key in ("captain.elected", "status.captain"))
        assert script.captain in script.text(say("captain.gone"))
        assert not [sentence for sentence in script.every_sentence() for other in others if other in sentence.text]
        for ask in named:
            assert script.captain in Interface.load().ask(Ask(ask, "seat", "everyone", (1,), (1, 2)), script)
    shared = [(resources.folder("scripts") / name).read_text("utf-8") for name in ("house.toml", "interface.toml")]
    assert not [script.captain for script in scripts for text in shared if script.captain in text]


def test_a_question_that_may_be_passed_says_what_0_does() -> None:
    """Not only that it passes: a hunter does not shoot, a captain's office is gone; where that may not be, 0 is not offered."""
    interface, script = Interface.load(), Script("sides")
    for key, told in (("hunter.shoot", "0 不开枪"), ("captain.successor", "0 不移交，从此没有警长")):
        question = Ask(key, "seat", "everyone", (1,), (1, 2))
        assert told in interface.ask(replace(question, may_pass=True), script)
        assert "0" not in interface.ask(question, script)
    rng = random.Random(1)
    for _ in range(60):
        setup, cards = random_setup(rng)
        game = Game(setup)
        while ask := game.turn.ask:
            assert not ask.may_pass or "0" in interface.ask(ask, script), ask.id
            game.answer(ask.id, legal(ask, rng, setup.seats, cards, game.answers))


def test_the_docs_say_how_much_there_is_to_record() -> None:
    """What one edition wants, at most and at a small table, to the next ten; and what all of them do."""
    said = re.search(r"about (\d+) lines, with `--players 8` about (\d+), all editions for 20 players (\d+)", VOICES)
    assert said
    one, small, everything = map(int, said.groups())
    for edition in editions():
        for seats, figure in ((20, one), (8, small)):
            assert abs(len(joined(Script(edition).every_sentence(seats))) - figure) < 10
    assert len(joined(every_sentence())) == everything


def test_digits_in_an_own_edition_are_spelled_out(tmp_path: Path) -> None:
    """A table may write digits in its lines and its words for the cards; what is spoken has none."""
    path = tmp_path / "mine.toml"
    path.write_text('extends = "flow"\nname = "我们的"\n[roles]\nblank = "7号牌"\n[ours]\npause = "休息5分钟。"\n', encoding="utf-8")
    script = Script(str(path))
    assert script.text(say("pause")) == "休息五分钟。"
    assert script.word("role", "blank") == "七号牌"


def test_no_digit_reaches_a_voice() -> None:
    """No sentence that can be spoken holds an Arabic digit, a Latin letter or an unfilled blank."""
    texts = {text for sentence in every_sentence() for text in (sentence.text, *sentence.parts)}
    assert not [text for text in texts if any(c.isascii() or "０" <= c <= "９" for c in text)]


HE = {"anniversary": {"guard.wake", "seer.wake"}}
"""Official lines that say he, of whoever was chosen: word for word, and nothing of the role that is awake."""

GIVES_AWAY = re.compile("[他她您左右东南西北]|[前后][面边方]|对面|旁边|身[边旁后前]|隔壁|先生|女士|[一二三四五六七八九十]号")
"""He or she, a direction, a seat."""


@pytest.mark.parametrize("edition", editions())
def test_waking_lines_give_nobody_away(edition: str) -> None:
    """No line that is spoken while eyes are closed, of any edition, says he or she of who is awake, a seat or a direction; but where
    everyone is called in turn, whatever his card, it is by seat."""
    script = Script(edition)
    called = {key for key in LINES if key.partition(".")[0] in {"roll", "night", *WAKES} - {"deal"}} - {"look.wake"}
    assert called >= {"roll.wake", "werewolf.sleep", "lovers.wake", "piper.tap", "night.first", "night.girl"}
    for key in called:
        assert not {"seat", "seats", "dead"} & set(LINES[key]), key
        text = script.text(Say(key, tuple((slot, "seer") for slot in LINES[key])))
        if key in HE.get(edition, ()):
            assert key in script.official
            text = text.replace("一名玩家，他", "一名玩家，")
        assert not GIVES_AWAY.search(text), (key, text)


def test_an_edition_that_is_not_there_is_named_with_those_that_are() -> None:
    """An unknown edition's error lists the known ones."""
    with pytest.raises(BadScript, match="anniversary, flow, german, newmoon, sides"):
        Script("lunar")


def test_every_word_of_the_interface_is_used() -> None:
    """No text lies in the interface's file that nothing shows."""
    code = "".join(path.read_text("utf-8") for path in (ROOT / "narrator").rglob("*.py"))
    interface = Interface.load()
    for section in ("screen", "cli", "refused", "errors", "reasons", "page"):
        for key in getattr(interface, section):
            assert f'"{key}"' in code or key in COMMANDS, f"[{section}] {key}"


def test_every_scene_has_its_sound() -> None:
    """Each scene that a script opens is one of voices/ambience, and each of those is opened by a line."""
    house = tomllib.loads((resources.folder("scripts") / "house.toml").read_text("utf-8"))
    assert set(house["scenes"].values()) == set(scenes(home()))
    assert set(house["scenes"]) <= set(LINES) | set(OWN_LINES)


def test_a_scene_belongs_to_what_is_public() -> None:
    """No line that is spoken at night but a role's call opens a scene, and every role's call does."""
    script = Script("anniversary")
    calls = {key for key in LINES if key.endswith(".wake") and not key.startswith(("roll.", "deal.", "look."))}
    assert all(script.scene(key) for key in calls)
    assert not any(script.scene(key) for key in LINES if key.endswith((".sleep", ".tap", ".choose")))
