"""Sessions of one bot on two nodes: the newer one stays, in whichever order news of them comes."""

import asyncio
from pathlib import Path

import pytest

from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import End, Entered, Leads, Message
from paddock_server.cluster.steward import Steward
from paddock_server.lobby.lobby import Lobby
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.plan import Entrant
from paddock_server.store import nodes
from paddock_server.store.database import Database
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from tests.cluster.life import Node
from tests.cluster.memory_bus import MemoryBus, Weather
from tests.cluster.test_link import Ear
from tests.server.process import patiently

OLDER, NEWER = 2, 3  # nodes
REX = Entrant("rex", "1", "ada", sends_nonces=False)


def entered(node: int, resumes: str) -> Entered:
    return Entered(f"session {node}", REX, ("summer",), 4, f"token {node}", resumes, order=node)


async def _heard(place: str, order: tuple[int, ...], resumes: str) -> dict[int, list[Message]]:
    """What the nodes of two sessions hear after the steward heard of them in this order."""
    weather, ears = Weather(), {node: Ear() for node in (1, OLDER, NEWER)}
    links = {node: Link(node, MemoryBus(weather), ear) for node, ear in ears.items()}
    for link in links.values():
        link.start()
        link.know(ears)
    database, holder = Database(place), Holder(links[1])
    local = LocalTables(Journal(database), Metrics())
    tables = ClusterTables(links[1], local, holder, database)
    lobby = Lobby(database, tables, Metrics())
    steward = Steward(links[1], tables, holder, lobby)
    tables.leading = True
    for node in order:
        steward.entered(node, entered(node, resumes if node == NEWER else ""))
    for node in (OLDER, NEWER):
        links[1].send(node, Leads())
    async for _ in patiently():
        if all(ear.messages[-1:] == [(1, Leads())] for node, ear in ears.items() if node != 1):
            break
    session = lobby.hall.find("rex")
    assert session is not None
    assert session.id == f"session {NEWER}"
    for link in links.values():
        link.close()
    database.close()
    return {node: [message for _, message in ear.messages] for node, ear in ears.items()}


@pytest.mark.parametrize("order", [(OLDER, NEWER), (NEWER, OLDER)])
@pytest.mark.parametrize(("resumes", "reason"), [("", "session/replaced"), (f"token {OLDER}", "")])
def test_the_older_session_ends_whichever_is_heard_of_first(
    order: tuple[int, ...], resumes: str, reason: str, tmp_path: Path
) -> None:
    heard = asyncio.run(_heard(str(tmp_path / "paddock.db"), order, resumes))
    ends = {node: [each for each in said if isinstance(each, End)] for node, said in heard.items()}
    assert [end.reason for end in ends[OLDER]] == [reason]
    assert ends[NEWER] == []


def test_sessions_of_all_nodes_are_numbered_in_one_order(postgresql_place: str) -> None:
    one, other = Node(postgresql_place), Node(postgresql_place)
    numbers = [node.database.write(nodes.next_session) for node in (one, other, other, one)]
    one.close()
    other.close()
    assert numbers == sorted(set(numbers))
    assert numbers[0] > 0, "0 is no number of a cluster"
