"""The run delay of a thread: how long it was ready to run and waited for a processor.

Linux tells it in /proc; on other systems it counts as nothing.
"""

import os
import threading
from typing import Final

_NANOSECONDS: Final = 1e-9


class RunDelay:
    """The run delay of the thread that made it."""

    def __init__(self) -> None:
        path = f"/proc/self/task/{threading.get_native_id()}/schedstat"
        try:
            self._file: int | None = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = None
        self._last = 0.0
        self._last = self._read()

    def since_last(self) -> float:
        """The seconds that it waited since this was last called."""
        now = self._read()
        waited, self._last = now - self._last, now
        return waited

    def close(self) -> None:
        """Read no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> float:
        if self._file is None:
            return 0.0
        try:
            # Three numbers: time on a processor, time spent waiting for one, how often it ran.
            return int(os.pread(self._file, 100, 0).split()[1]) * _NANOSECONDS
        except (OSError, ValueError, IndexError):
            return self._last
