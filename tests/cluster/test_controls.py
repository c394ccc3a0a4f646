"""Controls: what the safeguards prevent happens without them, so the tests of them prove something.

`make chaos` has the same with real processes.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from paddock_games import Timing
from paddock_server.basics.identity import new_match_id, stamp
from paddock_server.lobby.planning import seated_in_turn
from paddock_server.referee.clock import Clock
from paddock_server.referee.events import Dealt, Event, Stepped
from paddock_server.referee.plan import Entrant
from paddock_server.store import nodes, store
from paddock_server.store.nodes import PutOut
from paddock_server.store.rows import JournalRow, NewMatch
from paddock_server.tables.opening import begun
from tests.chaos.weak_node import SAFEGUARDS
from tests.cluster.life import Node
from tests.cluster.memory_bus import Weather
from tests.cluster.simulated import Bot, SimulatedCluster, simulated_time, timings


def leave_out(patch: pytest.MonkeyPatch, safeguard: str) -> None:
    for hole in SAFEGUARDS[safeguard]:
        patch.setattr(*hole)


@pytest.mark.parametrize("delay", [0.6, 0.9, 1.5, 3.0])  # beside a second for every decision
@pytest.mark.parametrize("proof", [True, False])
def test_only_without_the_proof_a_slow_bus_makes_bots_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: float, *, proof: bool
) -> None:
    if not proof:
        leave_out(monkeypatch, "proof")
    with simulated_time(monkeypatch) as loop:
        weather = Weather()
        cluster = SimulatedCluster(loop, tmp_path / "cluster.db", 2, weather)
        for number, name in enumerate(("ann", "ben")):
            cluster.dial(Bot(name), 1 + number)
        cluster.pass_time(1.0)
        weather.delay = delay
        (match_id,) = cluster.begin("two-player", ["ann", "ben"])
        cluster.play(lambda: match_id in cluster.ended)
        played = cluster.ended[match_id]
        cluster.close()
    faults = {timing.fault for bot in ("ann", "ben") for timing in timings(played, bot)}
    assert faults == ({None} if proof else {None, "TIMEOUT"})


def written_by_two(one: Node, other: Node) -> Sequence[Event]:
    """The journal of a match whose node was put out, and goes on when it wakes up."""
    (plan,) = seated_in_turn("two-player", ["ada", "bob"], 1, seats=None, rules=None, clock=Clock())
    match = NewMatch(new_match_id(), plan)
    (number,) = one.database.write(lambda connection: store.add_matches(connection, [match]))

    def note(node: Node, position: int, *choices: int) -> None:
        event: Event = Dealt(("00" * 16, "00" * 16))
        if position:
            timed = (Timing(), Timing())
            event = Stepped(position - 1, choices, timed, (0.0, 0.0), (0, 0), (None, None))
        row = JournalRow(number, position, event)
        node.database.write(lambda connection: store.append(connection, [row]))

    one.database.write(lambda connection: nodes.claim_waiting(connection, number, one.number))
    entrants = [Entrant(bot, "1", f"{bot}'s", sends_nonces=False) for bot in plan.bots]
    opened = begun(plan, entrants, stamp())
    one.database.write(lambda connection: store.open_match(connection, number, plan, opened))
    note(one, 0)
    note(one, 1, 1, 1)
    assert other.registry.put_out(one.number, None)
    taken = other.database.write(
        lambda connection: nodes.claim_open(connection, number, other.number)
    )
    assert taken is not None
    note(other, 2, 2, 2)
    for position in (2, 3):  # it does not know what became of the match
        with suppress(PutOut):
            note(one, position, 3, 3)
    note(other, 3, 2, 2)
    ((_, events),) = other.database.look(store.unfinished)
    return events


@pytest.mark.parametrize("fence", [True, False])
def test_only_without_the_fence_two_nodes_write_one_match(
    postgresql_place: str, monkeypatch: pytest.MonkeyPatch, *, fence: bool
) -> None:
    if not fence:
        leave_out(monkeypatch, "fence")
    one, other = Node(postgresql_place), Node(postgresql_place)
    try:
        events = written_by_two(one, other)
    finally:
        one.close()
        other.close()
    chosen = [event.choices[0] for event in events if isinstance(event, Stepped)]
    assert chosen == ([1, 2, 2] if fence else [1, 2, 3])
