"""How loud, how fast: every figure of the mix, in one place.

The sum is planned so that the limiter has nothing to do: a full-scale voice (0.80), the ambience ducked under it (at most
0.20 x 0.25 = 0.05) and one knock (0.12) stay below the ceiling. Only a pile of effects reaches the knee.
"""

from __future__ import annotations

from typing import Final

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

KNEE: Final = 0.9
"""Amplitude up to which the limiter changes nothing."""

CEILING: Final = 0.98
"""Amplitude that no sample passes, whatever is piled up. Below 1, as converters overshoot between samples."""

AMBIENCE_PEAK: Final = 0.2
"""Amplitude that no loop of voices/ambience reaches."""

EFFECT_PEAK: Final = 0.12
"""Amplitude of the loudest sample of an effect: about a key pressed on the table, which it is there to hide."""
