"""Rating epochs: the store's constants are in force, and a change of them is never silent."""

from dataclasses import replace

import pytest
from sqlalchemy import Connection

from paddock_games import FORMATS
from paddock_ladder.rating import Parameters
from paddock_ladder.update import rate
from paddock_server.store import epochs, ratings
from paddock_server.store.epochs import Epoch, constants_of
from tests.store.ladder import FORMAT, Played, by_hand, played, shown
from tests.store.opened import count, opened, read, write

PAIR = Played(("ada", "bob"), (1, 2), ("1", "1"))


def next_epoch(before: Epoch) -> Epoch:
    return before.next(replace(before.parameters, beta=6.25), "fitted to 34 bots", fitted=True)


def test_every_format_begins_with_the_constants_of_the_code(place: str) -> None:
    for _ in range(2):  # once, however often the database is opened
        with opened(place) as database:
            assert read(database, count, "epochs") == len(FORMATS)
            for name in FORMATS:
                epoch = read(database, epochs.current, name)
                assert (epoch.number, epoch.fitted) == (1, False)
                assert epoch.parameters == constants_of(name)
                assert epoch.since


def test_matches_are_rated_with_the_constants_of_the_store(place: str) -> None:
    with opened(place) as database:
        before = read(database, epochs.current, FORMAT)
        after = next_epoch(before)
        write(database, epochs.begin, after)
        assert read(database, epochs.current, FORMAT) == after
        assert after.text == f"epoch 2 since {after.since[:10]}: beta 6.25, fitted to 34 bots"
        played(database, PAIR, PAIR._replace(format="winter"))
        won, _ = rate([after.parameters.first] * 2, [1, 2], after.parameters)
        assert shown(database)["ada"].rating == won
        won, _ = rate([before.parameters.first] * 2, [1, 2], constants_of("winter"))
        assert shown(database, "winter")["ada"].rating == won


def test_a_new_epoch_is_there_with_its_ratings_or_not_at_all(place: str) -> None:
    def begin(connection: Connection, epoch: Epoch) -> None:
        epochs.begin(connection, epoch)
        assert ratings.rate_again(connection, FORMAT, since=0) == 2

    def fail(connection: Connection, epoch: Epoch) -> None:
        begin(connection, epoch)
        raise OSError("the disk is full")

    with opened(place) as database:
        numbers = played(database, PAIR, PAIR)
        before, first = shown(database), read(database, epochs.current, FORMAT)
        with pytest.raises(OSError, match="full"):
            write(database, fail, next_epoch(first))
        assert shown(database) == before
        assert read(database, epochs.current, FORMAT) == first
        write(database, begin, next_epoch(first))
        constants = read(database, epochs.parameters_of, FORMAT)
        assert constants.beta == 6.25
        wanted = by_hand([PAIR, PAIR], numbers, constants)
        for name in PAIR.bots:
            assert shown(database)[name].rating == wanted[name, "1"]
            (last,) = read(database, ratings.history, name, FORMAT, None, 1)
            assert last.rating == wanted[name, "1"]


def test_a_fitted_beta_outlives_the_constants_of_the_code() -> None:
    constants = constants_of(FORMAT)
    own = Epoch(FORMAT, 4, "", "", fitted=False, parameters=Parameters(0.5, beta=7.0))
    assert epochs.wanted(own) == constants
    fitted = own._replace(fitted=True)
    assert epochs.wanted(fitted) == replace(constants, beta=7.0)
