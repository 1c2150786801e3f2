"""What is said at the table is understood by its sound, at the question that is open."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.hearing import Command, Entered
from narrator.hearing.sounds import syllables, unlike
from narrator.hearing.spoken import Grammar, Guess, Words
from narrator.numerals import Numerals
from narrator.rules import Ask
from tests.texts import script_of

TWELVE = tuple(range(1, 13))
NUMERALS = Numerals.model_validate(script_of("anniversary").numerals)
GRAMMAR = Grammar(Words.shipped(), NUMERALS)

VOTE = Ask("day.vote", "ballots", "everyone", TWELVE, TWELVE, may_pass=True)
SHOT = Ask("hunter.shoot", "seat", "everyone", (1,), TWELVE[1:])
RUN = Ask("captain.run", "seats", "everyone", TWELVE, TWELVE, count=(0, 12), may_pass=True)
SPEECH = Ask("day.speech", "wait", "everyone", (3,), TWELVE)
TALK = Ask("day.discussion", "wait", "everyone", TWELVE)
AGREED = Ask("welcome.how", "wait", "everyone", ())
YES_NO = Ask("welcome.offer", "yes_no", "everyone", ())
SIDE = Ask("day.direction", "choice", "everyone", (1,), (1, 2), may_pass=True)
COIN = Ask("card.heads_or_tails.coin", "choice", "everyone", TWELVE, (1, 2), may_pass=True)
QUESTION = Ask("card.spiritualism.question", "choice", "everyone", (2,), (1, 2, 3, 4), may_pass=True)
POINT = Ask("card.great_distrust.point", "pairs", "everyone", TWELVE, TWELVE, (0, 12), may_pass=True)
OVER = Ask("table.over", "choice", "everyone", TWELVE, (1, 2), may_pass=True)
HANDS = Ask("day.hands", "choice", "everyone", (1,), tuple(range(13)))


def meant(said: str, ask: Ask | None = VOTE, paused: bool = False) -> tuple[Entered | Command, ...]:
    """What is understood where a recogniser has written this, and nothing else."""
    return GRAMMAR.understand([[Guess(said, -1.0)]], ask, paused)


@pytest.mark.parametrize(
    ("said", "ask", "keyed"),
    [
        ("三号", VOTE, "3"), ("3号", VOTE, "3"), ("３號玩家", VOTE, "3"), ("三", VOTE, "3"), ("第三號", VOTE, "3"),
        ("12号", VOTE, "12"),
        ("十二号", VOTE, "12"), ("幺号", VOTE, "1"), ("我投三号", VOTE, "3"), ("呃，我投三号吧。", VOTE, "3"),
        ("投给七号", VOTE, "7"), ("那就处决五号", VOTE, "5"), ("三号，不对，五号", VOTE, "5"), ("三号，说错了，五号", VOTE, "5"),
        ("弃权", VOTE, "0"), ("没有人", VOTE, "0"), ("过", VOTE, "0"), ("開槍打四號", SHOT, "4"), ("我带走八号", SHOT, "8"),
        ("三号和七号", RUN, "3+7"), ("三号七号", RUN, "3+7"), ("三号、七号，还有十二号", RUN, "3+7+12"), ("七号跟三号参选", RUN, "3+7"),
        ("没有人", RUN, "0"), ("过", SPEECH, ""), ("我说完了", SPEECH, ""), ("三号自爆", SPEECH, "3"), ("法官，讨论完了", TALK, ""),
        ("过麦", SPEECH, ""), ("我发言完毕", SPEECH, ""), ("法官，开始投票", TALK, ""), ("法官，可以投票了", TALK, ""),
        ("法官，投票吧", TALK, ""), ("三号上警", RUN, "3"), ("三号七号上警", RUN, "3+7"), ("三号当警长", SHOT, "3"),
        ("从左边开始", SIDE, "1"), ("听得见", AGREED, ""), ("再来一把", OVER, "2"),
        ("好了", AGREED, ""), ("继续", AGREED, ""), ("结束", AGREED, ""), ("是", YES_NO, "1"), ("不是", YES_NO, "0"), ("左边", SIDE, "1"),
        ("從右邊", SIDE, "2"), ("都行", SIDE, "0"), ("五位", HANDS, "5"), ("两个人", HANDS, "2"), ("没有", HANDS, "0"),
        ("十二票", HANDS, "12"), ("正面", COIN, "1"), ("是反面", COIN, "2"), ("第三个问题", QUESTION, "3"), ("问第一个", QUESTION, "1"),
        ("不问了", QUESTION, "0"), ("三号和七号", POINT, "3+7"), ("没有人", POINT, "0"),
    ],
)  # fmt: skip
def test_an_answer_is_what_would_have_been_keyed(said: str, ask: Ask, keyed: str) -> None:
    """In every form of the numerals, simplified or traditional, politely and with second thoughts."""
    assert meant(said, ask) == (Entered(keyed),)


@pytest.mark.parametrize(
    ("said", "command"), [("再说一遍", "again"), ("暂停", "pause"), ("撤销", "undo"), ("为什么", "why"), ("不对", "wrong")]
)
def test_a_command_is_understood_where_something_is_asked(said: str, command: str) -> None:
    """And where everybody talks, once the narrator is called."""
    assert list(meant(said)) == [Command(command)]  # type: ignore[arg-type]
    assert meant(said, TALK) == ()
    if command != "wrong":
        assert meant(f"法官，{said}", TALK) == (Command(command),)  # type: ignore[arg-type]


@pytest.mark.parametrize(("said", "ask"), [
    ("四后", "4"), ("是号", "4"), ("山号", "3"), ("气号", "7"), ("流号", "6"), ("巴号", "8"), ("旧号", "9"), ("无号", "5"),
])  # fmt: skip
def test_what_sounds_alike_is_alike(said: str, ask: str) -> None:
    """A recogniser that writes other characters, or a dialect that does not tell two sounds apart."""
    assert Entered(ask) in meant(said, Ask("day.vote", "ballots", "everyone", TWELVE, TWELVE[:9]))


@pytest.mark.parametrize("said", [
    "我不投三号", "我觉得三号是狼人", "今天天气不错",
    "你昨天晚上去哪里了", "这个不好说", "谢谢大家", "请不吝点赞订阅转发", "字幕由志愿者提供", "嗯", "",
    "三号四号五号六号随便哪个",
])  # fmt: skip
def test_what_is_no_answer_is_none(said: str) -> None:
    """Table talk, doubts, and what recognisers make up out of silence: never an abstention, never a guess; at most it is asked back."""
    assert len(meant(said)) != 1


@pytest.mark.parametrize("said", ["法官，还没讨论完", "法官，还不能投票", "法官，先别投票", "投票吧", "可以投票了"])
def test_a_talk_is_not_over_before_it_is(said: str) -> None:
    """Nor where the narrator is not called."""
    assert meant(said, TALK) == ()


@pytest.mark.parametrize("said", ["三号过分了", "我过一下", "过了一会儿", "我是好人，三号是狼，过"])
def test_who_talks_is_not_heard_unless_he_is_done(said: str) -> None:
    """In a speech only the word itself ends it, and where all talk not even that."""
    assert meant(said, TALK) == ()
    assert meant(said, SPEECH) == ()


@pytest.mark.parametrize("said", ["听不清楚", "没听清楚", "听不见", "听不到", "没听见", "不明白"])
def test_who_has_not_heard_does_not_go_on(said: str) -> None:
    """However much it sounds like who has."""
    assert meant(said, AGREED) == (Command("again"),)


def test_once_more_is_no_other_game() -> None:
    """However alike the two are, where a game is over."""
    assert meant("再来一遍", OVER) == (Command("again"),)


def test_two_that_are_alike_are_asked_back() -> None:
    """Where a recogniser hears one as well as the other, both come back, and no guess is made."""
    assert set(GRAMMAR.understand([[Guess("四号", -1.0), Guess("十号", -1.2)]], VOTE)) == {Entered("4"), Entered("10")}


def test_the_likelier_one_is_taken() -> None:
    """Where it hears one much better, that is it."""
    assert GRAMMAR.understand([[Guess("四号", -0.5), Guess("十号", -4.0)]], VOTE) == (Entered("4"),)


@pytest.mark.parametrize("said", ["三号", "十五号", "二十号"])
def test_only_what_may_be_answered_is_understood(said: str) -> None:
    """A seat that cannot be named is none, and no other one that is a part of it."""
    assert meant(said, Ask("day.vote", "ballots", "everyone", TWELVE, (5, 7, 10, 11))) == ()


@pytest.mark.parametrize(
    ("said", "ask", "keyed"),
    [
        ("不参选", RUN, "0"), ("我不上警", RUN, "0"), ("没有人上警", RUN, "0"), ("没人参选", RUN, "0"), ("不退", RUN, "0"),
        ("撕警徽", VOTE, "0"), ("弃票", VOTE, "0"), ("都弃权", VOTE, "0"), ("没人举手", HANDS, "0"),
    ],
)  # fmt: skip
def test_nobody_is_said_in_many_ways(said: str, ask: Ask, keyed: str) -> None:
    """As each question calls for it."""
    assert meant(said, ask) == (Entered(keyed),)


@pytest.mark.parametrize("said", ["我不投三号", "我没投三号", "不要投三号", "别投三号", "我不投赛号"])
def test_who_is_not_meant_is_not_voted_for(said: str) -> None:
    """A word too few is heard easily: it is asked back at best."""
    assert meant(said, VOTE) != (Entered("3"),)


def test_talk_that_sounds_a_little_like_nobody_is_no_abstention() -> None:
    """Nobody is said in so many short words that much of what a table says is nearly one of them."""
    assert meant("他不是狼", VOTE) != (Entered("0"),)


@pytest.mark.parametrize("said", ["个", "够", "火", "光", "结束", "没有了", "下一位", "好了"])
def test_a_short_word_ends_no_speech(said: str) -> None:
    """Nor does one that somebody else may say."""
    assert meant(said, SPEECH) == ()


def test_a_story_is_no_answer() -> None:
    """However many seats it names."""
    assert meant("三号" * 13) == ()


def test_a_pause_hears_how_to_go_on() -> None:
    """And no seat."""
    for ask in (VOTE, TALK, SPEECH, None):
        assert meant("继续", ask, paused=True) == (Command("pause"),)
        assert meant("报一报场上", ask, paused=True) == (Command("status"),)
    assert meant("法官，继续", None, paused=True) == (Command("pause"),)
    assert meant("三号", VOTE, paused=True) == ()


@given(st.sampled_from(TWELVE), st.sampled_from(["我投{}", "{}吧", "那就{}", "呃，选{}", "我觉得投{}", "法官，{}", "{}，谢谢"]))
def test_every_seat_is_understood_in_a_sentence(seat: int, sentence: str) -> None:
    """Whatever is put round it."""
    assert meant(sentence.format(NUMERALS.seats((seat,)))) == (Entered(str(seat)),)


@pytest.mark.parametrize("pair", list(combinations((1, 2, 3, 5, 7, 10, 11, 12), 2)), ids=str)
def test_every_pair_is_understood_as_the_narrator_says_it(pair: tuple[int, ...]) -> None:
    """一号和十二号 is two seats and not three."""
    assert meant(NUMERALS.seats(pair), RUN) == (Entered("+".join(map(str, pair))),)


def test_syllables_have_no_tone_and_one_script() -> None:
    """四號 is 四号, and what dialects merge differs less than what they do not."""
    assert syllables("四號") == syllables("四号")
    (four, ten, two) = syllables("四十二")
    assert 0 < unlike(four, ten) < unlike(four, two) <= 1
    assert unlike(four, ten) == unlike(ten, four)


# --- several hearings of the same words ---------------------------------------------------------------------------------


def heard_in_turn(*hearings: list[Guess]) -> tuple[tuple[Entered | Command, ...], int]:
    """What is understood of these, and of how many of them that took."""
    taken = []
    meanings = GRAMMAR.understand((taken.append(hearing) or hearing for hearing in hearings), VOTE)  # type: ignore[func-returns-value]
    return meanings, len(taken)


def test_what_is_certain_is_not_heard_twice() -> None:
    """A second look costs time."""
    assert heard_in_turn([Guess("弃权", -0.1)], [Guess("三号", -0.1)]) == ((Entered("0"),), 1)


def test_what_is_doubtful_is_heard_once_more() -> None:
    """The second look tells which of two it was."""
    doubtful = [Guess("三号", -1.0), Guess("八号", -1.2)]
    assert heard_in_turn(doubtful, [Guess("三号", -0.1), Guess("八号", -6.0)]) == ((Entered("3"),), 2)


def test_one_hearing_that_contradicts_another_takes_nothing() -> None:
    """Each is as good as the other: it is asked back."""
    meanings, _ = heard_in_turn([Guess("四号", -0.1), Guess("十号", -3.0)], [Guess("十号", -0.1), Guess("四号", -3.0)])
    assert set(meanings) == {Entered("4"), Entered("10")}
