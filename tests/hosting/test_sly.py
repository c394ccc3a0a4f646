"""Hostile submission 23: passes the check, and misbehaves in matches."""

from pathlib import Path
from typing import Any

from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import CONFIG, arena, bot_folder, call, over, said, start
from tests.submissions.arena import submissions_of as found

SLY = """import os, time
from paddock import run_from_command_line
from paddock.bots.greedy import GreedyBot

class Sly(GreedyBot):
    def choose(self, ask):
        if os.environ["PADDOCK_BOT"] == "sly":  # in a check it has another name
            time.sleep(600)
        return super().choose(ask)

run_from_command_line(Sly())
"""
HASTY = CONFIG.replace("base = 30.0", "base = 0.5")


def test_a_bot_that_behaves_in_its_check_alone_is_on_probation_soon(tmp_path: Path) -> None:
    with arena(tmp_path / "server", HASTY) as server:
        stage = Stage(server, tmp_path)
        place = bot_folder(
            tmp_path, "sly", manifest='formats = ["two-player"]\n', **{"bot.py": SLY}
        )
        toml = place / "paddock-bot.toml"
        toml.write_text(toml.read_text().replace('"-m", "paddock.bots.random"', '"bot.py"'))
        with stage.runner():
            assert call(server, "submit", place, token=stage.owner).code == 0

            def active() -> Any:
                (row,) = found(server, "sly")
                assert row["state"] not in ("rejected", "stuck"), row
                return row if row["state"] == "active" else None

            before = until("it is accepted", active, 400.0)
            matches = over(server, start(server, "sly", "house-random", games=3))
        (bot,) = said(server, "bot", "list")
        assert bot["probation"]
        for match in matches:
            results = dict(zip((s["bot"] for s in match["seats"]), match["results"], strict=True))
            assert results["sly"]["forfeit"]
            assert not results["house-random"]["faults"]
        (after,) = found(server, "sly")
        assert after["state"] == "active"
        assert after["certificate"] == before["certificate"]  # with its date
