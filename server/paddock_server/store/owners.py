"""Owners in the store: people who may add bots and hand them in."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from paddock_server.store.schema import BOTS, OWNERS, SUBMISSIONS


class OwnerRow(NamedTuple):
    """An owner as it is stored; its bots have its name in their `owner`."""

    name: str
    token_hash: bytes
    added: str
    most_bots: int


class Holding(NamedTuple):
    """The bots of an owner, and the size of its archives."""

    bots: tuple[str, ...]
    archive_bytes: int  # of archives that are kept


_OWNER = select(*(OWNERS.c[name] for name in OwnerRow._fields))


def add_owner(connection: Connection, owner: OwnerRow) -> bool:
    """Add an owner; False if there is one of this name."""
    if find_owner(connection, owner.name) is not None:
        return False
    connection.execute(insert(OWNERS), owner._asdict())
    return True


def find_owner(connection: Connection, name: str) -> OwnerRow | None:
    """The owner of this name, if there is one."""
    row = connection.execute(_OWNER.where(OWNERS.c.name == name)).one_or_none()
    return OwnerRow(*row) if row else None


def owner_of_token(connection: Connection, token_hash: bytes) -> OwnerRow | None:
    """The owner whose token has this hash, if there is one."""
    row = connection.execute(_OWNER.where(OWNERS.c.token_hash == token_hash)).one_or_none()
    return OwnerRow(*row) if row else None


def list_owners(connection: Connection, after: str, limit: int) -> list[OwnerRow]:
    """The owners after this name, in the order of their names."""
    query = _OWNER.where(OWNERS.c.name > after).order_by(OWNERS.c.name).limit(limit)
    return [OwnerRow(*row) for row in connection.execute(query)]


def change_owner_token(connection: Connection, name: str, token_hash: bytes) -> bool:
    """Set the hash of an owner's token; False if there is no owner of this name."""
    mine = update(OWNERS).where(OWNERS.c.name == name)
    return connection.execute(mine, {"token_hash": token_hash}).rowcount == 1


def remove_owner(connection: Connection, name: str) -> bool:
    """Remove an owner, but not its bots; False if there is no owner of this name."""
    return connection.execute(delete(OWNERS).where(OWNERS.c.name == name)).rowcount == 1


def holding_of(connection: Connection, name: str) -> Holding:
    """The bots of an owner, and the bytes of its archives."""
    bots = select(BOTS.c.name).where(BOTS.c.owner == name).order_by(BOTS.c.name)
    mine = (SUBMISSIONS.c.owner == name) & (SUBMISSIONS.c.kept == 1)
    kept = select(func.coalesce(func.sum(SUBMISSIONS.c.archive_bytes), 0)).where(mine)
    return Holding(
        tuple(connection.execute(bots).scalars()), int(connection.execute(kept).scalar_one())
    )
