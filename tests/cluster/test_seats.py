"""Seats whose bots are on another node than their table: judged as on a single server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.v1 import arena_pb2
from paddock_games import Timing
from paddock_server.store.address import CannotOpen
from tests.cluster.memory_bus import Weather
from tests.cluster.simulated import (
    CLOCK,
    Answer,
    Bot,
    SimulatedCluster,
    after,
    at_once,
    simulated_time,
    timings,
)

_ILLEGAL = 1_000_000
HERE, AWAY = 1, 2


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedCluster]:
    with simulated_time(monkeypatch) as loop:
        cluster = SimulatedCluster(loop, tmp_path / "cluster.db", 2, Weather())
        yield cluster
        cluster.close()


def match(cluster: SimulatedCluster, answer: Answer, where: int) -> list[Timing]:
    """How ann, on this node, decides in a match against ben, on the node of their table."""
    cluster.dial(Bot("ben"), HERE)
    cluster.dial(Bot("ann", answer), where)
    cluster.pass_time(1.0)
    (match_id,) = cluster.begin("two-player", ["ann", "ben"])
    cluster.play(lambda: match_id in cluster.ended)
    assert match_id in cluster.nodes[HERE].ended
    played = cluster.ended[match_id]
    assert not any(timing.fault for timing in timings(played, "ben"))
    return timings(played, "ann")


def illegal_then(seconds: float) -> Answer:
    def answer(bot: Bot, ask: arena_pb2.Ask) -> None:
        bot.say(ask, _ILLEGAL)
        after(seconds)(bot, ask)

    return answer


def illegal(bot: Bot, ask: arena_pb2.Ask) -> None:
    bot.say(ask, _ILLEGAL)


@pytest.mark.parametrize("where", [HERE, AWAY])
def test_a_legal_answer_after_an_illegal_one_is_charged_from_the_ask(
    two: SimulatedCluster, where: int
) -> None:
    decided = match(two, illegal_then(0.5), where)
    assert {timing.fault for timing in decided} == {None}
    assert {round(timing.charge_ms or 0, -1) for timing in decided} == {500}


@pytest.mark.parametrize("where", [HERE, AWAY])
def test_who_says_nothing_after_an_illegal_answer_is_at_fault_for_it(
    two: SimulatedCluster, where: int
) -> None:
    assert {timing.fault for timing in match(two, illegal, where)} == {"ILLEGAL"}
    assert two.loop.now < CLOCK.return_wait, "it was never awaited: it was there"


def test_whose_proof_comes_late_is_asked_again(two: SimulatedCluster) -> None:
    """The bus is so slow at first that nothing is proved in time."""
    asks: list[int] = []

    def answer(bot: Bot, ask: arena_pb2.Ask) -> None:
        asks.append(ask.ask_id)
        if len(asks) == 1:
            return  # as if the bot's own line had lost it
        two.weather.delay = 0.0
        at_once(bot, ask)

    two.weather.delay = 1.2
    assert {timing.fault for timing in match(two, answer, AWAY)} == {None}
    assert asks[0] == asks[1]
    assert two.loop.now < CLOCK.return_wait, "it was not left waiting"


def test_who_comes_back_does_not_get_its_time_again(two: SimulatedCluster) -> None:
    """Its clock runs on while it dials again, as on a single server."""
    dialled: list[int] = []

    def answer(bot: Bot, ask: arena_pb2.Ask) -> None:
        if ask.ask_id in dialled:
            after(0.3)(bot, ask)
            return
        dialled.append(ask.ask_id)
        two.loop.call_later(0.3, hang_up, bot)

    def hang_up(bot: Bot) -> None:
        assert bot.stream is not None
        bot.stream.end("", "")
        node = two.nodes[AWAY]
        two.loop.call_later(0.2, bot.dial, node.tables, node.reception)

    charged = [timing.charge_ms or 0 for timing in match(two, answer, AWAY)]
    assert {round(each, -1) for each in charged} == {800}


@pytest.mark.parametrize("goes", [1, 2])  # 1 is the steward
def test_nobody_is_blamed_for_a_node_that_drains(two: SimulatedCluster, goes: int) -> None:
    """Its bots dial again, and are asked with all their time."""
    stays = 3 - goes
    met: list[int] = []

    def answer(bot: Bot, ask: arena_pb2.Ask) -> None:
        met.append(ask.ask_id)
        if len(met) == 1:
            two.loop.call_later(0.4, two.drain, goes)
            two.loop.call_later(1.3, two.nodes[stays].take, bot)
        else:
            after(0.9)(bot, ask)

    slow = Bot("ann", answer)
    for bot, node in ((slow, goes), (Bot("ben"), stays), (Bot("cyd"), stays)):
        two.dial(bot, node)
    two.pass_time(1.0)
    (match_id,) = two.begin("summer", ["ann", "ben", "cyd"])
    two.play(lambda: match_id in two.ended)
    assert match_id in two.nodes[stays].ended
    decided = timings(two.ended[match_id], "ann")
    assert {timing.fault for timing in decided} == {None}
    assert met[0] == met[1]
    assert {round(timing.charge_ms or 0, -1) for timing in decided} == {900}


def test_a_node_that_cannot_take_over_without_its_database_starts_again(
    two: SimulatedCluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away() -> None:
        raise CannotOpen("the database is away")

    node = two.nodes[2]
    monkeypatch.setattr(node.lobby, "start", away)
    two.pass_time(1.0)
    assert not node.node.over.is_set()
    two.loop.call_soon(node.node.leads)
    two.pass_time(1.0)
    assert node.node.over.is_set()
    assert "steward failed to take over: the database is away" in caplog.text
    assert not any(record.exc_info for record in caplog.records)


def test_a_node_that_drains_while_a_match_begins_costs_its_bot_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with simulated_time(monkeypatch) as loop:
        cluster = SimulatedCluster(loop, tmp_path / "cluster.db", 3, Weather())
        ann, ben = Bot("ann"), Bot("ben")
        cluster.dial(ann, 2)
        cluster.dial(ben, 3)
        cluster.pass_time(1.0)
        (match_id,) = cluster.begin("two-player", ["ann", "ben"])
        loop.call_soon(cluster.drain, 3)  # the steward has said that the match begins
        loop.call_later(2.5, cluster.nodes[2].take, ben)  # with a second for every decision
        cluster.play(lambda: match_id in cluster.ended)
        played = cluster.ended[match_id]
        cluster.close()
    assert {timing.fault for bot in ("ann", "ben") for timing in timings(played, bot)} == {None}
