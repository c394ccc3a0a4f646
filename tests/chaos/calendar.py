"""The calendar of a server's process, which can be set wrong where libfaketime is installed.

The machine's own clock stays as it is. Only the time of day is wrong, not the monotonic clock: so
it is when an operator or a time server sets the clock of a machine.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

_LIBRARIES: Final = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1")


class Calendar:
    """A file with the error of the calendar, which the server's process looks at every second."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "calendar"
        found = [path for pattern in _LIBRARIES for path in Path("/").glob(pattern[1:])]
        self._library = found[0] if found else None
        self._set(0)

    @property
    def can_be_set(self) -> bool:
        """Whether there is a library that can do it; on Debian: apt-get install libfaketime."""
        return self._library is not None

    @property
    def environment(self) -> Mapping[str, str]:
        """What the server's process needs in its environment."""
        if self._library is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": "1",
        }

    def step(self, chance: Random) -> None:
        """Set it wrong by a second to ten days, forwards or backwards."""
        self._set(chance.choice((-1, 1)) * int(10 ** chance.uniform(0.0, 6.0)))

    def _set(self, seconds: int) -> None:
        self._file.write_text(f"{seconds:+d}\n")
