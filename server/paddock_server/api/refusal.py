"""Refusals: a gRPC status, a reason that stays the same, and a sentence that says what to do."""

from typing import Final, NoReturn

import grpc

from paddock_server.basics.errors import REASONS, ServerError

REASON: Final = "paddock-reason"  # the metadata that carries the reason


class Refusal(ServerError):
    """Raised inside a service to end a call with a reason."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence, reason)


async def abort(
    context: "grpc.aio.ServicerContext[bytes, bytes]", reason: str, sentence: str
) -> NoReturn:
    """End a call with a reason and what to do about it."""
    await context.abort(code_of(reason), f"{reason}: {sentence}", ((REASON, reason),))
    raise AssertionError("abort returned")


def code_of(reason: str) -> grpc.StatusCode:
    """The status code that a reason comes with."""
    return grpc.StatusCode[REASONS[reason].grpc]
