"""Standings in the store: kept as they were computed, one per format, with how far they reach."""

import json
import zlib

from sqlalchemy import Connection, select, update

from paddock_ladder.calibration import Band, Calibration, Coverage
from paddock_ladder.rating import Rating
from paddock_ladder.standing import Place
from paddock_server.store import ratings, standings
from paddock_server.store.schema import STANDINGS
from paddock_server.store.standings import Standing, Strength
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened, read, write

PAIR = Played(("ada", "bob"), (1, 2), ("1", "1"))
MATRIX = [[4.0, 1.5, -0.25], [1.5, 2.0, 0.5], [-0.25, 0.5, 8.0]]
FOUND = Standing(
    FORMAT, 3, "2026-11-17T12:00:00.000Z", 1.25, 40, 38,
    (
        Strength("ada", "1", 30, Rating(28.5, 1.25), Place("ada", 1, 1, 2), Rating(-1.0, 0.5),
                 Place("ada", 2, 1, 2)),
        Strength("bob", "", 25, Rating(21.0, 1.5), Place("bob", 2, 1, 2), Rating(1.0, 0.5),
                 Place("bob", 1, 1, 2)),
        Strength("zoë", "漢\n字", 3, Rating(25.0, 6.0), None, Rating(0.0, 2.0), None),
    ),
    standings.pack_covariance(MATRIX),
    Calibration(
        38, 41, 0.612, 1.125, (Band(0.5, 30, 0.55, 0.5, 0.09), Band(0.9, 11, 0.93, 1.0, 0.0)),
        Coverage(0.9, 2.5),
    ),
)  # fmt: skip


def test_a_standing_comes_back_as_it_was(place: str) -> None:
    with opened(place) as database:
        assert read(database, standings.find, FORMAT) is None
        write(database, standings.save, FOUND)
    with opened(place, reading=True) as database:
        assert read(database, standings.find, FORMAT, covariance=True) == FOUND
        assert read(database, standings.find, FORMAT) == FOUND._replace(covariance=b"")
        assert read(database, standings.find, "winter") is None


def test_a_new_standing_takes_the_place_of_the_last(place: str) -> None:
    later = FOUND._replace(computed="2026-11-17T12:00:10.000Z", strengths=(), covariance=b"")
    with opened(place) as database:
        write(database, standings.save, FOUND)
        write(database, standings.save, FOUND._replace(format="winter"))
        write(database, standings.save, later)
        assert read(database, standings.find, FORMAT, covariance=True) == later
        other = read(database, standings.find, "winter", covariance=True)
        assert other == FOUND._replace(format="winter")


def test_a_standing_without_a_calibration_is_one(place: str) -> None:
    for calibration in (None, FOUND.calibration and FOUND.calibration._replace(coverage=None)):
        standing = FOUND._replace(calibration=calibration)
        with opened(place) as database:
            write(database, standings.save, standing)
            assert read(database, standings.find, FORMAT, covariance=True) == standing
        assert standings.loads(standings.dumps(standing)) == standing


def test_a_standing_of_an_older_paddock_still_loads(place: str) -> None:
    def as_before(connection: Connection) -> None:
        """Strengths alone, as they were stored before there was a calibration."""
        packed = connection.execute(select(STANDINGS.c.strengths)).scalar_one()
        strengths = json.loads(zlib.decompress(packed))["strengths"]
        alone = zlib.compress(json.dumps(strengths).encode())
        connection.execute(update(STANDINGS).values(strengths=alone))

    with opened(place) as database:
        write(database, standings.save, FOUND)
        write(database, as_before)
        older = read(database, standings.find, FORMAT, covariance=True)
    assert older == FOUND._replace(calibration=None)


def test_covariances_keep_their_first_rows() -> None:
    packed = standings.pack_covariance(MATRIX)
    assert standings.unpack_covariance(packed, 3) == [[4.0], [1.5, 2.0], [-0.25, 0.5, 8.0]]
    assert standings.unpack_covariance(packed, 2) == [[4.0], [1.5, 2.0]]
    assert standings.unpack_covariance(standings.pack_covariance([]), 0) == []


def test_a_standing_can_be_handed_over() -> None:
    assert standings.loads(standings.dumps(FOUND)) == FOUND


def test_what_is_out_of_date_is_known(place: str) -> None:
    with opened(place) as database:
        assert read(database, standings.stale) == []
        numbers = played(database, PAIR, PAIR._replace(format="winter"), PAIR, PAIR)
        assert read(database, standings.stale) == [FORMAT, "winter"]
        write(database, standings.save, FOUND._replace(covered=4, matches=3))
        assert read(database, standings.stale) == ["winter"]
        write(database, standings.save, FOUND._replace(format="winter", covered=2, matches=1))
        assert read(database, standings.stale) == []
        assert read(database, standings.newer, FOUND._replace(covered=1)) == 2
        write(database, ratings.void, numbers[0], "a power cut")  # the last one is as before
        assert read(database, standings.stale) == [FORMAT]
        write(database, standings.save, FOUND._replace(covered=4, matches=2))
        write(database, ratings.void, numbers[1], "all there were")
        assert read(database, standings.stale) == ["winter"]
        played(database, PAIR)
        assert read(database, standings.stale) == [FORMAT, "winter"]
        older = FOUND._replace(format="winter", computed="2026-11-16T12:00:00.000Z")
        write(database, standings.save, older)
        assert read(database, standings.stale) == ["winter", FORMAT]
