"""What an organiser asks of a ladder: does it keep its word, and whose results are too good?"""

import asyncio
import json
import secrets
import shutil
import urllib.request
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from paddock_games import FORMATS
from paddock_ladder.quality import quality
from paddock_server.standings.inspecting import suspected
from paddock_server.standings.suspicions import Inspector, NotInspected
from tests.cli.command import Outcome, call
from tests.ladder.reference import PARAMETERS, ranking
from tests.ladder.simulated import by_pair, ladder
from tests.server.process import CALM, Server, marked, patiently
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened

ORGANISER = "organiser-0123456789-of-the-inspecting-tests"
NOBODY = "no bot beats another one more often than their strengths allow\n"
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
    assert (pair["format"], pair["winner"], pair["loser"]) == (FORMAT, "bot0", "bot5")
    assert (pair["winner_version"], pair["loser_version"]) == ("1", "1")
    assert (pair["meetings"], pair["wins"]) == (30, 30)
    assert pair["expected"] < 15
    everywhere = call("ladder", "suspects", "--db", database)
    assert everywhere.code == 0
    assert "bot0 1" in everywhere.out
    assert FORMAT in everywhere.out


def test_on_an_honest_ladder_nobody_is_named() -> None:
    for seats, seed in ((2, 1), (2, 2), (4, 3), (4, 4)):
        tables = by_pair(seats, partial(quality, parameters=PARAMETERS))
        honest = ladder(seed, 12, 60, 4.2, tables, parameters=PARAMETERS, doubt=True)
        assert suspected(honest.played, PARAMETERS) == []


@pytest.fixture(scope="module")
def server(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a copy of that ladder, with an organiser's token."""
    home = tmp_path_factory.mktemp("inspected")
    copy = shutil.copy(database, home / "copy.db")
    config = f"standing_seconds = 0\n{CALM}"
    token = {"PADDOCK_ORGANISER_TOKEN": ORGANISER}
    with Server(home, "--db", str(copy), config=config, env=token) as server:
        yield server
        assert "Traceback" not in server.said()


def ask(server: Server, *words: str) -> Outcome:
    """Ask the server for suspects as the organiser, if the words don't say otherwise."""
    where = ("--server", server.address, "--token", ORGANISER)
    return call("ladder", "suspects", *where, *words)


def test_a_server_names_the_same_pairs_to_the_organiser(database: Path, server: Server) -> None:
    by_file = call("ladder", "suspects", FORMAT, "--db", database, "--json")
    assert ask(server, FORMAT, "--json") == by_file
    everywhere = ask(server)
    assert everywhere.code == 0
    assert "bot0 1" in everywhere.out
    assert ask(server, "winter") == (0, NOBODY, "")
    assert "format/unknown" in ask(server, "chess").refused()


def test_nobody_but_the_organiser_hears_of_suspects(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "auth/organiser_only" in ask(server, "--token", "wrong").refused()
    monkeypatch.delenv("PADDOCK_ORGANISER_TOKEN", raising=False)
    missing = call("ladder", "suspects", "--server", server.address).refused()
    assert "auth/missing_token" in missing
    with urllib.request.urlopen(f"http://{server.http}/api/openapi.json") as answer:
        assert b"suspect" not in answer.read().lower()


def test_a_server_that_inspects_does_no_arithmetic_itself(server: Server) -> None:
    """It is done in another process: numpy is not even loaded into the one that judges time."""
    assert ask(server, FORMAT).code == 0
    assert server.process is not None
    maps = Path(f"/proc/{server.process.pid}/maps").read_text()
    assert "grpc" in maps
    assert "numpy" not in maps


def test_whoever_hangs_up_ends_the_inspection(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = secrets.token_hex(16)

    async def hang_up() -> None:
        inspector = Inspector(place)
        monkeypatch.setenv("MARK_OF_THE_TEST", mark)
        first = asyncio.create_task(inspector.suspicions(list(FORMATS)))
        second = asyncio.create_task(inspector.suspicions([FORMAT]))
        async for _ in patiently():
            if marked(mark):
                break
        monkeypatch.delenv("MARK_OF_THE_TEST")  # of the second, which waits for its turn
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert not marked(mark)
        assert await second == []

    with opened(place):
        asyncio.run(hang_up())


def test_a_history_that_can_not_be_read_is_a_sentence(tmp_path: Path) -> None:
    async def inspect() -> None:
        with pytest.raises(NotInspected, match="no database"):
            await Inspector(str(tmp_path / "none.db")).suspicions([FORMAT])

    asyncio.run(inspect())


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
        assert 0 <= band["interval"]["low"] <= band["seen"] <= band["interval"]["high"] <= 1
    assert 0.5 < found["coverage"]["held"] <= 1
    shown = call("ladder", "calibration", FORMAT, "--db", database, "--draws", "0").out
    assert f"log-loss {found['log_loss']:.3f}" in shown
    seen, interval = found["bands"][0]["seen"], found["bands"][0]["interval"]
    assert f"{seen:.1%} │  {interval['low']:.1%} - {interval['high']:.1%}" in shown
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
    assert outcome.out == NOBODY
