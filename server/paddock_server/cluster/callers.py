"""Callers whose calls another node hands on: their addresses, which only nodes can name.

Guesses and visitors are counted by address. If a node that hands on calls were counted instead,
strangers who call one node could lock out everybody else who does.
"""

import hmac
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

import grpc

_CALLER: Final = "paddock-caller"
_PROOF: Final = "paddock-caller-proof"


class Callers:
    """A way to name callers that only those can use who know the organiser's token: the nodes."""

    def __init__(self, token: str | None) -> None:
        """Without a token callers are not named; then everybody is an organiser anyway."""
        self._token = token

    def name(self, peer: str) -> list[tuple[str, str]]:
        """The metadata that names a caller to another node."""
        return [] if self._token is None else [(_CALLER, peer), (_PROOF, self._proof(peer))]

    def named(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> str | None:
        """The caller that another node names; None: none does."""
        said = dict(metadata or ())
        peer, proof = said.get(_CALLER), said.get(_PROOF)
        if self._token is None or not isinstance(peer, str) or not isinstance(proof, str):
            return None
        return peer if hmac.compare_digest(proof.encode(), self._proof(peer).encode()) else None

    def _proof(self, peer: str) -> str:
        assert self._token is not None  # noqa: S101 -- nobody is named without it
        return hmac.new(self._token.encode(), f"{_CALLER} {peer}".encode(), "sha256").hexdigest()


class _Called:
    """The context of a call, as if its caller had called this node."""

    def __init__(self, context: Any, peer: str) -> None:
        self._context = context
        self._peer = peer

    def peer(self) -> str:
        return self._peer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


def called_by(handler: Any, peer: str) -> "grpc.RpcMethodHandler[Any, Any]":
    """The handler of a call, for a caller that another node named."""

    async def answer(request: Any, context: Any) -> Any:
        return await handler.unary_unary(request, _Called(context, peer))

    async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
        async for each in handler.unary_stream(request, _Called(context, peer)):
            yield each

    made: grpc.RpcMethodHandler[Any, Any] = handler
    if handler.unary_unary:
        made = handler._replace(unary_unary=answer)
    elif handler.unary_stream:
        made = handler._replace(unary_stream=stream)
    return made
