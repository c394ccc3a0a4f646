"""A file of match records that grows as matches end: one complete line per record."""

import json
import os
from enum import Enum
from pathlib import Path
from typing import Self

from paddock_games import GamesError
from paddock_server.cli.files import record_lines


class Existing(Enum):
    """The treatment of a file that exists."""

    REFUSE = "refuse"
    APPEND = "append"  # new records behind those that are there
    RESUME = "resume"  # the same, each match once
    FORCE = "force"  # the first record takes the place of all that is there


class RecordsFile:
    """A file that records are added to; its content stays, unless it is to be overwritten."""

    def __init__(self, name: str, existing: Existing) -> None:
        """Refuse a file that may not be written, before anything is played."""
        self.name = name
        self._path = Path(name)
        if self._path.is_dir():
            raise GamesError(name, "is a folder; name a file")
        before = self._path.stat().st_size if self._path.is_file() else 0
        if before and existing is Existing.REFUSE:
            raise GamesError(name, "exists; --append adds records to it, --force overwrites it")
        self._known = self._matches(existing) if before else set()
        self._replace = existing is Existing.FORCE
        self._once = existing is Existing.RESUME
        self._created = not self._path.exists()
        self._handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        self.added = 0

    def _matches(self, existing: Existing) -> set[str]:
        """The matches in the file; its last line is repaired if its writer was killed."""
        known: set[str] = set()
        if existing is Existing.FORCE:
            return known
        for number, line in record_lines(self.name):
            match = _match_of(line)
            torn = not line.endswith(b"\n")
            if match is not None:
                known.add(match)
            elif not (torn and line.startswith(b"{")):
                raise GamesError(
                    f"{self.name} line {number}",
                    "is not a match record; name another file, or overwrite this one with --force",
                )
            if torn:
                self._mend(line, whole=match is not None)
        return known

    def _mend(self, last: bytes, *, whole: bool) -> None:
        """End the last line, or remove it if it is not complete."""
        with self._path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            if whole:
                file.write(b"\n")
            else:
                file.truncate(end - len(last))

    def add(self, match: str, record: str) -> None:
        """Write one more record, unless the resumed run has written it before."""
        if self._once and match in self._known:
            return
        if self._replace:
            os.ftruncate(self._handle, 0)
            self._replace = False
        line = record.encode() + b"\n"
        written = 0
        try:
            while written < len(line):
                written += os.write(self._handle, line[written:])
        except OSError as problem:  # such as a full disk: no half of a line stays behind
            if written:
                os.ftruncate(self._handle, os.fstat(self._handle).st_size - written)
            raise OSError(problem.errno, problem.strerror, self.name) from None
        self.added += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.added and self._path.is_file():
            os.fsync(self._handle)
        os.close(self._handle)
        if self._created and not self.added:
            self._path.unlink(missing_ok=True)


def _match_of(line: bytes) -> str | None:
    try:
        match = json.loads(line)["match"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    return match if isinstance(match, str) else None
