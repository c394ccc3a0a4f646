"""The dice of a bot: random numbers that are common to the matches of a comparison's block.

The server sends a seed with every match. It is new, except in a comparison: there all matches of
a block have the same seed, so that the field has the same luck against the new version and the old
one. The client mixes in a secret, so that nobody else can predict the numbers.
"""

import hashlib
import os
import secrets
from random import Random
from typing import Final

from paddock_games import Chance

_SECRET: Final = "PADDOCK_DICE_SECRET"  # noqa: S105 -- the name of a variable


def own_secret() -> bytes:
    """A secret of this client, unless PADDOCK_DICE_SECRET gives several bots a common secret."""
    return os.environ.get(_SECRET, "").encode() or secrets.token_bytes(32)


def match_seed(secret: bytes, dice: bytes, seat: int) -> bytes:
    """The seed of a seat's own dice in a match."""
    return hashlib.sha256(secret + dice + bytes([seat])).digest()


class Dice:
    """The random numbers of one decision, made when they are first used."""

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
        """A number from 0 to n - 1 that other languages draw alike: see docs/sample-bots.md.
        It is the stream of a deal, with the decision's seed and without nonces."""
        if self._chance is None:
            self._chance = Chance(self._digest(), ())
        return self._chance.below(n)

    def _digest(self) -> bytes:
        return hashlib.sha256(self._seed).digest()
