"""Blobs: archives and what was built from them, as files that are named by their SHA-256."""

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from paddock_server.basics.errors import ServerError

CHUNK: Final = 64 * 1024  # bytes
_PARTIAL: Final = "partial"
_STALE_SECONDS: Final = 24 * 3600.0


class BadBlob(ServerError):
    """Raised when bytes are not those that were announced."""

    reason = "submission/bad_archive"


class Blobs:
    """A folder of blobs. A blob is there as a whole or not at all, also after a crash.

    All calls block, so they belong into a thread.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._partial = folder / _PARTIAL

    def start(self) -> None:
        """Make the folder, and forget uploads that nobody went on with."""
        self._partial.mkdir(parents=True, exist_ok=True)
        for path in self._partial.iterdir():
            if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                path.unlink(missing_ok=True)

    def has(self, sha256: str) -> bool:
        """Whether the blob is here."""
        return self._path(sha256).is_file()

    def read(self, sha256: str, offset: int = 0) -> Iterator[bytes]:
        """The bytes of a blob in chunks, from an offset on; OSError where it is not here."""
        with self._path(sha256).open("rb") as file:
            file.seek(offset)
            while chunk := file.read(CHUNK):
                yield chunk

    def remove(self, sha256: str) -> None:
        """Remove a blob, if it is here."""
        self._path(sha256).unlink(missing_ok=True)

    # --- blobs that arrive ------------------------------------------------------------------

    def held(self, whose: str, sha256: str) -> int:
        """How many bytes of somebody's upload arrived."""
        try:
            return self._partial_path(whose, sha256).stat().st_size
        except FileNotFoundError:
            return 0

    def begin(self, whose: str, sha256: str, offset: int) -> None:
        """Get ready for the bytes from an offset on; other uploads of the same sender are gone."""
        mine = self._partial_path(whose, sha256)
        for path in self._partial.glob(f"{whose},*"):
            if path != mine:
                path.unlink(missing_ok=True)
        mine.touch()
        os.truncate(mine, offset)

    def append(self, whose: str, sha256: str, data: bytes) -> None:
        """Add bytes to an upload."""
        with self._partial_path(whose, sha256).open("ab") as file:
            file.write(data)

    def finish(self, whose: str, sha256: str, size: int) -> None:
        """Make a blob of an upload that is complete; raises BadBlob, and forgets it, if it is not.

        It is synced before it has its name, so that no crash leaves half of it.
        """
        partial, path = self._partial_path(whose, sha256), self._path(sha256)
        with partial.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
            if (found, file.tell()) != (sha256, size):
                partial.unlink(missing_ok=True)
                raise BadBlob(
                    f"{file.tell()} bytes with the SHA-256 {found} arrived, not {size} bytes with "
                    f"{sha256}; upload it again"
                )
            os.fsync(file.fileno())
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.rename(path)
        for folder in (path.parent, path.parent.parent, self._folder):
            _sync(folder)

    def _path(self, sha256: str) -> Path:
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise BadBlob("a SHA-256 has 64 hexadecimal digits, in small letters")
        return self._folder / sha256[:2] / sha256[2:4] / sha256

    def _partial_path(self, whose: str, sha256: str) -> Path:
        return self._partial / f"{whose},{self._path(sha256).name}"


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
