"""The clock of a match: how much time its seats have, for bots and for records."""

from typing import NamedTuple

from paddock_games.field import Field

_MOST_MS = 10**12
_MOST_FAULTS = 10**6


class Clock(NamedTuple):
    """The terms of time: `base_ms` for each decision, and a bank for all overruns together."""

    base_ms: int = 1000
    bank_ms: int = 10_000
    lag_allowance_ms: int = 200  # the most of a decision that is put down to the network
    max_faults: int = 3  # in a row, then the seat forfeits

    @classmethod
    def read(cls, field: Field) -> "Clock":
        """The clock of a record."""
        return cls(
            field.key("base_ms").whole(0, _MOST_MS),
            field.key("bank_ms").whole(0, _MOST_MS),
            field.key("lag_allowance_ms").whole(0, _MOST_MS),
            field.key("max_faults").whole(0, _MOST_FAULTS),
        )
