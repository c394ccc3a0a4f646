"""An idle hosted bot costs nothing: it is stopped, and started again for its next match."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import CONFIG, arena, is_clean, over, said, start


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with arena(tmp_path / "server", CONFIG + "idle_seconds = 0.5\n") as server:
        made = Stage(server, tmp_path)
        with made.accepting():
            made.hand_in("one")
        yield made


def test_a_bot_without_matches_is_stopped_and_started_again(stage: Stage) -> None:
    def leases() -> int:
        (told,) = (each for each in said(stage.server, "runner", "list") if each["connected"])
        return int(told["leases"])

    with stage.runner():
        for _ in range(2):
            (match,) = over(stage.server, start(stage.server, "one", "house-random"))
            assert is_clean(match)
            until("it is stopped", lambda: not stage.jailed())
            until("its lease is over", lambda: leases() == 0)
        (bot,) = said(stage.server, "bot", "list")
        assert not bot["connected"]
