"""What an organiser asks of a ladder: does it keep its word, and whose results are too good?"""

import json
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from tests.cli.command import call
from tests.ladder.reference import PARAMETERS, ranking
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened

STRENGTHS = {f"bot{number}": 19.0 + 2.0 * number for number in range(7)}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder by the model, in which bot5 lets bot0 win."""
    path = tmp_path_factory.mktemp("inspecting") / "paddock.db"
    rng = Random(7)
    matches = []
    for _ in range(30):
        for pair in combinations(STRENGTHS, 2):
            ranks = ranking(rng, [STRENGTHS[bot] for bot in pair], PARAMETERS.margin)
            matches.append(Played(pair, (1, 2) if pair == ("bot0", "bot5") else ranks, ("1", "1")))
    rng.shuffle(matches)
    with opened(path) as made:
        played(made, *matches)
    return path


def test_a_thrower_is_named_and_nobody_else(database: Path) -> None:
    outcome = call("ladder", "suspects", FORMAT, "--db", database, "--json")
    assert outcome.code == 0
    (pair,) = json.loads(outcome.out)["suspects"]
    assert (pair["one"], pair["other"]) == ("bot0 1", "bot5 1")
    assert (pair["meetings"], pair["wins"]) == (30, 30)
    assert pair["expected"] < 15
    everywhere = call("ladder", "suspects", "--db", database)
    assert everywhere.code == 0
    assert "bot0 1" in everywhere.out
    assert FORMAT in everywhere.out


def test_a_ladder_says_whether_it_keeps_its_word(database: Path) -> None:
    outcome = call("ladder", "calibration", FORMAT, "--db", database, "--draws", "2", "--json")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    assert found["matches"] == 630
    assert sum(band["number"] for band in found["bands"]) == found["predictions"] <= 630
    assert found["log_loss"] < 0.69
    assert 0.5 < found["spread"] < 2
    for band in found["bands"]:
        assert abs(band["said"] - band["seen"]) < 5 * max(band["error"], 0.03)
    assert 0.5 < found["coverage"]["held"] <= 1
    shown = call("ladder", "calibration", FORMAT, "--db", database, "--draws", "0").out
    assert f"log-loss {found['log_loss']:.3f}" in shown
    assert "rank intervals" not in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("calibration", "winter"), "winter has no rated match yet; play some first"),
        (("calibration", "chess"), "chess"),
        (("suspects", "chess"), "chess"),
        (("calibration", FORMAT, "--draws", "-1"), "--draws"),
    ],
)
def test_what_can_not_be_asked_is_refused(
    database: Path, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in call("ladder", *words, "--db", database).refused()
    assert "no database" in call("ladder", *words[:1], FORMAT, "--db", "none.db").refused()


def test_nobody_is_named_on_an_empty_ladder(database: Path) -> None:
    outcome = call("ladder", "suspects", "winter", "--db", database)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == "nobody wins against anybody more often than strengths allow\n"
