"""Matches in the store: they wait, are played, are journalled, and are finished exactly once."""

import json
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from paddock_games import write_record
from paddock_server.referee.events import Dealt, Event
from paddock_server.referee.result import SeatResult
from paddock_server.store import results as results_
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow, MatchFilter, MatchRow
from tests.store.opened import (
    begun,
    count,
    new_match,
    opened,
    plan,
    played_match,
    read,
    stepped,
    write,
)

PLAYED = played_match(ended="2026-11-15T12:00:01.250Z")
RESULTS = tuple(
    SeatResult(bot, "1", total=12 - seat, rank=seat + 1, forfeit=seat > 1, faults=seat, fallbacks=1)
    for seat, bot in enumerate(("rex", "ada", "bob"))
)


def add(database: Database, *ids: str) -> list[int]:
    return write(database, store.add_matches, [new_match(name) for name in ids])


def finish(database: Database, number: int, played: Any = PLAYED, results: Any = RESULTS) -> bool:
    return write(database, results_.finish, number, played, results, rated=False) is not None


def test_a_match_waits_is_opened_and_is_finished(place: str) -> None:
    with opened(place) as database:
        (number,) = add(database, "M1")
        waiting = MatchRow(
            number, "M1", "summer", "waiting", plan=plan(), begun=None, started="", ended="",
            results=(),
        )  # fmt: skip
        assert read(database, store.find_match, "M1") == (waiting, "")
        started = "2026-11-15T12:00:00.000Z"
        opening = begun(plan(), started, version="1")
        write(database, store.open_match, number, plan(), opening)
        row = waiting._replace(state="open", begun=opening, started=started)
        assert read(database, store.find_match, "M1") == (row, "")
        assert finish(database, number)
        found = read(database, store.find_match, "M1")
        assert found is not None
        assert found[0] == row._replace(state="finished", ended=PLAYED.match.ended, results=RESULTS)
        assert json.loads(found[1]) == write_record(*PLAYED)
        assert read(database, store.find_match, "M2") is None


def test_numbers_come_in_order_and_are_never_given_twice(place: str) -> None:
    given: list[int] = []
    for life in range(3):
        with opened(place) as database:
            given += add(database, *[f"M{life}-{i}" for i in range(4)])
            for table in ("matches", "seats"):  # not even when all of them are gone
                write(database, lambda c, t=table: c.exec_driver_sql(f"DELETE FROM {t}"))  # noqa: S608
    assert given == sorted(set(given))
    assert given[0] >= 1  # 0 would make an ask id of 0
    assert len(given) == 12


def test_an_id_is_taken_once(place: str) -> None:
    with opened(place) as database:
        add(database, "M1")
        with pytest.raises(IntegrityError):
            add(database, "M2", "M1")
        # All of them or none.
        assert [row.id for row in read(database, store.list_matches, None, 10)] == ["M1"]
        assert read(database, count, "seats") == 3


def test_the_journal_gives_back_what_it_was_given_in_order(place: str) -> None:
    events: list[Event] = [Dealt(["00" * 16, "ff" * 16]), *map(stepped, range(19))]
    with opened(place) as database:
        one, other, idle = add(database, "M1", "M2", "M3")
        for position in reversed(range(20)):  # whatever order they arrive in
            write(
                database,
                store.append,
                [
                    JournalRow(one, position, events[position]),
                    JournalRow(other, position, events[19 - position]),
                ],
            )
        assert [(left.row.number, left.events) for left in read(database, store.unfinished)] == [
            (one, events),
            (other, events[::-1]),
            (idle, []),
        ]


def test_an_event_is_journalled_once(place: str) -> None:
    with opened(place) as database:
        (number,) = add(database, "M1")
        write(database, store.append, [JournalRow(number, 0, stepped(7))])
        again = [JournalRow(number, 0, stepped(8)), JournalRow(number, 1, stepped(9))]
        write(database, store.append, again)
        (left,) = read(database, store.unfinished)
        assert left.events == [stepped(7), stepped(9)]


def test_a_match_is_finished_once(place: str) -> None:
    with opened(place) as database:
        one, other = add(database, "M1", "M2")
        rows = [JournalRow(one, 0, stepped(0)), JournalRow(other, 0, stepped(0))]
        write(database, store.append, rows)
        assert finish(database, one)
        first = read(database, store.find_match, "M1")
        for _ in range(2):
            assert not finish(database, one, played_match(ended="later"), [])
        assert read(database, store.find_match, "M1") == first
        assert not finish(database, 999)
        # Its journal is gone, the other's is not.
        assert read(database, count, "journal") == 1
        assert [left.row.id for left in read(database, store.unfinished)] == ["M2"]


def test_what_is_left_after_a_restart_is_what_was_not_finished(place: str) -> None:
    with opened(place) as database:
        waiting, playing, done = add(database, "M1", "M2", "M3")
        for number in (playing, done):
            write(database, store.open_match, number, plan(), begun(plan()))
            write(database, store.append, [JournalRow(number, 0, stepped(number))])
        finish(database, done)
    with opened(place) as database:
        left = read(database, store.unfinished)
        assert [(row.number, row.state, row.plan, row.begun) for row, _ in left] == [
            (waiting, "waiting", plan(), None),
            (playing, "open", plan(), begun(plan())),
        ]
        assert [events for _, events in left] == [[], [stepped(playing)]]


def test_lists_are_filtered_by_state_and_bot_and_come_in_pages(place: str) -> None:
    with opened(place) as database:
        players = [("a", "b"), ("b", "c"), ("a", "a"), ("c", "d"), ("a", "d"), ("b", "a")]
        new = [new_match(f"M{i}", *bots) for i, bots in enumerate(players)]
        numbers = write(database, store.add_matches, new)
        for number, match in zip(numbers[:4], new, strict=False):
            write(database, store.open_match, number, match.plan, begun(match.plan))
        for number in numbers[:2]:
            finish(database, number, results=RESULTS[:2])
        states = ["finished", "finished", "open", "open", "waiting", "waiting"]

        for state in ("", "waiting", "open", "finished", "unheard of"):
            for bot in ("", "a", "b", "c", "d", "nobody"):
                expected = [
                    f"M{i}"
                    for i in reversed(range(6))
                    if state in {"", states[i]} and (not bot or bot in players[i])
                ]
                for size in (1, 2, 10):
                    found: list[MatchRow] = []
                    while page := read(
                        database,
                        store.list_matches,
                        found[-1].number if found else None,
                        size,
                        MatchFilter(state, bot),
                    ):
                        assert len(page) <= size
                        found += page
                    assert [row.id for row in found] == expected
