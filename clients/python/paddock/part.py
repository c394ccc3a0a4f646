"""The part of this client in a deal: its nonce, and the digests of the others."""

import secrets
from collections.abc import Sequence

from paddock.v1 import arena_pb2
from paddock_games.chance import NO_NONCE, NONCE_BYTES, digest_of


class Part:
    """The nonce of one seat in one match, which it sends in one step or in two.

    It is the same on every stream, and it is opened only to a server that told the digests of all
    seats before, the same ones every time.
    """

    def __init__(self, match_id: str, seat: int) -> None:
        self._match_id = match_id
        self._seat = seat
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._committed = False  # whether the digest was sent
        self._digests: tuple[bytes, ...] = ()  # of all seats, as they were told first

    def begin(self, *, commit: bool) -> arena_pb2.BotItem | None:
        """The answer to MatchStarted; None: the digest was sent before, and is not wanted now."""
        if commit:
            self._committed = True
            digest = digest_of(self._nonce)
            item = arena_pb2.NonceCommitment(match_id=self._match_id, digest=digest)
            return arena_pb2.BotItem(nonce_commitment=item)
        return None if self._committed else self._open()

    def opening(self, digests: Sequence[bytes]) -> arena_pb2.BotItem | None:
        """The answer to NonceCommitments; None: they are wrong, and the nonce stays secret."""
        all_digests = tuple(digests)
        mine = self._seat < len(all_digests) and all_digests[self._seat] == digest_of(self._nonce)
        if not self._committed or not mine or self._digests not in ((), all_digests):
            return None
        self._digests = all_digests
        return self._open()

    def wrong(self, nonces: Sequence[bytes]) -> str:
        """What is wrong with the nonces that the deal was made of; empty: nothing is."""
        if not self._digests:
            return ""
        if len(nonces) != len(self._digests):
            return f"the server tells {len(nonces)} nonces of {len(self._digests)} seats"
        for seat, (nonce, digest) in enumerate(zip(nonces, self._digests, strict=True)):
            if nonce != NO_NONCE and digest_of(nonce) != digest:
                return f"the nonce of seat {seat} does not fit the digest that was told before"
        if nonces[self._seat] != self._nonce:
            return "the deal was made without the nonce of this seat, as if it had been late"
        return ""

    def _open(self) -> arena_pb2.BotItem:
        nonce = arena_pb2.Nonce(match_id=self._match_id, nonce=self._nonce)
        return arena_pb2.BotItem(nonce=nonce)
