"""Nothing leaks: the same public history sounds the same to the sample, whatever is secret in it."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from narrator.hearing import Command, Entered, Payload, Typed
from narrator.journal import Journal
from narrator.rules import MOONS, Ask, Edition, Setup
from narrator.sound import Recording
from narrator.voice import Pack, Voice
from tests.players import EDITIONS
from tests.stage import Table
from tests.texts import script_of

SEATS = 8
VICTIM = 8
"""The villager who is found dead on the second morning, in every one of these games: that much is public."""


@dataclass(frozen=True)
class Secret:
    """What may differ between two games with the same public history.

    cards     the card of seats 1-7
    attacked  whether the wolves choose somebody on the first night, whom the witch heals, or the elder, or nobody
    choices   whom the guard protects, the seer checks and cupid pairs is drawn from these numbers
    fumbles   how often each secret answer is first keyed wrong
    after     seconds before each secret answer; in a wake with two questions a half of it, with three a third
    undoes    whether guard and seer take their answers back once
    """

    cards: tuple[str, ...]
    attacked: bool
    choices: tuple[int, ...]
    fumbles: int
    after: float
    undoes: bool


HEALED = ("werewolf", "werewolf", "seer", "witch", "guard", "cupid", "villager")
CHARMED = ("werewolf", "werewolf", "piper", "elder", "thief", "little_girl", "seer")
"""The decks of seats 1-7 without the last villager; nobody dies on the first night, because the witch heals, or it was the elder."""


def decks(*cards: tuple[str, ...]) -> st.SearchStrategy[tuple[Secret, Secret]]:
    """Two games with the same deck."""
    return st.sampled_from(cards).flatmap(lambda deck: st.tuples(secrets(deck), secrets(deck)))


def secrets(deck: tuple[str, ...]) -> st.SearchStrategy[Secret]:
    return st.builds(
        Secret,
        cards=st.permutations(deck).map(tuple),
        attacked=st.booleans(),
        choices=st.tuples(*[st.integers(0, 10**6)] * 4),
        fumbles=st.integers(0, 3),
        after=st.floats(0.1, 9.4),
        undoes=st.booleans(),
    )


class Night:
    """The plan of two nights and a day: nobody dies on the first night, nobody is executed, seat 8 dies on the second night."""

    def __init__(self, secret: Secret) -> None:
        self.secret = secret
        self.cards = (*secret.cards, "villager")
        self.asked: Counter[str] = Counter()

    def __call__(self, ask: Ask) -> list[tuple[float, Payload]]:
        self.asked[ask.id] += 1
        if ask.audience == "everyone":
            done = ask.id == "day.discussion" and self.asked[ask.id] == 2
            return [(2.0, Command("quit") if done else Entered(self.entry(ask)))]
        entry, after = self.entry(ask), self.secret.after / self.asks_in_its_wake(ask)
        wrong = self.secret.fumbles if ask.kind != "wait" else 0
        plan: list[tuple[float, Payload]] = [(0.01 * n, Entered("77")) for n in range(wrong)]
        plan += [(after, Typed(entry)), (after, Entered(entry))]
        if self.secret.undoes and ask.id in ("guard.protect", "seer.check") and self.asked[ask.id] == 1:
            # Answered at once and taken back, so that the second answer too comes inside the window.
            plan[-2:] = [(0.1, Typed(entry)), (0.1, Entered(entry)), (0.3, Command("undo"))]
        return plan

    @staticmethod
    def asks_in_its_wake(ask: Ask) -> int:
        if ask.id in ("roll.thief", "roll.spare"):
            return 3
        return 2 if ask.id.startswith(("witch.", "cupid.", "piper.", "werewolf.", "card.touch_of_death.")) else 1

    def entry(self, ask: Ask) -> str:
        safe = [seat for seat in ask.candidates if seat != VICTIM]
        pick = safe[self.secret.choices[len(ask.id) % 4] % len(safe)] if safe else 0
        first = self.asked["werewolf.kill"] < 2
        if ask.kind == "wait":
            return ""
        match ask.id.partition("."):
            case "werewolf", _, _:
                elder = next((seat for seat, card in enumerate(self.cards, start=1) if card == "elder"), 0)
                return str(VICTIM if not first else (elder or pick) if self.secret.attacked else 0)
            case "guard", _, _:
                return str(0 if self.asked["werewolf.kill"] else pick)   # twice the same seat would be public: it dies of it
            case "witch", _, "heal":
                return str(int(first))
            case "card", _, "touch_of_death.touched":
                return "1"
            case ("witch", _, "poison") | ("day", _, "vote"):
                return "0"
            case "roll", _, "spare":
                return str(max(ask.candidates))   # the list of cards ends with the villager
            case "cupid" | "piper", _, _:
                return f"{pick}+{next(seat for seat in safe if seat != pick)}"
            case "roll", _, role:
                return "+".join(str(seat) for seat, card in enumerate(self.cards, start=1) if card == role)
        return str(pick)


def play(secret: Secret, edition: str, file: Path | None = None, card: str = "") -> Table:
    """The game of a secret, through the real loop; with `file`, with the shipped voice and through the real mixer. `card`: the event card
    that is drawn on the first morning, or lies there from the beginning."""
    base = script_of(edition).edition
    rules = base.rules.changed(captain_elected="never", speeches="free", rounds_first_day=1)
    plan = Night(secret)
    left_over = ("villager", "villager") if "thief" in plan.cards else ()
    dark = (card,) if card in MOONS["dark"] else ()
    deck, events = (*sorted(plan.cards), *left_over), () if dark else (card,)
    setup = Setup(edition=Edition(id=edition, rules=rules), seats=SEATS, deck=deck, dark=dark, events=events)
    voice = Voice(Pack.load("xiaoyi"), None, None) if file else None
    table = Table(setup, plan, voice=voice, sound=(lambda clock: Recording(file, clock)) if file else None)
    table.run()
    return table


@pytest.mark.parametrize("edition", EDITIONS)
@given(decks(HEALED, CHARMED))
@settings(max_examples=30, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])   # a failing pair is small as it is
def test_two_games_with_the_same_public_history_are_the_same_in_public(edition: str, games: tuple[Secret, Secret]) -> None:
    """Words, their order, the scenes, the length of each silence and the public screen do not depend on what is secret."""
    first, second = (play(secret, edition) for secret in games)
    assert [key for key, _ in first.screen.heard()].count("morning.dead") == 1
    assert first.public_transcript() == second.public_transcript()
    assert first.screen.everyone_sees() == second.screen.everyone_sees()


@pytest.mark.parametrize("card", ["eclipse", "enthusiasm", "heads_or_tails", "full_moon_rising", "touch_of_death"])
@given(decks(HEALED, CHARMED))
@settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_event_cards_keep_secrets(card: str, games: tuple[Secret, Secret]) -> None:
    """Where a card changes who is called at night, or what the wolves are asked, that too tells nothing."""
    first, second = (play(secret, "newmoon", card=card) for secret in games)
    assert f"card.{card}" in [key for key, _ in first.screen.heard()]
    assert first.public_transcript() == second.public_transcript()
    assert first.screen.everyone_sees() == second.screen.everyone_sees()


FACE_UP = ("seer", "witch", "guard", "cupid", "hunter", "villager", "villager", "villager")
"""The characters of a small double role: everyone sees them, so they are the same in both games."""

ALLEGIANCES = ("werewolf", "werewolf", *["villager"] * 5)


class Doubled(Night):
    """The same plan; whoever comes to the screen for his cards takes as long in every game, since everyone sees him go."""

    def __call__(self, ask: Ask) -> list[tuple[float, Payload]]:
        return [(2.0, Entered(""))] if ask.id.startswith("deal.") else super().__call__(ask)


@given(decks(ALLEGIANCES))
@settings(max_examples=30, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_who_holds_which_allegiance_stays_a_secret(games: tuple[Secret, Secret]) -> None:
    """Of a small double role the characters are public, and stand on the screen; the other cards tell nothing until they are shown."""
    base = script_of("anniversary").edition
    edition = Edition(id="anniversary", rules=base.rules.changed(captain_elected="never"))
    tables = []
    for secret in games:
        setup = Setup(
            edition=edition, seats=SEATS, deck=FACE_UP, deal=FACE_UP, second=(*secret.cards, "villager"), variant="double_small",
        )  # fmt: skip
        tables.append(Table(setup, Doubled(secret)))
        tables[-1].run()
    first, second = tables
    assert first.public_transcript() == second.public_transcript()
    assert first.screen.everyone_sees() == second.screen.everyone_sees()
    views = [view for _, name, view in first.screen.calls if name == "public"]
    assert VICTIM in views[-1].dead
    assert all("werewolf" not in view.cards.values() for view in views)
    assert views[-1].cards == dict(enumerate(FACE_UP, start=1))


@given(decks(HEALED))
@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_they_sound_the_same_to_the_sample(tmp_path_factory: pytest.TempPathFactory, games: tuple[Secret, Secret]) -> None:
    """With the shipped voice and the real mixer, the two games are the same sound file, and the same public screen."""
    folder = tmp_path_factory.mktemp("leak")
    digests, screens = set(), []
    for name, secret in zip(("one", "other"), games, strict=True):
        screens.append(play(secret, "anniversary", folder / f"{name}.wav").screen.everyone_sees())
        digests.add(hashlib.sha256((folder / f"{name}.wav").read_bytes()).hexdigest())
    assert len(digests) == 1
    assert screens[0] == screens[1]


HIDDEN = ("werewolf", "werewolf", "seer", "witch", "guard", "villager", "villager", "villager")


def hidden(dead: str, interjections: list[tuple[float, Payload]], path: Path | None = None) -> Table:
    """Two nights where cards stay hidden: seat 8, who holds the card `dead`, dies on the first night, nobody on the second.

    With `path`, the game that is written there, resumed if it is there already.
    """
    others = list(HIDDEN)
    others.remove(dead)
    base = script_of("newmoon").edition
    rules = base.rules.changed(captain_elected="never", speeches="free", show_night_dead=False)
    cards = (*others, dead)
    setup = Setup(edition=Edition(id="newmoon", rules=rules), seats=SEATS, deck=cards, deal=cards)
    journal, game = (None, None) if not path else Journal.resume(path) if path.exists() else (Journal.create(path, setup), None)
    days = 1 if game else 0

    def plan(ask: Ask) -> list[tuple[float, Payload]]:
        nonlocal days
        days += ask.id == "day.discussion"
        if days == 2:
            return [(2.0, Command("quit"))]
        eats = ask.id == "werewolf.kill" and not days
        return [(2.0, Entered("8" if eats else "" if ask.kind == "wait" else "0"))]

    table = Table(setup, plan, interjections=interjections, game=game, journal=journal)
    table.run()
    if journal:
        journal.close()
    return table


@pytest.mark.parametrize("key", [None, "guard.wake", "guard.sleep", "window.guard", "seer.wake", "window.seer", "witch.sleep", "morning"])
def test_a_dead_role_whose_card_is_hidden_sounds_alive(key: str | None) -> None:
    """Whether the dead seat was the guard, the seer or a villager, the next night is the same in public, also when it is stopped."""
    plain = hidden("villager", [])
    times = [record["time"] for record in plain.transcript if record["key"] == key and record["phase"] == "night 2"]
    pressed: list[tuple[float, Payload]] = [(times[0] + at, Command("undo")) for at in (0.05, 0.15)] if key else []
    villager, *others = (hidden(card, list(pressed)) for card in ("villager", "guard", "seer", "witch"))
    for other in others:
        assert other.public_transcript() == villager.public_transcript()
    assert [k for k, _ in villager.screen.heard()].count("morning") == (3 if key == "morning" else 2)
    assert [k for k, _ in villager.screen.heard()].count("undo.night") == len(pressed) // 2


@pytest.mark.parametrize(
    ("key", "after"),
    [("night.again", 0.1), ("guard.wake", 0.1), ("window.guard", 1.0), ("window.guard", 3.0), ("guard.sleep", 0.1), ("window.seer", 3.0),
     ("window.werewolf", 3.0), ("witch.wake", 0.1), ("window.witch", 1.0), ("window.witch", 5.0), ("witch.sleep", 0.1), ("morning", 0.1)],
)  # fmt: skip
def test_a_resumed_night_does_not_tell_who_was_awake(tmp_path: Path, key: str, after: float) -> None:
    """Cut off anywhere in the night, the game goes on in the same way whether the dead seat was the guard, the seer or another."""
    plain = hidden("villager", [])
    when = next(record["time"] for record in plain.transcript if record["key"] == key and record["phase"] == "night 2") + after
    resumed = []
    for dead in ("villager", "guard", "seer", "witch"):
        path = tmp_path / f"{dead}.jsonl"
        hidden(dead, [(when, Command("quit"))], path)
        resumed.append(hidden(dead, [], path))
    assert next(k for k, _ in resumed[0].screen.heard()) in ("resume.night", "resume.day")
    assert "morning" in [k for k, _ in resumed[0].screen.heard()]
    for other in resumed[1:]:
        assert other.public_transcript() == resumed[0].public_transcript()
