"""Secret and public displays.

A screen is told what to show and never asks for anything. Its public part holds what everyone may know; its private part is for
the seat that is awake and is wiped before that seat's eyes close. All texts arrive ready to be read, in Chinese.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from narrator.rules import Kind, Show
from narrator.screen.view import View


class Screen(Protocol):
    """The contract of every screen.

    readable  whether words can be read on it; where they cannot, what matters is spoken
    """

    readable: bool

    def public(self, view: View) -> None:
        """What everyone may know has changed."""

    def speaking(self, key: str, text: str) -> None:
        """This line is being spoken; `key` is its key in the script."""

    def asking(self, text: str, secret: bool, kind: Kind | None = None) -> None:
        """This is asked now; on the private part if it is secret. An empty text: nothing is asked. `kind`: what kind of answer it wants,
        for what cannot show words."""

    def awake(self, on: bool) -> None:
        """While on, somebody may have their eyes open alone: the window of a call is open, be it a decoy's or not."""

    def private(self, audience: str, text: str, large: Sequence[str] = (), show: Show | None = None) -> None:
        """Show this to the seat that is awake as `audience`. `large`: what of it is to be read at arm's length in the dark, seats in
        digits and a card's name; it takes the place of what was large before. `show`: what is shown, for what cannot show words."""

    def typed(self, text: str) -> None:
        """What has been typed and not confirmed yet; empty: nothing."""

    def refuse(self, text: str) -> None:
        """Why the last answer was not taken. It stays until the next key."""

    def notice(self, text: str) -> None:
        """Something about the narrator itself: paused, saved, no loudspeaker. Empty takes it away."""

    def cover(self, on: bool) -> None:
        """While covered, nothing private can be read: in a pause everyone may look. What was there comes back."""

    def hide(self, on: bool) -> None:
        """While hidden, nothing private can be read: somebody may be looking. It ends with `wipe` too: who is woken next finds an
        open screen."""

    def wipe(self) -> None:
        """Take away whatever is private: what was shown, asked, typed and refused."""

    def close(self) -> None:
        """Leave the terminal or device as it was found."""


__all__ = ["Screen", "View"]
