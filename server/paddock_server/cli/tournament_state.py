"""The state of a tournament in words, with how long it is until it starts."""

from typing import Any

from paddock.v1 import tournament_pb2
from paddock_server.basics.wording import lasting
from paddock_server.tournaments.deadlines import now, read_moment

WAITS = (tournament_pb2.TOURNAMENT_STATE_RUNNING, tournament_pb2.TOURNAMENT_STATE_UPCOMING)
"""The states of a tournament that is going to be played."""


def state_name(summary: Any) -> str:
    """The state as programs know it."""
    name = tournament_pb2.TournamentState.Name(summary.state)
    return name.removeprefix("TOURNAMENT_STATE_").lower()


def state_words(summary: Any) -> str:
    """The state as people read it."""
    if summary.state != tournament_pb2.TOURNAMENT_STATE_UPCOMING:
        return state_name(summary)
    left = read_moment("starts", summary.starts) - now()
    return f"starts in {lasting(max(0.0, left.total_seconds()))}"
