"""Connections to the server: one stream after the other, until the bot stops or is refused."""

import asyncio
import logging
import re
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import grpc
import grpc.aio

from paddock.backoff import LONGEST_S, Backoff
from paddock.errors import Refused, Unreachable
from paddock.route import Route
from paddock.session import Session
from paddock.v1 import arena_pb2, arena_pb2_grpc
from paddock_wire.address import Address
from paddock_wire.trouble import explain

log = logging.getLogger("paddock")

Call: TypeAlias = grpc.aio.StreamStreamCall[arena_pb2.PlayRequest, arena_pb2.PlayResponse]

# Refusals that another attempt would only repeat.
_FINAL: Final = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
    }
)
_REPLACED: Final = "session/replaced"
_FAREWELL_S: Final = 2.0  # for the last answers to leave, when the bot is stopped


class Ending(NamedTuple):
    """The end of a stream after which another attempt makes sense."""

    code: grpc.StatusCode
    sentence: str
    return_after_s: float  # that the server asked for


async def stay_connected(
    address: Address,
    token: str | None,
    session: Session,
    stop: asyncio.Event,
    give_up_after: float | None = None,
) -> None:
    """Play over as many streams as needed, until `stop` is set.

    Raises Refused if the server refuses the bot, and Unreachable when there was no connection for
    `give_up_after` seconds.
    """
    backoff = Backoff(Random())
    route = Route(address)
    loop = asyncio.get_running_loop()
    connected = loop.time()  # when a session was last open
    while True:
        began = loop.time()
        server = route.next
        ending = await converse(server, token, session, stop)
        if ending is None:
            return
        now = loop.time()
        if session.welcomed:
            connected = now
            if now - began > LONGEST_S:  # keep waiting longer for a server that hangs up at once
                backoff.reset()
        else:
            route.failed()
        if session.goodbye is not None and session.goodbye.address:
            route.move(session.goodbye.address)
        if give_up_after is not None and now - connected >= give_up_after:
            raise Unreachable(f"{server.target}: {ending.sentence}")
        wait_s = backoff.next_s(ending.return_after_s)
        log.warning(
            "no connection to %s: %s (%s); next attempt in %.1f s at %s",
            server.target,
            ending.sentence,
            ending.code.name,
            wait_s,
            route.next.target,
        )
        try:
            await asyncio.wait_for(stop.wait(), wait_s)
        except TimeoutError:
            continue
        return


async def converse(
    address: Address, token: str | None, session: Session, stop: asyncio.Event
) -> Ending | None:
    """Play on one stream until it ends; None: `stop` was set. Raises Refused if it is final."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    async with address.channel() as channel:
        outbox = session.connect()
        call = arena_pb2_grpc.ArenaServiceStub(channel).Play(outbox.frames(), metadata=metadata)
        reader = asyncio.create_task(_read(call, session))
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({reader, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if stop.is_set():
                outbox.close()  # the server ends the stream when it has read the last answers
                await asyncio.wait({reader}, timeout=_FAREWELL_S)
                return None
            return _ending(address, session, *reader.result())
        finally:
            session.disconnect()
            outbox.close()
            call.cancel()
            for task in (reader, stopped):
                task.cancel()
            await asyncio.gather(reader, stopped, return_exceptions=True)


async def _read(call: Call, session: Session) -> tuple[grpc.StatusCode, str, str]:
    """Pass items to the session; at the end the status, its sentence and its reason."""
    # Nothing here waits but the read itself, so that a Ping is answered at once whatever the bot
    # is thinking about. The read has no timeout: one would end the stream's read side for good.
    try:
        async for frame in call:
            for item in frame.items:
                session.receive(item)
    except grpc.aio.AioRpcError as error:
        details = error.details() or ""
        metadata: Any = error.trailing_metadata()  # its stubs and grpc disagree
        reason = str(dict(metadata or ()).get("paddock-reason", "")) or _reason(details)
        return error.code(), details.removeprefix(reason).lstrip(": "), reason
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        # grpc cancels a call of its own accord when a write meets a stream that just ended.
        return grpc.StatusCode.CANCELLED, "the stream broke off", ""
    return grpc.StatusCode.OK, "", ""


def _reason(details: str) -> str:
    """The first word of a status message, where it is a reason such as auth/bad_token."""
    first = details.partition(" ")[0].rstrip(":")
    return first if re.fullmatch(r"[a-z_]+/[a-z_]+", first) else ""


def _ending(
    address: Address, session: Session, code: grpc.StatusCode, sentence: str, reason: str
) -> Ending:
    """The end of a stream; raises Refused where another attempt would fail the same way."""
    if code is grpc.StatusCode.UNAVAILABLE and not reason:  # these are grpc's words
        trouble = explain(address, sentence)
        if trouble.final:
            raise Refused(trouble.reason, trouble.sentence)
        sentence = trouble.sentence
    if code in _FINAL or reason == _REPLACED:
        raise Refused(reason, sentence or code.name)
    goodbye = session.goodbye
    if goodbye is not None:
        if goodbye.return_after_ms == 0:
            raise Refused(goodbye.reason, goodbye.sentence)
        return Ending(code, goodbye.sentence or goodbye.reason, goodbye.return_after_ms / 1000)
    full_sentence = f"{reason}: {sentence}" if reason else sentence
    return Ending(code, full_sentence or "the server closed the stream", 0.0)
