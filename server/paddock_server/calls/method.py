"""The run of a method: its requests and responses as messages, and a status for every end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import grpc

from paddock_server.calls.call import END, Call, CallOver

_LOG: Final = logging.getLogger("paddock.calls")
Convert = Callable[[Any], Any]


class Context:
    """A call as its method sees it, with requests and responses instead of bytes."""

    def __init__(self, call: Call, deserialize: Convert, serialize: Convert) -> None:
        self.call = call
        self._deserialize = deserialize
        self._serialize = serialize
        self.peer = call.peer
        self.invocation_metadata = call.invocation_metadata
        self.abort = call.abort

    async def read(self) -> Any:
        """The next request; END after the last one."""
        message = await self.call.read()
        if message is END:
            return END
        try:
            return self._deserialize(message)
        except Exception:  # noqa: BLE001 -- whatever the generated code raises for odd bytes
            return await self.abort(grpc.StatusCode.INTERNAL, "the request can't be read")

    async def write(self, response: Any) -> None:
        """Send a response, and wait until it is gone."""
        await self.call.write(self._serialize(response))

    async def requests(self) -> AsyncIterator[Any]:
        """The requests, one by one."""
        while (request := await self.read()) is not END:
            yield request


def _as_it_is(message: Any) -> Any:
    return message


async def run(call: Call, handler: Any) -> None:
    """Run the method of a call to its end, and tell the client how it ended."""
    serialize = handler.response_serializer or _as_it_is
    context = Context(call, handler.request_deserializer or _as_it_is, serialize)
    try:
        await _answer(context, handler)
    except CallOver:
        pass
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            call.end(grpc.StatusCode.CANCELLED, "the server has ended the call")
            raise
        # Something that the method waited for was cancelled: its client would never hear of it.
        call.end(grpc.StatusCode.UNAVAILABLE, "the call broke off")
    except Exception as problem:  # noqa: BLE001 -- its client has to hear of it
        _LOG.exception("call failed", extra={"method": call.fields.get(":path", "")})
        call.end(grpc.StatusCode.UNKNOWN, f"the server failed: {type(problem).__name__}")
    else:
        call.end(grpc.StatusCode.OK)


async def _answer(context: Context, handler: Any) -> None:
    asked: Any = context.requests() if handler.request_streaming else await context.read()
    if asked is END:
        await context.abort(grpc.StatusCode.INTERNAL, "the request is missing")
    method = (
        handler.stream_stream or handler.stream_unary or handler.unary_stream or handler.unary_unary
    )
    answer = method(asked, context)
    if not hasattr(answer, "__aiter__"):
        response = await answer
        if not handler.response_streaming:
            await context.write(response)
        return
    try:
        async for response in answer:
            await context.write(response)
    finally:
        await answer.aclose()
