"""Tournaments in the store: their states, their matches, and what is left of them to play."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from paddock_ladder.schedules import Correction, Departure, LateEntry, Outcome
from paddock_server.referee.events import Committed, Dealt
from paddock_server.referee.plan import Deal
from paddock_server.referee.result import SeatResult
from paddock_server.store import (
    blocks,
    pages,
    results,
    store,
    tournament_log,
    tournament_matches,
    tournaments,
)
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow, MatchFilter
from paddock_server.store.tournament_file import FileBot, TournamentFile
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournament_matches import PairingRow
from paddock_server.store.tournaments import TournamentRow
from tests.store.ladder import Played, add, finish
from tests.store.opened import begun, count, opened, plan, read, write

FILE = TournamentFile(
    "cup",
    "swiss",
    ("summer", "winter"),
    bots=(FileBot("ada"), FileBot("Zoë", command="node 漢字.js"), FileBot("bob", sample="random")),
    clock={"base": 2},
    rules={"quarantine_may_stay": True},
    rated=False,
)
ROW = TournamentRow("cup", FILE, "running", "2026-11-16T10:00:00.000Z")
DUEL = Played(("ada", "bob"), (1, 2), ("1", "1"))
DECLARED = [
    SeatResult("ada", "", 0, 1, forfeit=False, faults=0),
    SeatResult("bob", "", 0, 2, forfeit=True, faults=0),
]


def of(pairing: str, block: str = "", tournament: str = "cup") -> dict[str, Any]:
    return {"tournament": tournament, "pairing": pairing, "block": block, "round": 2}


def test_a_tournament_comes_back_as_it_was_added(place: str) -> None:
    with opened(place) as database:
        write(database, tournaments.add_tournament, ROW)
        assert read(database, tournaments.find_tournament, "cup") == ROW
        assert read(database, tournaments.find_tournament, "Cup") is None
        with pytest.raises(IntegrityError):
            write(database, tournaments.add_tournament, ROW._replace(started="later"))
        write(database, tournaments.change_tournament, "cup", "done", "2027")
        changed = ROW._replace(state="done", ended="2027")
        assert read(database, tournaments.find_tournament, "cup") == changed
        write(database, tournaments.change_tournament, "cup", "running")
        assert read(database, tournaments.find_tournament, "cup") == ROW


def test_tournaments_come_in_pages_newest_first(place: str) -> None:
    with opened(place) as database:
        rows = [
            ROW._replace(name=name, started=started, state=state)
            for name, started, state in [
                ("d", "2026-3", "running"), ("a", "2026-2", "done"), ("b", "2026-2", "running"),
                ("c", "2026-2", "stopped"), ("e", "2026-1", "running"),
            ]
        ]  # fmt: skip
        for row in reversed(rows):
            write(database, tournaments.add_tournament, row)
        for state in ("", "running", "done"):
            wanted = [row for row in rows if state in {"", row.state}]
            for size in (1, 2, 10):
                found: list[TournamentRow] = []
                while page := read(
                    database,
                    tournaments.list_tournaments,
                    size,
                    (found[-1].started, found[-1].name) if found else None,
                    state,
                ):
                    assert len(page) <= size
                    found += page
                assert found == wanted


def test_a_pairing_is_added_once(place: str) -> None:
    with opened(place) as database:
        add(database, DUEL, **of("p1"))
        with pytest.raises(IntegrityError):
            add(database, DUEL, **of("p1"))
        add(database, DUEL, **of("p1", tournament="other"))
        add(database, DUEL)
        add(database, DUEL)  # of no tournament: as many as you like
        assert read(database, count, "matches") == 4


def test_what_is_over_and_what_is_left(place: str) -> None:
    with opened(place) as database:
        played = add(database, DUEL, **of("p1", "b1"))
        declared = add(database, DUEL, **of("p2", "b1"))
        waiting = add(database, DUEL, **of("p3", "b2"))
        playing = add(database, DUEL, **of("p4", "b2"))
        other = add(database, DUEL, **of("p1", "b1", tournament="other"))
        planned = plan("ada", "bob", **of("p4", "b2"))
        write(database, store.open_match, playing, planned, begun(planned))
        digests = Committed([None, "cc" * 32], ["aa" * 16, None])
        write(database, store.append, [JournalRow(playing, 0, digests)])
        write(database, store.append, [JournalRow(playing, 1, Dealt(["aa" * 16, "bb" * 16]))])
        finish(database, played, DUEL)
        finish(database, other, DUEL)
        write(database, results.declare, declared, "2026", DECLARED)
        finish(database, add(database, DUEL), DUEL)

        assert read(database, tournament_matches.count_over, "cup") == 2
        assert read(database, tournament_matches.count_over, "nothing") == 0
        assert read(database, tournament_matches.count_declared, "cup") == 1
        assert read(database, tournament_matches.outcomes, "cup") == [
            Outcome("p1", "summer", ("ada", "bob"), (1, 2), (37, 34), "b1", 2, False),
            Outcome("p2", "summer", ("ada", "bob"), (1, 2), (0, 0), "b1", 2, True),
        ]
        assert read(database, tournament_matches.pairings, "cup") == [
            PairingRow("p3", "b2", "M2", waiting, "summer", ("ada", "bob"), None),
            PairingRow(
                "p4",
                "b2",
                "M3",
                playing,
                "summer",
                ("ada", "bob"),
                Deal("0f" * 32, ("aa" * 16, "bb" * 16)),
            ),
        ]
        assert read(database, tournament_matches.last_tables, "cup", 9) == [("ada", "bob")] * 4
        assert read(database, tournament_matches.last_tables, "cup", 2) == [("ada", "bob")] * 2
        assert read(database, tournament_matches.last_tables, "nothing", 9) == []
        assert read(database, lambda c: list(tournament_matches.finished_ids(c, "cup"))) == ["M0"]
        assert read(database, blocks.is_over, "cup", "b1", 2)
        assert not read(database, blocks.is_over, "cup", "b1", 3)
        assert not read(database, blocks.is_over, "cup", "b2", 1)
        assert read(database, blocks.first_match, "cup", "b1") == "M0"
        assert read(database, blocks.first_match, "cup", "b2") is None
        for state, wanted in [("", "3210"), ("finished", "0"), ("declared", "1"), ("open", "3")]:
            rows = read(database, store.list_matches, None, 9, MatchFilter(state, tournament="cup"))
            assert [row.id for row in rows] == [f"M{number}" for number in wanted]


def test_changes_and_the_file_come_back_as_they_were(place: str) -> None:
    was = Outcome("p1", "summer", ("ada", "bob"), (1, 2), (37, 34), "b1", 2, False)
    changed = ROW._replace(
        state="stopped",
        changes=(
            LateEntry("zoë", {"summer": 2}),
            Departure("ada", {"summer": 2, "winter": 0}),
            Departure("bob", {}, disqualified=True),
            Correction(was, {"summer": 3}),
        ),
        file=TournamentFile("cup", bots=(FileBot("ada"),)),
    )
    with opened(place) as database:
        write(database, tournaments.add_tournament, ROW)
        write(database, tournaments.save_tournament, changed)
        assert read(database, tournaments.find_tournament, "cup") == changed


def test_a_match_that_is_set_aside_gives_its_key_to_another(place: str) -> None:
    with opened(place) as database:
        first = add(database, DUEL, **of("r1/t1/0", "b1"))
        finish(database, first, DUEL)
        finish(database, add(database, DUEL, **of("r1/t1/01", "b1")), DUEL)
        assert read(database, tournament_matches.rounds_begun, "cup") == {"summer": 2}
        for time in (1, 2):
            write(database, tournament_matches.set_aside, first)
            assert read(database, tournament_matches.count_over, "cup") == 1
            assert [o.key for o in read(database, tournament_matches.outcomes, "cup")] == [
                "r1/t1/01"
            ]
            assert not read(database, blocks.is_over, "cup", "b1", 2)
            again = add(database, DUEL, **of("r1/t1/0", "b1"))
            assert read(database, blocks.first_match, "cup", "b1") == "M0"
            finish(database, again, DUEL)
            assert read(database, blocks.is_over, "cup", "b1", 2)
            row = read(database, store.list_matches, again, 9, MatchFilter(tournament="cup"))[-1]
            assert row.pairing == "r1/t1/0~1"
            first = again
            if time == 2:
                assert read(database, count, "matches") == 4


def test_a_log_is_kept_line_by_line(place: str) -> None:
    lines = [
        LogRow("cup", f"2026-{at}", "organiser", "withdrawal", "ada", "", f"why {at}", at)
        for at in range(1, 6)
    ]
    with opened(place) as database:
        for line in lines:
            write(database, tournament_log.add_log, [line._replace(number=0)])
        write(database, tournament_log.add_log, [lines[0]._replace(tournament="other")])
        assert read(database, tournament_log.list_log, "cup", 99) == lines[::-1]
        assert read(database, tournament_log.list_log, "cup", 2, 4) == [lines[2], lines[1]]
        assert read(database, tournament_log.list_log, "nothing", 9) == []


def test_what_has_not_begun_can_be_forgotten(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_matches, "_CHUNK", 2)
    with opened(place) as database:
        mixed = DUEL._replace(bots=("ada", "cleo"))
        numbers = [add(database, DUEL, **of(f"p{at}")) for at in range(5)]
        kept = [
            add(database, mixed, **of("q")),
            add(database, DUEL),
            add(database, DUEL, **of("r")),
        ]
        planned = plan("ada", "bob", **of("r"))
        write(database, store.open_match, kept[-1], planned, begun(planned))
        write(database, tournament_matches.remove_waiting, "cup", [*numbers, kept[-1]])
        left = read(database, store.list_matches, None, 99)
        assert [row.number for row in left] == kept[::-1]
        assert read(database, count, "seats") == 2 * len(kept)
        write(database, tournament_matches.remove_waiting, "cup")
        assert [row.number for row in read(database, store.list_matches, None, 99)] == kept[:0:-1]
        assert add(database, DUEL._replace(bots=("x", "y")), id="M99", **of("p0")) > max(numbers)


@pytest.mark.parametrize(
    ("look", "arguments"),
    [
        (tournament_matches.count_over, ("cup",)),
        (tournament_matches.outcomes, ("cup",)),
        (tournament_matches.pairings, ("cup",)),
        (tournament_matches.last_tables, ("cup", 9)),
        (blocks.is_over, ("cup", "b", 2)),
        (blocks.first_match, ("cup", "b")),
        (tournament_matches.finished_ids, ("cup",)),
        (store.list_matches, (None, 9, MatchFilter("finished", tournament="cup"))),
        (store.list_matches, (None, 9, MatchFilter(tournament="cup"))),
    ],
)
def test_a_tournament_is_asked_without_a_look_at_other_matches(
    tmp_path: Path, look: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    with opened(tmp_path / "plans.db") as database:
        for plan in plans(database, look, arguments):
            assert "matches_by_tournament (tournament=?" in plan


def plans(database: Database, look: Callable[..., Any], arguments: tuple[Any, ...]) -> list[str]:
    """How SQLite goes about the statements of a query."""
    found: list[str] = []

    def explain(_connection: Any, cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            steps = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            found.append(" ".join(step[3] for step in steps))

    event.listen(database.engine, "before_cursor_execute", explain)
    with database.engine.connect() as connection:
        look(connection, *arguments)
    assert found
    return found


def test_matches_and_bots_of_a_tournament_are_its_own(place: str) -> None:
    with opened(place) as database:
        first = add(database, DUEL, **of("a"))
        elsewhere = add(database, DUEL._replace(bots=("ada", "eve")), **of("b", tournament="other"))
        waiting = add(database, DUEL, **of("c"))
        for number in (first, elsewhere):
            finish(database, number, DUEL)
        found = read(database, tournament_matches.all_matches, "cup")
        assert [key.number for key in found] == [waiting, first]
        assert read(database, tournament_matches.entrants, "cup") == {"ada", "bob"}
        assert read(database, tournament_matches.entrants, "none") == set()
        assert read(database, tournament_matches.all_matches, "none") == []
        everywhere = read(database, pages.last_seats, "ada", 10)
        assert len(everywhere) == 2
        (here,) = read(database, pages.last_seats, "ada", 10, "cup")
        assert here.number == first
