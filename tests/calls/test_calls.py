"""The server of calls, as gRPC's own client sees it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import grpc
import pytest
from grpc import aio
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.calls.call_server import MESSAGE_BYTES
from paddock_server.calls.messages import BadMessage, MessageReader, with_head
from paddock_server.calls.status import seconds_of
from tests.calls.methods import LONG, SERVICE, Scene, scene

GUARD_SECONDS = 60


def played(test: Callable[[Scene], Awaitable[None]], **more: Any) -> None:
    """Run a test with a server."""

    async def main() -> None:
        async with asyncio.timeout(GUARD_SECONDS), scene(**more) as now:
            await test(now)

    asyncio.run(main())


async def failure(call: Any) -> aio.AioRpcError:
    """How a call failed."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    return caught.value


def test_calls_of_every_kind() -> None:
    async def test(now: Scene) -> None:
        assert await now.one("Echo")(b"hello") == b"hello"
        assert await now.one("Echo")(b"") == b""
        assert [part async for part in now.many("Count")(b"3")] == [b"0", b"1", b"2"]
        assert [part async for part in now.many("Count")(b"0")] == []
        total: Any = now.channel.stream_unary(f"/{SERVICE}/Total")
        assert await total(iter([b"ab", b"", b"cde"])) == b"5"
        assert await total(iter([])) == b"0"
        for name, times in (("Both", 2), ("Heard", 1)):
            call = now.both(name)()
            for message in (b"one", b"", b"x" * 100_000):
                await call.write(message)
                for _ in range(times):
                    assert await call.read() == message
            await call.done_writing()
            assert await call.read() is aio.EOF
            assert await call.code() == grpc.StatusCode.OK

    played(test)


def test_many_calls_at_once_on_one_connection() -> None:
    async def test(now: Scene) -> None:
        messages = [b"%d" % number * 1000 for number in range(500)]
        assert await asyncio.gather(*map(now.one("Echo"), messages)) == messages

    played(test)


def test_long_messages_go_both_ways() -> None:
    async def test(now: Scene) -> None:
        message = bytes(range(256)) * (MESSAGE_BYTES // 256)
        assert await now.one("Echo")(message) == message
        refused = await failure(now.one("Echo")(message + b"x"))
        assert refused.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (
            refused.details() == f"the message has {MESSAGE_BYTES + 1} bytes; send at most 1048576"
        )

    played(test)


def test_a_status_has_its_sentence_and_its_metadata() -> None:
    async def test(now: Scene) -> None:
        sentence = "100 % wrong: naïve 漢字\nnext line"
        refused = await failure(now.one("Refuse")(sentence.encode()))
        assert (refused.code(), refused.details()) == (grpc.StatusCode.ABORTED, sentence)
        metadata: Any = refused.trailing_metadata()
        assert dict(metadata) == {"paddock-reason": "test/refused", "raw-bin": b"\x00\xff"}

    played(test)


def test_a_status_is_told_although_nothing_was_read() -> None:
    async def test(now: Scene) -> None:
        for _ in range(200):
            call = now.both("Away")()
            await asyncio.sleep(0)  # the call begins before its first message is written
            await call.write(b"hello")
            assert await call.code() == grpc.StatusCode.UNAVAILABLE
            assert dict(await call.trailing_metadata()) == {"paddock-reason": "away"}
        silent = now.both("Away")()  # it says nothing, and hears it all the same
        assert await silent.code() == grpc.StatusCode.UNAVAILABLE

    played(test)


def test_a_caller_is_known_by_address_and_metadata() -> None:
    async def test(now: Scene) -> None:
        metadata = (("authorization", "Bearer abc"), ("data-bin", b"\x01\x02\xff"), ("x", "y"))
        peer, found = eval(await now.one("Metadata")(b"", metadata=metadata))  # noqa: S307
        assert peer.startswith("ipv4:127.0.0.1:")
        assert [pair for pair in found if pair[0] != "user-agent"] == sorted(metadata)

    played(test)


def test_what_is_not_there_or_fails_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def test(now: Scene) -> None:
        unknown = await failure(now.one("Nothing")(b""))
        assert unknown.code() == grpc.StatusCode.UNIMPLEMENTED
        failed = await failure(now.one("Fail")(b""))
        assert failed.code() == grpc.StatusCode.UNKNOWN
        assert "broken" not in (failed.details() or "")  # that is for the log alone
        lost = await failure(now.one("Lost")(b""))
        assert lost.code() == grpc.StatusCode.UNAVAILABLE
        packed = now.one("Echo")(b"x" * 1000, compression=grpc.Compression.Gzip)
        assert (await failure(packed)).code() == grpc.StatusCode.UNIMPLEMENTED
        assert await now.one("Echo")(b"on") == b"on"

    with caplog.at_level(logging.ERROR, "paddock.calls"):
        played(test)
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_call_ends_when_its_time_is_over_or_its_client_goes() -> None:
    async def test(now: Scene) -> None:
        late = now.both("Unread")(timeout=0.2)
        await now.methods.cancelled.wait()
        assert await late.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        now.methods.cancelled.clear()
        now.methods.begun.clear()
        call = now.both("Unread")()
        await call.write(b"x")
        await now.methods.begun.wait()
        call.cancel()
        await now.methods.cancelled.wait()

    played(test)


def test_who_reads_slowly_is_waited_for() -> None:
    async def test(now: Scene) -> None:
        limits = now.many("Much")(b"")
        assert len(await limits.read()) == LONG
        for _ in range(10):
            await limits.read()
            await now.one("Echo")(b"on")  # the connection is not held up
        limits.cancel()
        await now.methods.cancelled.wait()
        assert now.methods.written < 60

    played(test, options=(("grpc.max_receive_message_length", -1),))


async def _write_for_ever(call: Any) -> int:
    """How much was sent until the call was cancelled, in 100 KB."""
    sent = 0
    with suppress(asyncio.CancelledError, aio.AioRpcError, asyncio.InvalidStateError):
        while True:
            await call.write(bytes(100_000))
            sent += 1
    return sent


def test_who_is_not_read_has_to_wait() -> None:
    async def test(now: Scene) -> None:
        call = now.both("Unread")()
        writing = asyncio.create_task(_write_for_ever(call))
        await now.methods.begun.wait()
        for _ in range(100):
            await now.one("Echo")(bytes(1000))
        assert not writing.done()
        call.cancel()
        await now.methods.cancelled.wait()
        assert (await writing) < 100
        assert await now.one("Echo")(b"on") == b"on"  # the connection is not held up

    played(test)


def test_a_server_that_stops_ends_its_calls_and_is_gone() -> None:
    async def test(now: Scene) -> None:
        call = now.both("Unread")()
        await call.write(b"x")
        await now.methods.begun.wait()
        await now.server.stop(0.01)
        assert await call.code() in (grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE)
        gone = await failure(now.one("Echo")(b""))
        assert gone.code() == grpc.StatusCode.UNAVAILABLE

    played(test)


def test_two_servers_never_share_an_address() -> None:
    async def test(now: Scene) -> None:
        with pytest.raises(OSError, match="in use"):
            await now.server.listen(f"127.0.0.1:{now.port}")

    played(test)


def test_who_speaks_http_and_not_grpc_gets_415() -> None:
    async def main() -> None:
        h2 = pytest.importorskip("h2.connection")
        async with asyncio.timeout(GUARD_SECONDS), scene() as now:
            reader, writer = await asyncio.open_connection("127.0.0.1", now.port)
            client = h2.H2Connection()
            client.initiate_connection()
            fields = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a")]
            client.send_headers(1, fields, end_stream=True)
            writer.write(client.data_to_send())
            found: list[Any] = []
            while not found:
                events = client.receive_data(await reader.read(1000))
                found = [event.headers for event in events if hasattr(event, "headers")]
            assert (b":status", b"415") in found[0]
            writer.close()

    asyncio.run(main())


def test_calls_of_nothing_are_a_flood() -> None:
    async def test(now: Scene) -> None:
        for _ in range(300):
            refused = await failure(now.one("Nothing")(b""))
            if refused.code() == grpc.StatusCode.UNAVAILABLE:
                break
            assert refused.code() == grpc.StatusCode.UNIMPLEMENTED
        else:
            pytest.fail("the connection goes on")
        assert await now.one("Echo")(b"new") == b"new"  # over another one

    played(test)


@given(
    messages=st.lists(st.binary(max_size=300), max_size=20),
    cuts=st.lists(st.integers(1, 200), min_size=1, max_size=10),
)
def test_messages_are_the_same_however_they_are_cut(messages: list[bytes], cuts: list[int]) -> None:
    data = b"".join(map(with_head, messages))
    reader, at, turn = MessageReader(1000), 0, 0
    found: list[bytes] = []
    while at < len(data):
        size = cuts[turn % len(cuts)]
        found += reader.read(data[at : at + size])
        at, turn = at + size, turn + 1
    assert found == messages


def test_a_message_that_is_too_long_is_refused_before_it_comes() -> None:
    with pytest.raises(BadMessage, match="send at most"):
        MessageReader(1000).read(b"\x00\xff\xff\xff\xff")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("5S", 5.0), ("250m", 0.25), ("2M", 120.0), ("1H", 3600.0), ("10u", 1e-5), ("7n", 7e-9)],
)
def test_the_time_of_a_call_is_read(said: str, seconds: float) -> None:
    assert seconds_of(said) == pytest.approx(seconds)


@pytest.mark.parametrize("said", ["", "5", "S", "-1S", "1.5S", "123456789S", "٣S", "5x"])
def test_a_time_that_makes_no_sense_is_none(said: str) -> None:
    assert seconds_of(said) is None
