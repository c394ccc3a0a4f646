"""A bot that its client answers for is seen by everybody, everywhere faults are."""

import asyncio
import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from paddock.v1 import arena_pb2, ladder_pb2, ladder_pb2_grpc, match_pb2, match_pb2_grpc
from paddock_games import BadRecord, replay
from paddock_games.field import Field
from tests.cli.command import Outcome, call
from tests.server.organiser import Organiser
from tests.server.process import Process, Server
from tests.server.raw import bots, connected
from tests.server.test_observing import _metrics

BROKEN = """
from paddock import Bot, run

class Broken(Bot):
    def choose(self, ask):
        if ask.view.phase == "REMOVE":
            return ask.legal[0]
        raise LookupError("my\\nmistake")

run(Broken())
"""
REASON = "LookupError: my mistake"
CUP = """
name = "cup"
schedule = "round-robin"
formats = ["two-player"]
[clock]
base = 60.0
[[bots]]
name = "good"
sample = "random"
[[bots]]
name = "broken"
command = {command}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database of a tournament in which a bot raises at every placement."""
    folder = tmp_path_factory.mktemp("fallbacks")
    (folder / "broken.py").write_text(BROKEN)
    command = json.dumps(f"{sys.executable} {folder / 'broken.py'}")
    (folder / "cup.toml").write_text(CUP.format(command=command))
    with Process(
        folder / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "cup.toml"),
    ) as running:
        assert running.wait() == 0, running.said()
    return folder


def paddock(folder: Path, *command: str) -> Outcome:
    outcome = call(*command, "--db", str(folder / "paddock.db"))
    assert outcome.code == 0, outcome
    return outcome


def test_the_tournament_counts_them(played: Path) -> None:
    shown = json.loads(paddock(played, "tournament", "show", "cup", "--json").out)
    counted = {line["bot"]: line["fallbacks"] for line in shown["standings"]}
    assert counted == {"good": 0, "broken": 24}  # two matches of twelve placements
    table = paddock(played, "tournament", "show", "cup").out
    assert "fallbacks" in table
    rows = list(csv.DictReader(io.StringIO(paddock(played, "tournament", "export", "cup").out)))
    assert {(row["bot"], row["faults"], row["fallbacks"]) for row in rows} == {
        ("good", "0", "0"), ("broken", "0", "12"),
    }  # fmt: skip


def test_the_ladder_counts_them(played: Path) -> None:
    for counted in ("two-player", "overall"):
        told = json.loads(paddock(played, "ladder", counted, "--json").out)
        assert {line["bot"]: (line["faults"], line["fallbacks"]) for line in told["standings"]} == {
            "good": (0, 0), "broken": (0, 24),
        }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(paddock(played, "ladder", "two-player", "--csv").out)))
    assert {row["bot"]: row["fallbacks"] for row in rows} == {"good": "0", "broken": "24"}
    table = paddock(played, "ladder", "two-player").out
    assert "fallbacks" in table
    assert "24" in next(line for line in table.splitlines() if "broken" in line)


def test_records_say_why_and_check_out(played: Path, tmp_path: Path) -> None:
    lines = paddock(played, "tournament", "export", "cup", "--jsonl").out
    path = tmp_path / "cup.jsonl"
    path.write_text(lines)
    assert call("verify", path).code == 0
    for line in lines.splitlines():
        record = json.loads(line)
        (seat,) = (at for at, each in enumerate(record["seats"]) if each["bot"] == "broken")
        for step in replay(Field(record, "", BadRecord)).steps:
            placed = step.state.table.phase == "PLACE"
            assert step.timings[seat].fallback == (REASON if placed else None)
            assert step.timings[1 - seat].fallback is None
        assert not record["seats"][seat]["forfeit"]
    drawn = call("show", path, "--turn", 1).out
    assert f": broken: fallback: {REASON}; the client chose: PLACE " in drawn
    assert ": good: " not in drawn


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


def excuse(ask: arena_pb2.Ask) -> Sequence[arena_pb2.BotItem]:
    """No choice at all, and a long and dirty word why."""
    choice = arena_pb2.Choice(ask_id=ask.ask_id, fallback="\x1b[2J\n" + 300 * "long ")
    return [arena_pb2.BotItem(choice=choice)]


def test_a_client_of_its_own_needs_no_more_than_a_word(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["plain"]),
            bots(server.address, ["excused"], excuse) as (excused,),
        ):
            organiser = Organiser(channel)
            before = _metrics(server)
            (match_id,) = await organiser.start("two-player", ["excused", "plain"], 1)
            match = await organiser.finished(match_id)
            assert not any(match.faults_by_seat)
            assert match.replay.match.forfeited == frozenset()
            reasons = {step.timings[0].fallback for step in match.replay.steps}
            assert reasons == {("[2J " + 300 * "long ")[:200].rstrip()}
            after = _metrics(server)
            counted = "paddock_fallbacks_total"
            assert after[counted] - before[counted] == 24
            ended = await excused.next("match_ended")
            assert [seat.fallbacks for seat in ended.seats] == [24, 0]
            assert [seat.faults for seat in ended.seats] == [0, 0]
            stub = match_pb2_grpc.MatchServiceStub(channel)
            listed = await stub.ListMatches(match_pb2.ListMatchesRequest())
            assert [seat.fallbacks for seat in listed.matches[0].results] == [24, 0]
            ladder = ladder_pb2_grpc.LadderServiceStub(channel)
            page = await ladder.ListStandings(ladder_pb2.ListStandingsRequest(format="two-player"))
            assert {line.bot: line.fallbacks for line in page.standings} == {
                "excused": 24, "plain": 0,
            }  # fmt: skip

    asyncio.run(play())
    told = [line for line in server.said().splitlines() if "warning fallback: [2J long" in line]
    assert len(told) == 1  # once a match: a broken bot does not flood the log
    assert told[0].endswith(" bot=excused seat=0")
