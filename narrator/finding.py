"""What was found when something was looked at: a machine, a service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

State: TypeAlias = Literal["good", "weak", "bad"]
"""As it should be; a game can be played, but something is missing; no game can be played."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found. `key` names its words under `[doctor]`, `slots` fill them; those of its remedy stand under `key_mend`."""

    state: State
    key: str
    slots: dict[str, object]
