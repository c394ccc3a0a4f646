"""The right to write to a database: one process has it, or those of a cluster share it."""

from sqlalchemy import Engine

from paddock_server.store.address import Address
from paddock_server.store.on_postgresql import OnPostgresql
from paddock_server.store.on_sqlite import OnSqlite
from paddock_server.store.transaction import Fence, Transactions


def transactions(address: Address, engine: Engine, fence: Fence | None = None) -> Transactions:
    """The transactions of this process; raises CannotOpen if another process has the database.

    Processes with a fence share a PostgreSQL database among themselves.
    """
    if address.file:
        return OnSqlite(address, engine)
    return OnPostgresql(address, engine, fence)
