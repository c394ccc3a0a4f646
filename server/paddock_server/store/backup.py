"""A whole copy of a database, made while others write to it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from paddock_server.store.address import Address, CannotOpen, address_of, reason


def back_up(named: str, copy: Path) -> int:
    """Copy a SQLite database of any version to a new file, as it is at one moment; its size."""
    address = address_of(named)
    source = _source(address)
    if copy.exists():
        raise CannotOpen(f"{copy} is there already; name a new file for the copy")
    if not copy.parent.is_dir():
        raise CannotOpen(f"there is no folder {copy.parent}; make it first")
    growing = copy.with_name(f"{copy.name}.part")
    growing.unlink(missing_ok=True)  # of a copy that was interrupted
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(growing)) as new:
            old.execute("SELECT version FROM schema_version")
            old.backup(new)  # in one step, which sees one moment
            new.execute("PRAGMA journal_mode=DELETE")  # so that it is one file
        growing.rename(copy)
    except sqlite3.Error as problem:
        raise CannotOpen(
            f"the database {address.shown} can't be copied ({reason(problem)}); "
            "is it one of Paddock's, and is there room?"
        ) from None
    finally:
        growing.unlink(missing_ok=True)
    return copy.stat().st_size


def _source(address: Address) -> Path:
    if address.file is None:
        raise CannotOpen(
            f"the database {address.shown} has its own tool; "
            "use: pg_dump --format=custom --file=FILE ADDRESS"
        )
    if not address.file.exists():
        raise CannotOpen(f"there is no database {address.file}; name one that a server has made")
    return address.file
