"""How numbers are spoken: seats are ordinals (二号, never 两号), and several are read out as a person would."""

from __future__ import annotations

import re
import unicodedata

from pydantic import BaseModel, ConfigDict, Field

from narrator.rules import MOST_SEATS

_NUMBER = re.compile(r"\d+")


class Numerals(BaseModel):
    """How numbers are spoken. `digits` are the ten digits from 0; `seat`, `votes` and `copies` (of a card) have the blank {n}; `two` is
    what 2 is where things are counted, `half` what half a thing more is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digits: str
    ten: str
    seat: str
    votes: str
    copies: str
    two: str
    half: str
    comma: str
    and_: str = Field(alias="and")
    nobody: str

    def number(self, n: int) -> str:
        """A number from 0 to 99 as it is counted: 7 → 七, 10 → 十, 12 → 十二, 20 → 二十."""
        tens, ones = divmod(n, 10)
        if not tens:
            return self.digits[ones]
        return (self.digits[tens] if tens > 1 else "") + self.ten + (self.digits[ones] if ones else "")

    def listed(self, seats: tuple[int, ...]) -> list[str]:
        """Seats as one reads them out, one by one: 一号, 三号, 和七号."""
        spoken = [self.seat.format(n=self.number(seat)) for seat in seats] or [self.nobody]
        return spoken if len(spoken) < 2 else [*spoken[:-1], self.and_ + spoken[-1]]

    def seats(self, seats: tuple[int, ...]) -> str:
        """Seats as one reads them out: 一号、三号和七号."""
        *before, final = self.listed(seats)
        return self.comma.join(before) + final

    def weighed(self, votes: float) -> str:
        """What votes weigh, in halves: 3 → 三票, 2 → 两票, 4.5 → 四票半."""
        whole, rest = divmod(votes, 1)
        return self.votes.format(n=self.two if whole == 2 else self.number(int(whole))) + (self.half if rest else "")

    def counted(self, copies: int) -> str:
        """How many of a card there are: 3 → 三张, 2 → 两张."""
        return self.copies.format(n=self.two if copies == 2 else self.number(copies))

    def understood(self, words: str) -> tuple[int, ...]:
        """The seats that are read out so; none where something else is."""
        numbered = {self.seats((seat,)): seat for seat in range(1, MOST_SEATS + 1)}
        seats = tuple(numbered.get(word, 0) for word in re.split(f"[{self.comma}{self.and_}]+", words))
        return seats if all(seats) else ()

    def spelled(self, text: str) -> str:
        """A text with its digits in words, as no voice reads digits: 3号 → 三号. From 100 on digit by digit."""
        plain = "".join(unicodedata.normalize("NFKC", sign) if sign.isdigit() else sign for sign in text)   # also ３, ² and ③
        return _NUMBER.sub(lambda number: self._in_words(number[0]), plain)

    def _in_words(self, written: str) -> str:
        if len(written) < 3 and written[0] != "0":
            return self.number(int(written))
        return "".join(self.digits[int(digit)] for digit in written)
