"""Files that commands read and write: limited in size, never half-written."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from paddock_games import GamesError
from paddock_games.errors import BadPosition, BadRecord
from paddock_games.field import parse

MOST_OF_A_POSITION: Final = 1 << 20  # bytes
MOST_OF_A_RECORD: Final = 4 << 20  # bytes of a line


def read_position(name: str) -> Any:
    """The JSON value in a file, or on standard input for `-`."""
    with _opened(name) as file:
        text = file.read(MOST_OF_A_POSITION + 1)
    if len(text) > MOST_OF_A_POSITION:
        raise BadPosition(name, f"is larger than {MOST_OF_A_POSITION} bytes: not a position")
    return parse(text, name, BadPosition).value


def record_lines(name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file of records that are not blank, with their numbers from 1."""
    with _opened(name) as file:
        number = 0
        while line := file.readline(MOST_OF_A_RECORD + 1):
            number += 1
            if len(line) > MOST_OF_A_RECORD:
                raise BadRecord(
                    f"{name} line {number}",
                    f"is longer than {MOST_OF_A_RECORD} bytes: not a match record",
                )
            if line.strip():
                yield number, line


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as file:
            yield file


@contextmanager
def written_whole(name: str) -> Iterator[IO[bytes]]:
    """A file that appears under its name when all of it is written, or not at all."""
    target = Path(name)
    if target.is_dir():
        raise GamesError(name, "is a folder; name a file")
    if not target.parent.is_dir():
        raise GamesError(name, f"folder {target.parent} not found; create it first")
    handle, partial = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, open_to_all(0o666))
        os.replace(partial, target)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def open_to_all(mode: int) -> int:
    """The mode without what the user's umask takes away; temporary files start as private."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask
