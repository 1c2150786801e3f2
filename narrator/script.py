"""Reads `scripts/`: an edition's rules for the rules engine, and sentences for a line's key and blanks.

An edition is two files laid over each other: `house.toml` holds what every edition says alike, `editions/ID.toml` the edition's
switches, its words for the cards, and its own lines, word for word from its source (`[official]`) or ours (`[ours]`).
A table's own edition is a third, anywhere: it says which edition it extends, and what it does otherwise (`docs/editions.md`).
All are read strictly, before a word is spoken: an unknown key is refused, a missing line or blank is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import Field

from narrator import events, files
from narrator.errors import BadScript, BadSetup, NoEdition
from narrator.events import About
from narrator.numerals import Numerals
from narrator.pacing import Pacing
from narrator.recap import LINES as RECAP
from narrator.recap import NAMED as NAMED_IN_RECAP
from narrator.resources import folder
from narrator.rules import LINES, MOST_SEATS, NAMED, ROLES, SPARE, Edition, Rules, Say, Setup
from narrator.strict import Strict, Word, bad, check_keys, check_known, read_strictly

OWN_LINES: dict[str, tuple[str, ...]] = {
    "table.open": (),
    "table.etiquette": (),
    "table.tapped": (),
    "resume.night": (),
    "resume.day": (),
    "undo.night": (),
    "undo.day": (),
    "undo.roll": (),
    "pause": (),
    "continue": (),
    "heard.seats": ("seats",),
    "heard.votes": ("votes",),
    "heard.which": ("either",),
    "heard.again": (),
    "status.alive": ("alive",),
    "status.captain": ("seat",),
    "time.thirty": (),
    "time.ten": (),
    "time.up": (),
    "welcome.offer": (),
    "welcome.volume": (),
    "welcome.how": (),
    "box.ready": (),
    "box.no_lamps": (),
    "box.unfinished": (),
    "box.last": (),
    "box.players": (),
    "box.seats": ("seat",),
    "box.edition": (),
    "box.card": ("seat", "role"),
    "box.cards": (),
    "box.events": (),
    "box.pace": (),
    "box.copies": ("role", "copies"),
    "box.spare": (),
    "box.deal": (),
    "box.refused": (),
    "box.undo_again": (),
    "box.end_again": (),
    "box.leave_later": (),
    "box.not_saved": (),
    "box.no_keys": (),
    **RECAP,
}
"""What the narration loop itself says: key → blanks."""

OWN_ASKS = (
    "table.leave", "welcome.offer", "welcome.volume", "welcome.how", "table.over",
    "box.unfinished", "box.last", "box.players", "box.edition", "box.cards", "box.events", "box.pace", "box.deal",
)  # fmt: skip
"""What it asks itself."""

MOST_COPIES = 9
"""How many of one card are spoken of at once: no set-up has more."""

_MANY = {"dead", "seats"}
"""The blanks that may name several seats, or one."""

_SEVERAL = {"alive", "either"}
"""The blanks that name several in any case."""

_SEATS = {"seat", *_MANY, *_SEVERAL}
"""The blanks that name seats."""

_WORDS = (*ROLES, "lovers", "charmed", "captain")
"""What each edition has a word of its own for. In braces it stands in any line; the office in the texts of the screen, too."""

_MAY_BE_EMPTY = {"werewolf.choose"}
_SENTENCE = re.compile(r"[^。！？]+[。！？]?")
_BLANK = re.compile(r"\{(\w+)\}")
_SIGNS = "。！？，、；："
_ADDRESS = ("{seat}，", "{dead}，")
_ENDS = "。"
_GOES_ON = "，"
"""What a part of a sentence ends in that has no sign of its own: the voice goes on after it."""


class Sentence(NamedTuple):
    """What is spoken in one breath, or in several.

    text    as it is read
    parts   what it can be joined from, with a short breath between: the words round its blanks and what fills those, each with the sign
            that says whether the voice goes on; empty for a sentence without a blank
    joined  whether it is always joined from them, since there are too many such sentences to have each recorded in one piece: it names
            several things, addresses a seat, where a speaker pauses too, or retells a game
    """

    text: str
    parts: tuple[str, ...] = ()
    joined: bool = False


class _House(Strict):
    ours: dict[str, str]
    scenes: dict[str, str]
    numerals: Numerals
    setups: dict[int, dict[str, int]]


class _EditionFile(Strict):
    id: str
    name: str
    source: str
    rules: Rules
    roles: dict[str, Word]
    sides: dict[str, Word]
    pacing: Pacing
    official: dict[str, str]
    ours: dict[str, str]


class _OwnFile(Strict):
    """A table's own edition: what it does otherwise than the one that it extends."""

    path: Path
    extends: str
    name: Word
    rules: dict[str, Any] = Field({})
    roles: dict[str, Word] = Field({})
    sides: dict[str, Word] = Field({})
    pacing: dict[str, Any] = Field({})
    setups: dict[int, dict[str, int]] = Field({})
    ours: dict[str, str] = Field({})

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises `BadScript` naming the file and what is wrong with it."""
        content = files.toml(path, dict[str, Any], BadScript)
        own: Self = files.checked(path, content | {"path": path}, cls, BadScript)
        if own.extends not in editions():
            raise bad(path, "literal_error", "extends", tuple(editions()))
        return own


class Script:
    """One edition's script.

    edition   its rules and set-ups, for the rules engine
    name      what it is called, in Chinese
    source    the source document it follows, as a person cites it
    path      its file
    pacing    how long its silences last
    official  the keys of the lines that are the source's own, word for word
    """

    def __init__(self, name: str) -> None:
        """Load the edition `name`, or that of a table's own file. Raises `BadScript` naming the file and what is wrong with it."""
        own = _OwnFile.read(Path(name).resolve()) if name.endswith(".toml") else None
        if own:
            name = own.extends
        house_path = folder("scripts") / "house.toml"
        path = folder("scripts") / "editions" / f"{name}.toml"
        if name not in editions():
            known = ", ".join(editions())
            raise NoEdition(f"no edition {name!r}; there are {known}", what=name, known=known)
        house = read_strictly(house_path, _House)
        file = read_strictly(path, _EditionFile)
        told = events.read()
        self.edition = Edition(id=file.id, rules=file.rules, setups=house.setups)
        self.name, self.source, self.path, self.pacing = file.name, file.source, path, file.pacing
        self.official = frozenset(file.official)
        self._roles, self._sides, self._scenes = file.roles, file.sides, house.scenes
        self._numerals = house.numerals
        self._events = {group.title: group.each for group in told.values()}
        self._lines: dict[str, str] = {}
        written = {house_path: house.ours} | {read: group.lines for read, group in told.items()} | {path: file.ours | file.official}
        for read, lines in written.items():
            check_known(read, "lines", lines, LINES | OWN_LINES)
            for key, text in lines.items():
                _check_line(read, key, text)
            self._lines |= lines
        check_keys(path, "lines", self._lines, LINES | OWN_LINES)
        check_keys(path, "roles", file.roles, _WORDS)
        check_keys(path, "sides", file.sides, ("werewolf", "villager"))
        check_known(house_path, "scenes", house.scenes, self._lines)
        if own:
            self._change(own)
        self._lines = {key: self._worded(text) for key, text in self._lines.items()}

    @property
    def captain(self) -> str:
        """What this edition calls the office that is elected."""
        return self._roles["captain"]

    @property
    def events(self) -> dict[str, dict[str, About]]:
        """The event cards by their moons, and the variants: what these have in common → each by its identifier, in this edition's words."""
        return {
            title: {name: About(**{what: self._worded(text) for what, text in about}) for name, about in each.items()}
            for title, each in self._events.items()
        }

    def _worded(self, text: str) -> str:
        """A text with this edition's words in the place of their names in braces."""
        return _BLANK.sub(lambda blank: self._roles[blank[1]] if blank[1] in _WORDS else blank[0], text)

    def sentences(self, line: Say) -> tuple[Sentence, ...]:
        """A line as the sentences to speak, one after the other; none for a line that this edition leaves unsaid."""
        return tuple(self._sentence(line.key, template, dict(line.slots)) for template in _split(self._lines[line.key]))

    def text(self, line: Say) -> str:
        """A line as it is read."""
        return "".join(sentence.text for sentence in self.sentences(line))

    @property
    def scenes(self) -> frozenset[str]:
        """Every scene that a line opens."""
        return frozenset(self._scenes.values())

    def scene(self, key: str) -> str | None:
        """The scene that a line opens, if it opens one."""
        return self._scenes.get(key)

    def word(self, slot: str, value: object) -> str:
        """What fills a blank: seats as spoken numbers, cards and sides in this edition's words."""
        match slot.partition("_")[0], value:
            case "role", str():
                return self._roles[value]
            case "side", str():
                return self._sides[value]
            case "votes", int() | float():
                return self._numerals.weighed(value)
            case "copies", int():
                return self._numerals.counted(value)
            case _, int():
                return self._numerals.seats((value,))
            case _, tuple():
                return self._numerals.seats(value)
        raise BadScript(f"a line cannot say {value!r} in its blank {slot!r}")

    def card(self, written: str) -> str:
        """The card that is meant: its identifier, or an edition's word for it. Raises `BadSetup`."""
        if (plain := written.lower().replace("-", "_")) in ROLES:
            return plain
        others = (Script(name)._roles for name in editions())   # read only where its own words do not have it
        for words in chain((self._roles,), others):
            for role in ROLES:
                if words[role] == written:
                    return role
        known = tuple(self._roles[role] for role in ROLES)
        raise BadSetup(f"unknown card {written!r}", reason="unknown_card", what=written, known=known)

    @property
    def numerals(self) -> dict[str, Any]:
        """How numbers are spoken, as its file has it, for another process."""
        return self._numerals.model_dump(by_alias=True)

    def spelled(self, text: str) -> str:
        """A text with its digits in words, as they are spoken."""
        return self._numerals.spelled(text)

    def every_sentence(self, seats: int = MOST_SEATS) -> Iterator[Sentence]:
        """Every sentence that this script can speak at a table of so many seats, but of those that are always joined there are only so many
        as it takes to have each of their parts: what a voice must be able to say."""
        for key in self._lines:
            for template in _split(self._lines[key]):
                for slots in self._fillings(key, _BLANK.findall(template), seats):
                    yield self._sentence(key, template, slots)

    def seats_in_lists(self, seats: int) -> Iterator[str]:
        """The parts of sentences that name one of so many seats: the first and the last of several, with the voice going on, or not."""
        for seat in range(1, seats + 1):
            for spoken in self._numerals.listed((seat, seat)):
                yield from (spoken + sign for sign in (_GOES_ON, _ENDS))

    def _fillings(self, key: str, blanks: list[str], seats: int) -> Iterator[dict[str, Any]]:
        """What can fill these blanks together: each thing that can fill one of them, once at least."""
        values = {blank: _values(key, blank, seats) for blank in blanks}
        for number in range(max(map(len, values.values()), default=1)):
            yield {blank: found[number % len(found)] for blank, found in values.items()}

    def _sentence(self, key: str, template: str, slots: Mapping[str, Any]) -> Sentence:
        if key in RECAP:    # a card is no joint: there are few, and each line names hardly more than one
            template = _BLANK.sub(lambda blank: blank[0] if blank[1] in _SEATS else self.word(blank[1], slots[blank[1]]), template)
        text = template.format_map({slot: self.word(slot, value) for slot, value in slots.items()})
        blanks = _BLANK.findall(template)
        if not blanks:
            return Sentence(text)
        several = len(blanks) > 1 or any(isinstance(slots[blank], tuple) and len(slots[blank]) > 1 for blank in blanks)
        return Sentence(text, tuple(self._parts(template, slots)), several or template.startswith(_ADDRESS) or key in RECAP)

    def _parts(self, template: str, slots: Mapping[str, Any]) -> list[str]:
        parts: list[str] = []
        for place, piece in enumerate(_BLANK.split(template)):      # what is not a blank, a blank's name, and so on by turns
            for phrase in self._spoken(piece, slots[piece]) if place % 2 else [piece]:
                words = phrase.lstrip(_SIGNS)
                if parts and phrase != words:
                    parts[-1] = parts[-1].rstrip(_SIGNS) + phrase[0]
                if words:
                    parts.append(words if words[-1] in _SIGNS else words + _GOES_ON)
        return parts

    def _spoken(self, slot: str, value: object) -> list[str]:
        return self._numerals.listed(value) if isinstance(value, tuple) else [self.word(slot, value)]

    def recognised(self, text: str) -> Sentence | None:
        """The sentence of a line of this edition that reads so, whatever sign it ends in."""
        for key, template in ((key, template) for key, line in self._lines.items() for template in _split(line)):
            pieces = enumerate(_BLANK.split(template.rstrip(_SIGNS)))
            pattern = "".join(f"(?P<{piece}>.+)" if place % 2 else re.escape(piece) for place, piece in pieces)
            found = re.fullmatch(pattern, text.rstrip(_SIGNS))
            slots = {blank: self._value(blank, words) for blank, words in found.groupdict().items()} if found else {}
            if found and all(slots.values()):
                return self._sentence(key, template, slots)
        return None

    def _value(self, blank: str, words: str) -> object:
        """What these words say in a blank; None where they are none of its."""
        if blank == "copies":
            return next((n for n in range(1, MOST_COPIES + 1) if self._numerals.counted(n) == words), None)
        if blank == "votes":
            return next((weight for weight in _weights(MOST_SEATS) if self._numerals.weighed(weight) == words), None)
        if blank in _SEATS:
            return self._numerals.understood(words)
        table = self._sides if blank == "side" else self._roles
        return next((key for key, word in table.items() if word == words), None)

    def _change(self, own: _OwnFile) -> None:
        """What a table's own file does otherwise than the edition that has been loaded."""
        path = own.path
        check_known(path, "rules", own.rules, Rules.model_fields)
        check_known(path, "roles", own.roles, self._roles)
        check_known(path, "sides", own.sides, self._sides)
        check_known(path, "ours", own.ours, self._lines)
        for key, text in own.ours.items():
            _check_line(path, key, text)
        for players, cards in own.setups.items():
            check_known(path, f"setups.{players}", cards, ROLES)
            _check_row(path, players, cards)
        rules = self.edition.rules.changed(**own.rules)
        self.edition = Edition(id=str(path), rules=rules, setups=self.edition.setups | own.setups)
        self.name, self.path = own.name, path
        self.pacing = files.checked(path, self.pacing.model_dump() | own.pacing, Pacing, BadScript)
        self.official -= own.ours.keys()
        self._roles, self._sides, self._lines = (
            table | {key: self._numerals.spelled(text) for key, text in changed.items()}
            for table, changed in ((self._roles, own.roles), (self._sides, own.sides), (self._lines, own.ours))
        )
        if len(set(self._roles.values())) < len(self._roles):
            raise bad(path, "same_word", "roles")
        for players in own.setups:
            Setup(edition=self.edition, seats=players, deck=self.edition.deck(players))


def editions() -> list[str]:
    """The ids of the editions there are."""
    return sorted(path.stem for path in (folder("scripts") / "editions").glob("*.toml"))


def is_there(name: str) -> bool:
    """Whether an edition, or a table's own file, is there."""
    return Path(name).is_file() if name.endswith(".toml") else name in editions()


def every_sentence() -> set[Sentence]:
    """Every sentence that any edition can speak: what a voice must be able to say."""
    return {sentence for name in editions() for sentence in Script(name).every_sentence()}


def meant(text: str, scripts: Sequence[Script]) -> list[Sentence]:
    """A text as sentences to speak: one that a line of these scripts can say is that line's, with its signs and its parts."""
    written = _split("".join(scripts[0].spelled(text).split()))
    return [next(filter(None, (script.recognised(text) for script in scripts)), Sentence(text)) for text in written]


def whole(sentences: Iterable[Sentence]) -> set[str]:
    """What to record so that each of these can be said, and in one piece wherever its words can be foreseen."""
    return {text for sentence in sentences for text in (sentence.parts if sentence.joined else (sentence.text,))}


def joined(sentences: Iterable[Sentence]) -> list[str]:
    """The least to record so that each of these can be said, in the order in which a person likes to read it: the sentences without a
    blank, then the parts of the others, each as a game comes to it."""
    known = list(sentences)
    wholes = [sentence.text for sentence in known if not sentence.parts]
    return list(dict.fromkeys([*wholes, *(part for sentence in known for part in sentence.parts)]))


def _values(key: str, blank: str, seats: int) -> list[Any]:
    """What can fill a blank of a line at a table of so many seats; of several seats, each among the first and as the last."""
    if blank == "votes":
        return _weights(seats)
    if blank == "copies":
        return list(range(1, MOST_COPIES + 1))
    if blank not in _SEATS:
        return list(NAMED_IN_RECAP.get((key, blank)) or NAMED.get(key, tuple(ROLES)))
    each: list[Any] = list(range(1, seats + 1))
    pairs = [(seat, seat % seats + 1) for seat in each]
    return pairs if blank in _SEVERAL else [*each, *pairs] if blank in _MANY else each


def _weights(seats: int) -> list[float]:
    """What the votes for somebody can weigh, in halves: at most everyone's, and a captain's two more."""
    return [halves / 2 for halves in range(2, 2 * (seats + 2) + 1)]


def _split(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(text)]


def _check_row(path: Path, players: int, cards: Mapping[str, int]) -> None:
    """Raise `BadScript` where a row of the set-ups has not a card for everyone."""
    wanted = players + (SPARE if cards.get("thief") else 0)
    if sum(cards.values()) != wanted:
        raise bad(path, "card_sum", f"setups.{players}", wanted)


def _check_line(path: Path, key: str, text: str) -> None:
    """Raise `BadScript` where a line of this file has other blanks than it is given words for, or nothing to say."""
    wanted = (LINES | OWN_LINES)[key]
    if _blanks(text) != sorted(wanted):
        written = " ".join(f"{{{blank}}}" for blank in wanted)
        raise bad(path, "blanks" if written else "no_blanks", key, written)
    if not text and key not in _MAY_BE_EMPTY:
        raise bad(path, "string_too_short", key)


def _blanks(text: str) -> list[str] | None:
    """The blanks of a line, sorted; None where its braces do not match. What an edition has one word for is none."""
    blanks = sorted(blank for blank in _BLANK.findall(text) if blank not in _WORDS)
    return None if set(_BLANK.sub("", text)) & set("{}") else blanks
