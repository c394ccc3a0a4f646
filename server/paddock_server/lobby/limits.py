"""Limits of a server, and its policy towards bots that fail."""

from typing import Annotated, NamedTuple

from paddock_server.basics.bounds import OR_ZERO

PROTOCOL = 1  # the version of the contract that this server speaks


class Limits(NamedTuple):
    """The numbers that nobody may exceed."""

    frame_bytes: int = 64 * 1024  # of a frame from a bot
    frame_items: int = 1024  # in it
    sessions: int = 20_000  # at once
    sessions_per_owner: int = 64
    matches_per_bot: int = 64  # at once
    waiting_items: int = 4096  # for a bot that does not read
    useless_items: int = 500  # at once; ten seconds later as many again, see budget.py
    versions_per_day: int = 50  # that are new, of one bot
    hello_seconds: float = 10.0  # from connecting to Hello
    watchers: int = 1000  # at once
    watchers_per_match: int = 200
    waiting_matches: int = 100_000


class Policy(NamedTuple):
    """The treatment of bots that fail: probation, trials and pings."""

    probation_after: int = 3  # matches in a row that a bot forfeited
    trial_seconds: Annotated[float, OR_ZERO] = 30.0  # from a failed trial to the next
    ping_seconds: float = 5.0
    flood_seconds: float = 1.0  # that a bot stays away after a flood; then twice as long each time
    flood_most_seconds: float = 300.0
    return_after_ms: Annotated[int, OR_ZERO] = (
        2000  # when a drained server asks its bots to come back
    )
