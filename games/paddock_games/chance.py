"""The random numbers of a match: a byte stream from a seed and nonces that everybody can check.

The stream is the concatenation, for i = 0, 1, 2, ..., of
HMAC-SHA256(key = seed, message = "paddock-deal-1" + the nonces in seat order + i as 8 bytes).
The seed is committed to (its SHA-256 is published) before the bots send their nonces. A game that
needs chance in the middle of a match keeps its place in the stream as a `Cursor`, which is a value.
"""

import hashlib
from collections.abc import Sequence
from struct import unpack
from typing import NamedTuple, TypeVar

from paddock_games.errors import GamesError

SEED_BYTES = 32
NONCE_BYTES = 16
NO_NONCE = bytes(NONCE_BYTES)
DIGEST_BYTES = 32

_LABEL = b"paddock-deal-1"
_WORDS_A_BLOCK = 8
_RANGE = 1 << 32
# HMAC (RFC 2104) with a key that is shorter than a block of SHA-256: the key, padded, xor these.
_KEY_BYTES = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))

T = TypeVar("T")


def commitment(seed: bytes, salt: str = "") -> str:
    """The hex digest that is published before a match and binds the referee to its seed.

    The salt is the match's id where other matches have the same seed and nobody is to notice.
    """
    return hashlib.sha256(seed + salt.encode()).hexdigest()


def digest_of(nonce: bytes) -> bytes:
    """The digest that binds a seat to its nonce before it knows anybody else's."""
    return hashlib.sha256(nonce).digest()


class Chance:
    """The random numbers of one match, drawn in order from its seed and its seats' nonces."""

    __slots__ = ("_block", "_inner", "_nonces", "_outer", "_seed", "_words")

    def __init__(self, seed: bytes, nonces: Sequence[bytes]) -> None:
        if len(seed) != SEED_BYTES:
            raise GamesError("seed", f"must have {SEED_BYTES} bytes, not {len(seed)}")
        for seat, nonce in enumerate(nonces):
            if len(nonce) != NONCE_BYTES:
                raise GamesError(
                    f"nonces[{seat}]", f"must have {NONCE_BYTES} bytes, not {len(nonce)}"
                )
        # What all blocks have in common is hashed once, and copied for each block.
        key = seed.ljust(_KEY_BYTES, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER) + _LABEL + b"".join(nonces))
        self._outer = hashlib.sha256(key.translate(_OUTER))
        self._seed, self._nonces = seed, nonces
        self._block = 0
        self._words: list[int] = []  # what is left of the blocks so far, last word first

    @property
    def cursor(self) -> "Cursor":
        """The place in the stream where the next number will come from."""
        used = self._block * _WORDS_A_BLOCK - len(self._words)
        return Cursor(self._seed, tuple(self._nonces), used)

    def _skip(self, words: int) -> None:
        """Skip this number of words in a stream that nothing was drawn from yet."""
        self._block, rest = divmod(words, _WORDS_A_BLOCK)
        if rest:
            self._fetch(_WORDS_A_BLOCK)
            del self._words[-rest:]

    def _fetch(self, words: int) -> None:
        """Have at least this many words ready in `_words`."""
        missing = words - len(self._words)
        if missing <= 0:
            return
        digests = []
        first = self._block
        self._block += -(-missing // _WORDS_A_BLOCK)
        for block in range(first, self._block):
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(block.to_bytes(8, "big"))
            outer.update(inner.digest())
            digests.append(outer.digest())
        drawn = unpack(f">{_WORDS_A_BLOCK * len(digests)}I", b"".join(digests))
        self._words[:0] = drawn[::-1]

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each equally likely."""
        if not 0 < n <= _RANGE:
            raise GamesError("n", f"must be from 1 to 2**32, not {n}")
        fair = _RANGE - _RANGE % n  # the words from here on would favour small results
        while True:
            if not self._words:
                self._fetch(1)
            word = self._words.pop()
            if word < fair:
                return word % n

    def shuffle(self, items: list[T]) -> None:
        """Shuffle the list in place, every order equally likely."""
        size = len(items)
        self._fetch(size - 1)
        words = self._words[:-size:-1]
        if size < 2 or max(words) >= _RANGE - size:  # one that may favour small results
            for k in range(size - 1, 0, -1):
                j = self.below(k + 1)
                items[k], items[j] = items[j], items[k]
            return
        del self._words[1 - size :]
        n = size
        for word in words:
            j = word % n
            n -= 1
            items[n], items[j] = items[j], items[n]


class Cursor(NamedTuple):
    """A place in the stream of one match: an immutable value, made to be kept in a state."""

    seed: bytes
    nonces: tuple[bytes, ...]
    used: int  # words of four bytes that were taken before

    @property
    def chance(self) -> Chance:
        """The random numbers from here on."""
        chance = Chance(self.seed, self.nonces)
        chance._skip(self.used)
        return chance
