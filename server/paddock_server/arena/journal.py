"""The journal: events of all tables, made durable in groups."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from paddock_server.store import results, store
from paddock_server.store.address import reason
from paddock_server.store.rows import RatingChange
from paddock_server.store.writer import Writer

_LOG = logging.getLogger("paddock.journal")
_RETRY_SECONDS = 1.0


class Journal:
    """Collects what the tables write in one turn of the event loop, and writes it at once."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._events: list[tuple[int, int, Mapping[str, Any]]] = []
        self._thens: list[Callable[[Any], None]] = []

    def append(
        self, number: int, position: int, event: Mapping[str, Any], then: Callable[[], None]
    ) -> None:
        """Make an event of a match durable, then say so."""
        if not self._events:
            self._loop.call_soon(self._flush)
        self._events.append((number, position, event))
        self._thens.append(lambda _: then())

    def _flush(self) -> None:
        events, self._events = self._events, []
        thens, self._thens = self._thens, []
        self._submit(lambda connection: store.append(connection, events), thens, sync=False)

    def finish(
        self,
        number: int,
        record: Mapping[str, Any],
        seats: Sequence[Mapping[str, Any]],
        then: Callable[[Sequence[RatingChange]], None],
        *,
        rated: bool,
    ) -> None:
        """Put a record, its result and its ratings on the disk, then say what these became."""

        def do(connection: Connection) -> Sequence[RatingChange]:
            return results.finish(connection, number, record, seats, rated=rated) or ()

        self._submit(do, [then], sync=True)

    def open(
        self, number: int, started: str, opening: Mapping[str, Any], then: Callable[[], None]
    ) -> None:
        """Note that a match is being played, then say so."""
        self._submit(
            lambda connection: store.open_match(connection, number, started, opening),
            [lambda _: then()],
            sync=False,
        )

    def _submit(
        self, do: Callable[[Connection], Any], thens: list[Callable[[Any], None]], *, sync: bool
    ) -> None:
        def done(result: Any, problem: BaseException | None) -> None:
            if problem is None:
                for then in thens:
                    try:
                        then(result)
                    except Exception:  # noqa: BLE001 -- one table's trouble is no other's
                        _LOG.exception("while going on after a write")
                return
            # A full disk is nobody's fault at the table: its matches stand still until it is over.
            _LOG.error("could not write: %s; trying again", reason(problem))
            self._loop.call_later(_RETRY_SECONDS, lambda: self._submit(do, thens, sync=sync))

        self._writer.submit(do, done, sync=sync)
