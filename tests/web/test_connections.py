"""Connections of visitors: as many as allowed, and none that is held open by saying nothing."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.process import CALM, Server, until
from tests.web.following import follow

CONFIG = f"""{CALM}
[limits]
watchers = 4
[visitors]
connections = 9
request_seconds = 600.0
connections_per_address = 3
watchers_per_address = 2
"""
HASTY = f"{CALM}[visitors]\nrequest_seconds = 0.5\n"
OTHER = "127.0.0.2"  # no proxy is there


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("hasty"), config=HASTY) as server:
        yield server
        assert "Traceback" not in server.said()


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("connections"), config=CONFIG) as server:
        yield server
        assert "Traceback" not in server.said()


def connect(server: Server, source: str = "127.0.0.1") -> socket.socket:
    host, _, port = server.http.rpartition(":")
    return socket.create_connection((host, int(port)), 60, (source, 0))


def whole(line: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    said = b""
    while more := line.recv(65536):
        said += more
    return said


@pytest.mark.parametrize(
    "half", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ye"]
)
def test_a_request_that_never_arrives_is_given_up(hasty: Server, half: bytes) -> None:
    with connect(hasty) as line:
        line.sendall(half)
        said = whole(line)  # to its end, which is the point
    assert said.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b"the request did not arrive as a whole" in said


def test_a_body_that_never_arrives_is_given_up(hasty: Server) -> None:
    with connect(hasty) as line:
        line.sendall(b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbody")
        assert whole(line).startswith(b"HTTP/1.1 405 ")


def test_a_second_request_that_never_arrives_is_given_up(hasty: Server) -> None:
    with connect(hasty) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /hea")
        said = whole(line)
    assert said.startswith(b"HTTP/1.1 200 ")
    assert said.count(b"HTTP/1.1") == 1


def test_connections_are_limited_by_address_and_together(server: Server) -> None:
    with ExitStack() as lines:
        for _ in range(3):
            lines.enter_context(connect(server, OTHER))
        with _ask(server, (OTHER, 0)) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (429, "2")
            assert b"too many connections from your address at once" in answer.read()
        for _ in range(6):  # a proxy on this machine stands for many
            lines.enter_context(connect(server))
        with _ask(server) as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
            assert b"the server has too many connections at once" in answer.read()
    assert until("room again", lambda: _health(server) == 200)


def _ask(server: Server, source: tuple[str, int] | None = None) -> http.client.HTTPResponse:
    """An answer on a connection of its own, which ends when the answer is closed."""
    line = http.client.HTTPConnection(server.http, timeout=60, source_address=source)
    line.request("GET", "/health", headers={"Connection": "close"})
    return line.getresponse()


def _health(server: Server) -> int:
    with _ask(server) as answer:
        return answer.status


def test_watchers_are_limited_by_address(server: Server) -> None:
    streams = [follow(server) for _ in range(2)]
    assert [stream.status for stream in streams] == [200, 200]
    for stream in streams:
        assert stream.readline() == b"retry: 3000\n"  # it counts from here on
    refused = follow(server)
    assert (refused.status, refused.headers["Retry-After"]) == (429, "2")
    assert b"too many watchers from your address at once" in refused.read()
    for stream in streams:
        stream.close()
