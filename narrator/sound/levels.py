"""How loud, how fast: every figure of the mix, in one place.

The sum is planned so that the limiter has nothing to do: a full-scale voice (0.80), the ambience once it has ducked under it (at most
0.24 x 0.25 = 0.06) and one knock (0.12) stay below the ceiling. Only a pile of effects reaches the knee, or a full-scale first
syllable over the loudest howl: the recorded voice stays below 0.7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

Part: TypeAlias = Literal["voice", "ambience", "effects"]
"""What a table can make louder or softer by itself."""

PARTS: Final[tuple[Part, ...]] = get_args(Part)

VOICE: Final = 0.8
"""Factor on every clip: -1.9 dB, the room that the ambience and one effect need beside a full-scale voice."""

DUCK: Final = 12.0
"""Decibels that the ambience steps back under a voice. Quiet enough for every word, loud enough that the night is not gone."""

ATTACK: Final = 0.12
"""Seconds until the ambience has stepped back. Shorter is heard as a jump, longer covers the first syllable."""

RELEASE: Final = 1.2
"""Seconds until the ambience is back. Longer than the breath between two sentences, so that it does not pump."""

CROSSFADE: Final = 3.0
"""Seconds from one scene to the next."""

HUSH: Final = 0.02
"""Seconds in which a clip cut off fades to nothing: too short to hear as a fade, long enough not to click."""

TURN: Final = 0.1
"""Seconds in which a part becomes louder or softer: too short to wait for, long enough not to click."""

OFF: Final = -30.0
"""Decibels at and below which a part is silent."""

LOUDEST: Final = 6.0
"""Decibels by which a part may be louder than planned; the limiter bends what is then too loud."""

STEP: Final = 3.0
"""Decibels by which a key makes a part louder or softer: clearly heard, and no shock."""

KNEE: Final = 0.9
"""Amplitude up to which the limiter changes nothing."""

CEILING: Final = 0.98
"""Amplitude that no sample passes, whatever is piled up. Below 1, as converters overshoot between samples."""

AMBIENCE_PEAK: Final = 0.24
"""Amplitude that no scene of voices/ambience reaches with all that comes by chance."""

EFFECT_PEAK: Final = 0.12
"""Amplitude of the loudest sample of an effect: about a key pressed on the table, which it is there to hide."""


@dataclass(frozen=True, slots=True)
class Levels:
    """How loud a table has set each part of the mix, in decibels against the plan above, and how far the ambience steps back."""

    voice: float = 0.0
    ambience: float = 0.0
    effects: float = 0.0
    duck: float = DUCK

    def factor(self, part: Part) -> float:
        """What a part's samples are multiplied with."""
        return factor(getattr(self, part))


def factor(decibels: float) -> float:
    """Decibels as a factor of amplitude; 0 where they say off."""
    return 0.0 if decibels <= OFF else float(10 ** (decibels / 20))
