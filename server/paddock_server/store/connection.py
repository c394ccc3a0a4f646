"""A connection in a transaction: what functions of the store take first.

Other rooms pass it on and know nothing else of SQL; `make check` sees to it.
"""

from typing import Final

from sqlalchemy import Connection

__all__ = ["SHARED", "Connection"]

SHARED: Final = "shared"
"""In the info of a connection: other processes write to the database, too."""
