"""The lock of a SQLite file: one process writes to the data, whatever name it knows them by."""

import fcntl
import os
from pathlib import Path
from typing import Final

from paddock_server.store.address import CannotOpen

_HERE: Final[set[tuple[int, int]]] = set()  # device and inode of the files that are locked here


class FileLock:
    """An exclusive lock on the file itself, so on its device and inode and not on its name.

    SQLite's own locks on the file are of another kind, and the two do not meet. But the system
    drops SQLite's when this process closes any descriptor of the file. So the lock is taken before
    SQLite opens the file and released after SQLite has closed it, and a file that is locked here is
    not opened again.
    """

    def __init__(self, file: Path, shown: str) -> None:
        """Lock a file, which is created if it is missing; CannotOpen if others write to it."""
        if file.exists() and _key(file.stat()) in _HERE:
            raise in_use(shown)
        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._check(shown)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise in_use(shown) from None
        except BaseException:
            os.close(self._descriptor)
            raise
        self._key = _key(os.fstat(self._descriptor))
        _HERE.add(self._key)

    def _check(self, shown: str) -> None:
        names = os.fstat(self._descriptor).st_nlink
        if names > 1:
            # SQLite keeps what was written last beside one name, and would not find it by another.
            raise CannotOpen(
                f"the database {shown} has {names} names (hard links), of which a server could "
                "use the wrong one; remove the others, or use a copy made with: paddock backup"
            )

    def release(self) -> None:
        """Let others write; all connections to the file have to be closed."""
        _HERE.discard(self._key)
        os.close(self._descriptor)


def in_use(shown: str) -> CannotOpen:
    """The error for a database that another process writes to."""
    return CannotOpen(
        f"the database {shown} is in use by another Paddock; "
        "stop that one first, or name another database"
    )


def _key(found: os.stat_result) -> tuple[int, int]:
    return (found.st_dev, found.st_ino)
