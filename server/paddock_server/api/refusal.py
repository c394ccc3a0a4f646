"""Refusals: errors that end a call with a status, a stable reason and a sentence."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NoReturn

import grpc
from grpc import aio

from paddock_games import GamesError
from paddock_server.basics.errors import REASONS, ServerError

REASON: Final = "paddock-reason"  # the metadata that carries the reason
_GAME_REASONS: Final = {"format": "format/unknown", "seats": "seats/wrong", "bots": "seats/wrong"}
"""The reasons of errors in the rules, by the field that is wrong."""


class Refusal(ServerError):
    """Raised inside a service to end a call with a reason."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence, reason)


class Refusing(aio.ServerInterceptor):
    """An interceptor that turns the errors of services into gRPC statuses."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call; errors of its method end the call with a reason."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        if handler.unary_unary and inspect.iscoroutinefunction(handler.unary_unary):
            return handler._replace(unary_unary=_answering(handler.unary_unary))
        if handler.unary_stream and inspect.iscoroutinefunction(handler.unary_stream):
            return handler._replace(unary_stream=_answering(handler.unary_stream))
        if handler.stream_stream and inspect.isasyncgenfunction(handler.stream_stream):
            return handler._replace(stream_stream=_streaming(handler.stream_stream))
        if handler.unary_stream and inspect.isasyncgenfunction(handler.unary_stream):
            return handler._replace(unary_stream=_streaming(handler.unary_stream))
        if handler.stream_unary and inspect.iscoroutinefunction(handler.stream_unary):
            return handler._replace(stream_unary=_answering(handler.stream_unary))
        return handler


def _answering(method: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Any]:
    async def call(request: Any, context: Any) -> Any:
        try:
            return await method(request, context)
        except (ServerError, GamesError) as problem:
            await refuse(context, problem)

    return call


def _streaming(method: Callable[[Any, Any], AsyncIterator[Any]]) -> Callable[[Any, Any], Any]:
    async def call(request: Any, context: Any) -> AsyncIterator[Any]:
        try:
            async for answer in method(request, context):
                yield answer
        except (ServerError, GamesError) as problem:
            await refuse(context, problem)

    return call


async def refuse(context: Any, problem: ServerError | GamesError) -> NoReturn:
    """End a call with the reason of an error."""
    reason = problem.reason
    if isinstance(problem, GamesError):
        reason = _GAME_REASONS.get(problem.where, reason)
    await abort(context, reason, str(problem))


async def abort(context: Any, reason: str, sentence: str) -> NoReturn:
    """End a call with a reason and a sentence."""
    await context.abort(code_of(reason), f"{reason}: {sentence}", ((REASON, reason),))
    raise AssertionError("abort returned")


def code_of(reason: str) -> grpc.StatusCode:
    """The status code of a reason."""
    return grpc.StatusCode[REASONS[reason].grpc]
