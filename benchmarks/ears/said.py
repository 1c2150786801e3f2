"""What is said, at which question, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from narrator.hearing import Command, Entered
from narrator.hearing.spoken import Grammar
from narrator.numerals import Numerals
from narrator.rules import Ask
from narrator.script import Script

_SEATS, _TWELVE = tuple(range(1, 21)), tuple(range(1, 13))

VOTE = Ask("day.vote", "ballots", "everyone", _SEATS, _SEATS, may_pass=True)
_RUN = Ask("captain.run", "seats", "everyone", _TWELVE, _TWELVE, count=(0, 12), may_pass=True)
SPEECH = Ask("day.speech", "wait", "everyone", (3,), _TWELVE)
TALKING = Ask("day.discussion", "wait", "everyone", _TWELVE)
_READY = Ask("welcome.how", "wait", "everyone", ())
_YES_NO = Ask("welcome.offer", "yes_no", "everyone", ())
_SIDE = Ask("day.direction", "choice", "everyone", (1,), (1, 2), may_pass=True)
_HANDS = Ask("day.hands", "choice", "everyone", (1,), tuple(range(13)))

TALK = (
    "我觉得三号有问题", "他昨天晚上说他是预言家", "你们先听我说完", "这个人肯定是狼", "我不投三号", "不要投五号",
    "七号你为什么投他", "我昨天验了八号", "谁有水给我倒一杯", "等一下我去接个电话", "好像有点道理",
    "三号和四号里面肯定有一个狼", "我是平民", "你说的也对", "别急慢慢来", "我先不说", "这局太难了", "下一个谁发言",
    "外面下雨了", "把灯关小一点", "九号刚才紧张了", "四号发言很好", "我站边六号", "今天先出一个看看",
    "狼人应该在后面", "女巫昨天救人了吗", "你觉得呢", "无所谓", "真的假的", "我没听懂", "再想一想", "可以吃点东西吗",
    "他不是狼", "我是好人", "你过来一下", "过一会儿再说", "结束了再走", "听我说", "我同意他说的", "昨晚是平安夜",
    "我是女巫我有解药", "你先说说你的身份", "为什么不早说", "这里有一个问题", "我想听听后面的人怎么说", "他一直没有说话",
    "五号和六号互相踩", "这个逻辑不通", "我可以发誓", "先别吵", "警长你怎么看", "你到底投谁", "我还没想好", "再给我一点时间",
    "手机借我看一下", "晚饭吃什么", "几点了", "这杯是谁的", "我去一下洗手间", "好热啊", "没有人相信我", "不是我干的", "十号今天很安静",
)  # fmt: skip
"""Sentences of table talk, none of them an answer."""


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says, and what it means."""

    text: str
    ask: Ask
    meaning: Entered | Command
    paused: bool = False

    def exact(self, grammar: Grammar) -> dict[str, Entered | Command]:
        """What a program without any of this would look for: the plain phrases, and what they mean."""
        return {said: meaning for meaning, phrases in grammar.plainly(self.ask, self.paused).items() for said in phrases}


def _all() -> list[Said]:
    seat = [Numerals.model_validate(Script("anniversary").numerals).seats((n,)) for n in range(21)]
    carriers = ("我投{}", "投{}", "{}玩家", "我选{}吧", "呃，我投{}", "我觉得投{}", "{}吧", "处决{}", "投给{}")
    said = [Said(seat[n], VOTE, Entered(str(n))) for n in _SEATS]
    said += [Said(carriers[n % len(carriers)].format(seat[n]), VOTE, Entered(str(n))) for n in _SEATS]
    said += [Said(f"{seat[a]}和{seat[b]}", _RUN, Entered(f"{a}+{b}")) for a, b in list(combinations(_TWELVE, 2))[::8]]
    triples = list(combinations(_TWELVE, 3))[::40]
    said += [Said(f"{seat[a]}，{seat[b]}，还有{seat[c]}", _RUN, Entered(f"{a}+{b}+{c}")) for a, b, c in triples]
    said += [Said(f"{seat[a]}，不对，{seat[13 - a]}", VOTE, Entered(str(13 - a))) for a in (2, 5, 9, 12)]
    said += [Said(f"{n}位", _HANDS, Entered(str(count))) for count, n in enumerate("一两三四五六七八", 1)]
    said += [Said(text, VOTE, Entered("0")) for text in ("弃权", "没有人")]
    said += [Said(text, _READY, Entered("")) for text in ("好了", "继续", "过", "结束")]
    said += [Said(text, SPEECH, Entered("")) for text in ("过", "我说完了", "说完了")]
    said += [Said(text, _YES_NO, Entered("1")) for text in ("是", "对")]
    said += [Said(text, _YES_NO, Entered("0")) for text in ("不是", "不要")]
    said += [Said("左边", _SIDE, Entered("1")), Said("右边", _SIDE, Entered("2")), Said("法官，讨论完了", TALKING, Entered(""))]
    said += [Said("再说一遍", VOTE, Command("again")), Said("暂停", VOTE, Command("pause")), Said("撤销", VOTE, Command("undo"))]
    said += [Said("为什么", VOTE, Command("why")), Said("法官，暂停", TALKING, Command("pause"))]
    return [*said, Said("继续", VOTE, Command("pause"), paused=True)]


SAID = _all()
"""Every command, every seat alone and in a sentence, several seats, second thoughts, counts."""
