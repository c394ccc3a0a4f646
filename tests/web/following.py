"""Streams of events, followed without a browser."""

import http.client
import re

from tests.server.process import Server


def follow(
    server: Server, method: str = "GET", address: str = "/events"
) -> http.client.HTTPResponse:
    """A stream, from its first byte on."""
    connection = http.client.HTTPConnection(server.http, timeout=120)
    connection.request(method, address, headers={"Connection": "close"})
    return connection.getresponse()


def stream_of(page: bytes) -> str:
    """The stream that a page follows."""
    address = re.search(rb'data-follow="(/events\?since=[0-9]+)"', page)
    assert address is not None
    return address[1].decode()


def number_of(stream: str) -> int:
    """The number of changes that a stream begins at."""
    return int(stream.rpartition("=")[2])


def first_change(server: Server, stream: str) -> int:
    """The number of the first change that a stream tells of."""
    with follow(server, address=stream) as answer:
        while line := answer.readline():
            if line.startswith(b"data: "):
                return int(line.removeprefix(b"data: "))
    raise AssertionError("the stream is over")


def changes_now(server: Server) -> int:
    """The number of changes that a server has counted."""
    return first_change(server, "/events?since=1")
