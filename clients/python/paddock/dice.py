"""The dice of a bot: random numbers that are common to the matches of a comparison's block.

The server tells a seed with every match. It is fresh, except in a comparison: there all matches of
a block have the same, so that the field plays with the same luck against the new version and the
old. Mixed with a secret of the client nobody else can foretell the numbers.
"""

import hashlib
import os
import secrets
from random import Random
from typing import Final

from paddock_games import Chance

_SECRET: Final = "PADDOCK_DICE_SECRET"  # noqa: S105 -- the name of a variable


def own_secret() -> bytes:
    """What nobody else knows, unless PADDOCK_DICE_SECRET gives several bots a common secret."""
    return os.environ.get(_SECRET, "").encode() or secrets.token_bytes(32)


def match_seed(secret: bytes, dice: bytes, seat: int) -> bytes:
    """The seed of a seat's own dice in a match."""
    return hashlib.sha256(secret + dice + bytes([seat])).digest()


class Dice:
    """The random numbers of one decision, made when they are first wanted."""

    __slots__ = ("_chance", "_rng", "_seed")

    def __init__(self, seed: bytes, decision: int) -> None:
        self._seed = seed + decision.to_bytes(4, "big")
        self._rng: Random | None = None
        self._chance: Chance | None = None

    @property
    def rng(self) -> Random:
        """The same generator for as long as the decision lasts."""
        if self._rng is None:
            self._rng = Random(self._digest())
        return self._rng

    def below(self, n: int) -> int:
        """A number from 0 to n - 1 that other languages draw alike: docs/sample-bots.md tells how.
        It is the stream of a deal, with the decision's seed and without nonces."""
        if self._chance is None:
            self._chance = Chance(self._digest(), ())
        return self._chance.below(n)

    def _digest(self) -> bytes:
        return hashlib.sha256(self._seed).digest()
