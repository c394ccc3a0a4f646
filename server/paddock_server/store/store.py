"""Bots, matches and the journal in the store, as plain values. All calls block; see database.py."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, true, tuple_, update

from paddock_server.basics.name import skeleton
from paddock_server.referee.events import Event
from paddock_server.referee.plan import Begun, Deal, Plan
from paddock_server.store.match_json import (
    event_text,
    opening_text,
    read_event,
    read_opening,
    read_results,
)
from paddock_server.store.prepared import Prepared, Written
from paddock_server.store.records import deal_in, unpacked
from paddock_server.store.rows import (
    ALL_MATCHES,
    BotRow,
    JournalRow,
    MatchFilter,
    MatchRow,
    NewMatch,
    Unfinished,
)
from paddock_server.store.schema import BOTS, JOURNAL, MATCHES, SEATS, types_of
from paddock_server.store.tournament_matches import STATE, of_tournament

_MATCH_COLUMNS = (
    MATCHES.c.number,
    MATCHES.c.id,
    MATCHES.c.format,
    MATCHES.c.state,
    MATCHES.c.opening,
    MATCHES.c.started,
    MATCHES.c.ended,
    MATCHES.c.results,
    MATCHES.c.tournament,
    MATCHES.c.pairing,
    MATCHES.c.block,
    MATCHES.c.round,
    MATCHES.c.rated,
    MATCHES.c.void,
)


_BOT = select(*(BOTS.c[name] for name in BotRow._fields))
# Statements that every match executes are compiled once.
_OPEN = Prepared(
    update(MATCHES)
    .where(MATCHES.c.number == bindparam("of"))
    .values({name: bindparam(f"new_{name}") for name in ("state", "started", "opening")})
)
_ADD = insert(MATCHES)
# A write that is tried again although it succeeded must change nothing.
_APPEND = Written(
    "INSERT INTO journal (match, position, event) {all} ON CONFLICT DO NOTHING",
    types_of(JOURNAL, "match", "position", "event"),
)


# --- bots -----------------------------------------------------------------------------------


def add_bot(connection: Connection, bot: BotRow) -> bool:
    """Add a bot; False if its name, or one that looks like it, is taken."""
    if find_alike(connection, bot.name) is not None:
        return False
    shape = skeleton(bot.name)
    values = {**bot._asdict(), "formats": json.dumps(bot.formats), "skeleton": shape}
    connection.execute(insert(BOTS), values)
    return True


def find_alike(connection: Connection, name: str) -> str | None:
    """The name of the bot that has this name or one that looks like it, if there is one."""
    alike = (BOTS.c.name == name) | (BOTS.c.skeleton == skeleton(name))
    query = select(BOTS.c.name).where(alike).order_by((BOTS.c.name == name).desc())
    found: str | None = connection.execute(query).scalars().first()
    return found


def change_bot(connection: Connection, name: str, **values: Any) -> bool:
    """Set columns of a bot; False if there is no bot of this name."""
    if "formats" in values:
        values["formats"] = json.dumps(values["formats"])
    return connection.execute(update(BOTS).where(BOTS.c.name == name), values).rowcount == 1


def remove_bot(connection: Connection, name: str) -> bool:
    """Remove a bot, but not its matches; False if there is no bot of this name."""
    return connection.execute(delete(BOTS).where(BOTS.c.name == name)).rowcount == 1


def find_bot(connection: Connection, name: str) -> BotRow | None:
    """The bot of this name, if there is one."""
    row = connection.execute(_BOT.where(BOTS.c.name == name)).one_or_none()
    return _bot(row) if row else None


def knows_bot(connection: Connection, name: str) -> bool:
    """Whether there is a bot of this name, or was one that played."""
    if find_bot(connection, name) is not None:
        return True
    query = select(SEATS.c.match).where(SEATS.c.bot == name).limit(1)
    return connection.execute(query).first() is not None


def has_token(connection: Connection, token_hash: bytes) -> bool:
    """Whether this is the token of any bot."""
    query = select(BOTS.c.name).where(BOTS.c.token_hash == token_hash).limit(1)
    return connection.execute(query).first() is not None


def bot_of_token(connection: Connection, token_hash: bytes) -> BotRow | None:
    """The bot whose token has this hash, if there is one."""
    row = connection.execute(_BOT.where(BOTS.c.token_hash == token_hash).limit(1)).one_or_none()
    return _bot(row) if row else None


def list_bots(connection: Connection, after: str, limit: int) -> list[BotRow]:
    """The bots after this name, in the order of their names."""
    query = _BOT.where(BOTS.c.name > after).order_by(BOTS.c.name).limit(limit)
    return [_bot(row) for row in connection.execute(query)]


def _bot(row: Any) -> BotRow:
    values = row._asdict()
    return BotRow(**{**values, "formats": tuple(json.loads(values["formats"]))})


# --- matches --------------------------------------------------------------------------------


def add_matches(connection: Connection, matches: Sequence[NewMatch]) -> list[int]:
    """Add matches that wait for their bots; the numbers that they got, in order."""
    numbers = []
    seats: list[dict[str, Any]] = []
    for match in matches:
        plan = match.plan
        inserted = connection.execute(
            _ADD,
            {
                "id": match.id,
                "format": plan.format,
                "state": "waiting",
                "opening": opening_text(plan, match.begun),
                "tournament": plan.tournament,
                "pairing": plan.pairing,
                "block": plan.block,
                "round": plan.round,
            },
        )
        number = inserted.inserted_primary_key[0] if inserted.inserted_primary_key else 0
        numbers.append(number)
        seats += [
            {"match": number, "seat": seat, "bot": bot, "format": plan.format}
            for seat, bot in enumerate(plan.bots)
        ]
    if seats:
        connection.execute(insert(SEATS), seats)
    return numbers


def open_match(connection: Connection, number: int, plan: Plan, begun: Begun) -> None:
    """Store that a match has begun."""
    text = opening_text(plan, begun)
    values = {"new_state": "open", "new_started": begun.started, "new_opening": text}
    _OPEN.run(connection, {**values, "of": number})


def append(connection: Connection, events: Sequence[JournalRow]) -> None:
    """Journal events of open matches."""
    rows = [(row.number, row.position, event_text(row.event)) for row in events]
    _APPEND.run_many(connection, rows)


def close_gaps(connection: Connection, only: int | None = None) -> None:
    """Delete journal events behind a gap, so that each open match goes on from the events before.

    The crash of a database server can lose unsynced events, while later ones are stored. With
    `only`, just the match of this number is looked at.
    """
    looked_at = JOURNAL.c.match == only if only is not None else true()
    place = func.row_number().over(partition_by=JOURNAL.c.match, order_by=JOURNAL.c.position)
    numbered = select(JOURNAL.c.match, JOURNAL.c.position, place.label("place"))
    placed = numbered.where(looked_at).subquery()
    behind = select(placed.c.match, placed.c.position).where(
        placed.c.position != placed.c.place - 1
    )
    key = tuple_(JOURNAL.c.match, JOURNAL.c.position)
    connection.execute(delete(JOURNAL).where(key.in_(behind)))
    kept = select(MATCHES.c.number).where(MATCHES.c.state.in_(("open", "stuck")))
    connection.execute(delete(JOURNAL).where(looked_at, JOURNAL.c.match.not_in(kept)))


def unfinished(connection: Connection, only: int | None = None) -> list[Unfinished]:
    """The matches that wait or are open, the oldest first, each with its journal.

    With `only`, just the match of this number.
    """
    alive = MATCHES.c.state.in_(("waiting", "open"))
    query = select(*_MATCH_COLUMNS).where(alive).order_by(MATCHES.c.number)
    journal = select(JOURNAL).order_by(JOURNAL.c.match, JOURNAL.c.position)
    if only is not None:
        query = query.where(MATCHES.c.number == only)
        journal = journal.where(JOURNAL.c.match == only)
    rows = [_match(row) for row in connection.execute(query)]
    events: dict[int, list[Event]] = {row.number: [] for row in rows}
    for number, _, text in connection.execute(journal):
        if number in events:  # not a stuck match's
            events[number].append(read_event(text))
    return [Unfinished(row, events[row.number]) for row in rows]


def list_matches(
    connection: Connection,
    before: int | None,
    limit: int,
    wanted: MatchFilter = ALL_MATCHES,
) -> list[MatchRow]:
    """The matches that a filter wants and that are before this number, the newest first."""
    state, bot, format_name, tournament = wanted
    query = select(*_MATCH_COLUMNS).order_by(MATCHES.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(MATCHES.c.number < before)
    if state:
        query = query.where((STATE if tournament else MATCHES.c.state) == state)
    if format_name:
        query = query.where(MATCHES.c.format == format_name)
    if tournament:
        query = query.where(of_tournament(tournament))
    if bot:  # along the bot's own seats; house bots may have several at a table
        mine = select(SEATS.c.match).where(SEATS.c.bot == bot).distinct()
        if before is not None:
            mine = mine.where(SEATS.c.match < before)
        if not state and not tournament:
            mine = mine.order_by(SEATS.c.match.desc()).limit(limit)
            mine = mine.where(SEATS.c.format == format_name) if format_name else mine
        query = query.where(MATCHES.c.number.in_(mine))
    return [_match(row) for row in connection.execute(query)]


def list_records(
    connection: Connection,
    after: int,
    limit: int,
    wanted: MatchFilter = ALL_MATCHES,
) -> list[tuple[MatchRow, str]]:
    """The finished matches after this number and their records as JSON, the oldest first.

    The state in the filter is ignored, because only finished matches have a record.
    """
    _, bot, format_name, tournament = wanted
    query = (
        select(*_MATCH_COLUMNS, MATCHES.c.record)
        .where(MATCHES.c.number > after, MATCHES.c.state == "finished")
        .order_by(MATCHES.c.number)
        .limit(limit)
    )
    if format_name:
        query = query.where(MATCHES.c.format == format_name)
    if tournament:
        query = query.where(MATCHES.c.tournament == tournament)
    if bot:
        mine = select(SEATS.c.match).where(SEATS.c.bot == bot, SEATS.c.match > after)
        query = query.where(MATCHES.c.number.in_(mine))
    return [(_match(row), unpacked(row.record)) for row in connection.execute(query)]


def find_match(connection: Connection, match_id: str) -> tuple[MatchRow, str] | None:
    """The match of this id and its record as JSON, which is empty before the end."""
    query = select(*_MATCH_COLUMNS, MATCHES.c.record).where(MATCHES.c.id == match_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else (_match(row), unpacked(row.record))


def match_of_number(connection: Connection, number: int) -> MatchRow | None:
    """The match of this number; None where there is none."""
    query = select(*_MATCH_COLUMNS).where(MATCHES.c.number == number)
    row = connection.execute(query).one_or_none()
    return None if row is None else _match(row)


def find_deal(connection: Connection, match_id: str) -> Deal:
    """The deal of a finished match."""
    query = select(MATCHES.c.record).where(MATCHES.c.id == match_id)
    return deal_in(connection.execute(query).scalar_one())


def _match(row: Any) -> MatchRow:
    values = row._asdict()
    values.pop("record", None)
    plan, begun = read_opening(values.pop("opening"))
    values["results"] = read_results(values["results"], plan.bots, begun)
    return MatchRow(plan=plan, begun=begun, **values)
