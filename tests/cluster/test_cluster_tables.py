"""What becomes of the matches of a node that is gone, as the steward sees to it."""

import asyncio

import pytest

from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import Resume
from paddock_server.observe.metrics import Metrics
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from tests import postgresql
from tests.cluster.memory_bus import MemoryBus, Weather
from tests.cluster.test_link import Ear
from tests.server.process import patiently
from tests.store.opened import begun, new_match


def test_a_match_goes_on_although_the_database_was_away_when_its_node_died(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = postgresql.Server(durable=False)
    server.start()
    try:
        asyncio.run(_resumed_after_an_outage(server, caplog))
    finally:
        server.remove()


async def _resumed_after_an_outage(
    server: postgresql.Server, caplog: pytest.LogCaptureFixture
) -> None:
    database, ear = Database(server.url), Ear()
    match = new_match()
    (number,) = database.write(lambda connection: store.add_matches(connection, [match]))
    database.write(
        lambda connection: store.open_match(connection, number, match.plan, begun(match.plan))
    )
    link = Link(1, MemoryBus(Weather()), ear)
    link.start()
    local = LocalTables(Journal(database), Metrics())
    tables = ClusterTables(link, local, Holder(link), database)
    tables.alive = {1}
    opened = database.look(store.unfinished)
    server.stop()
    tables.resume(opened)
    async for _ in patiently():
        if "not looked up" in caplog.text:
            break
    await asyncio.to_thread(server.start)
    async for _ in patiently():
        if ear.messages:
            break
    assert ear.messages == [(1, Resume(number))]
    tables.stop()
    link.close()
    database.close()
