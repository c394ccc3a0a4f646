"""Refusals: a gRPC status, a reason that stays the same, and a sentence that says what to do."""

from typing import Final, NoReturn

import grpc

# Every reason there is, and the status it comes with.
CODES: Final[dict[str, grpc.StatusCode]] = {
    "auth/bad_token": grpc.StatusCode.UNAUTHENTICATED,
    "auth/missing_token": grpc.StatusCode.UNAUTHENTICATED,
    "auth/other_bot": grpc.StatusCode.PERMISSION_DENIED,
    "auth/organiser_only": grpc.StatusCode.PERMISSION_DENIED,
    "bot/bad_name": grpc.StatusCode.INVALID_ARGUMENT,
    "bot/entered": grpc.StatusCode.FAILED_PRECONDITION,
    "bot/exists": grpc.StatusCode.ALREADY_EXISTS,
    "bot/unknown": grpc.StatusCode.NOT_FOUND,
    "format/unknown": grpc.StatusCode.INVALID_ARGUMENT,
    "frame/flood": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "frame/malformed": grpc.StatusCode.INVALID_ARGUMENT,
    "frame/too_large": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "hello/missing": grpc.StatusCode.INVALID_ARGUMENT,
    "hello/repeated": grpc.StatusCode.INVALID_ARGUMENT,
    "ladder/not_inspected": grpc.StatusCode.FAILED_PRECONDITION,
    "match/not_over": grpc.StatusCode.FAILED_PRECONDITION,
    "match/unknown": grpc.StatusCode.NOT_FOUND,
    "page/bad_token": grpc.StatusCode.INVALID_ARGUMENT,
    "protocol/too_new": grpc.StatusCode.FAILED_PRECONDITION,
    "protocol/too_old": grpc.StatusCode.FAILED_PRECONDITION,
    "reader/too_slow": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "rules/unknown": grpc.StatusCode.INVALID_ARGUMENT,
    "seats/wrong": grpc.StatusCode.INVALID_ARGUMENT,
    "server/draining": grpc.StatusCode.UNAVAILABLE,
    "session/removed": grpc.StatusCode.ABORTED,
    "session/replaced": grpc.StatusCode.ABORTED,
    "session/too_many": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "tournament/other": grpc.StatusCode.ALREADY_EXISTS,
    "tournament/refused": grpc.StatusCode.FAILED_PRECONDITION,
    "tournament/unknown": grpc.StatusCode.NOT_FOUND,
    "tournament/wrong": grpc.StatusCode.INVALID_ARGUMENT,
    "watch/too_many": grpc.StatusCode.RESOURCE_EXHAUSTED,
}
REASON: Final = "paddock-reason"  # the metadata that carries the reason


class Refusal(Exception):
    """Raised inside a service to end a call with a reason."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(f"{reason}: {sentence}")
        self.reason = reason
        self.sentence = sentence


async def abort(
    context: "grpc.aio.ServicerContext[bytes, bytes]", reason: str, sentence: str
) -> NoReturn:
    """End a call with a reason and what to do about it."""
    await context.abort(CODES[reason], f"{reason}: {sentence}", ((REASON, reason),))
    raise AssertionError("abort returned")
