"""How Chinese is read aloud: sentence -> a syllable in pinyin for each character. Every engine reads so.

pypinyin knows the words; `voices/pronunciation.toml` corrects it where it reads one wrongly (`[words]`: one syllable for each
character, with tone marks, without one for the neutral tone), and tells engines that pause between words where to cut, if they
would join the wrong characters (`cuts`: the same characters with spaces):

    cuts = ["天黑 请"]

    [words]
    "掏干" = "tāo gān"
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from narrator import resources
from narrator.errors import BadVoice

CHARACTERS = re.compile(r"[\u4e00-\u9fff]+")
_PAUSES = str.maketrans({"。": ". ", "，": ", ", "、": ", ", "；": "; ", "：": ": ", "！": "! ", "？": "? "})


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

    @classmethod
    def shipped(cls) -> Table:
        """The one in voices/."""
        return cls.read(resources.folder("voices") / "pronunciation.toml")


class Reader:
    """Reads as a table says. Its words hold for the whole process, for pypinyin keeps them globally; they take 60 MB, so this is for
    processes that have nothing else to do."""

    def __init__(self, table: Table) -> None:
        import pypinyin

        self._read, self._style = pypinyin.lazy_pinyin, pypinyin.Style.TONE3
        pypinyin.load_phrases_dict({word: [[syllable] for syllable in pinyin.split()] for word, pinyin in table.words.items()})

    def syllables(self, characters: str) -> list[str]:
        """A syllable for each of these Chinese characters, its tone behind it as a digit, 5 for the neutral one."""
        syllables: list[str] = self._read(characters, style=self._style, neutral_tone_with_five=True)
        return syllables

    def pinyin(self, sentence: str) -> str:
        """A sentence for an engine that reads pinyin."""
        return CHARACTERS.sub(lambda found: " ".join(self.syllables(found[0])), sentence).translate(_PAUSES).strip()
