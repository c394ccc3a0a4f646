"""A connection in a transaction: what functions of the store take first.

Other rooms pass it on and know nothing else of SQL; `make check` sees to it.
"""

from sqlalchemy import Connection

__all__ = ["Connection"]
