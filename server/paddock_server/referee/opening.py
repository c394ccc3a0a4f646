"""The opening of a match."""

from typing import NamedTuple

from paddock_games import Match
from paddock_server.referee.clock import Clock


class Opening(NamedTuple):
    """A match before its first event: seats, seed and clock."""

    number: int  # unique in the store, so that ask ids are unique everywhere
    match: Match  # its nonces are those of seats that send none: zeros, or those of its block
    clock: Clock
    nonce_steps: tuple[int, ...]  # by seat: 0 sends none, 1 a nonce, 2 its digest first
