"""A ladder over gRPC: twelve bots of unequal strength, each a process of its own, all meet."""

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

from paddock_server.store import tournament_matches
from paddock_server.store.database import Database
from tests.server.process import Process

LADDER = """
name = "mixed"
schedule = "ladder"
formats = ["summer"]
seats = 4
matches = 150
owners_may_meet = true

[clock]
base = 30.0
bank = 0.0
"""


def test_twelve_bots_sit_at_many_different_tables(tmp_path: Path) -> None:
    bots = [
        f'[[bots]]\nname = "{sample}{number}"\nsample = "{sample}"\n'
        for sample in ("random", "greedy", "careful")
        for number in range(4)
    ]
    (tmp_path / "mixed.toml").write_text("\n".join((LADDER, *bots)))
    with Process(
        tmp_path / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "mixed.toml"),
    ) as running:
        assert running.wait() == 0, running.said()
    database = Database(str(tmp_path / "paddock.db"))
    outcomes = database.look(tournament_matches.outcomes, "mixed")
    database.close()
    assert len(outcomes) == 150
    assert len({frozenset(outcome.bots) for outcome in outcomes}) >= 100
    pairs = Counter(
        frozenset(pair) for outcome in outcomes for pair in combinations(outcome.bots, 2)
    )
    assert len(pairs) == 66  # everybody met everybody
