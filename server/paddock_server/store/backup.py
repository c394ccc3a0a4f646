"""A backup of a SQLite database, made while others write to it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from paddock_server.store.address import Address, CannotOpen, address_of, reason


def back_up(named: str, copy: Path) -> int:
    """Copy a SQLite database of any version to a new file; the size of the copy in bytes."""
    address = address_of(named)
    source = _source(address)
    if copy.exists():
        raise CannotOpen(f"the file {copy} exists already; name a new file for the copy")
    if not copy.parent.is_dir():
        raise CannotOpen(f"there is no folder {copy.parent}; create it first")
    partial = copy.with_name(f"{copy.name}.part")
    partial.unlink(missing_ok=True)  # of a copy that was interrupted
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(partial)) as new:
            old.execute("SELECT version FROM schema_version")
            old.backup(new)  # in one step, so that the copy is of one moment
            new.execute("PRAGMA journal_mode=DELETE")  # so that it is one file
        partial.rename(copy)
    except sqlite3.Error as problem:
        raise CannotOpen(
            f"the database {address.shown} can't be copied ({reason(problem)}); "
            "check that it is a database of Paddock and that the disk is not full"
        ) from None
    finally:
        partial.unlink(missing_ok=True)
    return copy.stat().st_size


def _source(address: Address) -> Path:
    if address.file is None:
        raise CannotOpen(
            f"the database {address.shown} is not a file; "
            "use: pg_dump --format=custom --file=FILE ADDRESS"
        )
    if not address.file.exists():
        raise CannotOpen(f"there is no database {address.file}; name a server's database")
    return address.file
