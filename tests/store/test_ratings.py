"""Ratings in the store: standings, history, meetings, pages, and matches that are voided."""

from itertools import permutations
from statistics import NormalDist
from typing import Any

import pytest
from sqlalchemy import select

from paddock_ladder.duel import Meeting
from paddock_ladder.rating import Rating
from paddock_ladder.row import Totals
from paddock_server.store import ratings, store
from paddock_server.store.schema import RATINGS
from tests.store.ladder import (
    FORMAT,
    SUMMER,
    Played,
    add,
    by_hand,
    ended,
    finish,
    played,
    shown,
    some_matches,
)
from tests.store.opened import bot, opened, read, write

TRIO = Played(("ada", "bob", "cleo"), (1, 1, 3), ("1", "1", "1"))


def test_a_career_counts_the_matches_of_all_versions(place: str) -> None:
    with opened(place) as database:
        second = TRIO._replace(versions=("2", "1", "1"))
        played(database, TRIO, second, TRIO, Played(("ada", "bob"), (1, 2), ("2", "1"), "winter"))
        assert read(database, ratings.careers, "ada") == {
            FORMAT: ratings.Career(versions=2, matches=3),
            "winter": ratings.Career(versions=1, matches=1),
        }
        assert read(database, ratings.careers, "nobody") == {}
        assert shown(database)["ada"].totals.matches < 3  # of the version that plays now


def test_standings_add_up(place: str) -> None:
    with opened(place) as database:
        write(database, store.add_bot, bot("ada", owner="Ada"))
        numbers = played(database, TRIO, TRIO, Played(("cleo", "ada"), (1, 2), ("1", "1")))
        rows = shown(database)
        assert list(rows) == ["ada", "bob", "cleo"]
        ada, cleo = rows["ada"], rows["cleo"]
        assert (ada.owner, rows["bob"].owner) == ("Ada", "")
        assert ada.totals == Totals(
            matches=3,
            points=37 + 37 + 34,
            wins=1.0,  # two shared ones
            faults=1,
            fallbacks=4,
            forfeits=0,
            opponents=2 + 2 + 1,
            score=1.5 + 1.5,
            expected=ada.totals.expected,
        )
        assert cleo.totals == Totals(
            matches=3,
            points=31 + 31 + 37,
            wins=1.0,
            faults=4,
            fallbacks=7,
            forfeits=2,
            opponents=2 + 2 + 1,
            score=1.0,
            expected=cleo.totals.expected,
        )
        assert ada.changed == ended(numbers[-1])
        (last,) = read(database, ratings.history, "ada", FORMAT, None, 1)
        seat = read(database, ratings.seats_of, numbers[-1])[1]
        before = Rating(seat.mu_before, seat.sigma_before)
        assert ada.change == last.rating.conservative - before.conservative
        assert ada.rating == last.rating


@pytest.mark.parametrize("seed", [1, 2])
def test_the_expected_score_is_what_the_ratings_before_every_match_said(
    place: str, seed: int
) -> None:
    matches = [m._replace(versions=["1"] * len(m.bots)) for m in some_matches(30, seed)]
    wanted: dict[str, float] = {}
    with opened(place) as database:
        for match in matches:
            (number,) = played(database, match)
            seats = read(database, ratings.seats_of, number)
            for one, other in permutations(seats, 2):
                wanted[one.bot] = wanted.get(one.bot, 0.0) + _chance(one, other)
        totals = {name: row.totals for name, row in shown(database).items()}
        assert {name: each.expected for name, each in totals.items()} == pytest.approx(wanted)
        for name, each in totals.items():
            tables = [match for match in matches if name in match.bots]
            assert each.opponents == sum(len(match.bots) - 1 for match in tables)
        # What one bot scores more than was expected, others score less.
        score = sum(each.score for each in totals.values())
        assert score == sum(each.opponents for each in totals.values()) / 2
        assert score == pytest.approx(sum(wanted.values()))


def _chance(one: Any, other: Any) -> float:
    """That of a stored seat to beat another before the match, and half that of a tie."""
    spread = sum(seat.sigma_before**2 + SUMMER.tau**2 + SUMMER.beta**2 for seat in (one, other))
    lead = NormalDist(one.mu_before - other.mu_before, spread**0.5)
    tie = lead.cdf(SUMMER.margin) - lead.cdf(-SUMMER.margin)
    return 1 - lead.cdf(SUMMER.margin) + tie / 2


def test_history_comes_in_pages_newest_first(place: str) -> None:
    with opened(place) as database:
        matches = some_matches(25, 3, formats=(FORMAT, "winter"))
        numbers = played(database, *matches)
        wanted = [
            (ended(number), match.bots.index("bob"))
            for number, match in zip(numbers, matches, strict=True)
            if "bob" in match.bots and match.format == FORMAT
        ][::-1]
        assert len(wanted) > 3
        for size in (1, 3, 100):
            found: list[ratings.RatedRow] = []
            while page := read(
                database, ratings.history, "bob", FORMAT, found[-1].order if found else None, size
            ):
                assert len(page) <= size
                found += page
            assert [(row.ended, row.seat) for row in found] == wanted
        assert found[0].rating == shown(database)["bob"].rating
        assert read(database, ratings.history, "nobody", FORMAT, None, 10) == []


def test_meetings_are_matches_of_both_with_their_blocks(place: str) -> None:
    with opened(place) as database:
        in_block = {"tournament": "T", "pairing": "p", "block": "b1"}
        cases: list[tuple[Played, dict[str, Any], bool]] = [
            (TRIO, {}, True),
            (Played(("bob", "ada"), (1, 2), ("1", "2")), in_block, False),
            (Played(("ada", "cleo"), (1, 2), ("1", "1")), {}, True),
            (TRIO._replace(format="winter"), {}, True),
            (TRIO, {}, True),  # voided, below
        ]
        numbers = []
        for match, values, rated in cases:
            numbers.append(add(database, match, **values))
            finish(database, numbers[-1], match, rated=rated)
        add(database, TRIO)  # not over
        write(database, ratings.void, numbers[-1], "a power cut")
        assert read(database, ratings.meetings, "ada", "bob", FORMAT) == [
            Meeting(37, 37, "M0"),
            Meeting(34, 37, "T/b1"),
        ]
        assert read(database, ratings.meetings, "bob", "ada", FORMAT)[1] == (37, 34, "T/b1")
        assert read(database, ratings.meetings, "bob", "dan", FORMAT) == []


def test_rated_matches_come_whole_and_in_order_over_pages(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "_CHUNK", 3)
    matches = some_matches(20, 5, formats=(FORMAT, "winter"))
    with opened(place) as database:
        numbers = played(database, *matches)
        wanted = [
            (at + 1, number, ended(number), list(match.bots), list(match.ranks))
            for at, (number, match) in enumerate(zip(numbers, matches, strict=True))
            if match.format == FORMAT
        ]
        assert len(wanted) > 6

        def found(connection: Any, after: int) -> Any:
            return [
                (
                    match.order,
                    match.number,
                    match.ended,
                    [seat.bot for seat in match.seats],
                    [seat.rank for seat in match.seats],
                )
                for match in ratings.rated_matches(connection, FORMAT, after)
            ]

        assert read(database, found, 0) == wanted
        assert read(database, found, wanted[4][0]) == wanted[5:]
        assert read(database, ratings.count_rated, FORMAT) == len(wanted)


@pytest.mark.parametrize("voided", [0, 7, 11])
def test_a_voided_match_was_never_rated(
    place: str, monkeypatch: pytest.MonkeyPatch, voided: int
) -> None:
    """Exactly: the ladder is what it would be without it, down to the last bit."""
    monkeypatch.setattr(ratings, "_CHUNK", 4)
    matches = some_matches(12, 9)
    others = some_matches(3, 4, formats=("winter",))
    with opened(place) as database:
        played(database, *others)
        before = shown(database, "winter")
        numbers = played(database, *matches)
        again = write(database, ratings.void, numbers[voided], "a power cut")
        assert again == len(matches) - 1 - voided
        left = matches[:voided] + matches[voided + 1 :]
        rest = numbers[:voided] + numbers[voided + 1 :]
        wanted = by_hand(left, rest)
        found = read(database, lambda c: c.execute(
            select(RATINGS.c.bot, RATINGS.c.version, RATINGS.c.mu, RATINGS.c.sigma)
            .where(RATINGS.c.format == FORMAT)).all())  # fmt: skip
        assert {(name, version): (mu, sigma) for name, version, mu, sigma in found} == wanted
        assert shown(database, "winter") == before
        for name, row in shown(database).items():
            mine = [m for m in left if name in m.bots and row.version in m.versions]
            mine = [m for m in mine if m.versions[m.bots.index(name)] == row.version]
            assert row.totals.matches == len(mine)
            assert row.totals.points == sum(m.totals[m.bots.index(name)] for m in mine)
            (last,) = read(database, ratings.history, name, FORMAT, None, 1)
            assert last.rating == row.rating
        seats = read(database, ratings.seats_of, numbers[voided])
        assert {(seat.rated, seat.mu, seat.mu_before) for seat in seats} == {(None, None, None)}
        assert all(seat.total is not None for seat in seats)  # what happened stays
        assert read(database, ratings.count_rated, FORMAT) == len(left)
        match, _ = read(database, store.find_match, f"M{3 + voided}")  # type: ignore[misc]
        assert (match.void, match.rated, match.state) == ("a power cut", None, "finished")
        assert write(database, ratings.void, numbers[voided], "again") == 0
        more = Played(("ada", "bob"), (1, 2), ("9", "1"))
        (last_one,) = played(database, more)
        found_now = by_hand([*left, more], [*rest, last_one])
        assert shown(database)["bob"].rating == found_now["bob", "1"]


def test_voiding_what_was_not_rated_rates_nothing_again(place: str) -> None:
    with opened(place) as database:
        played(database, TRIO)
        number = add(database, TRIO)
        finish(database, number, TRIO, rated=False)
        before = shown(database)
        assert write(database, ratings.void, number, "why not") == 0
        assert shown(database) == before
