"""Versions of bots in the store: when each was new, so that new ones can be counted."""

from sqlalchemy import Connection, func, insert, select

from paddock_server.store.schema import VERSIONS


def note_version(
    connection: Connection, bot: str, version: str, now: str, *, since: str, most: int
) -> bool:
    """Note that a bot comes with a version; False if that is new and too many are, `since` then."""
    mine = VERSIONS.c.bot == bot
    known = select(VERSIONS.c.bot).where(mine, VERSIONS.c.version == version)
    if connection.execute(known).first() is not None:
        return True
    new = select(func.count()).select_from(VERSIONS).where(mine, VERSIONS.c.since > since)
    if int(connection.execute(new).scalar_one()) >= most:
        return False
    connection.execute(insert(VERSIONS), {"bot": bot, "version": version, "since": now})
    return True
