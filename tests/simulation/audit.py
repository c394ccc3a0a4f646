"""The audit of a simulated world: what must be true at its end, whatever happened."""

import json
from collections.abc import Iterator, Sequence

from paddock_server.store import store
from paddock_server.store.database import Database
from tests.audit import stored_problems
from tests.simulation.bots import SimulatedBot


def problems(database: Database, bots: Sequence[SimulatedBot]) -> Iterator[str]:
    """Every promise that was broken, as a sentence; the ladders are rated again on the way."""
    honest = {bot.label for bot in bots if bot.kind.honest}
    clumsy = {bot.label for bot in bots if bot.kind.fails}
    yield from stored_problems(database, honest, clumsy)
    yield from _told_otherwise(database, bots)
    yield from _asked_twice(bots)


def _told_otherwise(database: Database, bots: Sequence[SimulatedBot]) -> Iterator[str]:
    """Results that a bot heard and that are not the stored ones."""
    records = database.look(store.list_records, 0, 1_000_000)
    stored = {row.id: json.loads(text) for row, text in records}
    for bot in bots:
        for ended in bot.ended_matches.values():
            record = stored.get(ended.match_id)
            if record is None:
                yield f"{bot.label} heard the end of {ended.match_id}, which is not stored"
            elif (record["totals"], record["ranks"]) != (list(ended.totals), list(ended.ranks)):
                yield f"{bot.label} heard another result of {ended.match_id} than was stored"


def _asked_twice(bots: Sequence[SimulatedBot]) -> Iterator[str]:
    """Asks whose id came back with another view."""
    for bot in bots:
        for ask_id, views in bot.views.items():
            if len(views) > 1:
                yield f"{bot.label} was asked {ask_id} with {len(views)} views"
