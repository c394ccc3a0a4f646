"""The end of a match: once, whole, in an order that is kept, and rated by the rule."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from paddock_server.referee.result import SeatResult
from paddock_server.store import pages, ratings, results, store
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from paddock_server.store.rows import JournalRow
from tests.store import finishing
from tests.store.ladder import (
    FORMAT,
    Played,
    add,
    by_hand,
    end_of,
    ended,
    finish,
    played,
    shown,
    some_matches,
)
from tests.store.opened import bot, count, opened, played_match, read, stepped, write

DUEL = Played(("ada", "bob"), (1, 2), ("1", "1"))
BACK = Played(("bob", "ada"), (1, 2), ("1", "1"))


def forfeits(database: Database, name: str) -> int:
    """How many matches in a row a bot forfeited."""
    row = read(database, store.find_bot, name)
    assert row is not None
    return row.forfeits


def test_forfeits_in_a_row_are_counted_with_the_end_of_a_match(place: str) -> None:
    last = Played(("ada", "bob", "rex"), (1, 2, 3), ("1", "1", "1"))  # the third forfeits
    first = Played(("rex", "bob", "ada"), (1, 2, 3), ("1", "1", "1"))
    with opened(place) as database:
        for name in ("ada", "bob", "rex"):
            write(database, store.add_bot, bot(name))
        for match, counted in [(last, (0, 1)), (last, (0, 2)), (first, (1, 0)), (last, (0, 1))]:
            number = add(database, match)
            finish(database, number, match)
            finish(database, number, match)  # again: it counts once
            assert (forfeits(database, "ada"), forfeits(database, "rex")) == counted
            assert forfeits(database, "bob") == 0


def test_a_bot_that_sits_twice_forfeits_a_match_once(place: str) -> None:
    twice = Played(("rex", "rex", "rex"), (3, 3, 1), ("1", "1", "1"))
    with opened(place) as database:
        write(database, store.add_bot, bot("rex"))
        finish(database, add(database, twice), twice, rated=False)
        assert forfeits(database, "rex") == 1


def test_a_rated_match_changes_everything_at_once(place: str) -> None:
    with opened(place) as database:
        number = add(database, DUEL)
        write(database, store.append, [JournalRow(number, 0, stepped(0))])
        changes = finish(database, number, DUEL)
        assert changes is not None
        parameters = constants_of(FORMAT)
        assert [change.before for change in changes] == [parameters.first] * 2
        (match, record) = read(database, store.find_match, "M0")  # type: ignore[misc]
        assert (match.state, match.rated, match.ended) == ("finished", 1, ended(number))
        assert json.loads(record)["format"] == FORMAT
        fairness = json.loads(record)["fairness"]
        assert read(database, store.find_deal, "M0").seed == fairness["seed"]
        seats = read(database, ratings.seats_of, number)
        for seat, change in zip(seats, changes, strict=True):
            assert (seat.mu_before, seat.sigma_before) == change.before
            assert (seat.mu, seat.sigma) == change.after
            assert seat.rated == 1
        assert [(s.total, s.rank, s.faults, s.fallbacks, s.forfeit) for s in seats] == [
            (37, 1, 0, 1, 0), (34, 2, 1, 2, 0),
        ]  # fmt: skip
        assert read(database, count, "journal") == 0
        rows = shown(database)
        assert [rows[bot].rating for bot in ("ada", "bob")] == [c.after for c in changes]


def test_finishing_again_changes_nothing(place: str) -> None:
    with opened(place) as database:
        number = add(database, DUEL)
        first = finish(database, number, DUEL)
        before = shown(database)
        for rated in (True, False):
            assert finish(database, number, BACK, rated=rated) is None
        assert not write(database, results.declare, number, "later", [])
        assert shown(database) == before
        assert first is not None
        assert [seat.mu for seat in read(database, ratings.seats_of, number)] == [
            change.after.mu for change in first
        ]


def test_a_finish_that_fails_leaves_nothing_behind(place: str) -> None:
    """Result and ratings are one transaction."""
    with opened(place) as database:
        number = add(database, DUEL)
        write(database, store.append, [JournalRow(number, 0, stepped(0))])

        def broken(connection: Any) -> None:
            match = played_match(FORMAT, ended="no moment at all")
            how = [SeatResult(bot, "1", 1, 1, forfeit=True, faults=0) for bot in DUEL.bots]
            results.finish(connection, number, match, how, rated=True)

        write(database, store.add_bot, bot("ada"))
        with pytest.raises(ValueError, match="no moment"):
            write(database, broken)
        assert shown(database) == {}
        (left,) = read(database, store.unfinished)
        assert left.events == [stepped(0)]
        assert forfeits(database, "ada") == 0
        assert finish(database, number, DUEL) is not None


def test_unrated_and_declared_matches_change_no_rating(place: str) -> None:
    with opened(place) as database:
        unrated, declared, later = (add(database, DUEL) for _ in range(3))
        assert finish(database, unrated, DUEL, rated=False) == ()
        write(database, store.append, [JournalRow(declared, 0, stepped(0))])
        how = tuple(SeatResult(bot, "", 0, 1, forfeit=False, faults=0) for bot in DUEL.bots)
        assert write(database, results.declare, declared, "2026", how)
        assert not write(database, results.declare, declared, "2027", [])
        assert finish(database, declared, DUEL) is None
        assert shown(database) == {}
        assert read(database, count, "journal") == 0
        (match, record) = read(database, store.find_match, "M1")  # type: ignore[misc]
        assert (match.state, match.results, match.rated, record) == ("declared", how, None, "")
        (seat, _) = read(database, ratings.seats_of, unrated)
        assert (seat.total, seat.rated, seat.mu) == (37, None, None)
        assert finish(database, later, DUEL) is not None
        assert read(database, ratings.count_rated, FORMAT) == 1


def test_the_order_of_rating_is_that_of_the_ends(place: str) -> None:
    with opened(place) as database:
        numbers = [add(database, DUEL) for _ in range(4)]
        for number in (numbers[2], numbers[0], numbers[3]):
            finish(database, number, DUEL)
        rated = read(database, lambda c: list(ratings.rated_matches(c, FORMAT)))
        assert [(match.order, match.number) for match in rated] == [
            (1, numbers[2]), (2, numbers[0]), (3, numbers[3]),
        ]  # fmt: skip


def test_a_seat_knows_the_size_of_its_table(place: str) -> None:
    with opened(place) as database:
        matches = some_matches(12, 7)
        played(database, *matches)
        mine = [match for match in matches if "ada" in match.bots][::-1]
        sizes = [len(match.bots) for match in mine]
        assert len(set(sizes)) > 2
        seats = read(database, pages.last_seats, "ada", 100)
        assert [seat.seats for seat in seats] == sizes
        assert [seat.seat for seat in seats] == [match.bots.index("ada") for match in mine]


def test_an_order_is_given_once(place: str) -> None:
    with opened(place) as database:
        played(database, DUEL, DUEL)
        with pytest.raises(IntegrityError):
            write(database, lambda c: c.exec_driver_sql("UPDATE matches SET rated = 1"))


@pytest.mark.parametrize("seed", [1, 2])
def test_ratings_are_what_the_rule_says(place: str, seed: int) -> None:
    """Versions included: a new one has the last one's mu, and more doubt."""
    matches = some_matches(30, seed)
    with opened(place) as database:
        wanted = by_hand(matches, played(database, *matches))
        found = read(database, lambda c: c.exec_driver_sql(
            "SELECT bot, version, mu, sigma FROM ratings").all())  # fmt: skip
        assert {(bot, version): (mu, sigma) for bot, version, mu, sigma in found} == wanted
        latest = {bot: version for match in matches
                  for bot, version in zip(match.bots, match.versions, strict=True)}  # fmt: skip
        rows = shown(database)
        assert {bot: row.version for bot, row in rows.items()} == latest
        assert {bot: row.rating for bot, row in rows.items()} == {
            bot: wanted[bot, version] for bot, version in latest.items()
        }


def test_a_version_that_comes_back_is_a_new_one(place: str) -> None:
    """Nobody gains by trying many versions and going back to the luckiest."""
    with opened(place) as database:
        new = DUEL._replace(versions=("2", "1"))
        lost = new._replace(ranks=(2, 1))
        numbers = played(database, DUEL, DUEL, new, lost)
        assert shown(database)["ada"].version == "2"
        low = shown(database)["ada"].rating
        again = DUEL._replace(ranks=(1, 1))
        numbers += played(database, again)
        ada = shown(database)["ada"]
        assert (ada.version, ada.totals.matches, ada.totals.points) == ("1", 1, 37)
        wanted = by_hand([DUEL, DUEL, new, lost, again], numbers)
        assert ada.rating == wanted["ada", "1"]
        (row,) = read(database, ratings.history, "ada", FORMAT, None, 1)
        seat = read(database, ratings.seats_of, numbers[-1])[0]
        assert row.rating == ada.rating
        assert seat.mu_before == low.mu  # not what version 1 had
        assert seat.sigma_before > low.sigma


def test_formats_are_ladders_of_their_own(place: str) -> None:
    with opened(place) as database:
        played(database, DUEL, DUEL._replace(format="winter"))
        for name in (FORMAT, "winter"):
            assert shown(database, name)["ada"].totals.matches == 1
        assert len(read(database, ratings.standings)) == 4


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_matches_that_end_together_end_as_one_by_one(place: str, tmp_path: Path, seed: int) -> None:
    """Whatever the groups are: every row of every table is the same."""
    rng = Random(seed)
    matches = some_matches(40, seed, formats=(FORMAT, "winter"))
    rated = [rng.random() < 0.8 for _ in matches]
    with opened(place) as together, opened(tmp_path / "alone.db") as alone:
        for database in (together, alone):
            for name, owner in (("ada", "zoe"), ("bob", "zoe"), ("cleo", "cleo")):
                write(database, store.add_bot, bot(name, owner=owner))  # the others have no row
            for match in matches:
                number = add(database, match)
                write(database, store.append, [JournalRow(number, 0, stepped(0))])
        ends = [
            end_of(number, match, rated=yes)
            for number, (match, yes) in enumerate(zip(matches, rated, strict=True), 1)
        ]
        one_by_one = [write(alone, results.finish_many, [end])[0] for end in ends]
        changes: list[Any] = []
        while len(changes) < len(ends):
            size = rng.randint(1, 15)
            changes += write(together, results.finish_many, ends[len(changes) :][:size])
        assert changes == one_by_one
        for table in ("matches", "seats", "ratings", "bots", "journal"):
            assert read(together, rows, table) == read(alone, rows, table)
        assert write(together, results.finish_many, ends) == [None] * len(ends)
        assert write(together, results.finish_many, []) == []


def rows(connection: Any, table: str) -> list[Any]:
    """All there is in a table."""
    query = f"SELECT * FROM {table} ORDER BY 1, 2, 3"  # noqa: S608
    return [tuple(row) for row in connection.exec_driver_sql(query)]


def test_a_match_ends_once_even_in_a_group(place: str) -> None:
    with opened(place) as database:
        number = add(database, DUEL)
        first, second = end_of(number, DUEL), end_of(number, BACK)
        done = write(database, results.finish_many, [first, second])
        assert done[0] is not None
        assert done[1] is None
        assert [seat.rank for seat in read(database, ratings.seats_of, number)] == [1, 2]
        assert shown(database)["ada"].totals.matches == 1


def test_several_writers_rate_in_one_order(postgresql_place: str) -> None:
    """Two processes end matches of the same bots: the ratings are those of a recompute."""
    with opened(postgresql_place) as database:
        matches = some_matches(60, 5, formats=finishing.FORMATS)
        numbers = [add(database, match) for match in matches]
        shares = [[str(number) for number in numbers[first::2]] for first in range(2)]
        command = [sys.executable, "-m", finishing.__name__, postgresql_place]
        writers = [subprocess.Popen([*command, *share]) for share in shares]
        assert [writer.wait() for writer in writers] == [0, 0]
        orders = read(
            database, lambda c: c.exec_driver_sql("SELECT rated FROM matches").scalars().all()
        )
        assert sorted(orders) == list(range(1, 61))
        for name in finishing.FORMATS:
            stored = {
                (row.bot, row.version): row.rating
                for row in read(database, ratings.standings, name)
            }
            anew = read(database, ratings.rated_anew, name)
            assert stored.items() <= anew.items()
            assert len(stored) == 5
