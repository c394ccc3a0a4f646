"""The visitors of a server: the gate, their admission and their thread."""

from collections.abc import Callable
from typing import Final

from paddock_server.visitors.admission import Admission, Kind, Most
from paddock_server.visitors.gate import Gate
from paddock_server.visitors.limits import VisitorLimits
from paddock_server.visitors.pool import Pool
from paddock_server.visitors.share import Share

_LOOP_BURST: Final = 0.01  # seconds in which the event loop hears of nothing else
_POOL_BURST: Final = 0.2  # seconds of pages for somebody who looks at some and then reads


class Visitors:
    """The visitors of a server, over HTTP and gRPC together."""

    def __init__(self, limits: VisitorLimits, watchers: int, playing: Callable[[], bool]) -> None:
        self.limits = limits
        self.gate = Gate(
            Share(limits.share, _LOOP_BURST, playing),
            Most(limits.connections, limits.connections_per_address),
        )
        self.pool = Pool(Share(limits.share, _POOL_BURST, playing))
        self.admission = Admission(
            {
                Kind.PAGE: Most(limits.pages, limits.pages_per_address),
                Kind.QUERY: Most(limits.queries, limits.queries_per_address),
                Kind.EXPORT: Most(limits.exports, limits.exports_per_address),
                Kind.WATCH: Most(watchers, limits.watchers_per_address),
            }
        )

    def close(self) -> None:
        """Refuse all who wait, and end their thread."""
        self.gate.close()
        self.pool.close()
