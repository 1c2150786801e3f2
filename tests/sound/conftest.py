"""A loudspeaker, and sounds made for tests: each is easy to recognise in a mix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.clip import RATE, Clip
from narrator.sound.scenes import Scene, Scenery, home, load


@pytest.fixture(scope="session")
def shipped() -> Scenery:
    """The ambience that the narrator ships."""
    return load(home())


def beds(folder: Path, **loops: Clip) -> dict[str, Path]:
    """Files of these loops, to the bit."""
    paths = {name: folder / f"{name}.wav" for name in loops}
    for name, path in paths.items():
        soundfile.write(path, loops[name], RATE, subtype="FLOAT")
    return paths


def scenery(paths: Mapping[str, Path], **effects: tuple[Clip, ...]) -> Scenery:
    """A scene for each bed, with nothing in it but that."""
    return Scenery({name: Scene(beds={name: 0.0}) for name in paths}, paths, {}, effects)


def noise(rng: np.random.Generator, length: int, height: float = 0.1) -> Clip:
    return rng.uniform(-height, height, length).astype(np.float32)


@pytest.fixture(scope="session")
def loops() -> dict[str, Clip]:
    """Two short loops of noise."""
    rng = np.random.default_rng(1)
    return {"night": noise(rng, 997), "day": noise(rng, 1500)}


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory, loops: dict[str, Clip]) -> Scenery:
    """A scene for each of the loops and an effect of two takes, so that everything begins, ends and wraps often."""
    rng = np.random.default_rng(4)
    return scenery(beds(tmp_path_factory.mktemp("small"), **loops), knock=(noise(rng, 300), noise(rng, 431)))


@pytest.fixture(scope="session")
def spoken() -> Clip:
    """1.5 s of noise that swells like syllables: as loud as a voice, and like nothing else."""
    rng = np.random.default_rng(2)
    time = np.arange(round(1.5 * RATE)) / RATE
    return (rng.normal(0, 0.12, len(time)) * np.abs(np.sin(2 * np.pi * 2 * time))).clip(-0.9, 0.9).astype(np.float32)
