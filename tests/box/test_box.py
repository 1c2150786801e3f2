"""A box from the moment it is switched on: without terminal, screen or network."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.box.driver import Box, Keypad
from tests.texts import script_of
from tests.virtual_audio import VirtualAudio

pytestmark = [pytest.mark.real_time, pytest.mark.long]


def test_a_game_is_ordered_and_played_by_keypad(tmp_path: Path) -> None:
    """It says that it is ready, is told what to play, and plays; when the plug was pulled in the night it offers to go on, and no answer is
    lost; a keypad that was away is found; and last time's game is one key away."""
    with VirtualAudio() as audio, Box(tmp_path, audio.environment) as box:
        box.switch_on()
        box.answer(players="6", edition="1", cards="", events="", pace="", deal="", welcome="")
        night = box.play(until=5)
        assert night.setup.seats == 6
        box.kill()
        given = box.taken
        box.switch_on()
        box.answer(unfinished="")
        box.wait_for(f"STATUS={script_of('anniversary').name}")     # who goes on is not greeted again
        assert box.play(until=len(given) + 1).answers[: len(given)] == given
        box.keypad.unplug()
        time.sleep(3.0)
        box.keypad = Keypad(tmp_path / "input")
        went_on = box.play(until=len(given) + 2)
        box.kill()
        box.switch_on()
        box.answer(unfinished="1", last="", deal="")
        assert box.play(until=1, games=2).setup.deck == went_on.setup.deck
