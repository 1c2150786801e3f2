"""How Chinese is read aloud, for every engine alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.errors import BadVoice
from narrator.pronunciation import CHARACTERS, Reader, Table
from narrator.script import every_sentence

READ = {
    "一号": "yi1 hao4", "第一次": "di4 yi1 ci4", "一起": "yi4 qi3", "一位": "yi2 wei4", "一只": "yi4 zhi1", "一票": "yi2 piao4",
    "二十一号": "er4 shi2 yi1 hao4", "角色": "jue2 se4", "从头再来": "cong2 tou2 zai4 lai2", "重新投票": "chong2 xin1 tou2 piao4",
    "我们重来": "wo3 men5 chong2 lai2", "替大家受罚": "ti4 da4 jia1 shou4 fa2", "两个人": "liang3 ge4 ren2", "处决": "chu3 jue2",
    "音箱调响": "yin1 xiang1 tiao2 xiang3", "请睁开眼睛": "qing3 zheng1 kai1 yan3 jing5", "接着玩": "jie1 zhe5 wan2",
    "中枪": "zhong4 qiang1", "谁": "shei2", "还魂": "huan2 hun2", "长老": "zhang3 lao3", "村长": "cun1 zhang3",
    "数一数": "shu3 yi5 shu3", "都明白了": "dou1 ming2 bai2 le5", "掏干了内脏": "tao1 gan1 le5 nei4 zang4", "为准": "wei2 zhun3",
    "行": "xing2", "得清楚": "de2 qing1 chu3", "号码": "hao4 ma3", "昨夜被杀的是": "zuo2 ye4 bei4 sha1 de5 shi4",
    "不算": "bu2 suan4", "没有": "mei2 you3", "吹笛者": "chui1 di2 zhe3",
}  # fmt: skip
"""Numerals, and characters that have several readings, in the words in which the script has them."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Table.shipped())


@pytest.mark.parametrize("words", READ)
def test_words_are_read_as_one_says_them(words: str, reader: Reader) -> None:
    """Numerals and characters with several readings have the one that belongs there."""
    assert " ".join(reader.syllables(words)) == READ[words]


def test_every_character_of_the_script_has_a_reading(reader: Reader) -> None:
    """Whatever can be spoken becomes pinyin, a syllable for each character and a pause for each sign; nothing is left as it was."""
    for sentence in every_sentence():
        pinyin = reader.pinyin(sentence.text)
        assert pinyin.isascii(), sentence.text
        assert len(pinyin.replace(",", "").replace(".", "").split()) == len("".join(CHARACTERS.findall(sentence.text)))


@pytest.mark.parametrize("text", ["words = 1", "colour = 1", '[words]\n"掏干" = "tāo"', "[words"])
def test_the_table_is_read_strictly(tmp_path: Path, text: str) -> None:
    """A table with an unknown key, or a word without a syllable for each character, is refused."""
    path = tmp_path / "pronunciation.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadVoice, match=r"pronunciation\.toml"):
        Table.read(path)
