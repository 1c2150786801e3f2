"""Every error that a user can cause or meet.

NarratorError
├── Refused          an answer that the rules do not take; nothing has changed
├── Diverged         a saved answer that belongs to another ask than the one now open
├── BadSetup         a table that cannot be played: no wolf, more cards than seats, ...
├── BadScript        a file of scripts/ that is not what it should be
│   └── NoEdition    an edition that is not there
├── BadSettings      settings that are not what they should be
├── BadVoice         a voice pack that is not what it should be
│   └── NoVoice      a voice that is not there
├── BadJournal       a saved game that cannot be read
├── NothingToResume  no game is left unfinished
├── NothingToRetell  no game has been played to its end
├── BadCase          a rule case that is not of the form
├── CannotWrite      a file that was asked for cannot be written
├── BadArguments     a command that is not one
├── NoSpeaker        there is no loudspeaker, or it cannot be opened
├── NoMicrophone     there is no microphone, or it delivers nothing
├── NoEars           what hears words is not there, or is not what it should be
├── NoKeypad         keypads are there, and none can be opened
├── NoDevice         a lamp, a button or a display that was chosen is not there
├── NoBox            this machine cannot be made a speaker box, or a step of it was refused
└── NoTerminal       the game needs a terminal and there is none

The text of an exception is for programmers. What a person reads is looked up by `key` in `scripts/interface.toml`
and filled with `slots`, or under `[reasons]` by the slot `reason`, where an error has several; only `narrator.cli` and the screens do that.
"""

from __future__ import annotations

import reprlib
from pathlib import Path
from typing import ClassVar


class NarratorError(Exception):
    """An error with words for a person: `key` names a sentence under `[errors]`, `slots` fills it."""

    key: ClassVar[str] = "error"

    def __init__(self, message: str, **slots: object) -> None:
        super().__init__(message)
        self.slots = {"message": message, **slots}


class Refused(NarratorError):
    """An answer the rules do not take. `reason` names a sentence under `[refused]`; the game is as it was."""

    key = "refused"

    def __init__(self, reason: str, **slots: object) -> None:
        super().__init__(f"{reason}: {_shortly(slots)}", **slots)
        self.reason = reason


def _shortly(slots: dict[str, object]) -> str:
    """The slots as a programmer reads them; what cannot be written at all, a number of a hundred thousand digits, by its type."""
    try:
        return reprlib.repr(slots)
    except (ValueError, RecursionError):
        return str({name: type(value).__name__ for name, value in slots.items()})


class Diverged(NarratorError):
    """A saved answer was given to `saved`, but the rules now ask `now`."""

    key = "diverged"

    def __init__(self, saved: str, now: str) -> None:
        super().__init__(f"the saved answer belongs to {saved!r}, the game now asks {now!r}", saved=saved, now=now)


class BadSetup(NarratorError):
    """A table that cannot be played."""

    key = "bad_setup"


class BadScript(NarratorError):
    """A file of scripts/ with an unknown key, a missing line or a slot that its line does not have."""

    key = "bad_script"


class NoEdition(BadScript):
    """An edition that is not there."""

    key = "no_edition"


class BadSettings(NarratorError):
    """A choice that there is none of, or with a value that it cannot have."""

    key = "bad_settings"


class BadVoice(NarratorError):
    """A voice pack that is missing or broken."""

    key = "bad_voice"


class NoVoice(BadVoice):
    """A voice that is not there."""

    key = "no_voice"


class BadJournal(NarratorError):
    """A saved game that cannot be read, or that another narrator is writing."""

    key = "bad_journal"


class NothingToResume(NarratorError):
    """No game is left unfinished."""

    key = "nothing_to_resume"


class NothingToRetell(NarratorError):
    """No game has been played to its end."""

    key = "nothing_to_retell"


class BadCase(NarratorError):
    """A rule case that is not of the form that the rule cases have."""

    key = "bad_case"


class CannotWrite(NarratorError):
    """A file that was asked for cannot be written."""

    key = "cannot_write"

    def __init__(self, path: Path | str, error: OSError) -> None:
        super().__init__(f"cannot write {path}: {error}", path=f" {path}" if path else "", why=error)


class BadArguments(NarratorError):
    """A command line that cannot be understood."""

    key = "bad_arguments"


class NoSpeaker(NarratorError):
    """There is no loudspeaker, or it cannot be opened."""

    key = "no_speaker"


class NoMicrophone(NarratorError):
    """There is no microphone, it cannot be opened, or it delivers nothing."""

    key = "no_microphone"


class NoEars(NarratorError):
    """What hears words is not there, or not what it should be: a package, a model."""

    key = "no_ears"


class NoKeypad(NarratorError):
    """Keypads are there, but none can be opened."""

    key = "no_keypad"


class NoBox(NarratorError):
    """This machine cannot be made a speaker box, or one of the steps was refused."""

    key = "no_box"


class NoTerminal(NarratorError):
    """Keys can only be read from a terminal, and there is none."""

    key = "no_terminal"


class NoDevice(NarratorError):
    """A lamp, a button or a small display that was chosen is not there, or what drives it."""

    key = "no_device"
