"""A node without one of its safeguards: a run has to find out that it is missing.

SAFEGUARD_TO_LEAVE_OUT=fence python -m tests.chaos.weak_node serve ...
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from paddock_server.__main__ import main
from paddock_server.cluster.away import Away
from paddock_server.cluster.life import Fenced
from paddock_server.cluster.node import Node
from paddock_server.store import nodes
from paddock_server.store.connection import Connection


class Hole(NamedTuple):
    """What is done instead of what a safeguard needs."""

    where: Any
    name: str
    instead: Callable[..., Any]


def _pass_by(_fence: Fenced, _connection: Connection) -> None:
    pass


def _stay(_node: Node) -> None:
    pass


def _beats(connection: Connection, node: int, beat: Callable[..., bool] = nodes.beat) -> bool:
    beat(connection, node)
    return True


def _always(_away: Away, _later: Callable[[bool], None]) -> bool:
    return True


SAFEGUARDS: Final[Mapping[str, Sequence[Hole]]] = {
    # A node that was put out goes on as if it had not noticed.
    "fence": (
        Hole(Fenced, "check", _pass_by),
        Hole(Node, "put_out", _stay),
        Hole(nodes, "beat", _beats),
    ),
    # A bot is late as soon as no answer of it has come, whatever became of the ask.
    "proof": (Hole(Away, "vouches", _always),),
}

if __name__ == "__main__":
    for hole in SAFEGUARDS[os.environ["SAFEGUARD_TO_LEAVE_OUT"]]:
        setattr(*hole)
    sys.exit(main())
