"""Prometheus metrics, one object a server, so that several can live in one process."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What a server counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        made = self.registry
        self.sessions = Gauge("paddock_sessions", "Connected bots.", registry=made)
        self.open_matches = Gauge("paddock_open_matches", "Matches under way.", registry=made)
        self.waiting_matches = Gauge(
            "paddock_waiting_matches", "Matches that wait for their bots.", registry=made
        )
        self.matches = Counter("paddock_matches", "Finished matches.", registry=made)
        self.asks = Counter("paddock_asks", "Decisions asked for.", registry=made)
        self.faults = Counter(
            "paddock_faults", "Decisions that the referee made.", ["kind"], registry=made
        )
        self.answer_seconds = Histogram(
            "paddock_answer_seconds",
            "From an ask to its answer.",
            buckets=_SECONDS,
            registry=made,
        )
        self.loop_lag_seconds = Gauge(
            "paddock_loop_lag_seconds", "How late the event loop was last.", registry=made
        )
        self.write_queue = Gauge(
            "paddock_write_queue", "Pieces of work that wait for the disk.", registry=made
        )
        self.unread_items = Gauge(
            "paddock_unread_items", "Items that wait for bots to read.", registry=made
        )
        self.refusals = Counter(
            "paddock_refusals", "Streams that were refused or closed.", ["reason"], registry=made
        )

    def text(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self.registry)
