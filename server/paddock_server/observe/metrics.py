"""Prometheus metrics, one object per server, so that one process can run several servers."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Spread:
    """A histogram for one thread: it takes several values at a time, without locks."""

    def __init__(self, name: str, description: str) -> None:
        self._name = name
        self._description = description
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: Sequence[float]) -> None:
        """Count values."""
        for value in seconds:
            self._counts[bisect_left(_SECONDS, value)] += 1
        self._sum += sum(seconds)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """The histogram for Prometheus."""
        bounds = (*map(str, _SECONDS), "+Inf")
        counts = zip(bounds, accumulate(self._counts), strict=True)
        yield HistogramMetricFamily(self._name, self._description, list(counts), self._sum)


class Metrics:
    """The metrics of a server."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.sessions = Gauge("paddock_sessions", "Connected bots.", registry=registry)
        self.open_matches = Gauge("paddock_open_matches", "Matches under way.", registry=registry)
        self.waiting_matches = Gauge(
            "paddock_waiting_matches", "Matches that wait for their bots.", registry=registry
        )
        self.stuck_matches = Gauge(
            "paddock_stuck_matches", "Matches that were set aside.", registry=registry
        )
        self.matches = Counter("paddock_matches", "Finished matches.", registry=registry)
        self.asks = Counter("paddock_asks", "Decisions asked for.", registry=registry)
        self.faults = Counter(
            "paddock_faults", "Decisions that the referee made.", ["kind"], registry=registry
        )
        self.fallbacks = Counter(
            "paddock_fallbacks",
            "Decisions that a client made instead of its bot.",
            registry=registry,
        )
        self.late_nonces = Counter(
            "paddock_late_nonces",
            "Nonces that connected bots announced and did not send in time.",
            registry=registry,
        )
        self.answer_seconds = Spread("paddock_answer_seconds", "From an ask to its answer.")
        registry.register(self.answer_seconds)
        self.loop_lag_seconds = Gauge(
            "paddock_loop_lag_seconds", "How late the event loop was last.", registry=registry
        )
        self.write_queue = Gauge(
            "paddock_write_queue", "Pieces of work that wait for the disk.", registry=registry
        )
        self.unread_items = Gauge(
            "paddock_unread_items", "Items that wait for bots to read.", registry=registry
        )
        self.nodes = Gauge(
            "paddock_nodes", "Nodes of the cluster that this node sees.", registry=registry
        )
        self.steward = Gauge(
            "paddock_steward", "Whether this node is the steward of a cluster.", registry=registry
        )
        self.takeups = Counter(
            "paddock_takeups", "Matches taken up from nodes that are gone.", registry=registry
        )
        self.refusals = Counter(
            "paddock_refusals",
            "Streams that were refused or closed.",
            ["reason"],
            registry=registry,
        )

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
