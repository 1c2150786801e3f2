"""How Chinese is read aloud: sentence -> phonemes. For the studio only: needs the extra `studio`.

misaki knows the words; `voices/pronunciation.toml` corrects it where it joins the wrong characters to a word (`cuts`: the
same characters with spaces) or reads a word wrongly (`[words]`: one syllable in pinyin for each character, with tone marks,
without one for the neutral tone):

    cuts = ["天黑 请"]

    [words]
    "掏干" = "tāo gān"
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from narrator.errors import BadVoice


class Table(BaseModel):
    """The file's content."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    cuts: list[str] = []
    words: dict[str, str] = {}

    @classmethod
    def read(cls, path: Path) -> Table:
        """Read a table. Raises `BadVoice` with what was expected."""
        try:
            table = cls.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValidationError, ValueError) as error:
            raise BadVoice(f"{path} is not a pronunciation table: {error}", path=path) from error
        for word, pinyin in table.words.items():
            if len(pinyin.split()) != len(word):
                raise BadVoice(f"{path}: {word!r} = {pinyin!r}; expected a syllable for each of {len(word)} characters", path=path)
        return table


def reader(table: Table) -> Callable[[str], str]:
    """A function sentence -> phonemes. The table's words hold for the whole process, as these libraries keep them globally."""
    try:
        import jieba
        import pypinyin
        from misaki import zh
    except ImportError as error:
        raise BadVoice(f"rendering needs more packages: pip install 'narrator[studio]' ({error})") from error
    jieba.setLogLevel(logging.WARNING)
    for word in table.words:
        jieba.add_word(word)
    for cut in table.cuts:
        jieba.suggest_freq(tuple(cut.split()), tune=True)
    pypinyin.load_phrases_dict({word: [[syllable] for syllable in pinyin.split()] for word, pinyin in table.words.items()})
    phonemise = zh.ZHG2P()

    def read(sentence: str) -> str:
        return str(phonemise(sentence)[0]).strip()

    return read
