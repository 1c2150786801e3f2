"""What the mixer promises of every sample."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.clip import RATE, Clip
from narrator.sound import levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import Scenery


def mixed(mixer: Mixer, seconds: float) -> Clip:
    """The next seconds in one block."""
    out = np.full(round(seconds * RATE), np.nan, np.float32)
    mixer.mix(out)
    return out


def sine(seconds: float, height: float = 0.5) -> Clip:
    return (height * np.sin(2 * np.pi * 440 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def steady(height: float) -> Scenery:
    """A loop that is one constant, so that the mix shows nothing but the gain on it."""
    return Scenery(loops={"night": np.full(1000, height, np.float32)}, effects={})


def perform(scenery: Scenery, voice: Clip, cut: list[int]) -> Clip:
    """One fixed performance of 1.8 s with every command; between commands, blocks as long as `cut` says, over and over."""
    mixer = Mixer(scenery)
    sizes = iter(cut * 50_000)
    sounds: list[Clip] = []
    for command, seconds in (
        (lambda: mixer.scene("night"), 0.31),
        (lambda: mixer.play(voice[:5000]), 0.1),
        (lambda: mixer.play(voice[5000:9000]), 0.05),
        (lambda: mixer.effect("knock"), 0.01),
        (lambda: mixer.effect("knock"), 0.3),
        (lambda: mixer.scene("day"), 0.2),
        (lambda: mixer.play(voice), 0.123),
        (lambda: mixer.hush(), 0.007),
        (lambda: mixer.play(voice[:3000]), 0.7),
    ):
        command()
        left = round(seconds * RATE)
        while left:
            block = np.empty(min(next(sizes), left), np.float32)
            mixer.mix(block)
            sounds.append(block)
            left -= len(block)
    return np.concatenate(sounds)


@settings(max_examples=25, deadline=None)
@given(cut=st.lists(st.integers(1, 3000), min_size=1, max_size=8).filter(lambda sizes: sum(sizes) > 100 * len(sizes)))
def test_block_size_does_not_matter(small: Scenery, spoken: Clip, cut: list[int]) -> None:
    """However the sound is cut into blocks, it is the same sound."""
    np.testing.assert_allclose(perform(small, spoken, cut), perform(small, spoken, [RATE]), atol=2e-5)


def test_tiny_blocks(small: Scenery, spoken: Clip) -> None:
    """Blocks of a few samples give the same sound as well."""
    np.testing.assert_allclose(perform(small, spoken, [1, 2, 6]), perform(small, spoken, [RATE]), atol=2e-5)


def test_silence_before_the_first_scene(small: Scenery) -> None:
    """Until a scene is set nothing sounds."""
    assert not mixed(Mixer(small), 1).any()


def test_loops_wrap_to_the_sample(small: Scenery) -> None:
    """The ambience goes round its loop without a gap, for as long as the game lasts."""
    mixer, loop = Mixer(small), small.loops["night"]
    mixer.scene("night")
    begin = len(mixed(mixer, levels.CROSSFADE))
    heard = mixed(mixer, 5)
    np.testing.assert_allclose(heard, np.resize(np.roll(loop, -begin), len(heard)), atol=1e-6)


def test_the_same_scene_again_changes_nothing(small: Scenery) -> None:
    """Setting a scene that is already set is not heard."""
    once, again = Mixer(small), Mixer(small)
    for mixer in (once, again):
        mixer.scene("night")
        mixed(mixer, 1.7)
    again.scene("night")
    np.testing.assert_array_equal(mixed(once, 4), mixed(again, 4))


def test_scenes_cross_fade_without_a_dip(shipped: Scenery) -> None:
    """From one scene to the next, also half way and turned back again, the ambience never drops out."""
    mixer = Mixer(shipped)
    mixer.scene("night")
    mixed(mixer, levels.CROSSFADE)
    parts = []
    for name, seconds in (("dawn", 1.4), ("night", 0.8), ("end", 5), ("day", 5)):
        mixer.scene(name)
        parts.append(mixed(mixer, seconds))
    loudness = np.sqrt(np.mean(np.concatenate(parts).reshape(-1, 1200) ** 2, axis=1))
    assert 20 * np.log10(loudness.min()) > -46


def test_clips_join_to_the_sample(small: Scenery, spoken: Clip) -> None:
    """A clip played in two halves sounds like the whole."""
    whole, halves = Mixer(small), Mixer(small)
    assert whole.play(spoken) == len(spoken) / RATE
    halves.play(spoken[:7777])
    assert halves.play(spoken[7777:]) == len(spoken) / RATE
    heard = mixed(whole, 2)
    np.testing.assert_array_equal(heard, mixed(halves, 2))
    np.testing.assert_allclose(heard[: len(spoken)], spoken * levels.VOICE, atol=1e-6)
    assert not heard[len(spoken) :].any()


def test_an_empty_clip_is_no_clip(small: Scenery) -> None:
    """A clip without samples takes no time and stops nothing."""
    mixer = Mixer(small)
    assert mixer.play(np.zeros(0, np.float32)) == 0
    assert not mixed(mixer, 0.1).any()


def test_ambience_ducks_under_the_voice() -> None:
    """Under a voice the ambience steps back by DUCK dB within ATTACK seconds; RELEASE seconds after it, it is back."""
    mixer = Mixer(steady(0.1))
    mixer.scene("night")
    mixed(mixer, levels.CROSSFADE)
    mixer.play(np.zeros(RATE, np.float32))
    voice, after = mixed(mixer, 1), mixed(mixer, 2)
    ducked = 0.1 * 10 ** (-levels.DUCK / 20)
    np.testing.assert_allclose(voice[round(levels.ATTACK * RATE) :], ducked, rtol=1e-3)
    assert after[0] == pytest.approx(ducked, rel=1e-3)
    np.testing.assert_allclose(after[round(levels.RELEASE * RATE) :], 0.1, rtol=1e-3)
    assert np.abs(np.diff(np.concatenate([voice, after]))).max() < 1e-3


def test_nothing_ever_clips(small: Scenery) -> None:
    """Full-scale clips over every scene with a heap of effects stay below the ceiling."""
    rng = np.random.default_rng(3)
    mixer = Mixer(Scenery(loops={name: loop * 10 for name, loop in small.loops.items()}, effects={"knock": (np.ones(9000, np.float32),)}))
    mixer.scene("night")
    mixer.play(np.sign(rng.normal(size=3 * RATE)).astype(np.float32))
    peaks = []
    for name in ("day", "night", "day"):
        mixer.scene(name)
        for _ in range(4):
            mixer.effect("knock")
        peaks.append(np.abs(mixed(mixer, 1)).max())
    assert max(peaks) <= levels.CEILING + 1e-6


def test_a_planned_mix_is_left_alone(shipped: Scenery) -> None:
    """A full-scale voice with a knock over the ducked ambience does not reach the ceiling even without the limiter."""
    loudest = max(float(np.abs(loop).max()) for loop in shipped.loops.values())
    knock = max(float(np.abs(take).max()) for take in shipped.effects["knock"])
    assert levels.VOICE + loudest * 10 ** (-levels.DUCK / 20) + knock < levels.CEILING


def test_hush_does_not_click(small: Scenery) -> None:
    """A clip cut off anywhere fades away within HUSH seconds, in steps no larger than its own, and what was behind it is gone."""
    for begin in (0.1, 0.1 + 1 / 1760, 0.111):
        mixer = Mixer(small)
        mixer.play(sine(1))
        mixer.play(sine(1))
        before = mixed(mixer, begin)
        mixer.hush()
        after = mixed(mixer, 3)
        steps = np.abs(np.diff(np.concatenate([before[-1:], after])))
        assert steps.max() <= np.abs(np.diff(before)).max() + 0.5 / (levels.HUSH * RATE)
        assert not after[round(levels.HUSH * RATE) :].any()


def test_a_clip_after_hush_is_heard_whole(small: Scenery, spoken: Clip) -> None:
    """What is played after a hush follows as soon as the cut-off clip has faded."""
    mixer = Mixer(small)
    mixer.play(sine(2))
    mixed(mixer, 0.5)
    mixer.hush()
    assert mixer.play(spoken) == pytest.approx(levels.HUSH + len(spoken) / RATE)
    heard = mixed(mixer, 2)[round(levels.HUSH * RATE) :]
    np.testing.assert_allclose(heard[: len(spoken)], spoken * levels.VOICE, atol=1e-6)


def test_hush_drops_what_has_not_begun(small: Scenery, spoken: Clip) -> None:
    """A clip hushed before its first sample is not heard at all."""
    mixer = Mixer(small)
    mixer.play(spoken)
    mixer.hush()
    assert not mixed(mixer, 2).any()


def test_takes_of_an_effect_follow_in_turn(small: Scenery) -> None:
    """An effect called again is its next take, from the first again after the last."""
    mixer = Mixer(small)
    first, second = small.effects["knock"]
    for take in (first, second, first):
        mixer.effect("knock")
        np.testing.assert_allclose(mixed(mixer, 0.1)[: len(take)], take, atol=1e-7)


def test_unknown_names_are_refused(small: Scenery) -> None:
    """A scene or effect that does not exist raises at once and names those that do."""
    mixer = Mixer(small)
    with pytest.raises(ValueError, match="'nigth' is no scene; there are night, day"):
        mixer.scene("nigth")
    with pytest.raises(ValueError, match="'night' is no effect; there are knock"):
        mixer.effect("night")


def test_a_block_allocates_no_buffer(shipped: Scenery, spoken: Clip) -> None:
    """Once running, filling a block makes no new buffer, whatever sounds in it."""
    mixer, out = Mixer(shipped), np.empty(RATE, np.float32)
    mixer.scene("night")
    mixer.mix(out)
    mixer.scene("day")
    mixer.play(spoken)
    mixer.effect("knock")
    tracemalloc.start()
    try:
        for _ in range(5):
            mixer.mix(out)
        assert tracemalloc.get_traced_memory()[1] < out.nbytes / 10
    finally:
        tracemalloc.stop()
