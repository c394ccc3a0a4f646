"""The messages of an upload, each in time: who sends nothing can't hold a call open."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeVar

from paddock_server.api.refusal import Refusal

PAUSE_SECONDS: Final = 60.0

M = TypeVar("M")


async def in_time(
    messages: AsyncIterator[M], pause_seconds: float = PAUSE_SECONDS
) -> AsyncIterator[M]:
    """These messages; raises Refusal where the next one is not there after a pause."""
    while True:
        try:
            async with asyncio.timeout(pause_seconds):
                message = await anext(messages)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Refusal(
                "submission/wrong_offset",
                f"nothing came for {pause_seconds:g} s; ask how many bytes are here, and go on "
                "from there",
            ) from None
        yield message
