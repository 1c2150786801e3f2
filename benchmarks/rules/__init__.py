"""How many whole games a second the rules engine plays, and plays again, beside other engines from PyPI on the same cards.

    python -m benchmarks.rules [--seconds 3] [--seed 0]

Every engine plays games of twelve with random legal answers, seeded, on one core, and then replays each: the same answers to a new game.
The peers are `pip install werewolf-engine open-mafia-engine`; one that is not installed is left out, with a word. Each is compared with
this engine on the cards that both know; what else each of them covers stands beside it.

werewolf-engine 0.1.0   six roles; a night's actions in order, votes, a tie kills nobody; no captain, no lovers, no switches; the hunter's
                        shot is its own dice
open-mafia-engine 0.5.0 a framework for mafia games: events and actions with priorities; kill, protect, inspect, votes that may tie
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.cards import deal
from narrator.rules import Game, Setup
from narrator.script import Script
from tests.players import legal

PLAYERS = 12

Play = Callable[[int], Any]
"""A game's seed → all that is needed to play it again."""

Choose = Callable[[Any, Sequence[Any]], Any]
"""Who acts, and whom he may name → whom he names."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine with some cards: how it plays a game, and how it plays one again."""

    name: str
    play: Play
    again: Callable[[Any], object]


def ours(name: str, *gods: str, wolves: int = 3, **switches: object) -> Engine:
    """This engine with these cards and plain villagers, identities known to it as they are to the peers."""
    edition = Script("anniversary").edition.by_rules(**switches)
    deck = (*gods, *["werewolf"] * wolves, *["villager"] * (PLAYERS - wolves - len(gods)))

    def play(seed: int) -> tuple[Setup, list[Any]]:
        rng = random.Random(seed)
        cards = deal(deck, rng)
        game = Game(Setup(edition=edition, seats=PLAYERS, deck=deck))
        while ask := game.turn.ask:
            game.answer(ask.id, legal(ask, rng, PLAYERS, cards))
        return game.setup, game.answers

    return Engine(name, play, lambda played: Game.replay(*played))


def _kept(name: str, run: Callable[[int, Choose], None], answer: Callable[[Any], Any]) -> Engine:
    """A peer whose games are run with a seed and somebody who chooses among targets: by chance, or as was chosen before."""

    def play(seed: int) -> tuple[int, list[Any]]:
        rng, chosen = random.Random(seed), []

        def choose(_: Any, targets: Sequence[Any]) -> Any:
            chosen.append(answer(rng.choice(targets)) if targets else None)
            return chosen[-1]

        run(seed, choose)
        return seed, chosen

    def again(played: tuple[int, list[Any]]) -> None:
        seed, chosen = played
        answers = iter(chosen)
        run(seed, lambda *_: next(answers))

    return Engine(name, play, again)


def werewolf_engine() -> Engine:
    """The peer of that name. Raises `ImportError`."""
    from werewolf_engine import Game as Theirs
    from werewolf_engine import GameConfig
    from werewolf_engine.phases import Phase

    names = [str(seat) for seat in range(PLAYERS)]
    config = GameConfig(role_counts={"werewolf": 3, "villager": 5, "seer": 1, "doctor": 1, "witch": 1, "hunter": 1})

    def run(seed: int, choose: Choose) -> None:
        random.seed(seed)   # its cards and its hunter are dealt by the module's own dice
        game = Theirs(names, config)
        game.start()
        while game.phase is not Phase.END:
            if game.phase is Phase.NIGHT:
                actor = game.night_manager.current_actor
                target = choose(actor, game.night_manager.get_available_targets(actor))
                if target is None:
                    game.night_skip(actor.id)
                else:
                    game.night_action(actor.id, target)
            else:
                alive = [player for player in game.players if player.is_alive()]
                for voter in alive:
                    game.day_vote(voter.id, choose(voter, [player for player in alive if player is not voter]))

    return _kept("werewolf-engine", run, lambda player: player.id)


def open_mafia_engine() -> Engine:
    """The peer of that name: wolves, a protector, a detective, and townspeople. Raises `ImportError`."""
    from open_mafia_engine.built_in import all as parts
    from open_mafia_engine.core import all as core

    def table(seed: int) -> tuple[Any, dict[str, str]]:
        game = core.Game()
        mafia, town = core.Faction(game, "Mafia"), core.Faction(game, "Town")
        for faction in (mafia, town):
            parts.OCLastFactionStanding(game, faction)
        core.GameEnder(game)
        tally = parts.LynchTally(game)
        cards = deal(("werewolf",) * 3 + ("guard", "seer") + ("villager",) * 7, random.Random(seed))
        powers = {}
        for seat, card in enumerate(cards):
            actor = core.Actor(game, f"P{seat}")
            (mafia if card == "werewolf" else town).add_actor(actor)
            parts.PhaseConstraint(game, parts.VoteAbility(game, actor, name="Vote", tally=tally), phase="day")
            if card != "villager":
                power = {"werewolf": parts.KillAbility, "guard": parts.ProtectFromKillAbility, "seer": parts.InspectFactionAbility}[card]
                ability = power(game, actor, name=card)
                parts.PhaseConstraint(game, ability, phase="night")
                parts.LimitPerPhaseActorConstraint(game, ability, limit=1)
                powers[actor.name] = card
        return game, powers

    def run(seed: int, choose: Choose) -> None:
        game, powers = table(seed)
        game.change_phase()
        while True:
            alive = [actor.name for actor in game.actors if not actor.status["dead"]]
            wolves = [name for name in alive if powers.get(name) == "werewolf"]
            if not wolves or len(wolves) == len(alive):
                return
            if game.current_phase.name == "day":
                for name in alive:
                    game.process_event(core.EActivate(game, f"{name}/ability/Vote", target=choose(name, alive)))
            else:
                for name in [wolves[0], *(name for name in alive if powers.get(name) in ("guard", "seer"))]:
                    targets = [other for other in alive if other not in wolves] if name in wolves else alive
                    game.process_event(core.EActivate(game, f"{name}/ability/{powers[name]}", target=choose(name, targets)))
            game.change_phase()

    return _kept("open-mafia-engine", run, lambda name: name)


PAIRS: tuple[tuple[Callable[[], Engine] | None, Engine], ...] = (
    (None, ours("narrator, the rulebook's twelve", "seer", "cupid", "witch", "hunter", "guard", "elder", "idiot")),
    (werewolf_engine, ours("narrator, the same cards", "seer", "guard", "witch", "hunter", captain_elected="never")),
    (open_mafia_engine, ours("narrator, the same cards", "seer", "guard", captain_elected="never")),
)
"""Each peer, with this engine on the same cards; and this engine with all that it has."""


def rates(engine: Engine, seed: int, seconds: float) -> tuple[float, float]:
    """Games and replays a second, each over so many seconds."""
    played: list[Any] = []
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        played.append(engine.play(seed + len(played)))
    games = len(played) / spent
    replayed, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        engine.again(played[replayed % len(played)])
        replayed += 1
    return games, replayed / spent


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each engine, and by how much this one is ahead."""
    parser = argparse.ArgumentParser(prog="benchmarks.rules")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    print(f"{'':34}{'games/s':>10}{'replays/s':>11}")
    for peer, engine in PAIRS:
        mine = rates(engine, options.seed, options.seconds)
        print(f"{engine.name:34}{mine[0]:10.0f}{mine[1]:11.0f}")
        if peer:
            try:
                theirs = rates(other := peer(), options.seed, options.seconds)
            except ImportError as error:
                print(f"  {peer.__name__} is not installed: {error}")
            else:
                ahead = f"   ours {mine[0] / theirs[0]:.1f} and {mine[1] / theirs[1]:.1f} times that"
                print(f"{other.name:34}{theirs[0]:10.0f}{theirs[1]:11.0f}{ahead}")
    return 0
