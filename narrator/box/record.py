"""What was changed on this machine to make it a box, so that all of it, and nothing else, can be undone: `box.json` in the user's data
folder."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from narrator import files, resources
from narrator.box.volume import Volume
from narrator.errors import CannotWrite, NoBox


class Record(BaseModel):
    """The changes.

    groups   those that the user was put into
    linger   whether his services were made to go on without him
    unit     what the unit's file held before, empty where there was none; None: it was not written
    enabled  whether the service was made to start with the machine
    volume   how loud the loudspeaker was before; None: it was left alone
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: tuple[str, ...] = ()
    linger: bool = False
    unit: str | None = None
    enabled: bool = False
    volume: Volume | None = None

    @classmethod
    def load(cls) -> Record:
        """What has been written down. Raises `NoBox` if it cannot be read."""
        record: Record = files.from_json(home(), cls, NoBox) if home().exists() else cls()
        return record

    def save(self) -> None:
        """Write it down; where nothing is changed any more, not even that. Raises `CannotWrite`."""
        try:
            if self == Record():
                home().unlink(missing_ok=True)
                return
            home().parent.mkdir(parents=True, exist_ok=True)
            files.write(home(), self.model_dump_json(indent=1).encode())
        except OSError as error:
            raise CannotWrite(home(), error) from error


def home() -> Path:
    """The file."""
    return resources.personal("XDG_DATA_HOME", ".local/share") / "box.json"
