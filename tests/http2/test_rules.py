"""A client that breaks a rule of HTTP/2 is told which one, and its connection ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.http2.fields import field_block
from paddock_server.http2.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    MAX_FRAME_SIZE,
    PADDED,
    PING,
    PREFACE,
    PRIORITY,
    PUSH_PROMISE,
    RST_STREAM,
    SETTING,
    SETTINGS,
    WINDOW_UPDATE,
    ErrorCode,
    frame,
)
from paddock_server.http2.stream import STREAM_BYTES
from tests.http2.wire import HELLO, POST, Keeper, Talk, in_loop

OPEN = frame(HEADERS, END_HEADERS, 1, POST)
THIRD = frame(HEADERS, END_HEADERS, 3, POST)
ONE = (1).to_bytes(4, "big")

BROKEN = {
    "no preface": (b"GET / HTTP/1.1\r\n\r\n", ErrorCode.PROTOCOL_ERROR),
    "no settings first": (PREFACE + frame(PING, 0, 0, bytes(8)), ErrorCode.PROTOCOL_ERROR),
    "a frame that is too long": (
        HELLO + frame(DATA, 0, 1, bytes(16_385)),
        ErrorCode.FRAME_SIZE_ERROR,
    ),
    "data for nothing": (HELLO + frame(DATA, 0, 1, b"x"), ErrorCode.PROTOCOL_ERROR),
    "data for the connection": (HELLO + frame(DATA, 0, 0, b"x"), ErrorCode.PROTOCOL_ERROR),
    "data after the end": (
        HELLO + frame(HEADERS, END_HEADERS | END_STREAM, 1, POST) + frame(DATA, 0, 1, b"x"),
        ErrorCode.STREAM_CLOSED,
    ),
    "a stream of ours": (HELLO + frame(HEADERS, END_HEADERS, 2, POST), ErrorCode.PROTOCOL_ERROR),
    "fields amid a stream": (HELLO + OPEN + OPEN, ErrorCode.PROTOCOL_ERROR),
    "fields that are not completed": (
        HELLO + frame(HEADERS, 0, 1, POST) + frame(PING, 0, 0, bytes(8)),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "fields that another stream goes on with": (
        HELLO + frame(HEADERS, 0, 1, POST) + frame(CONTINUATION, END_HEADERS, 3),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "fields that never end": (
        HELLO + frame(HEADERS, 0, 1) + frame(CONTINUATION, 0, 1, bytes(16_000)) * 2,
        ErrorCode.ENHANCE_YOUR_CALM,
    ),
    "a continuation of nothing": (HELLO + frame(CONTINUATION, 0, 1), ErrorCode.PROTOCOL_ERROR),
    "fields that can't be read": (
        HELLO + frame(HEADERS, END_HEADERS, 1, b"\xff\xff\xff\xff\xff"),
        ErrorCode.COMPRESSION_ERROR,
    ),
    "fields that are short on the wire and long to read": (
        HELLO
        + frame(HEADERS, END_HEADERS, 1, b"\x40\x01a\x7f\x81\x1d" + b"b" * 4000 + b"\xbe" * 8),
        ErrorCode.COMPRESSION_ERROR,
    ),
    "padding that is longer than the frame": (
        HELLO + OPEN + frame(DATA, PADDED, 1, b"\x09abc"),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "a push": (HELLO + frame(PUSH_PROMISE, 0, 1, ONE), ErrorCode.PROTOCOL_ERROR),
    "a ping of five bytes": (HELLO + frame(PING, 0, 0, b"12345"), ErrorCode.FRAME_SIZE_ERROR),
    "settings of five bytes": (HELLO + frame(SETTINGS, 0, 0, b"12345"), ErrorCode.FRAME_SIZE_ERROR),
    "an answer to settings with settings": (
        HELLO + frame(SETTINGS, ACK, 0, SETTING.pack(1, 1)),
        ErrorCode.FRAME_SIZE_ERROR,
    ),
    "a ping on a stream": (HELLO + OPEN + frame(PING, 0, 1, bytes(8)), ErrorCode.PROTOCOL_ERROR),
    "settings of a stream": (HELLO + OPEN + frame(SETTINGS, 0, 1), ErrorCode.PROTOCOL_ERROR),
    "a farewell on a stream": (
        HELLO + OPEN + frame(GOAWAY, 0, 1, bytes(8)),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "a reset of the connection": (HELLO + frame(RST_STREAM, 0, 0, ONE), ErrorCode.PROTOCOL_ERROR),
    "a reset of nothing": (HELLO + frame(RST_STREAM, 0, 7, ONE), ErrorCode.PROTOCOL_ERROR),
    "a window of nothing": (HELLO + frame(WINDOW_UPDATE, 0, 7, ONE), ErrorCode.PROTOCOL_ERROR),
    "an initial window that is too large": (
        HELLO + frame(SETTINGS, 0, 0, SETTING.pack(INITIAL_WINDOW_SIZE, 2**31)),
        ErrorCode.FLOW_CONTROL_ERROR,
    ),
    "frames that are too small": (
        HELLO + frame(SETTINGS, 0, 0, SETTING.pack(MAX_FRAME_SIZE, 100)),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "a window that grows by nothing": (
        HELLO + OPEN + frame(WINDOW_UPDATE, 0, 1, bytes(4)),
        ErrorCode.PROTOCOL_ERROR,
    ),
    "a window that grows too large": (
        HELLO + OPEN + frame(WINDOW_UPDATE, 0, 1, b"\x7f\xff\xff\xff"),
        ErrorCode.FLOW_CONTROL_ERROR,
    ),
    "a connection's window that grows too large": (
        HELLO + frame(WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff"),
        ErrorCode.FLOW_CONTROL_ERROR,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_who_breaks_a_rule_is_told_and_let_go(name: str) -> None:
    said, code = BROKEN[name]

    def test() -> None:
        talk = Talk()
        talk.say(said)
        ending = talk.wire.ending()
        assert ending is not None
        assert ending[0] == code
        assert len(ending[1]) > 10  # a sentence
        assert talk.wire.closed
        talk.say(OPEN)  # nobody listens any more
        assert set(talk.keepers) <= {1}
        assert talk.open == {talk.connection}
        talk.leave()
        assert talk.open == set()

    in_loop(test)


def test_what_nobody_knows_is_no_mistake() -> None:
    def test() -> None:
        talk = Talk()
        talk.say(
            HELLO, OPEN, frame(PRIORITY, 0, 1, bytes(5)), frame(0xEE, 0xFF, 77, b"?"),
            frame(SETTINGS, 0, 0, SETTING.pack(0xEEEE, 7)), frame(SETTINGS, ACK, 0),
            frame(RST_STREAM, 0, 1, bytes(4)), frame(WINDOW_UPDATE, 0, 1, ONE), THIRD,
            frame(GOAWAY, 0, 0, bytes(8)), frame(DATA, PADDED | END_STREAM, 3, b"\x02hello__"),
        )  # fmt: skip
        assert talk.wire.ending() is None
        assert talk.keepers[1].ends == ["broken"]
        assert (talk.keepers[3].data, talk.keepers[3].ends) == (b"hello", ["finished"])
        talk.leave()

    in_loop(test)


def test_more_than_the_window_is_a_mistake() -> None:
    def test() -> None:
        class Full(Keeper):
            def received(self, data: bytes) -> None:
                self.data += data  # and takes nothing

        talk = Talk(Full)
        talk.say(HELLO, OPEN)
        part = frame(DATA, 0, 1, bytes(16_384))
        for _ in range(STREAM_BYTES // 16_384):
            talk.say(part)
        assert not talk.wire.closed
        talk.say(frame(DATA, 0, 1, b"x"))
        ending = talk.wire.ending()
        assert ending is not None
        assert ending[0] == ErrorCode.FLOW_CONTROL_ERROR
        talk.leave()

    in_loop(test)


@settings(max_examples=300)
@given(
    parts=st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.builds(
                frame,
                st.integers(0, 11),
                st.sampled_from((0, 1, 4, 5, 8, 0x24, 0xFF)),
                st.integers(0, 9),
                st.one_of(st.binary(max_size=40), st.just(POST), st.just(ONE)),
            ),
        ),
        max_size=30,
    ),
    hello=st.booleans(),
    cuts=st.lists(st.integers(1, 40), min_size=1, max_size=8),
)
def test_whatever_comes_nothing_is_raised_and_all_streams_end_once(
    parts: list[bytes], hello: bool, cuts: list[int]
) -> None:
    def test() -> None:
        talk = Talk()
        data = (HELLO if hello else b"") + b"".join(parts)
        at = turn = 0
        while at < len(data):
            size = cuts[turn % len(cuts)]
            talk.say(data[at : at + size])
            at += size
            turn += 1
        talk.leave()
        for keeper in talk.keepers.values():
            assert keeper.ends.count("finished") <= 1
            assert keeper.ends.count("broken") <= 1
            assert keeper.ends

    in_loop(test)


GOOD = ((":method", "POST"), (":scheme", "http"), (":path", "/a"), ("te", "trailers"))
ODD = {
    "no path": GOOD[:2],
    "an empty path": (*GOOD[:2], (":path", "")),
    "a method twice": (*GOOD[:1], *GOOD),
    "a field of a response": (*GOOD[:3], (":status", "200")),
    "a late field of a request": (*GOOD, (":authority", "a")),
    "capital letters": (*GOOD, ("X", "y")),
    "a connection that is kept": (*GOOD, ("connection", "keep-alive")),
    "another te": (*GOOD[:3], ("te", "gzip")),
}


@pytest.mark.parametrize("name", ODD)
def test_fields_that_no_request_has_end_their_stream_alone(name: str) -> None:
    def test() -> None:
        talk = Talk()
        talk.say(HELLO, frame(HEADERS, END_HEADERS, 1, field_block(ODD[name])))
        reset = RST_STREAM, 0, 1, int(ErrorCode.PROTOCOL_ERROR).to_bytes(4, "big")
        assert reset in talk.wire.frames()
        talk.say(frame(HEADERS, END_HEADERS, 3, field_block(GOOD)))
        assert set(talk.keepers) == {3}
        assert talk.keepers[3].fields == GOOD
        talk.leave()

    in_loop(test)
