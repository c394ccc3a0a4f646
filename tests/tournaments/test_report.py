"""How a tournament stands: what is shown agrees with itself, whatever was played."""

from itertools import pairwise
from typing import Any

import pytest

from paddock_ladder.schedules import SCHEDULES, Departure, Outcome
from paddock_server.store.tournament_file import file_of
from paddock_server.store.tournament_matches import FallbacksRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import define
from paddock_server.tournaments.report import Report, report
from paddock_server.web.pages.standings import SHEET_COLUMNS, StandingsTable, sheet_rows, tables_of
from paddock_server.web.rendering import decimal
from tests.ladder.tournament import finished, names

MORE: dict[str, dict[str, Any]] = {
    "round-robin": {"groups": 5},
    "swiss": {"rounds": 3},
    "gauntlet": {"challenger": "bot02", "groups": 6},
    "knockout": {},
}
ONE, SEVERAL = ["summer"], ["summer", "two-player", "dino-twist"]


def played(schedule: str, formats: list[str], seed: int, part: float = 1.0) -> Report:
    """A tournament of which this part was played, by lot."""
    given = {
        "name": "cup", "schedule": schedule, "formats": formats, "seats": 3,
        "bots": list(names(7)), "blocks": 2, "rotations": True, **MORE[schedule],
    }  # fmt: skip
    history = finished(define(file_of(given)).fixtures, seed)
    return stood(given, history[: round(part * len(history))])


def stood(given: dict[str, Any], history: list[Outcome]) -> Report:
    row = TournamentRow("cup", file_of(given), "running", "2026-11-15T12:00:00.000Z")
    return report(row, history)


def check(table: StandingsTable) -> None:
    """A reader who compares the columns as they are printed, from left to right, agrees."""
    assert table.lines[0].place == 1
    for at, (one, other) in enumerate(pairwise(table.lines), start=1):
        printed = [
            (decimal(one.deciding[c.name], c.digits), decimal(other.deciding[c.name], c.digits), c)
            for c in table.columns
        ]
        different = [each for each in printed if each[0] != each[1]]
        assert (one.place == other.place) == (not different)
        if different:
            mine, theirs, column = different[0]
            assert other.place == at + 1
            assert theirs == "–" or (float(mine) < float(theirs)) == column.least_first  # noqa: RUF001
        else:
            assert one.shared
            assert other.shared


@pytest.mark.parametrize("formats", [ONE, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_places_agree_with_what_is_printed_beside_them(schedule: str, formats: list[str]) -> None:
    for seed in range(4):
        for part in (0.0, 0.1, 0.5, 1.0):
            overall, tables = tables_of(played(schedule, formats, seed, part))
            for table in (overall, *tables):
                check(table)
            assert [table.format for table in tables] == formats
            for line in overall.lines if len(formats) > 1 else ():
                assert sum(own.place or 0 for own in line.formats) == line.deciding["places"]
                assert [own.format for own in line.formats] == formats


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_points_of_different_formats_are_never_averaged(schedule: str) -> None:
    told = played(schedule, SEVERAL, 1)
    assert not told.overall.format
    assert all(line.points is None for line in told.overall.lines)
    assert told.overall.cross == {}
    for table in told.formats:
        own = played(schedule, [table.format], 1)
        assert own.overall == own.formats[0]
        assert table.criteria == own.overall.criteria
        assert all(line.points is not None for line in table.lines)
        assert table.cross


def test_a_ladder_is_placed_by_score_and_share() -> None:
    given = {"name": "cup", "schedule": "ladder", "formats": ["two-player", "dino-twist"]}
    history = [
        Outcome("1", "two-player", ("ada", "bob"), (1, 2), (30, 20), "1", 0, declared=False),
        Outcome("2", "dino-twist", ("bob", "cyd"), (1, 2), (5, 4), "2", 0, declared=False),
    ]
    overall, tables = tables_of(stood(given, history))
    assert [(line.bot, line.place, line.score) for line in overall.lines] == [
        ("ada", 1, 1.0), ("bob", 2, 0.5), ("cyd", 3, 0.0),
    ]  # fmt: skip
    assert [line.bot for line in tables[0].lines] == ["ada", "bob"]
    assert [own.place for own in overall.lines[2].formats] == [None, 2]
    rows = list(sheet_rows(overall, tables))
    assert [row[:4] for row in rows] == [
        ["all", 1, False, "ada"], ["all", 2, False, "bob"], ["all", 3, False, "cyd"],
        ["two-player", 1, False, "ada"], ["two-player", 2, False, "bob"],
        ["dino-twist", 1, False, "bob"], ["dino-twist", 2, False, "cyd"],
    ]  # fmt: skip
    assert {len(row) for row in rows} == {len(SHEET_COLUMNS)}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_who_is_disqualified_is_last_in_every_table_and_named_below_it(schedule: str) -> None:
    before = played(schedule, SEVERAL, 1)
    first = before.overall.lines[0].placed.bot
    rounds = dict.fromkeys(SEVERAL, 99)
    row = before.row._replace(changes=(Departure(first, rounds, disqualified=True),))
    history = finished(before.definition.fixtures, 1)
    overall, tables = tables_of(report(row, history))
    for table in (overall, *tables):
        *others, last = table.lines
        assert (last.bot, last.place, last.shared) == (first, 7, False)
        check(table._replace(lines=tuple(others)))
        assert table.rule.endswith(f"Disqualified and therefore last: {first}.")


def test_fallbacks_are_counted_for_every_format() -> None:
    before = played("round-robin", SEVERAL, 1, 0.1)
    rows = [FallbacksRow("summer", "bot03", 2), FallbacksRow("dino-twist", "bot03", 5)]
    overall, tables = tables_of(report(before.row, [], rows))
    for table, count in zip((overall, *tables), (7, 2, 0, 5), strict=True):
        assert {line.bot: line.fallbacks for line in table.lines if line.fallbacks} == (
            {"bot03": count} if count else {}
        )


def test_the_rule_is_said() -> None:
    assert played("knockout", ONE, 1).overall.rule == (
        "Places go by the last round reached, then the mean score in that round, then the mean "
        "point share in that round; bots with equal numbers share a place (=)."
    )
    assert played("swiss", SEVERAL, 1).overall.rule == (
        "Places go by the sum of the places in all formats; bots with equal numbers share a "
        "place (=)."
    )
