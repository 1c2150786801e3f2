"""Ambience: what the shipped sounds measure, beside what the literature says of the real ones.

    nice python -m benchmarks.ambience [--pictures docs/sound]

Nobody has listened to these sounds; this is what can be said of them without ears. The first table has every bed: its level, its
loop point, and whether anything in it repeats. The second has the figures by which each sound is known, and marks with OUTSIDE what
the literature does not cover. The exit code is 1 if there is one. A source marked `uncertain` is a range of our own. The last table has
every scene as it is mixed, and how far the knocks that hide a key stand out of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.ambience import measure
from benchmarks.ambience.figures import Figure, figures
from benchmarks.ambience.pictures import draw
from narrator.ambience import BEDS, SOUNDS
from narrator.ambience.loudness import momentary, weighted
from narrator.ambience.synth import Wave
from narrator.clip import RATE
from narrator.sound import levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import Scenery, home, load


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 if a figure lies outside the literature's range."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ambience", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw every sound into this folder")
    chosen = parser.parse_args(arguments)
    _print_beds()
    _print_sounds()
    outside = sum([_print_figure(figure) for figure in figures()])
    _print_scenes()
    if chosen.pictures:
        draw(chosen.pictures, [f"beds/{name}" for name in BEDS] + _takes(), lambda name: print(f"drawn: {name}"))
    return int(outside > 0)


def _takes() -> list[str]:
    return [f"sounds/{name}_{number}" for name, (_, takes, _) in SOUNDS.items() for number in range(1, takes + 1)]


def _print_beds() -> None:
    """Seam: share of the loop's other places that are calmer. Repeats: highest autocorrelation, and that over what chance gives."""
    print("bed           s   kB    RMS   LUFS  peak    Hz  seam: step slope treble loud  wave repeats    envelope")
    for name in BEDS:
        bed = measure.load(f"beds/{name}")
        seam, wave, loudness = measure.seam(bed), measure.wave_repetition(name, bed), measure.envelope_repetition(name, bed)
        print(
            f"{name:10s} {len(bed) // measure.RATE:4d} {_size(f'beds/{name}'):4.0f} {measure.decibels(np.mean(bed**2)):6.1f} "
            f"{measure.loud(bed):6.1f} {np.abs(bed).max():5.3f} {measure.centroid(bed):5.0f}  "
            f"      {seam.step:5.2f} {seam.slope:5.2f} {seam.treble:6.2f} {seam.loudness:4.2f}  "
            f"{wave.highest:.4f} ({wave.ratio:4.2f})   {loudness.highest:.3f} ({loudness.ratio:4.2f})"
        )


def _print_sounds() -> None:
    print("\nsound                  s   kB   LUFS  peak    Hz")
    for name in _takes():
        sound = measure.load(name)
        print(
            f"{name:18s} {len(sound) / measure.RATE:5.1f} {_size(name):4.0f} {measure.loud(sound):6.1f} "
            f"{np.abs(sound).max():5.3f} {measure.centroid(sound):5.0f}"
        )
    print()


def _print_scenes() -> None:
    """Loudness of a minute: its median, and between words; a knock's above that, over the tenth of a second that it lasts, at the same
    weighting."""
    print("\nscene           LUFS  peak  under a voice  knock above it")
    scenery = load(home())
    knock = max(_short(take) for take in scenery.effects["knock"])
    for name in scenery.scenes:
        heard = _mixed(scenery, name, 60)
        loudness = float(np.median(momentary(heard)))
        print(f"{name:14s} {loudness:5.1f} {np.abs(heard).max():5.3f} {loudness - levels.DUCK:10.1f} {knock - loudness:12.1f} dB")


def _short(take: Wave) -> float:
    """The K-weighted level of a take's first tenth of a second."""
    padded = np.concatenate([np.zeros(RATE), take, np.zeros(RATE)])
    return float(-0.691 + 10 * np.log10(np.mean(weighted(padded)[RATE : RATE + RATE // 10] ** 2)))


def _mixed(scenery: Scenery, scene: str, seconds: int) -> Wave:
    """A scene once it has faded in."""
    mixer, out = Mixer(scenery), np.zeros((seconds * RATE, 1), np.float32)
    mixer.scene(scene)
    for begin in range(0, len(out), RATE):
        mixer.supply()
        mixer.mix(out[begin : begin + RATE])
    return out[5 * RATE :, 0].astype(np.float64)


def _size(name: str) -> float:
    return (measure.HOME / f"{name}.ogg").stat().st_size / 1000


def _print_figure(figure: Figure) -> bool:
    """One line; whether the figure lies outside."""
    value = figure.value()
    outside = not figure.low <= value <= figure.high
    mark = "OUTSIDE" if outside else ""
    print(f"{figure.file:16s} {figure.what:37s} {value:9.4g}  {figure.low:g} to {figure.high:g} ({figure.source}) {mark}")
    return outside
