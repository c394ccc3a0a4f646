"""A node without one of its safeguards: a chaos run has to find out that it is missing.

SAFEGUARD_TO_LEAVE_OUT=fence python -m tests.chaos.weak_node serve ...
"""

import os
import sys
from collections.abc import Callable
from typing import Final

from paddock_server.__main__ import main
from paddock_server.cluster.away import Away
from paddock_server.cluster.life import Fenced
from paddock_server.cluster.node import Node
from paddock_server.store import nodes
from paddock_server.store.connection import Connection


def _without_fence() -> None:
    """A node that was put out goes on as if it had not noticed."""

    def pass_by(_fence: Fenced, _connection: Connection) -> None:
        pass

    beat = nodes.beat

    def beats(connection: Connection, node: int) -> bool:
        beat(connection, node)
        return True

    def stays(_node: Node) -> None:
        pass

    Fenced.check = pass_by  # type: ignore[method-assign, assignment]
    Node.put_out = stays  # type: ignore[method-assign, assignment]
    nodes.beat = beats


def _without_proof() -> None:
    """A bot is late as soon as no answer of it has come, whatever became of the ask."""

    def always(_away: Away, _later: Callable[[bool], None]) -> bool:
        return True

    Away.vouches = always  # type: ignore[method-assign, assignment]


SAFEGUARDS: Final = {"fence": _without_fence, "proof": _without_proof}

if __name__ == "__main__":
    SAFEGUARDS[os.environ["SAFEGUARD_TO_LEAVE_OUT"]]()
    sys.exit(main())
