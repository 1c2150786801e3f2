"""What the mixer promises of every sample."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.clip import RATE, Clip
from narrator.sound import levels
from narrator.sound.levels import Levels
from narrator.sound.mixer import Mixer
from narrator.sound.scenes import Scene, Scenery
from tests.sound.conftest import beds, noise, scenery


def mixed(mixer: Mixer, seconds: float) -> Clip:
    """The next seconds of the first channel, in blocks of at most a second, supplied as a loudspeaker's process does."""
    out = np.full((round(seconds * RATE), mixer.channels), np.nan, np.float32)
    for begin in range(0, len(out), RATE):
        mixer.supply()
        mixer.mix(out[begin : begin + RATE])
    return out[:, 0]


def sine(seconds: float, height: float = 0.5) -> Clip:
    return (height * np.sin(2 * np.pi * 440 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


@pytest.fixture
def steady(tmp_path: Path) -> Scenery:
    """A loop that is one constant, 0.1, so that the mix shows nothing but the gain on it."""
    return scenery(beds(tmp_path, night=np.full(1000, 0.1, np.float32)))


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
            block = np.empty((min(next(sizes), left), 1), np.float32)
            mixer.mix(block)
            sounds.append(block[:, 0])
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


def test_loops_wrap_to_the_sample(small: Scenery, loops: dict[str, Clip]) -> None:
    """The ambience goes round its loop without a gap, for as long as the game lasts."""
    mixer, loop = Mixer(small), loops["night"]
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


def test_scenes_cross_fade_without_a_dip(tmp_path: Path) -> None:
    """From one scene to the next, also half way and turned back again, the loudness of the ambience stays what it is."""
    rng = np.random.default_rng(7)
    mixer = Mixer(scenery(beds(tmp_path, night=noise(rng, 50_021), day=noise(rng, 60_013), dawn=noise(rng, 70_001))))
    mixer.scene("night")
    usual = np.sqrt(np.mean(mixed(mixer, levels.CROSSFADE + 1)[-RATE:] ** 2))
    parts = []
    for name, seconds in (("dawn", 1.4), ("night", 0.8), ("day", 5), ("dawn", 5)):
        mixer.scene(name)
        parts.append(mixed(mixer, seconds))
    loudness = np.sqrt(np.mean(np.concatenate(parts).reshape(-1, 1200) ** 2, axis=1))
    assert 20 * np.log10(loudness.min() / usual) > -1.5
    assert 20 * np.log10(loudness.max() / usual) < 1.5


def test_a_scene_mixes_its_beds_at_its_levels(tmp_path: Path) -> None:
    """Each bed of a scene lies under it at the scene's level; what another scene has and this one has not is gone."""
    paths = beds(tmp_path, wind=np.full(5000, 0.1, np.float32), fire=np.full(7001, -0.03, np.float32))
    scenes = {"night": Scene(beds={"wind": -6.0, "fire": 0.0}), "day": Scene(beds={"wind": 3.0})}
    mixer = Mixer(Scenery(scenes, paths, {}, {}))
    for name, expected in (("night", 0.1 * 10 ** (-6 / 20) - 0.03), ("day", 0.1 * 10 ** (3 / 20))):
        mixer.scene(name)
        np.testing.assert_allclose(mixed(mixer, levels.CROSSFADE + 1)[-RATE:], expected, atol=1e-5)


def test_sounds_come_now_and_then(steady: Scenery) -> None:
    """A sound of a scene comes again and again after times between its bounds, its takes in turn; what opens the scene comes at once."""
    bell, owls = np.full(50, 0.07, np.float32), (np.full(100, 0.02, np.float32), np.full(100, 0.04, np.float32))
    scene = Scene(beds={"night": 0.0}, sounds={"owl": (2.0, 5.0)}, opens=("bell",))
    mixer = Mixer(replace(steady, scenes={"night": scene}, sounds={"owl": owls, "bell": (bell,)}), seed=5)
    mixer.scene("night")
    heard = mixed(mixer, 120)
    assert heard[:50].min() >= 0.07
    again = Mixer(replace(steady, scenes={"night": scene}, sounds={"owl": owls, "bell": (bell,)}))
    again.scene("night", opens=False)
    assert mixed(again, 0.01).max() < 0.07, "it has been open before"
    rest = heard[round(levels.CROSSFADE * RATE) :] - 0.1
    begins = np.flatnonzero((rest[1:] > 0.01) & (rest[:-1] < 0.01)) + 1
    gaps = np.diff(begins) / RATE
    assert len(begins) > 120 / 5 - 2
    assert 2.0 <= gaps.min() < gaps.max() <= 5.0 + 1 / RATE
    assert gaps.std() > 0.3
    np.testing.assert_allclose(rest[begins + 5], np.resize(rest[begins[:2] + 5], len(begins)), atol=1e-6)
    assert abs(rest[begins[0] + 5] - rest[begins[1] + 5]) == pytest.approx(0.02, abs=1e-6)


def test_chance_is_the_mixers_own(shipped: Scenery) -> None:
    """The same scenes at the same moments are the same sound, owls and all; another seed is another evening."""

    def evening(seed: int) -> Clip:
        mixer = Mixer(shipped, seed=seed)
        mixer.scene("night")
        return mixed(mixer, 90)

    np.testing.assert_array_equal(evening(1), evening(1))
    assert np.abs(evening(1) - evening(2)).max() > 0.001


def test_in_stereo_the_ambience_surrounds_and_the_voice_stands_in_the_middle(shipped: Scenery, spoken: Clip) -> None:
    """Two channels have the same voice and different wind, each as loud as the one of a mono mix."""
    mono, stereo = Mixer(shipped), Mixer(shipped, stereo=True)
    out = np.zeros((4 * RATE, 2), np.float32)
    for mixer in (mono, stereo):
        mixer.scene("night")
    usual = mixed(mono, 5)[-RATE:]
    mixed(stereo, 4)
    stereo.supply()
    stereo.mix(out[:RATE])
    left, right = out[:RATE].T
    assert abs(np.corrcoef(left, right)[0, 1]) < 0.3
    assert 20 * np.log10(np.std(left) / np.std(usual)) == pytest.approx(0, abs=2)
    stereo.play(spoken)
    stereo.mix(out[: len(spoken)])
    left, right = out[: len(spoken)].T
    assert np.corrcoef(left, right)[0, 1] > 0.98


@pytest.mark.parametrize(("decibels", "factor"), [(-6.0, 0.501), (6.0, 1.995), (levels.OFF, 0.0)])
def test_the_voice_is_as_loud_as_it_is_set(small: Scenery, decibels: float, factor: float) -> None:
    """A level set before or meanwhile multiplies the voice, without a click where it changes."""
    constant = np.full(RATE, 0.2, np.float32)
    before, meanwhile = Mixer(small, Levels(voice=decibels)), Mixer(small)
    for mixer in (before, meanwhile):
        mixer.play(constant)
    np.testing.assert_allclose(mixed(before, 1), 0.2 * levels.VOICE * factor, rtol=1e-2)
    first = mixed(meanwhile, 0.3)
    meanwhile.level("voice", decibels)
    heard = np.concatenate([first, mixed(meanwhile, 0.7)])
    np.testing.assert_allclose(heard[-RATE // 2 :], 0.2 * levels.VOICE * factor, rtol=1e-2)
    assert np.abs(np.diff(heard)).max() < 0.2 * levels.VOICE / (levels.TURN * RATE) * 1.5


def test_ambience_and_effects_have_levels_of_their_own(steady: Scenery) -> None:
    """Each is as loud as it is set, and at OFF it is silent; `--quiet` is both off."""
    knock = replace(steady, effects={"knock": (np.full(2000, 0.05, np.float32),)})
    mixer = Mixer(knock, Levels(ambience=-12.0, effects=-6.0))
    mixer.scene("night")
    np.testing.assert_allclose(mixed(mixer, 5)[-100:], 0.1 * 10 ** (-12 / 20), rtol=1e-3)
    mixer.effect("knock")
    np.testing.assert_allclose(mixed(mixer, 0.05)[:100], 0.1 * 10 ** (-12 / 20) + 0.05 * 10 ** (-6 / 20), rtol=1e-3)
    mixed(mixer, 0.1)
    mixer.level("ambience", levels.OFF)
    mixer.level("effects", levels.OFF)
    mixer.effect("knock")
    assert not mixed(mixer, 1)[round(levels.TURN * RATE) :].any()


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


@pytest.mark.parametrize("depth", [levels.DUCK, 0.0, 20.0])
def test_ambience_ducks_under_the_voice(steady: Scenery, depth: float) -> None:
    """Under a voice the ambience steps back by what is set, DUCK dB, within ATTACK seconds; RELEASE seconds after it, it is back."""
    mixer = Mixer(steady, Levels(duck=depth))
    mixer.scene("night")
    mixed(mixer, levels.CROSSFADE)
    mixer.play(np.zeros(RATE, np.float32))
    voice, after = mixed(mixer, 1), mixed(mixer, 2)
    ducked = 0.1 * 10 ** (-depth / 20)
    np.testing.assert_allclose(voice[round(levels.ATTACK * RATE) :], ducked, rtol=1e-3)
    assert after[0] == pytest.approx(ducked, rel=1e-3)
    np.testing.assert_allclose(after[round(levels.RELEASE * RATE) :], 0.1, rtol=1e-3)
    assert np.abs(np.diff(np.concatenate([voice, after]))).max() < 1e-3


def test_nothing_ever_clips(tmp_path: Path) -> None:
    """Full-scale clips over every scene with a heap of effects stay below the ceiling."""
    rng = np.random.default_rng(3)
    paths = beds(tmp_path, night=noise(rng, 997, 1.0), day=noise(rng, 1500, 1.0))
    mixer = Mixer(scenery(paths, knock=(np.ones(9000, np.float32),)), Levels(levels.LOUDEST, levels.LOUDEST, levels.LOUDEST))
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
    """A full-scale voice with a knock over any ducked scene does not reach the ceiling even without the limiter."""
    knock = max(float(np.abs(take).max()) for take in shipped.effects["knock"])
    for name in shipped.scenes:
        mixer = Mixer(shipped)
        mixer.scene(name)
        loudest = float(np.abs(mixed(mixer, 40)).max())
        assert loudest < levels.AMBIENCE_PEAK, name
        assert levels.VOICE + loudest * 10 ** (-levels.DUCK / 20) + knock < levels.CEILING, name


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


@pytest.mark.parametrize("stereo", [False, True])
def test_a_block_allocates_no_buffer(shipped: Scenery, spoken: Clip, stereo: bool) -> None:
    """Once running, filling a block makes no new buffer, whatever sounds in it."""
    mixer = Mixer(shipped, stereo=stereo)
    out = np.empty((RATE, mixer.channels), np.float32)
    mixer.scene("night")
    mixer.mix(out)
    mixer.scene("werewolf")
    mixer.play(spoken)
    mixer.effect("knock")
    tracemalloc.start()
    try:
        for _ in range(5):
            mixer.mix(out)
        assert tracemalloc.get_traced_memory()[1] < out.nbytes / 10
    finally:
        tracemalloc.stop()


def test_what_is_not_ready_is_silent(steady: Scenery) -> None:
    """Where nobody supplies the beds they run dry: that part is silent, the voice goes on, and then so do they."""
    mixer = Mixer(steady)
    mixer.scene("night")
    out = np.zeros((5 * RATE, 1), np.float32)
    mixer.mix(out)
    assert not out[-RATE:].any()
    assert out[RATE : round(2.4 * RATE)].all()
    mixer.play(np.full(100, 0.5, np.float32))
    np.testing.assert_allclose(mixed(mixer, 1)[10:90], 0.5 * levels.VOICE + 0.1, rtol=0.1)
