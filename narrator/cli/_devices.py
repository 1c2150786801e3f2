"""The voice, the loudspeaker and the ears of a real table."""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Callable

from narrator.cli import _stage
from narrator.clock import TableClock
from narrator.errors import BadSettings, CannotWrite
from narrator.hearing.ears import Ears
from narrator.hearing.keys import Keys
from narrator.interface import Interface
from narrator.pacing import Windows
from narrator.screen import Screen
from narrator.script import Script
from narrator.settings import Settings, levelled
from narrator.sound import Levels, Silence, Sound
from narrator.stage import Stage
from narrator.voice import Pack, Voice


class Devices(contextlib.ExitStack):
    """The voice and the loudspeaker of a real table, opened before anything is asked of anyone.

    notes     sentences that the table should read when the game begins: why there is no loudspeaker, say
    settings  what the table has chosen once and for all
    slowness  what every silence is to be multiplied by
    levels    how loud the sound was when the game began, or when that was last kept

    Raises `BadVoice` for a voice that was asked for by name and is not to be had, `BadSettings` for a pace that there is none of.
    """

    def __init__(self, args: argparse.Namespace, interface: Interface) -> None:
        super().__init__()
        self.interface = interface
        self.voice: Voice | None = None
        self.sound: Sound = Silence()
        self.notes: list[str] = []
        self.settings = Settings.load()
        self.slowness = _stage.slowness(args, self.settings)
        self.levels = _stage.levels(args, self.settings)
        if not args.silent:
            self.voice = _stage.voice(args.voice, self.settings, interface)
            self.callback(self.voice.close)
            speaker, note = _stage.loudspeaker(args, self.settings, interface)
            self.sound = speaker or self.sound
            self.callback(self.sound.close)
            self.notes += [note] if note else []
            self.notes += [_stage.introduced(self.voice, interface)] if speaker else []
        elif args.voice:    # nobody is to speak: whoever was asked for must be there all the same
            Pack.load(args.voice)

    def keep(self, levels: Levels) -> str:
        """Remember how loud the table has set what it has not otherwise for one game alone. Returns a sentence if that cannot be."""
        try:
            levelled(Settings.load(), self.levels, levels).save()
        except (BadSettings, CannotWrite) as error:
            return self.interface.error(error)
        self.levels = levels   # the next pause is compared with what has been kept now
        return ""

    def stage(
        self,
        clock: TableClock,
        keys: Keys,
        screen: Screen,
        script: Script,
        ears: Ears | None = None,
        *,
        reading: float = 0.0,
        beat: Callable[[], None] = lambda: None,
    ) -> Stage:
        """The stage on which an edition is played with these. `reading`: in how many seconds what the screen shows can be read."""
        stage = Stage(
            clock, self.sound, keys, screen, script=script, interface=self.interface,
            windows=Windows(script.pacing.scaled(self.slowness).readable(reading), random.Random()),
            voice=self.voice, set_to=self.levels, keep=self.keep, ears=ears, beat=beat,
        )  # fmt: skip
        stage.notice("start", "\n".join(self.notes))
        return stage

    def ears(self, keyboard: Keys, clock: TableClock, script: Script) -> Ears | None:
        """What listens to the table, where it has been chosen."""
        chosen = self.settings
        if chosen.ears == "off":
            return None
        return Ears(keyboard.put, clock, _stage.listener(chosen, script), barge_in=chosen.barge_in)
