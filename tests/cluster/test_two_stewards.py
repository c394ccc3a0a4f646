"""Two stewards at once: an old one that has not noticed yet harms nothing."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cluster.memory_bus import Weather
from tests.cluster.simulated import FORMATS, Bot, SimulatedCluster, after, simulated_time, timings

BOTS = ("ann", "ben", "cid", "dot")
MATCHES = 30


def noted(cluster: SimulatedCluster, node: int, patch: pytest.MonkeyPatch) -> set[int]:
    """The matches that the steward on this node begins from now on."""
    tables, numbers = cluster.nodes[node].tables, set[int]()
    begin = tables.begin

    def noting(number: int, *rest: Any) -> None:
        numbers.add(number)
        begin(number, *rest)

    patch.setattr(tables, "begin", noting)
    return numbers


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("at_once", [2, 64])
def test_every_match_is_played_once(
    seed: int, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, weather = Random(seed), Weather(seed)
    with simulated_time(monkeypatch) as loop:
        cluster = SimulatedCluster(loop, tmp_path / "cluster.db", 3, weather)
        old, new = (noted(cluster, number, monkeypatch) for number in (1, 2))
        for number, name in enumerate(BOTS):
            bot = Bot(name, after(0.05))
            bot.at_once = at_once
            cluster.dial(bot, 1 + number % 3)
        cluster.pass_time(1.0)
        weather.delay = 0.2 + chance.random() / 5  # so the new one leads before the old one's word
        ids = []
        for _ in range(MATCHES):
            form = chance.choice(FORMATS)
            ids += cluster.begin(form, chance.sample(BOTS, 2 if form == "two-player" else 4))
        loop.call_soon(cluster.nodes[2].node.leads)  # and the first one leads as before
        cluster.pass_time(chance.random() * 10)
        cluster.nodes[1].steward.resign()
        cluster.play(lambda: len(cluster.ended) == MATCHES)
        played = [each for node in cluster.nodes.values() for each in node.ended.values()]
        cluster.close()
    assert old
    assert new
    assert at_once == 2 or old & new, "both begin the same matches"
    assert sorted(each.match.id for each in played) == sorted(ids)
    for each in played:
        for seat in each.match.seats:
            assert {timing.fault for timing in timings(each, seat.bot)} == {None}
