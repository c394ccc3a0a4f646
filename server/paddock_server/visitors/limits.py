"""Limits of visitors."""

from typing import NamedTuple


class VisitorLimits(NamedTuple):
    """The limits of visitors, together and by address."""

    share: float = 0.05  # of a core for their requests, and of one for their pages, during play
    worker_share: float = 0.25  # the same of a web worker, during play
    connections: int = 1000  # over HTTP at once
    connections_per_address: int = 300
    pages: int = 64  # that are made at once; a page that is kept already costs nothing
    pages_per_address: int = 16
    queries: int = 64  # over gRPC at once
    queries_per_address: int = 16
    exports: int = 8  # at once
    exports_per_address: int = 2
    watchers_per_address: int = 200  # at once
    request_seconds: float = 10.0  # for a request to arrive as a whole
