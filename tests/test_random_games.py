"""Random games: none crashes or hangs, each ends as it must, and what watches over that can tell one that does not.

The whole of it, a hundred thousand games, is `python -m benchmarks.soak`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import partial

import pytest

from benchmarks import soak
from narrator.errors import NarratorError, Refused
from narrator.rules import Game, Outcome, Setup, Value
from tests.command import ROOT
from tests.random_games import TABLE_EVERY, Hung, Played, play

GAMES = 2500
"""How many are played here, one in fifty on the simulated table."""


@pytest.mark.parametrize("first", range(0, GAMES, GAMES // 5))
def test_random_games_end(first: int) -> None:
    """Whatever the table, whatever is answered, rightly or wrongly, and however often something is taken back: no crash, no hang,
    a wrong answer changes nothing, and the game ends with a winner that those who are left allow."""
    for seed in range(first, first + GAMES // 5):
        play(seed)


# --- games that break a promise -----------------------------------------------------------------------------------------


class Broken(Game):
    """A game that a test breaks: it is played with every game of some seeds until one fails."""


class Crashing(Broken):
    """Ends in an exception that nobody has promised."""

    def verify(self, ask_id: str, value: object) -> Value:
        if isinstance(value, float | str | list | dict):
            raise ValueError("no answer")
        return super().verify(ask_id, value)


class Hanging(Broken):
    """Never comes back with its third day."""

    def answer(self, ask_id: str, value: object) -> Value:
        while self.phase.number > 1:
            pass
        return super().answer(ask_id, value)


class Endless(Broken):
    """Begins again whenever it is over."""

    def answer(self, ask_id: str, value: object) -> Value:
        checked = super().answer(ask_id, value)
        if self.over:
            self.undo(0)
        return checked


class Forgiving(Broken):
    """Takes a dead seat, or one that is not there, for nobody."""

    def answer(self, ask_id: str, value: object) -> Value:
        try:
            return super().answer(ask_id, value)
        except Refused as refused:
            if refused.reason in ("not_offered", "no_such_seat"):
                return None
            raise


class Careless(Broken):
    """Gives an answer to whichever ask is open."""

    def verify(self, ask_id: str, value: object) -> Value:
        return super().verify(self.turn.ask.id if self.turn.ask else ask_id, value)


class Touched(Broken):
    """Is not as it was once it has refused an answer."""

    def answer(self, ask_id: str, value: object) -> Value:
        try:
            return super().answer(ask_id, value)
        except NarratorError:
            self.answered_in = ()
            self.events.append(self.events[-1])
            raise


class Forgetful(Broken):
    """Takes one answer too many back."""

    def undo(self, keep: int) -> None:
        super().undo(max(0, keep - 1))


class Haunted(Broken):
    """Counts the dead among those who are left."""

    def answer(self, ask_id: str, value: object) -> Value:
        checked = super().answer(ask_id, value)
        if self.outcome:
            self.outcome = Outcome(self.outcome.winner, tuple(range(1, self.setup.seats + 1)))
        return checked


class Partial(Broken):
    """The village wins whatever happens."""

    def answer(self, ask_id: str, value: object) -> Value:
        checked = super().answer(ask_id, value)
        if self.outcome:
            self.outcome = Outcome("village", self.outcome.alive)
        return checked


class Lasting(Broken):
    """Goes on when the village has lost: it is told that the wolves win later."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules.changed(wolves_win="all_villagers")
        super().__init__(setup.model_copy(update={"edition": setup.edition.model_copy(update={"rules": rules})}))
        self.setup = setup


class Moody(Broken):
    """Is another game when it is replayed."""

    @classmethod
    def replay(cls, setup: Setup, answers: object) -> Game:
        return Game.replay(setup, list(answers)[:-1])   # type: ignore[call-overload]


def failure(game: type[Game], seeds: range = range(1, TABLE_EVERY)) -> Exception:
    """What is found with the games of these seeds, the first of it."""
    for seed in seeds:
        try:
            play(seed, game, patience=3.0)
        except Exception as error:
            return error
    raise AssertionError(f"{game.__name__} was taken for a game")


@pytest.mark.parametrize(
    ("game", "kind", "words"),
    [
        (Crashing, ValueError, "no answer"),
        (Hanging, Hung, "no end after 3 seconds"),
        (Endless, AssertionError, "no end after 2000 answers"),
        (Forgiving, AssertionError, "expected Refused"),
        (Careless, AssertionError, "expected Diverged"),
        (Touched, AssertionError, "something has changed"),
        (Forgetful, AssertionError, "the game is not where it was then"),
        (Haunted, AssertionError, "are dead"),
        (Partial, AssertionError, "but the cards are"),
        (Lasting, AssertionError, "werewolves have won, and the game goes on|replayed, the outcome differ"),
        (Moody, AssertionError, "replayed, the outcome differ"),
    ],
)
def test_a_game_that_breaks_a_promise_is_found(game: type[Game], kind: type[Exception], words: str) -> None:
    """The games that are played here are looked at closely enough: every kind of fault is found, with the seed to play it again."""
    found = failure(game)
    assert isinstance(found, kind)
    assert re.search(words, str(found))
    assert "python -m benchmarks.soak --seed" in found.__notes__[0]


@pytest.mark.parametrize("game", [Hanging, Endless, Haunted, Moody])
def test_a_broken_game_is_found_on_the_simulated_table_too(game: type[Game]) -> None:
    """There, where keys are pressed by text, the same is looked at."""
    failure(game, range(0, 10 * TABLE_EVERY, TABLE_EVERY))


# --- the command --------------------------------------------------------------------------------------------------------


def test_soak_plays_its_games() -> None:
    """The command plays as many games as it is told to, and sums them up."""
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak", "--games", "20"],
        capture_output=True, text=True, timeout=120, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "games            20, 1 of them (1 in 50) on the simulated table\nfailed           0\n" in ended.stdout


def crash(seed: int) -> Played:
    """The games of the seeds that 7 divides crash."""
    return play(seed, Crashing if seed % 7 == 0 else Game)


def die(seed: int) -> Played:
    """In the game of seed 5 the process is gone."""
    if seed == 5:
        os._exit(3)
    return play(seed)


DIGEST = """
import hashlib
from narrator.rules import Game
from tests.random_games import play

games = []

class Kept(Game):
    def __init__(self, setup):
        super().__init__(setup)
        games.append(self)

for seed in range(1, 50):
    play(seed, Kept)
told = "".join(f"{game.setup!r}{game.answers!r}{game.events!r}{game.turn!r}" for game in games)
print(hashlib.sha256(told.encode()).hexdigest())
"""


def test_no_set_has_an_order_that_matters() -> None:
    """The same games are the same under every seed of Python's hashes."""
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("0", "1", "2", "12345")
    }  # fmt: skip
    assert len(told) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_soak_says_which_game_failed_and_how_to_play_it_again(jobs: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a game fails the others are played on; the exit code is 1, and the command that is printed fails in the same way."""
    assert soak.main(["--seed", "1", "--games", "12", "--jobs", str(jobs)], play=crash) == 1
    told = capsys.readouterr().out
    assert "failed           1\n" in told
    assert "seed 7 failed" in told
    assert "ValueError: no answer\nagain: python -m benchmarks.soak --seed 7 --games 1\n" in told
    assert soak.main(["--seed", "7", "--games", "1"], play=crash) == 1
    assert soak.main(["--seed", "8", "--games", "1"], play=crash) == 0


def test_soak_gives_up_after_ten_failures(capsys: pytest.CaptureFixture[str]) -> None:
    """Where everything fails, that is said ten times."""
    assert soak.main(["--seed", "1", "--games", "99", "--jobs", "1"], play=partial(play, new_game=Endless)) == 1
    assert capsys.readouterr().out.count("again: python -m benchmarks.soak") == 10


def test_soak_says_from_where_on_nothing_is_known_when_a_process_dies(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that takes its process with it is a failure too."""
    assert soak.main(["--seed", "1", "--games", "200", "--jobs", "2"], play=die) == 1
    assert "a process died" in capsys.readouterr().out
