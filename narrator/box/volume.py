"""How loud the system's loudspeaker is: asked and set by whichever mixer program answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from narrator.box.commands import answer

LOUDNESS = 70
"""Per cent to which a box is set: a whole table understands it, and few loudspeakers crackle."""

NEAR = 2
"""Per cent by which a mixer may be beside what it was set to: a sound card has some thirty steps."""

CONTROLS = ("Master", "PCM", "Speaker", "Headphone")
"""What ALSA's sound cards call the control that counts, the likeliest first."""


class Volume(BaseModel):
    """How loud it is.

    tool     the program that says so
    value    in that program's words, each channel's
    percent  the first channel's
    muted    whether nothing is heard at all; None where it cannot be muted
    control  which of a card's controls, where there are several
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: Literal["wpctl", "pactl", "amixer"]
    value: str
    percent: int
    muted: bool | None
    control: str = ""

    @property
    def planned(self) -> bool:
        """Whether it is what a box is set to."""
        return abs(self.percent - LOUDNESS) <= NEAR and not self.muted

    def plan(self) -> Volume:
        """The same loudspeaker as a box sets it."""
        value = f"{LOUDNESS / 100:.2f}" if self.tool == "wpctl" else f"{LOUDNESS}%"
        muted = None if self.muted is None else False
        return Volume(tool=self.tool, value=value, percent=LOUDNESS, muted=muted, control=self.control)

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """What sets the loudspeaker to it."""
        mute = str(int(bool(self.muted)))
        match self.tool:
            case "wpctl":
                return (("wpctl", "set-volume", _WPCTL, self.value), ("wpctl", "set-mute", _WPCTL, mute))
            case "pactl":
                return (("pactl", "set-sink-volume", _PACTL, *self.value.split()), ("pactl", "set-sink-mute", _PACTL, mute))
            case "amixer":
                switch = () if self.muted is None else ("mute" if self.muted else "unmute",)
                return (("amixer", "--quiet", "sset", self.control, self.value, *switch),)


_WPCTL, _PACTL = "@DEFAULT_AUDIO_SINK@", "@DEFAULT_SINK@"


def now() -> Volume | None:
    """How loud it is now; None where no program can say."""
    return _pipewire() or _pulseaudio() or next(_alsa(), None)


def _pipewire() -> Volume | None:
    found = re.search(r"Volume: ([\d.]+)", told := answer("wpctl", "get-volume", _WPCTL) or "")
    return Volume(tool="wpctl", value=found[1], percent=round(100 * float(found[1])), muted="MUTED" in told) if found else None


def _pulseaudio() -> Volume | None:
    channels = re.findall(r": (\d+) / +(\d+)%", answer("pactl", "get-sink-volume", _PACTL) or "")
    muted = "yes" in (answer("pactl", "get-sink-mute", _PACTL) or "")
    return Volume(tool="pactl", value=" ".join(raw for raw, _ in channels), percent=channels[0][1], muted=muted) if channels else None


def _alsa() -> Iterator[Volume]:
    there = re.findall(r"'(.*)',\d+", answer("amixer", "scontrols") or "")
    for control in sorted(there, key=lambda name: CONTROLS.index(name) if name in CONTROLS else len(CONTROLS)):
        told = answer("amixer", "sget", control) or ""
        channels = re.findall(r": (?:Playback )?(\d+) \[(\d+)%\]", told)
        if channels and "Playback" in told:
            muted = "[off]" in told if re.search(r"\[o(n|ff)\]", told) else None
            value = ",".join(raw for raw, _ in channels)
            yield Volume(tool="amixer", value=value, percent=channels[0][1], muted=muted, control=control)
