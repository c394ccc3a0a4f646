"""`paddock ladder` by the two tables, `superiority`, and `recompute` with its epochs."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from paddock_server.store import epochs, standings
from tests.cli.command import Outcome, call
from tests.server.test_standing import some
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened, read


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Four bots that met often, and one that has hardly played."""
    path = str(tmp_path / "paddock.db")
    with opened(path) as made:
        matches = some(("ada", "bob", "cleo", "dan"), 8)
        played(made, *matches, Played(("eve", "ada"), (1, 2), ("1", "1")))
    return path


def ladder(database: str, *words: str) -> Outcome:
    """What becomes of `paddock ladder`."""
    outcome = call("ladder", *words, "--db", database)
    assert outcome.code == 0, outcome
    return outcome


def values(database: str, *words: str) -> Any:
    """What it tells programs."""
    return json.loads(ladder(database, *words, "--json").out)


def test_the_standing_comes_first_and_the_live_table_when_asked_for(database: str) -> None:
    early = ladder(database, FORMAT)
    assert early.err == (
        "no standing has been computed yet; this is the live table; "
        f"for the standing: paddock ladder recompute {FORMAT} --db {database}\n"
    )
    assert "summer: live table of 5 bots; rank intervals as if errors were" in early.out
    doubt = "where bots are close in strength, fewer than 90% of these rank intervals hold"
    assert doubt in early.out
    assert values(database, FORMAT)["table"] == "live"
    for option in ("--csv", "--json"):
        assert ladder(database, FORMAT, option).err == early.err  # standard output is for programs
        assert ladder(database, FORMAT, option, "--live").err == ""
    assert ladder(database, "recompute", FORMAT).err == ""
    shown = ladder(database, FORMAT)
    assert shown.err == ""
    assert "summer: standing of 5 bots; rank intervals of 90%" in shown.out
    assert doubt not in shown.out
    assert doubt in ladder(database, "overall").out
    assert doubt in ladder(database, FORMAT, "--live").out
    assert doubt not in ladder(database, FORMAT, "--points").out
    assert "s ago from 49 matches; 0 newer" in shown.out
    assert "epoch 1 since " in shown.out
    found, live = values(database, FORMAT), values(database, FORMAT, "--live")
    assert (found["table"], live["table"]) == ("standing", "live")
    assert [line["rank"] for line in found["standings"]] == [1, 2, 3, 4, None]
    assert found["standings"][-1]["bot"] == "eve"
    assert [line["mu"] for line in found["standings"]] == [
        line["whole_mu"] for line in found["standings"]
    ]
    assert [line["rank"] for line in live["standings"]] == [1, 2, 3, 4, 5]
    assert {line["bot"]: line["whole_mu"] for line in live["standings"]} == {
        line["bot"]: line["mu"] for line in found["standings"]
    }
    rows = list(csv.DictReader(io.StringIO(ladder(database, FORMAT, "--csv").out)))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4", ""]
    assert [float(row["mu"]) for row in rows] == [line["mu"] for line in found["standings"]]
    asked = {"standing": [], "live": ["--live"], "points": ["--points"]}
    for kind, options in asked.items():
        sheet = csv.DictReader(io.StringIO(ladder(database, FORMAT, "--csv", *options).out))
        assert {row["table"] for row in sheet} == {kind}


def test_a_score_is_held_against_the_expected_one(database: str) -> None:
    names = ("bot", "opponents", "score", "expected", "above_expected")
    live = {tuple(line[name] for name in names)
            for line in values(database, FORMAT, "--live")["standings"]}  # fmt: skip
    ladder(database, "recompute", FORMAT)
    lines = values(database, FORMAT)["standings"]
    assert {tuple(line[name] for name in names) for line in lines} == live  # to the last digit
    assert sum(line["above_expected"] for line in lines) == pytest.approx(0, abs=1e-3)
    for line in lines:
        assert line["opponents"] == line["matches"]  # at tables of two
        assert line["score"] == line["wins"]
        wanted = line["score"] - line["expected"]
        assert line["above_expected"] == pytest.approx(wanted, abs=1e-3)
    (eve,) = (line for line in lines if line["bot"] == "eve")
    assert (eve["opponents"], eve["score"]) == (1, 1.0)
    assert 0.5 < eve["above_expected"] < 1.0  # a newcomer beats the best
    shown = ladder(database, FORMAT).out
    assert "+/-: 1 for each opponent beaten, 1/2 for a tie, less what ratings expected" in shown
    assert f"{eve['above_expected']:+.1f}" in next(
        row for row in shown.splitlines() if " eve " in row
    )
    rows = list(csv.DictReader(io.StringIO(ladder(database, FORMAT, "--csv").out)))
    assert [float(row["above_expected"]) for row in rows] == [
        line["above_expected"] for line in lines
    ]


def test_superiority_says_who_is_better_and_how_surely(database: str) -> None:
    assert ladder(database, "superiority", FORMAT).out == (
        "no standing has been computed yet; "
        f"for the standing: paddock ladder recompute {FORMAT} --db {database}\n"
    )
    ladder(database, "recompute", FORMAT)
    bots = values(database, "superiority", FORMAT)["bots"]
    assert len(bots) == 4
    for at, row in enumerate(bots):
        assert row["chances"] == sorted(row["chances"])  # the further down, the surer
        for to, chance in enumerate(row["chances"]):
            assert chance + bots[to]["chances"][at] == pytest.approx(1.0)
    shown = ladder(database, "superiority", FORMAT, "--limit", "2").out
    assert f"{100 * bots[0]['chances'][1]:.1f}" in shown
    assert bots[2]["bot"] not in shown
    assert call("ladder", "superiority", "chess", "--db", database).code == 2


def test_superiority_needs_a_bot_with_a_place(database: str) -> None:
    with opened(database) as server:
        played(server, Played(("ada", "bob"), (1, 2), ("1", "1"), "winter"))
    ladder(database, "recompute", "winter")
    assert ladder(database, "superiority", "winter").out == (
        "no bot has a place on the standing of winter yet: a place needs 20 matches; "
        "see: paddock ladder winter\n"
    )


def test_a_new_epoch_is_announced_and_only_kept_when_meant(database: str) -> None:
    live = values(database, FORMAT, "--live")
    dry = ladder(database, "recompute", FORMAT, "--fit", "--dry-run")
    assert "a new rating epoch would begin" in dry.err
    assert values(database, FORMAT, "--live") == live
    ladder(database, "recompute", FORMAT, "--dry-run")
    with opened(database, reading=True) as kept:
        assert read(kept, standings.find, FORMAT) is None
    done = ladder(database, "recompute", FORMAT, "--fit", "--json")
    assert (
        "a new rating epoch begins, and all ratings are computed again: epoch 2 since" in done.err
    )
    told = json.loads(done.out)
    assert (told["epoch"]["number"], told["epoch"]["begins"]) == (2, True)
    after = values(database, FORMAT, "--live")
    assert after["epoch"]["beta"] == pytest.approx(6.2657, abs=1e-3)
    assert after["standings"][0]["mu"] != live["standings"][0]["mu"]
    assert {line["bot"]: line["mu"] for line in told["ratings"]} == {
        line["bot"]: line["mu"] for line in after["standings"]
    }
    assert "epoch 2 since " in ladder(database, FORMAT).out
    assert ladder(database, "recompute", FORMAT).err == ""  # the fit stays in force


def test_beside_a_server_nothing_is_kept_and_that_is_said(database: str) -> None:
    with opened(database) as server:  # who writes has it to itself
        outcome = call("ladder", "recompute", FORMAT, "--fit", "--db", database)
        assert outcome.code == 2
        assert "the standing was printed, but not stored: " in outcome.err
        assert "Traceback" not in outcome.err
        assert "ada" in outcome.out
        assert read(server, epochs.current, FORMAT).number == 1
        assert read(server, standings.find, FORMAT) is None
