"""A loudspeaker, and sounds made for tests: each is easy to recognise in a mix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from narrator.clip import RATE, Clip
from narrator.sound.scenes import Scenery, home, load
from tests.virtual_audio import VirtualAudio


@pytest.fixture(scope="session")
def shipped() -> Scenery:
    """The ambience that the narrator ships."""
    return load(home())


@pytest.fixture(scope="session")
def small() -> Scenery:
    """Two short loops of noise and an effect of two takes, so that everything begins, ends and wraps often."""
    rng = np.random.default_rng(1)

    def noise(length: int) -> Clip:
        return rng.uniform(-0.1, 0.1, length).astype(np.float32)

    return Scenery(loops={"night": noise(997), "day": noise(1500)}, effects={"knock": (noise(300), noise(431))})


@pytest.fixture(scope="session")
def spoken() -> Clip:
    """1.5 s of noise that swells like syllables: as loud as a voice, and like nothing else."""
    rng = np.random.default_rng(2)
    time = np.arange(round(1.5 * RATE)) / RATE
    return (rng.normal(0, 0.12, len(time)) * np.abs(np.sin(2 * np.pi * 2 * time))).clip(-0.9, 0.9).astype(np.float32)


@pytest.fixture
def audio(monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualAudio]:
    """A virtual loudspeaker, which is the default of whatever this process starts."""
    with VirtualAudio() as audio:
        for name, value in audio.environment.items():
            monkeypatch.setenv(name, value)
        yield audio
