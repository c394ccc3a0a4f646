"""What says less on a live ladder, by the store's own path: owners who meet again, and time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from paddock_ladder.doubt import believed, idled
from paddock_ladder.rating import Rating
from paddock_ladder.update import rate
from paddock_server.basics.identity import stamp_of
from paddock_server.referee.result import SeatResult
from paddock_server.store import ratings, recent, results, store
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from tests.store.ladder import FORMAT, add, shown
from tests.store.ladder import Played as Match
from tests.store.opened import bot, opened, write

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)
HOUR = 3600.0


def owned(database: Database, **owners: str) -> None:
    """Bots of these owners."""
    for name, owner in owners.items():
        write(database, store.add_bot, bot(name, owner=owner))


def meet(database: Database, bots: Sequence[str], ranks: Sequence[int], seconds: float) -> int:
    """A rated match that ended so many seconds after the beginning; its number."""
    number = add(database, Match(bots, ranks, ["1"] * len(bots)))
    record = {
        "format": FORMAT,
        "ended": stamp_of(BEGUN + timedelta(seconds=seconds)),
    }
    how = [
        SeatResult(name, "1", total=40 - rank, rank=rank, forfeit=False, faults=0)
        for name, rank in zip(bots, ranks, strict=True)
    ]
    assert write(database, results.finish, number, record, how, rated=True)
    return number


def ladder_of(database: Database, bots: Sequence[str], days: int) -> None:
    """Some days on which bots of the same strength met by lot."""
    rng = Random(5)
    for day in range(days):
        for at in range(30):
            pair = rng.sample(bots, 2)
            ranks = rng.choice([(1, 2), (2, 1)])
            meet(database, pair, ranks, 24 * HOUR * day + 60.0 * at)


def test_a_pair_that_throws_matches_alone_gains_little(tmp_path: object) -> None:
    names = [f"bot{number}" for number in range(6)]
    with opened(f"{tmp_path}/paddock.db") as database:
        owned(database, **{name: f"owner of {name}" for name in names})
        ladder_of(database, names, days=8)
        before = shown(database)["bot0"].rating
        for at in range(100):
            meet(database, ("bot0", "bot1"), (1, 2), 24 * HOUR * 8 + 300.0 * at)
        after = shown(database)["bot0"].rating
        assert 0 < after.mu - before.mu < 1.5


def test_the_same_owners_count_less_with_whatever_bots_until_a_day_has_passed(place: str) -> None:
    constants = constants_of(FORMAT)
    with opened(place) as database:
        owned(database, a1="ada", a2="ada", b1="bob", b2="bob", c1="cyd")
        meet(database, ("a1", "b1"), (1, 2), 0.0)
        first, _ = rate([constants.first] * 2, [1, 2], constants)
        assert shown(database)["a1"].rating == first
        meet(database, ("a2", "b2"), (1, 2), HOUR)  # other bots, the same owners
        assert shown(database)["a2"].rating == believed(constants.first, first, 1)
        meet(database, ("c1", "b2"), (1, 2), HOUR)
        _, lost = shown(database)["b2"], shown(database)["c1"]
        assert lost.rating.sigma < believed(constants.first, first, 1).sigma  # it is not doubted
        meet(database, ("a2", "b2"), (1, 2), 30 * HOUR)  # yesterday is forgotten
        assert shown(database)["a2"].rating.sigma < believed(constants.first, first, 0).sigma


def test_what_is_kept_beside_the_connection_is_what_is_stored(place: str) -> None:
    """One database is opened anew for every match, one stays open; voiding asks the store."""
    rng = Random(3)
    names = ["a1", "a2", "b1", "c1"]
    plan = [(rng.sample(names, 3), rng.sample([1, 2, 3], 3), 1000.0 * at) for at in range(12)]
    owners = {"a1": "ada", "a2": "ada", "b1": "bob", "c1": "cyd"}
    with opened(place) as database:
        owned(database, **owners)
        numbers = [meet(database, *one) for one in plan]
        straight = shown(database)
    with opened(place) as database:  # all of it again, from what is stored
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database) == straight
        write(database, ratings.void, numbers[4], "a power cut")
        without = shown(database)
        meet(database, *plan[4][:2], 13_000.0)
        last = shown(database)
        assert last != without
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database) == last
    with opened(place) as database:
        after = meet(database, *plan[5][:2], 14_000.0)
        there = shown(database)
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database) == there
        assert after


def test_a_day_is_read_in_pages(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "_CHUNK", 3)
    with opened(f"{tmp_path}/paddock.db") as database:
        for at in range(10):
            meet(database, ("ada", "bob"), (1, 2), 4 * HOUR * at)
        before = shown(database)["ada"].rating
    with opened(f"{tmp_path}/paddock.db") as database:  # which knows nothing of them yet
        meet(database, ("ada", "bob"), (1, 2), 40 * HOUR)
        constants = constants_of(FORMAT)
        ada = shown(database)["ada"].rating
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database)["ada"].rating == ada
        assert ada.mu - before.mu < rate([before] * 2, [1, 2], constants)[0].mu - before.mu


def test_who_has_not_played_for_long_is_less_surely_known(place: str) -> None:
    constants = constants_of(FORMAT)
    month = 30 * 24 * HOUR
    with opened(place) as database:
        meet(database, ("ada", "bob"), (1, 2), 0.0)
        before = [shown(database)[name].rating for name in ("ada", "bob")]
        number = meet(database, ("ada", "cyd"), (1, 2), month)
        (seat, _) = (Rating(*each) for each in _before(database, number))
        assert seat == idled(before[0], month, constants)
        assert seat.sigma > before[0].sigma
        assert shown(database)["bob"].rating == before[1]


def _before(database: Database, number: int) -> list[tuple[float, float]]:
    with database.engine.connect() as connection:
        seats = ratings.seats_of(connection, number)
        return [(seat.mu_before, seat.sigma_before) for seat in seats]
