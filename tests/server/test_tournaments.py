"""Tournaments by real processes: run, killed, run again, looked at, taken elsewhere."""

import asyncio
import csv
import io
import json
import random
import signal
import sys
from collections import Counter
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from paddock.v1 import match_pb2, match_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from paddock_games import FORMATS
from paddock_server.store import store, tournament_matches
from paddock_server.store.database import Database
from paddock_server.tournaments.definition import read_definition
from tests.cli.command import Outcome, call
from tests.server.process import Process, Server, marked, quiet_port, sdk_bot, until

BOTS = tuple(f"bot{number:02}" for number in range(12))
KILLS = 3
ROOT = Path(__file__).parents[2]


def file_of(**given: Any) -> str:
    """A tournament's file; what is a dictionary becomes a table, at the end."""
    plain = [f"{key} = {json.dumps(value)}" for key, value in given.items() if key != "tables"]
    return "\n".join((*plain, given.get("tables", ""))) + "\n"


CUP = {
    "name": "cup",
    "schedule": "swiss",
    "rounds": 2,
    "seats": 4,
    "formats": list(FORMATS),
    "rotations": True,
}


def named_bots(here: str) -> str:
    """All connect by themselves, but this one, which is started with the tournament."""
    lines = [f'[[bots]]\nname = "{bot}"' for bot in BOTS]
    lines[BOTS.index(here)] += '\nsample = "random"'
    return "[clock]\nbase = 30.0\nbank = 0.0\n" + "\n".join(lines)


def run(folder: Path, database: str, port: int, mark: str) -> Process:
    return Process(
        folder / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "cup.toml"),
        *("--db", database, "--grpc", f"127.0.0.1:{port}", "--json"),
        MARK_OF_THE_TEST=mark,
    )


def bridged(folder: Path, address: str, bot: str) -> Process:
    """A bot in Perl, by lines."""
    return Process(
        folder / f"{bot}.log",
        *(sys.executable, "-m", "paddock.bridge", "--max-matches", "8"),
        *("--", "perl", str(ROOT / "clients/bridge/bot.pl")),
        PADDOCK_SERVER=address,
        PADDOCK_BOT=bot,
    )


def over(database: Database) -> int:
    return database.look(tournament_matches.count_over, "cup")


def goes_on(running: Process, life: int) -> bool:
    return running.said().count("resumed cup: ") == life and "cup begins" in running.said()


def enough(database: Database, number: int) -> bool:
    return over(database) >= number


def test_a_tournament_of_twelve_bots_survives_kill_9(tmp_path: Path) -> None:
    check_kills(tmp_path, str(tmp_path / "cup.db"))


def test_on_postgresql_as_well(tmp_path: Path, postgresql_place: str) -> None:
    check_kills(tmp_path, postgresql_place)


def check_kills(folder: Path, url: str) -> None:
    """Twelve bots, every format, three deaths: the schedule is complete and all is in order."""
    text = file_of(**CUP, tables=named_bots(BOTS[0]))
    (folder / "cup.toml").write_text(text)
    planned = read_definition(text).fixtures.planned()
    assert planned is not None
    marks = sorted(random.sample(range(1, planned - 20), KILLS))
    print(f"killed when {marks} are over")  # noqa: T201 -- pytest shows it where the test fails
    port, mark = quiet_port(), f"mark-{random.randrange(2**64)}"
    with ExitStack() as stack:
        where: Any = Server(folder)
        where.address = f"127.0.0.1:{port}"
        stack.enter_context(bridged(folder, where.address, BOTS[1]))
        for bot in BOTS[2:]:
            stack.enter_context(sdk_bot(where, bot))
        for life, number in enumerate(marks):
            with run(folder, url, port, mark) as running:
                said = partial(goes_on, running, life)
                until("it says that it goes on", said)
                database = Database(url, reading=True)
                until(f"{number} matches", partial(enough, database, number))
                database.close()
            until("its bot is gone, too", lambda: not marked(mark))
        with run(folder, url, port, mark) as last:
            assert last.wait() == 0, last.said()
        assert not marked(mark)
    check_database(url, planned, text)
    told = json.loads(last.said()[last.said().index("\n{") :])
    assert told["state"] == "done"
    assert told["over"] == told["planned"] == planned
    assert sorted(line["bot"] for line in told["standings"]) == list(BOTS)
    assert f"cup begins: {planned} matches" in last.said()
    assert last.said().count("resumed cup: ") == KILLS


def check_database(url: str, planned: int, text: str) -> None:
    database = Database(url, reading=True)
    try:
        found = database.look(tournament_matches.outcomes, "cup")
        rows = database.look(store.list_matches, None, 10_000)
        left = database.look(store.unfinished)
    finally:
        database.close()
    assert left == []
    assert len(found) == len(rows) == planned
    assert not any(outcome.declared for outcome in found)
    assert max(Counter(outcome.key for outcome in found).values()) == 1
    schedule = read_definition(text).fixtures
    assert schedule.next(found).done
    assert sorted(row.rated or 0 for row in rows) == list(range(1, planned + 1))
    faults = sum(seat.faults for row in rows for seat in row.results)
    assert faults == 0, "a bot was blamed for the server's death"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a small tournament."""
    folder = tmp_path_factory.mktemp("played")
    text = file_of(name="small", schedule="round-robin", formats=["two-player", "summer"], seats=3)
    bots = "".join(
        f'[[bots]]\nname = "{name}"\nsample = "{sample}"\n'
        for name, sample in (("ada", "random"), ("bob", "greedy"), ("cyd", "careful"))
    )
    (folder / "small.toml").write_text(text + bots)
    with Process(
        folder / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "small.toml"),
    ) as running:
        assert running.wait() == 0, running.said()
    return folder


def paddock(folder: Path, *command: str) -> Outcome:
    outcome = call(*command, "--db", str(folder / "paddock.db"))
    assert outcome.code == 0, outcome
    return outcome


def test_it_can_be_looked_at_without_a_server(played: Path) -> None:
    (listed,) = json.loads(paddock(played, "tournament", "list", "--json").out)
    assert (listed["name"], listed["state"], listed["over"]) == ("small", "done", 9)
    assert "round-robin" in paddock(played, "tournament", "list").out
    shown = json.loads(paddock(played, "tournament", "show", "small", "--json").out)
    placed = [line["bot"] for line in shown["standings"]]
    assert sorted(placed) == ["ada", "bob", "cyd"]
    assert placed[-1] == "ada"  # who plays at random
    assert shown["pairings"] == []
    several = paddock(played, "tournament", "show", "small").out
    assert "small: round-robin of two-player, summer, done, 9 of 9 matches\n" in several
    assert several.count("┃ place") == several.count("Places go by ") == 3
    assert "nan" not in several
    assert "to see who beat whom, use tournament show --format two-player\n" in several
    table = paddock(played, "tournament", "show", "small", "--format", "summer").out
    assert table.count("Places go by ") == 1
    assert "points per match of the row less those of the column" in table


def test_points_of_two_formats_are_not_mixed(played: Path) -> None:
    shown = json.loads(paddock(played, "tournament", "show", "small", "--json").out)
    tables = {table["format"]: table["standings"] for table in shown["tables"]}
    assert set(tables) == {"two-player", "summer"}
    assert shown["cross"] == []
    for line in shown["standings"]:
        places = [
            own["place"] for table in tables.values() for own in table if own["bot"] == line["bot"]
        ]
        assert line["deciding"] == {"places": sum(places)}
        assert line["points"] is None
    for table in shown["tables"]:
        assert all(own["points"] > 0 for own in table["standings"])
        assert len(table["cross"]) == 6
        scores = [list(own["deciding"].values()) for own in table["standings"]]
        assert scores == sorted(scores, reverse=True)


def test_its_results_can_be_taken_elsewhere(played: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(paddock(played, "tournament", "export", "small").out)))
    assert len(rows) == 6 * 2 + 3 * 3
    assert {row["bot"] for row in rows} == {"ada", "bob", "cyd"}
    lines = paddock(played, "tournament", "export", "small", "--jsonl").out.splitlines()
    assert len(lines) == 9
    assert {json.loads(line)["tournament"] for line in lines} == {"small"}
    output = played / "all.jsonl"
    paddock(played, "export", "--output", str(output), "--format", "summer")
    assert call("verify", str(output)).code == 0
    assert len(output.read_text().splitlines()) == 3
    shown = json.loads(paddock(played, "tournament", "export", "small", "--json").out)
    assert shown["name"] == "small"


def test_the_ladder_says_who_is_better(played: Path) -> None:
    told = json.loads(paddock(played, "ladder", "two-player", "--live", "--json").out)
    ranked = [line["bot"] for line in told["standings"]]
    assert sorted(ranked) == ["ada", "bob", "cyd"]
    assert ranked[-1] == "ada"  # who plays at random
    assert [line["rating"] for line in told["standings"]] == sorted(
        (line["rating"] for line in told["standings"]), reverse=True
    )
    for line in told["standings"]:
        assert line["rank_best"] <= line["rank"] <= line["rank_worst"]
        assert line["rating"] == pytest.approx(line["mu"] - 3 * line["sigma"], abs=1e-3)
        assert line["matches"] == 4
        assert line["provisional"]
    table = paddock(played, "ladder", "overall").out
    assert table.index("ada") > max(table.index("bob"), table.index("cyd"))
    rows = list(csv.DictReader(io.StringIO(paddock(played, "ladder", "summer", "--csv").out)))
    assert {row["bot"] for row in rows} == {"ada", "bob", "cyd"}
    history = json.loads(
        paddock(played, "ladder", "history", "bob", "--format", "two-player", "--json").out
    )
    assert len(history) == 4
    bob = told["standings"][ranked.index("bob")]
    assert history[0]["mu"] == pytest.approx(bob["mu"], abs=1e-3)
    versus = ("ladder", "versus", "cyd", "ada", "--format", "two-player", "--json")
    met = json.loads(paddock(played, *versus).out)
    assert met["matches"] == 2
    assert met["wins"] + met["draws"] + met["losses"] == 2
    recomputed = json.loads(paddock(played, "ladder", "recompute", "two-player", "--json").out)
    whole = {line["bot"]: line["whole_mu"] for line in recomputed["ratings"]}
    assert whole["ada"] < min(whole["bob"], whole["cyd"])
    again = json.loads(paddock(played, "ladder", "two-player", "--json").out)
    assert (again["table"], again["matches"], again["newer"]) == ("standing", 6, 0)
    assert {line["bot"]: line["mu"] for line in again["standings"]} == whole
    assert {line["rank"] for line in again["standings"]} == {None}  # all have played too little
    points = json.loads(paddock(played, "ladder", "two-player", "--points", "--json").out)
    assert points["table"] == "points"
    assert sum(line["mu"] for line in points["standings"]) == pytest.approx(0, abs=1e-3)
    assert "above the mean" in paddock(played, "ladder", "two-player", "--points").out
    live = json.loads(paddock(played, "ladder", "two-player", "--live", "--json").out)
    assert {line["bot"]: line["whole_mu"] for line in live["standings"]} == whole


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("tournament", "show", "large"), "tournament/unknown: there is no such tournament"),
        (
            ("tournament", "show", "small", "--format", "winter"),
            "--format: small has no format 'winter'; give two-player or summer",
        ),
        (("ladder", "chess"), "format/unknown"),
        (("ladder", "history", "eve", "--format", "summer"), "'eve' has no rated match"),
        (("ladder", "versus", "ada", "eve", "--format", "summer"), "there is no bot 'eve'"),
        (("tournament", "stop", "small", "--server", "127.0.0.1:1"), "no server listens"),
    ],
)
def test_what_is_not_there_is_named(played: Path, command: tuple[str, ...], words: str) -> None:
    at = () if "--server" in command else ("--db", str(played / "paddock.db"))
    outcome = call(*command, *at)
    assert outcome.code == 2
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    missing = call(*command[:2], *command[2:], "--db", "none.db") if at else outcome
    assert missing.code == 2


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    text = file_of(name="long", schedule="round-robin", formats=["summer"], blocks=500, seats=3)
    bots = "".join(f'[[bots]]\nname = "{name}"\nsample = "random"\n' for name in "abc")
    (tmp_path / "long.toml").write_text(text + bots)
    with Process(
        tmp_path / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "long.toml"),
        *("--db", "long.db"),
    ) as running:

        def some() -> bool:
            database = Database(str(tmp_path / "long.db"), reading=True)
            try:
                return database.look(tournament_matches.count_over, "long") > 0
            finally:
                database.close()

        until("it begins", lambda: "long begins" in running.said())
        until("a match", some)
        running.signal(signal.SIGINT)
        assert running.wait() == 130
    last = running.said().splitlines()[-1]
    assert last == (
        "stopped, and nothing is lost; continue with: paddock tournament run long.toml --db long.db"
    )
    assert "Traceback" not in running.said()


def test_a_deal_is_told_when_all_who_share_it_have_played_and_a_match_can_be_voided(
    tmp_path: Path,
) -> None:
    """Over gRPC, on a server that runs: the record of a block's match waits for the others."""
    with Server(tmp_path) as server, ExitStack() as stack:
        for bot in ("ada", "bob"):
            stack.enter_context(sdk_bot(server, bot))
        asyncio.run(_check_withheld(server))


async def _check_withheld(server: Server) -> None:
    async with grpc.aio.insecure_channel(server.address) as channel:
        matches: Any = match_pb2_grpc.MatchServiceStub(channel)
        cups: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
        text = file_of(
            name="duel", schedule="round-robin", formats=["two-player"], bots=["ada", "bob"],
            blocks=30, rotations=True,
        )  # fmt: skip
        started = await cups.StartTournament(tournament_pb2.StartTournamentRequest(definition=text))
        assert not started.resumed
        withheld = 0
        while True:
            found = await cups.GetTournament(
                tournament_pb2.GetTournamentRequest(name="duel", summary_only=True)
            )
            listed = await matches.ListMatches(
                match_pb2.ListMatchesRequest(
                    tournament="duel", state=match_pb2.MATCH_STATE_FINISHED
                )
            )
            done = Counter(match.block for match in listed.matches)
            for match in listed.matches:
                if done[match.block] == 1:
                    got = await matches.GetMatch(match_pb2.GetMatchRequest(match_id=match.match_id))
                    if not got.record_json:
                        withheld += 1
            if found.tournament.state == tournament_pb2.TOURNAMENT_STATE_DONE:
                break
        assert withheld, "no match of a block was seen while the other was played"
        listed = await matches.ListMatches(match_pb2.ListMatchesRequest(tournament="duel"))
        for match in listed.matches:
            got = await matches.GetMatch(match_pb2.GetMatchRequest(match_id=match.match_id))
            assert got.record_json
        voided = listed.matches[-1]
        answer = await matches.VoidMatch(
            match_pb2.VoidMatchRequest(
                match_id=voided.match_id, reason="the network failed", declare=["ada"]
            )
        )
        assert answer.rated_again == 59
        got = await matches.GetMatch(match_pb2.GetMatchRequest(match_id=voided.match_id))
        assert got.match.void_reason == "the network failed"
        with pytest.raises(grpc.aio.AioRpcError, match="match/unknown"):
            await matches.VoidMatch(match_pb2.VoidMatchRequest(match_id="none"))
