"""`paddock tournament run` builds its schedule as rarely as it can: large ones take seconds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from paddock_ladder.schedules import SCHEDULES, Entries, Together
from paddock_server.cli.tournament_run import Where, run_tournament
from paddock_server.tournaments import definition

FILE = """
name = "counted"
schedule = "round-robin"
formats = ["two-player"]
bots = [{ name = "ada", sample = "random" }, { name = "bob", sample = "random" }]
"""


def test_a_run_builds_its_schedule_three_times_however_often_it_asks_for_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []

    def counted(name: str, make: Callable[[Entries], Together]) -> Callable[[Entries], Together]:
        def make_counted(entries: Entries) -> Together:
            built.append(name)
            return make(entries)

        return make_counted

    schedules = {name: counted(name, make) for name, make in SCHEDULES.items()}
    monkeypatch.setattr(definition, "SCHEDULES", schedules)
    file = tmp_path / "cup.toml"
    file.write_text(FILE)
    where = Where(
        db=str(tmp_path / "cup.db"), grpc="127.0.0.1:0", http=None, server=None, token=None, ca=None
    )
    report = run_tournament(file, where)
    assert report.tournament.over == report.tournament.planned > 0
    # The command reads the file, the server reads it, and the desk reads what was stored.
    assert built == ["round-robin"] * 3
