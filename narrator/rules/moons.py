"""The names of the event cards and of the variants, as the rulebook gives them."""

from __future__ import annotations

from typing import Literal, TypeAlias

Moon: TypeAlias = Literal["full", "wolf_fang", "dark"]

MOONS: dict[Moon, tuple[str, ...]] = {
    "full": (
        "miracle", "bleak_monday", "not_me_nor_wolf", *(f"spiritualism_{number}" for number in range(1, 6)), "luncheon", "end_of_harvest",
        "gone_hunting", "devils_pact", "april_fools", "punishment", "great_distrust", "nightmare", "saint_philippe", "good_manners",
        "radiant_sunday", "heads_or_tails", "woodland_gathering", "evening_ball", "eclipse", "flood",
    ),
    "wolf_fang": ("specter", "little_rascal", "backfire", "enthusiasm", "dissatisfaction", "full_moon_rising", "influences"),
    "dark": ("burial", "touch_of_death", "somnambulism", "double_agent"),
}  # fmt: skip
"""The event cards by their moon: a full moon's is for one round, a wolf-fang moon's waits for its trigger, a dark moon's stays."""

VARIANT_NAMES = ("not_him", "double_small", "double_great", "harvest", "black_death", "fascination")
"""The variants."""
