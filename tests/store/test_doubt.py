"""Doubt on a live ladder, by the store's own path: surprises by one owner, and time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from paddock_ladder.doubt import REMEMBERED, Showing, believed, idled, surprise
from paddock_ladder.rating import Rating
from paddock_ladder.update import rate
from paddock_server.basics.identity import stamp_of
from paddock_server.referee.result import SeatResult
from paddock_server.store import ratings, results, store
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from tests.store.ladder import FORMAT, add, shown
from tests.store.ladder import Played as Match
from tests.store.opened import bot, opened, played_match, write

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)
HOUR = 3600.0
SUMMER = constants_of(FORMAT)


def owned(database: Database, **owners: str) -> None:
    """Bots of these owners."""
    for name, owner in owners.items():
        write(database, store.add_bot, bot(name, owner=owner))


def meet(database: Database, bots: Sequence[str], ranks: Sequence[int], seconds: float) -> int:
    """A rated match that ended so many seconds after the beginning; its number."""
    number = add(database, Match(bots, ranks, ["1"] * len(bots)))
    ended = stamp_of(BEGUN + timedelta(seconds=seconds))
    played = played_match(FORMAT, ended=ended)
    how = [
        SeatResult(name, "1", total=40 - rank, rank=rank, forfeit=False, faults=0)
        for name, rank in zip(bots, ranks, strict=True)
    ]
    assert write(database, results.finish, number, played, how, rated=True)
    return number


def settled(database: Database, bots: Sequence[str], sigma: float) -> float:
    """Bots of the same strength meet by lot until the first is as sure as this; when
    that was, in seconds."""
    rng = Random(5)
    seconds = 0.0
    while not shown(database) or shown(database)[bots[0]].rating.sigma > sigma:
        for one, other in zip(*[iter(rng.sample(bots, len(bots)))] * 2, strict=True):
            meet(database, (one, other), rng.choice([(1, 2), (2, 1)]), seconds)
            seconds += 600.0
    return seconds


@pytest.mark.parametrize("sigma", [1.5, 1.76, 2.2, 3.0])
def test_a_pair_that_throws_matches_for_a_week_gains_little(tmp_path: object, sigma: float) -> None:
    """Fifteen thrown matches per day; every day two of the others meet."""
    names = [f"bot{number}" for number in range(6)]
    rng = Random(6)
    with opened(f"{tmp_path}/paddock.db") as database:
        owned(database, **{name: f"owner of {name}" for name in names})
        begun = settled(database, names, sigma)
        before = shown(database)["bot0"].rating
        most = 0.0
        for number in range(100):
            seconds = begun + 24 * HOUR * (number // 15) + 300.0 * (number % 15)
            meet(database, ("bot0", "bot1"), (1, 2), seconds)
            most = max(most, shown(database)["bot0"].rating.mu - before.mu)
            if number % 15 == 14:
                pair = rng.sample(names[2:], 2)
                meet(database, pair, rng.choice([(1, 2), (2, 1)]), seconds + 300.0)
        assert 0 < most < 1.5


def test_bots_of_one_owner_count_as_one_opponent_until_a_month_has_passed(place: str) -> None:
    constants = constants_of(FORMAT)
    with opened(place) as database:
        owned(database, a1="ada", a2="ada", b1="bob", b2="bob", c1="cyd", d1="dan", e1="eve")
        meet(database, ("d1", "e1"), (1, 2), 0.0)  # there are others, so that doubt has a reason
        meet(database, ("a1", "b1"), (1, 2), 0.0)
        first, _ = rate([constants.first] * 2, [1, 2], constants)
        assert shown(database)["a1"].rating == first
        before = [first, constants.first]
        won, lost = rate(before, [1, 2], constants)
        meet(database, ("a1", "b2"), (1, 2), 0.0)  # another bot, the same owner
        seats = Showing(1, constants.first), Showing(2, constants.first)
        assert surprise(*seats, constants) == 1
        assert shown(database)["a1"].rating == believed(first, won, 1 / 64)
        assert shown(database)["b2"].rating == lost  # which met ada for the first time
        before = [shown(database)["a1"].rating, constants.first]
        won, _ = rate(before, [1, 2], constants)
        meet(database, ("a1", "c1"), (1, 2), 0.0)
        assert shown(database)["a1"].rating == won  # cyd is somebody else
        later = 31 * 24 * HOUR
        before = [idled(shown(database)[bot].rating, later, constants) for bot in ("a1", "b1")]
        won, _ = rate(before, [1, 2], constants)
        meet(database, ("a1", "b1"), (1, 2), later)  # last month is forgotten
        assert shown(database)["a1"].rating == won


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


def test_a_server_that_starts_remembers_the_last_matches(tmp_path: object) -> None:
    path = f"{tmp_path}/paddock.db"
    with opened(path) as database:
        for number in range(REMEMBERED + 2):
            other = ("bob", "bob", "bob", "bob", "cyd", "dan", "bob", "cyd")[number]
            meet(database, ("ada", other), (1, 2), 60.0 * number)
    with opened(path) as database:  # which has nothing in its memory yet
        meet(database, ("ada", "bob"), (1, 2), 3600.0)
        straight = shown(database)
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database) == straight


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


def test_where_only_two_owners_play_the_live_table_learns_as_ever(place: str) -> None:
    """A match between two bots at home is no feeding: there is nobody else to deceive."""
    with opened(place) as database:
        numbers = [meet(database, ("ada", "bob"), (1, 2), HOUR * each) for each in range(12)]
        duel = shown(database)["ada"].rating
        one, other = SUMMER.first, SUMMER.first
        for _ in numbers:
            one, other = rate([one, other], [1, 2], SUMMER)
        assert duel.mu == pytest.approx(one.mu, abs=0.5)  # but for what idle hours add
        assert duel.sigma == pytest.approx(one.sigma, rel=0.01)
    with opened(place) as database:  # read anew, it is the same ladder
        meet(database, ("ada", "bob"), (1, 2), HOUR * 12)
        assert shown(database)["ada"].rating.sigma < duel.sigma
        meet(database, ("ada", "cyd"), (1, 2), HOUR * 13)  # now there is a third
        meet(database, ("ada", "bob"), (1, 2), HOUR * 14)
        straight = shown(database)
        write(database, ratings.rate_again, FORMAT, 0)
        assert shown(database) == straight
