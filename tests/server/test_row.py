"""The row of a ladder: one shape from the store to every table that people and programs get."""

from random import Random
from typing import Any

import pytest

from paddock.v1 import ladder_pb2
from paddock_ladder.row import LadderRow, Totals
from paddock_server.api.ladder import standing
from paddock_server.cli.ladder_tables import line_values
from paddock_server.standings.tables import OVERALL, Kind, table
from paddock_server.store.schema import RATINGS
from paddock_server.web.pages.ladder import COLUMNS, SHEET_COLUMNS, csv_values
from tests.store.ladder import FORMAT, Played, played, shown
from tests.store.opened import opened, read

ALSO_CALLED = {"best": "rank_best", "worst": "rank_worst"}  # in the contract
IN_THE_FIRST_CSV = (
    "rank", "best", "worst", "bot", "owner", "language", "version", "rating", "mu", "sigma",
    "matches", "points", "wins", "faults", "fallbacks", "forfeits", "change", "changed",
    "provisional", "idle",
)  # fmt: skip


def some_row(seed: int) -> LadderRow:
    """A row that has another value in every field."""
    rng = Random(seed)
    values: dict[str, Any] = {
        name: {
            str: f"{name} {seed}",
            bool: rng.random() < 0.5,
            tuple[float, ...]: (rng.random(), rng.random()),
        }.get(kind, rng.randint(1, 1000))
        for name, kind in LadderRow.__annotations__.items()
    }
    return LadderRow(**values)


def test_what_is_added_up_is_stored_and_shown_by_the_same_name() -> None:
    assert set(Totals._fields) <= set(RATINGS.c.keys())
    assert set(Totals._fields) <= set(LadderRow._fields)


@pytest.mark.parametrize("seed", range(3))
def test_every_field_of_a_row_is_in_its_message_its_json_and_its_csv(seed: int) -> None:
    row = some_row(seed)
    message = standing(row)
    fields = {field.name for field in ladder_pb2.Standing.DESCRIPTOR.fields}
    assert fields == {ALSO_CALLED.get(name, name) for name in COLUMNS}
    printed = line_values(message)
    *values, kind = csv_values(row, "points")
    assert (SHEET_COLUMNS[-1], kind) == ("table", "points")
    for name, value in zip(COLUMNS, values, strict=True):
        wire_name = ALSO_CALLED.get(name, name)
        assert value == getattr(row, name) == getattr(message, wire_name) == printed[wire_name]


def test_a_row_without_a_place_or_a_standing_says_so_everywhere() -> None:
    nowhere = some_row(1)._replace(
        rank=None, best=None, worst=None, whole_mu=None, whole_sigma=None
    )
    message = standing(nowhere)
    assert (message.rank, message.rank_best, message.rank_worst) == (0, 0, 0)
    assert not message.HasField("whole_mu")
    absent = {name for name, value in line_values(message).items() if value is None}
    assert absent == {"rank", "rank_best", "rank_worst", "whole_mu", "whole_sigma"}


def test_csv_keeps_the_order_of_its_first_columns() -> None:
    assert SHEET_COLUMNS[: len(IN_THE_FIRST_CSV)] == IN_THE_FIRST_CSV


def test_all_formats_together_add_up_every_total(place: str) -> None:
    duel = Played(("ada", "bob"), (1, 2), ("1", "1"))
    trio = Played(("ada", "bob", "cleo"), (2, 1, 3), ("1", "1", "1"), "winter")
    with opened(place) as database:
        played(database, duel, duel, trio)
        summer, winter = (shown(database, name)["bob"].totals for name in (FORMAT, "winter"))
        both = summer.plus(winter)
        assert both.matches == 3
        (row,) = (r for r in read(database, table, OVERALL, Kind.LIVE).rows if r.bot == "bob")
        for name in set(Totals._fields) - {"points"}:
            assert getattr(row, name) == getattr(summer, name) + getattr(winter, name)
        assert row.points == both.points_a_match == (34 + 34 + 37) / 3
