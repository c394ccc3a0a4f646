"""Frames that say nothing: a few are free, a flood ends the connection, honest pings never do."""

import pytest

from paddock_server.http2.frames import (
    DATA,
    END_HEADERS,
    HEADERS,
    PING,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    BadConnection,
    ErrorCode,
    frame,
)
from paddock_server.http2.noise import Noise
from tests.http2.wire import HELLO, POST, Talk, in_loop

OPEN = frame(HEADERS, END_HEADERS, 1, POST)
ONE = (1).to_bytes(4, "big")
FLOODS = {
    "pings": frame(PING, 0, 0, bytes(8)),
    "settings": frame(SETTINGS, 0, 0),
    "empty data": frame(DATA, 0, 1),
    "resets of what is over": frame(RST_STREAM, 0, 1, ONE),
    "windows": frame(WINDOW_UPDATE, 0, 0, ONE),
    "unknown kinds": frame(0xEE, 0, 0),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_ends_the_connection(name: str) -> None:
    def test() -> None:
        talk = Talk()
        talk.say(HELLO, OPEN, frame(HEADERS, END_HEADERS, 3, POST))
        talk.say(FLOODS[name] * 1_500)
        assert talk.wire.ending() is None
        talk.say(FLOODS[name] * 5_000)
        ending = talk.wire.ending()
        assert ending is not None
        assert ending[0] == ErrorCode.ENHANCE_YOUR_CALM
        talk.leave()
        assert talk.keepers[3].ends == ["broken"]

    in_loop(test)


def test_streams_that_are_opened_and_reset_are_a_flood() -> None:
    def test() -> None:
        talk = Talk()
        talk.say(HELLO)
        for number in range(1, 20_000, 2):
            talk.say(frame(HEADERS, END_HEADERS, number, POST), frame(RST_STREAM, 0, number, ONE))
        ending = talk.wire.ending()
        assert ending is not None
        assert ending[0] == ErrorCode.ENHANCE_YOUR_CALM
        talk.leave()

    in_loop(test)


def test_a_ping_for_every_frame_of_data_is_honest() -> None:
    def test() -> None:
        talk = Talk()
        talk.say(HELLO, OPEN)
        for _ in range(10_000):
            talk.keepers[1].stream.send(b"x")
            talk.say(FLOODS["pings"], frame(WINDOW_UPDATE, 0, 1, ONE), frame(DATA, 0, 1, b"y"))
        assert not talk.wire.closed
        talk.leave()

    in_loop(test)


def test_who_asks_and_reads_no_answers_is_let_go() -> None:
    def test() -> None:
        talk = Talk()
        talk.say(HELLO)
        talk.wire.unread = 2 << 20
        talk.say(FLOODS["pings"])
        ending = talk.wire.ending()
        assert ending is not None
        assert ending[0] == ErrorCode.ENHANCE_YOUR_CALM
        talk.leave()

    in_loop(test)


def test_what_was_spent_grows_back() -> None:
    now = 0.0
    noise = Noise(lambda: now)
    noise.spend(2_000)
    now = 10.0
    noise.spend(1_000)
    with pytest.raises(BadConnection):
        noise.spend()
    now = 1e6
    noise.spend(2_000)  # and no more than that
    with pytest.raises(BadConnection):
        noise.spend()
