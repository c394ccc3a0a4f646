"""Streams of events: limited in number, and no reason for a server to stay."""

import http.client
import signal
from collections.abc import Iterator

import pytest

from tests.server.process import CALM, Server, until


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    config = f"{CALM}[limits]\nwatchers = 1\n"
    with Server(tmp_path_factory.mktemp("streams"), config=config) as server:
        yield server


def _follow(server: Server, method: str = "GET") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(server.http, timeout=120)
    connection.request(method, "/events", headers={"Connection": "close"})
    return connection.getresponse()


def test_streams_are_limited_and_end_with_the_server(server: Server) -> None:
    head = _follow(server, "HEAD")
    assert (head.status, head.headers.get_content_type()) == (200, "text/event-stream")
    assert head.read() == b""
    first = _follow(server)
    assert first.status == 200
    assert first.headers["Cache-Control"] == "no-store"
    assert first.readline() == b"retry: 3000\n"
    full = _follow(server)
    assert full.status == 503
    assert b"too many watch" in full.read()
    first.close()

    def room() -> http.client.HTTPResponse | None:
        answer = _follow(server)
        return answer if answer.status == 200 else None

    again: http.client.HTTPResponse = until("room for another", room)
    server.signal(signal.SIGTERM)
    assert again.read().startswith(b"retry: 3000")  # to its end
    assert server.wait() == 0
