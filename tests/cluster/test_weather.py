"""Tables of three nodes on a bad bus: every record is what a single server would have written."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from paddock_games import PlayedMatch
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.plan import Begun, Plan
from paddock_server.store import store
from paddock_server.store.connection import Connection
from paddock_server.store.rows import NewMatch
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.notices import EndListener, Finished
from tests.cluster.memory_bus import Weather
from tests.cluster.simulated import CLOCK, FORMATS, Bot, SimulatedCluster, after, simulated_time
from tests.simulation.clockwork import Clockwork
from tests.simulation.disk import Disk, database_on

NODES = (1, 2, 3)
SEATS = {"two-player": 2, "summer": 3, "winter": 4, "dino-twist-small": 3}
EACH = 10  # matches of every format


def bots() -> list[Bot]:
    """Bots that think for up to 0.7 seconds; half of them commit to their nonces."""
    return [Bot(f"bot{n}", after(0.1 * (n % 8)), commits=n % 2 == 0) for n in range(9)]


def on_a_bad_bus(loop: Clockwork, path: Path, seed: int) -> Mapping[str, PlayedMatch]:
    """Matches of bots on three nodes, while packets are lost, doubled, late and cut off."""
    rng = Random(seed)
    weather = Weather(seed, lost=rng.choice((0, 0.1, 0.3)), twice=0.2, late=0.3)
    cluster = SimulatedCluster(loop, path, len(NODES), weather)
    cluster.pass_time(1.0)
    names = []
    for number, bot in enumerate(bots()):
        cluster.dial(bot, NODES[number % len(NODES)])
        names.append(bot.name)
    cluster.pass_time(5.0)
    ids = []
    for format_name in FORMATS:
        for _ in range(EACH):
            ids += cluster.begin(format_name, rng.sample(names, SEATS[format_name]))

    def over() -> bool:
        if rng.random() < 0.02:
            weather.split ^= {frozenset(rng.sample(NODES, 2))}
        if rng.random() < 0.02:
            weather.delay = rng.choice((0.0, 0.0, 0.2, 0.7, 1.2, 2.0))
        return len(cluster.ended) == len(ids)

    cluster.play(over)
    ended = cluster.ended
    assert all(node.ended for node in cluster.nodes.values()), "all nodes play"
    cluster.close()
    return ended


def on_one_server(
    loop: Clockwork, path: Path, matches: Sequence[PlayedMatch]
) -> Mapping[str, PlayedMatch]:
    """The same matches, from the same seeds, on one server."""
    ended: dict[str, PlayedMatch] = {}

    def hear(finished: Finished) -> None:
        assert finished.played is not None
        ended[finished.id] = finished.played

    async def play() -> None:
        database = database_on(Disk(path, Random(1)))
        tables = LocalTables(Journal(database), Metrics())
        tables.listeners.append(EndListener(hear))
        there = {bot.name: bot for bot in bots()}
        for match in (played.match for played in matches):
            seated = tuple(seat.bot for seat in match.seats)
            plan = Plan(match.format, match.rules, seated, CLOCK)
            entrants = tuple(there[bot].entrant for bot in seated)
            begun = Begun(entrants, match.seed.hex(), match.started, match.salted)

            def begin(connection: Connection) -> None:
                (number,) = store.add_matches(connection, [NewMatch(match.id, plan)])  # noqa: B023
                store.open_match(connection, number, plan, begun)  # noqa: B023

            await database.writer.write(begin)
        tables.resume(await database.read(store.unfinished))
        for bot in there.values():
            bot.dial(tables)
            assert bot.stream is not None
            tables.back(bot.stream)
        while len(ended) < len(matches):  # noqa: ASYNC110 -- time costs nothing here
            await asyncio.sleep(1.0)
        tables.stop()
        database.close()

    loop.run_until_complete(play())
    return ended


def without_times(played: PlayedMatch) -> tuple[object, ...]:
    """All of a match but when it was played, and how long decisions took."""
    steps = [
        (step.choices, [(seat, timing.fault) for seat, timing in step.timings.items()])
        for step in played.steps
    ]
    return played.match._replace(ended=""), steps, played.end


@pytest.mark.parametrize("seed", range(5))
def test_every_record_is_that_of_a_single_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    with simulated_time(monkeypatch) as loop:
        torn = on_a_bad_bus(loop, tmp_path / "cluster.db", seed)
        whole = on_one_server(loop, tmp_path / "single.db", list(torn.values()))
    assert len(torn) == EACH * len(FORMATS)
    assert not any(
        timing.fault
        for played in torn.values()
        for step in played.steps
        for timing in step.timings.values()
    )
    for match_id, played in torn.items():
        assert without_times(played) == without_times(whole[match_id])
