"""Cores: a bot has its own where there are enough, and a build has none of them."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock_server.hosting import cores as cores_module
from paddock_server.hosting.cores import Cores, read_cores
from paddock_server.jails.confined import Cpu
from paddock_server.jails.controllers import Controller, Controllers
from paddock_server.jails.means import find_means
from tests.hosting.handed_in import make, run
from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import arena, call, submissions_of

LOOK = "import os; print('it runs on', sorted(os.sched_getaffinity(0)), flush=True)"


def test_a_core_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a core that is named twice nor the second thread of one raises the share."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(cores_module, "_hardware", lambda core: str(core % 4))
    assert read_cores("0-7") == [0, 1, 2, 3]
    assert read_cores("2,2,6,5") == [2, 5]

    async def scene() -> None:
        assert Cores(read_cores("0-7"), 8).share == 0.5

    run(scene())


def test_a_bot_waits_for_the_core_of_one_that_is_about_to_end() -> None:
    async def scene() -> None:
        cores = Cores((3, 4), 2)
        assert [await cores.take(), await cores.take()] == [Cpu((3,)), Cpu((4,))]
        third = asyncio.create_task(cores.take())
        await asyncio.sleep(0)
        assert not third.done()  # a lost lease's bot has it still
        cores.give_back(Cpu((4,)))
        assert await third == Cpu((4,))
        assert cores.share == 1.0

    run(scene())


@pytest.mark.parametrize(
    ("slots", "found", "share"),
    [(2, "cpuset", 1.0), (2, "cpu", 0.0), (3, "cpu", 0.667), (3, "cpuset", 0.0), (4, "cpu", 0.5)],
)
def test_no_share_is_promised_that_nothing_keeps(slots: int, found: str, share: float) -> None:
    """Own cores need the controller cpuset, and fair shares the controller cpu."""
    controllers = Controllers({found: Controller(2, Path("/"))}, {})

    async def scene() -> None:
        assert Cores((3, 4), slots).promised(controllers) == share

    run(scene())


def test_too_few_cores_are_shared_by_all() -> None:
    async def scene() -> None:
        cores = Cores((3, 4), 4)
        assert {await cores.take() for _ in range(9)} == {Cpu((3, 4))}
        cores.give_back(Cpu((3, 4)))
        assert await cores.take() == Cpu((3, 4))
        assert cores.share == 0.5

    run(scene())


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with arena(tmp_path / "server") as server:
        yield Stage(server, tmp_path)


def test_builds_and_checks_leave_the_cores_of_bots_alone(stage: Stage, tmp_path: Path) -> None:
    first, *others = sorted(os.sched_getaffinity(0))
    if "cpuset" not in find_means().controllers.found:
        pytest.skip("needs the cgroup controller cpuset; see paddock runner doctor")
    spare = list(Cores((first,), 1).spare.cores) or [first]
    bot = make(
        tmp_path / "ada", {"look.py": f"{LOOK}\nraise SystemExit(3)"}, name="ada",
        language="Python", build=["python3", "-c", LOOK], run=["python3", "look.py"],
    )  # fmt: skip
    with stage.runner("real", "--cores", str(first), "--slots", "1"):
        assert call(stage.server, "submit", bot, token=stage.owner).code == 0
        until("the end", lambda: submissions_of(stage.server, "ada")[0]["state"] == "rejected")
    assert set(spare) <= {first, *others}
    log = stage.log_of("ada")
    assert log.count(f"it runs on {spare}\n") == 2
    assert log.count("it runs on") == 2
