"""The roll call and the deal: who is called, what is asked and shown, and what the rules know afterwards."""

from __future__ import annotations

import pytest

from narrator.errors import Refused
from narrator.rules import Ask, Game, Line, Say, Setup, Show, Sleep, Wake, say
from tests.players import table
from tests.rules.test_day import go_on
from tests.texts import script_of


def roll_call(*deck: str, seats: int = 0) -> Game:
    """A game at the beginning of its roll call."""
    return Game(Setup(edition=script_of("anniversary").edition, seats=seats or len(deck), deck=deck))


def performed(game: Game, *kinds: type[Line]) -> list[Line]:
    """This turn's lines of these kinds, in order."""
    return [line for line in game.turn.lines if isinstance(line, kinds)]


def asked(game: Game) -> Ask:
    """The open ask."""
    assert game.turn.ask is not None
    return game.turn.ask


def test_every_card_is_called_and_keys_in_as_many_seats_as_hold_it() -> None:
    """One card is called as one, several as all; everyone could be any of them, for all that the screen tells."""
    game = roll_call("werewolf", "werewolf", "seer", "villager", "villager")
    everyone = (1, 2, 3, 4, 5)
    assert performed(game, Say, Wake)[-3:] == [say("roll.open"), Wake("roll.werewolf", everyone), say("roll.wake_all", role="werewolf")]
    assert asked(game) == Ask("roll.werewolf", "seats", "werewolf", everyone, everyone, count=(2, 2))
    game.answer("roll.werewolf", (2, 4))
    assert performed(game, Say, Wake, Sleep) == [
        Sleep("roll.werewolf"), say("roll.sleep", role="werewolf"), Wake("roll.seer", everyone), say("roll.wake", role="seer"),
    ]  # fmt: skip
    assert asked(game) == Ask("roll.seer", "seats", "seer", everyone, everyone, count=(1, 1))
    game.answer("roll.seer", (5,))
    assert say("roll.close") in game.turn.lines
    assert [game.role(seat) for seat in everyone] == ["villager", "werewolf", "villager", "werewolf", "seer"]


WITH_A_THIEF = ("werewolf", "werewolf", "seer", "thief", "villager", "villager", "villager")


def test_the_thief_keys_in_the_two_cards_that_were_left_over() -> None:
    """He is shown every kind of card but his own, in the order of the roll call, then the one that he has named; none of it is news."""
    game = roll_call(*WITH_A_THIEF, seats=5)
    everyone, cards = (1, 2, 3, 4, 5), ("werewolf", "seer", "villager")
    game.answer("roll.thief", (3,))
    assert performed(game, Show) == [Show("roll.cards", "thief", everyone, cards, (("cards", cards),), learned=False)]
    assert asked(game) == Ask("roll.spare", "choice", "thief", everyone, (1, 2, 3))
    game.answer("roll.spare", 2)
    assert performed(game, Show) == [Show("roll.first", "thief", everyone, "seer", (("role", "seer"),), learned=False)]
    assert asked(game) == Ask("roll.spare", "choice", "thief", everyone, (1, 3))   # there was only one seer
    game.answer("roll.spare", 3)
    assert performed(game, Show) == []


def test_of_a_card_there_are_as_many_to_leave_over_as_there_are_cards() -> None:
    """The same card may be named twice where two of it were put in, and no oftener."""
    game = roll_call(*WITH_A_THIEF, seats=5)
    game.answer("roll.thief", (3,))
    game.answer("roll.spare", 1)
    assert asked(game).candidates == (1, 2, 3)
    game.answer("roll.spare", 1)
    assert [line.name for line in performed(game, Wake) if isinstance(line, Wake)] == ["roll.werewolf", "roll.seer"]
    with pytest.raises(Refused):
        roll_call(*WITH_A_THIEF, seats=5).answer("roll.thief", (1, 2))


def test_a_card_that_nobody_holds_is_called_all_the_same_and_asks_nobody() -> None:
    """Its silence would tell that it was left over. Where one of two was, one seat is keyed in, and it is called as before."""
    game = roll_call(*WITH_A_THIEF, seats=5)
    game.answer("roll.thief", (3,))
    game.answer("roll.spare", 2)
    game.answer("roll.spare", 1)
    assert say("roll.wake_all", role="werewolf") in game.turn.lines
    assert asked(game).count == (1, 1)
    game.answer("roll.werewolf", (1,))
    calls = performed(game, Wake, Say, Sleep)
    called = calls.index(Wake("roll.seer", ()))
    assert calls[called + 1 : called + 4] == [say("roll.wake", role="seer"), Sleep("roll.seer"), say("roll.sleep", role="seer")]
    assert asked(game).id == "thief.swap"
    assert [game.role(seat) for seat in (1, 2, 3, 4, 5)] == ["werewolf", "villager", "thief", "villager", "villager"]


def test_a_roll_call_that_is_held_again_forgets_what_was_left_over() -> None:
    """Where a seat was keyed twice the thief tells the two cards once more, and only these count."""
    game = roll_call(*WITH_A_THIEF, seats=5)
    for spare, wolves in ((2, (3, 4)), (3, (1, 2))):
        game.answer("roll.thief", (3,))
        game.answer("roll.spare", spare)
        game.answer("roll.spare", 3)
        game.answer("roll.werewolf", wolves)
    game.answer("roll.seer", (5,))
    shown = [line.value for line in performed(game, Show) if isinstance(line, Show)]
    assert shown == [("villager", "villager")]


def test_in_the_small_double_role_nobody_holds_two_characters() -> None:
    """A seat may be keyed for a character and for a wolf; where it is keyed for two characters all are called again."""
    characters = ("seer", "witch", "villager", "villager", "villager", "villager", "villager")
    allegiances = ("werewolf", "werewolf", "villager", "villager", "villager", "villager", "villager")
    game = Game(Setup(edition=script_of("flow").edition, seats=7, deck=characters, second=allegiances, variant="double_small"))
    for witch in (2, 3):
        game.answer("roll.werewolf", (1, 2))
        game.answer("roll.seer", (2,))
        game.answer("roll.witch", (witch,))
        assert (say("roll.again") in game.turn.lines) == (witch == 2)
    assert [game.role(seat) for seat in (1, 2, 3)] == ["villager", "seer", "witch"]


def test_a_deal_shows_each_seat_its_card_with_its_own_eyes_open() -> None:
    """Each seat is called, says that it is there, is shown its card, and says that it has seen it; nobody has closed their eyes."""
    deal = ("werewolf", "seer", "villager")
    game = Game(table("anniversary", *deal))
    assert say("deal.open") in game.turn.lines
    for seat, card in enumerate(deal, start=1):
        assert performed(game, Wake, Show) == [Wake("deal", (seat,), asleep=False)]
        assert say("deal.wake", seat=seat) in game.turn.lines
        assert asked(game) == Ask("deal.ready", "wait", card, (seat,))
        game.answer("deal.ready", True)
        assert game.turn.lines == (Show("deal.card", card, (seat,), card, (("role", card),)),)
        assert asked(game) == Ask("deal.seen", "wait", card, (seat,))
        game.answer("deal.seen", True)
        assert game.turn.lines[:2] == (Sleep("deal"), say("deal.sleep"))
    assert game.phase.kind == "night"


def test_a_thief_is_shown_the_two_cards_that_were_dealt_to_nobody() -> None:
    """Which two they are the narrator knows, where it dealt."""
    deal, spare = ("werewolf", "thief", "villager"), ("seer", "villager")
    game = Game(Setup(edition=script_of("anniversary").edition, seats=3, deck=(*deal, *spare), deal=deal, spare=spare))
    go_on(game, "thief.swap")
    assert [line.value for line in performed(game, Show) if isinstance(line, Show)] == [spare]
    game.answer("thief.swap", 1)
    assert game.role(2) == "seer"
