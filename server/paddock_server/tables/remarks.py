"""Remarks on a match under way: its metrics and its log lines."""

import logging
from collections.abc import Sequence
from typing import Any

from paddock_games import Match, Step
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.commands import Fault

_LOG = logging.getLogger("paddock.table")


class Remarks:
    """The metrics and the log of one table."""

    def __init__(self, metrics: Metrics, match: Match) -> None:
        self._metrics = metrics
        self._match = match
        self._fell_back: set[int] = set()  # seats whose first fallback was logged

    def asked(self, count: int) -> None:
        """Count asks."""
        self._metrics.asks.inc(count)

    def stepped(self, step: Step) -> None:
        """Count the answers and the fallbacks of a step, and log the first fallback of a seat."""
        timings = step.timings
        self._metrics.answer_seconds.observe([timing.ms / 1000 for timing in timings.values()])
        for seat, timing in timings.items():
            if timing.fallback is not None:
                self._metrics.fallbacks.inc()
                if seat not in self._fell_back:  # a broken bot has one per decision
                    self._fell_back.add(seat)
                    _LOG.warning("fallback: %s", timing.fallback, extra=self._who(seat))

    def faulted(self, fault: Fault) -> None:
        """Count and log a fault."""
        forfeits = ", the seat forfeits" if fault.forfeits else ""
        _LOG.warning("fault %s%s", fault.kind, forfeits, extra=self._who(fault.seat))
        self._metrics.faults.labels(fault.kind).inc()

    def late(self, seats: Sequence[int]) -> None:
        """Count and log the connected seats whose nonce did not come in time."""
        for seat in seats:
            _LOG.warning("nonce late: zeros are dealt", extra=self._who(seat))
            self._metrics.late_nonces.inc()

    def _who(self, seat: int) -> dict[str, Any]:
        return {"match": self._match.id, "bot": self._match.seats[seat].bot, "seat": seat}
