"""What games in tests are played with, each read once: to read it takes as long as a game."""

from __future__ import annotations

from functools import cache

from narrator.interface import Interface
from narrator.script import Script

script_of = cache(Script)
the_interface = cache(Interface.load)
