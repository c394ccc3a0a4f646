"""The limits of a connection: its streams at once, and how long it may have none."""

import asyncio

from paddock_server.http2.connection import ConnectionLimits
from paddock_server.http2.frames import END_HEADERS, GOAWAY, HEADERS, RST_STREAM, ErrorCode, frame
from tests.http2.wire import HELLO, POST, Talk, in_loop

CANCEL = int(ErrorCode.CANCEL).to_bytes(4, "big")


def opened(number: int) -> bytes:
    """The beginning of a stream."""
    return frame(HEADERS, END_HEADERS, number, POST)


def test_one_stream_too_many_is_refused_and_may_be_tried_again() -> None:
    def test() -> None:
        talk = Talk(limits=ConnectionLimits(streams=2))
        talk.say(HELLO, opened(1), opened(3), opened(5))
        resets = [said for said in talk.wire.frames() if said[0] == RST_STREAM]
        assert resets == [(RST_STREAM, 0, 5, int(ErrorCode.REFUSED_STREAM).to_bytes(4, "big"))]
        talk.say(frame(RST_STREAM, 0, 1, CANCEL), opened(7))
        assert set(talk.keepers) == {1, 3, 7}
        talk.leave()

    in_loop(test)


def test_a_connection_without_streams_ends() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        talk = Talk(limits=ConnectionLimits(idle_seconds=60.0))

        def timer() -> asyncio.TimerHandle | None:
            return talk.connection._heartbeat.idle

        assert timer() is not None
        talk.say(HELLO, opened(1))
        assert timer() is None  # a stream is open
        talk.say(frame(RST_STREAM, 0, 1, CANCEL))
        idle = timer()
        assert idle is not None
        assert 59 < idle.when() - loop.time() < 61
        idle._run()
        assert [kind for kind, *_ in talk.wire.frames()][-1] == GOAWAY
        assert talk.wire.closed
        talk.leave()

    asyncio.run(main())
