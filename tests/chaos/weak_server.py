"""A server that acknowledges matches which it does not store: a chaos run has to find that out.

python -m tests.chaos.weak_server serve ...
"""

import sys
from typing import Any

from paddock_server.__main__ import main
from paddock_server.basics.identity import new_match_id
from paddock_server.lobby.lobby import Lobby


def _forget_to_store() -> None:
    add_matches = Lobby.add_matches

    async def and_one_that_is_lost(lobby: Lobby, *what: Any, **more: Any) -> list[str]:
        return [*await add_matches(lobby, *what, **more), new_match_id()]

    Lobby.add_matches = and_one_that_is_lost  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    _forget_to_store()
    sys.exit(main())
