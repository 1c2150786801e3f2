"""One picture for each sound: its spectrogram, its loudness, and how fast that changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ambience import measure
from narrator.ambience.synth import Wave, frequencies
from narrator.clip import RATE

SECONDS = 20.0
"""Of a bed that are drawn; a single sound is drawn whole."""


def draw(folder: Path, names: list[str], progress: Callable[[str], None]) -> None:
    """Draw the files of these names, `beds/wind`, into `folder` as `wind.png`. Raises `ModuleNotFoundError` that says what is missing."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("pictures need matplotlib: pip install matplotlib") from error
    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        _draw(folder / f"{Path(name).name}.png", name, measure.load(name))
        progress(name)


def _draw(path: Path, name: str, sound: Wave) -> None:
    from matplotlib import pyplot

    figure, (top, middle, bottom) = pyplot.subplots(3, 1, figsize=(6.4, 5.4), height_ratios=(3, 1, 1.2), layout="constrained")
    shown = sound[: round(SECONDS * RATE)]
    _spectrogram(top, shown)
    part = f": the first {SECONDS:.0f} of {len(sound) / RATE:.0f} s" if len(shown) < len(sound) else ""
    top.set_title(name + part, fontsize=9)
    strength = measure.envelope(shown, 100)
    middle.plot(np.arange(len(strength)) / 100, 20 * np.log10(strength + 1e-5), linewidth=0.6)
    middle.set(xlim=(0, len(shown) / RATE), ylim=(-80, -10), ylabel="RMS, dB", xlabel="s")
    _modulation(bottom, sound)
    for axes in (top, middle, bottom):
        axes.tick_params(labelsize=7)
        axes.xaxis.label.set_size(7)
        axes.yaxis.label.set_size(7)
    figure.savefig(path, dpi=80, pil_kwargs={"optimize": True})
    pyplot.close(figure)
    _fewer_colours(path)


def _spectrogram(axes: Any, sound: Wave) -> None:
    """Level of each frequency over time, 70 dB deep; frequencies as octaves, as ears have them."""
    size = 1024 if len(sound) < 12 * RATE else 2048
    columns = np.linspace(0, max(len(sound) - size, 1), 500).astype(int)
    padded = np.append(sound, np.zeros(size))
    power = np.abs(np.fft.rfft(np.stack([padded[at : at + size] for at in columns]) * np.hanning(size))) ** 2
    octaves = np.geomspace(40, 12_000, 240)
    bins = np.clip(np.searchsorted(frequencies(size), octaves), 1, size // 2)
    level = 10 * np.log10(power[:, bins].T + 1e-9)
    loudest = level.max()
    axes.pcolormesh(columns / RATE, octaves, level, vmin=loudest - 70, vmax=loudest, cmap="magma", shading="nearest")
    axes.set(yscale="log", ylim=(40, 12_000), ylabel="Hz", yticks=(50, 100, 200, 500, 1000, 2000, 5000, 10_000))
    axes.set_yticklabels(("50", "100", "200", "500", "1k", "2k", "5k", "10k"))


def _modulation(axes: Any, sound: Wave) -> None:
    """How much of the change of loudness happens at each rate."""
    strength = measure.envelope(sound)
    power = np.abs(np.fft.rfft(strength / strength.mean() - 1)) ** 2
    rate = np.arange(len(power)) * 200 / len(strength)
    grid = np.geomspace(max(0.1, 4 / (len(sound) / RATE)), 90, 120)
    level = [np.sum((power * rate)[(rate > at / 1.1) & (rate < at * 1.1)]) / at for at in grid]  # a mean, as there are more at high rates
    axes.semilogx(grid, np.array(level) / max(level), linewidth=0.8)
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if tick >= grid[0]]
    axes.set(xlabel="changes of loudness a second", ylabel="power x rate", xlim=(grid[0], 90))
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def _fewer_colours(path: Path) -> None:
    """A palette of 64 colours is enough and a third of the size."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(64)
    small.save(path, optimize=True)
