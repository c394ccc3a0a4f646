"""Streams of events: limited in number, without gaps, and no reason for a server to stay."""

import http.client
import signal
from collections.abc import Iterator

import pytest

from tests.server.process import CALM, Server, until
from tests.web.following import changes_now, first_change, follow, number_of, stream_of
from tests.web.played import Played
from tests.web.table import patient_table
from tests.web.test_pages import get

FOLLOWING = (
    "/", "/ladder", "/ladder/two-player/calibration", "/live", "/tournaments", "/bots/rex",
)  # fmt: skip


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    config = f"{CALM}[limits]\nwatchers = 1\n"
    with Server(tmp_path_factory.mktemp("streams"), config=config) as server:
        yield server


def test_a_stream_begins_where_its_page_was_made(played: Played) -> None:
    streams = {address: stream_of(get(played, address).body) for address in FOLLOWING}
    with patient_table(played.server) as table:
        while table.step():  # a match begins and ends before anybody follows
            pass
    for address, stream in streams.items():
        latest = first_change(played.server, stream)
        assert latest > number_of(stream)

        def complete(address: str = address, latest: int = latest) -> bool:
            return number_of(stream_of(get(played, address).body)) >= latest

        until(f"{address} has all of it", complete)


def test_a_number_that_another_server_counted_is_a_change(played: Played) -> None:
    now = changes_now(played.server)
    assert first_change(played.server, f"/events?since={2**53 - 1}") == now > 1


def test_streams_are_limited_and_end_with_the_server(server: Server) -> None:
    head = follow(server, "HEAD")
    assert (head.status, head.headers.get_content_type()) == (200, "text/event-stream")
    assert head.read() == b""
    first = follow(server)
    assert first.status == 200
    assert first.headers["Cache-Control"] == "no-store"
    assert first.readline() == b"retry: 3000\n"
    full = follow(server)
    assert full.status == 503
    assert b"too many watch" in full.read()
    first.close()

    def room() -> http.client.HTTPResponse | None:
        answer = follow(server)
        if answer.status == 200:
            return answer
        answer.close()
        return None

    again: http.client.HTTPResponse = until("room for another", room)
    server.signal(signal.SIGTERM)
    assert again.read().startswith(b"retry: 3000")  # to its end
    assert server.wait() == 0
