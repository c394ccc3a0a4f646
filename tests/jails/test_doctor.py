"""The doctor says what holds; strict jails start only where everything holds."""

import json
import sys

import pytest
from bench import hosting
from click.testing import CliRunner

from paddock_server.cli.app import paddock
from paddock_server.jails.confined import CannotJail
from paddock_server.jails.controllers import WANTED, Controllers
from paddock_server.jails.doctor import Promise, admitted, examine
from paddock_server.jails.means import find_means
from paddock_server.jails.slots import UidRange

NAMES = [
    "walls", "system calls", "own uid", "memory", "processes", "fair processors", "own cores",
    "files",
]  # fmt: skip


def test_the_doctor_tells_everything() -> None:
    promises = examine()
    assert [each.name for each in promises] == NAMES
    assert {each.name for each in promises if each.held} >= {"walls", "system calls", "files"}
    run = CliRunner().invoke(paddock, ["runner", "doctor", "--json"], standalone_mode=False)
    told = json.loads(run.output)
    assert [each["name"] for each in told["promises"]] == NAMES
    assert any(name.startswith("python-") for name in told["toolchains"])
    assert run.return_value == (0 if all(each.held for each in promises) else 1)


def test_strict_refuses_and_says_what_to_do() -> None:
    weak = find_means()._replace(
        controllers=Controllers({}, dict.fromkeys(WANTED, "it is not mounted")),
        uids=UidRange(range(0), "nobody"),
    )
    promises = examine(weak)
    broken = {each.name for each in promises if not each.held}
    assert broken == {"own uid", "memory", "processes", "fair processors", "own cores"}
    with pytest.raises(CannotJail, match=r"usermod .*Delegate=yes.*--accept-weaker starts without"):
        admitted(promises, accept_weaker=False)
    told = admitted(promises, accept_weaker=True)
    assert len(told) == len(broken)
    assert {sentence.partition(": ")[0] for sentence in told} == broken


def test_without_walls_there_is_no_jail_at_all() -> None:
    means = find_means()
    bare = means._replace(tools={k: v for k, v in means.tools.items() if k != "bwrap"})
    with pytest.raises(CannotJail, match="bwrap not found; apt-get install bubblewrap") as refused:
        admitted(examine(bare), accept_weaker=True)
    assert "--accept-weaker" not in str(refused.value)
    broken = means._replace(tools={**means.tools, "bwrap": "/bin/false"})
    with pytest.raises(CannotJail, match="a jail can't be made"):
        admitted(examine(broken), accept_weaker=True)


def test_a_benchmark_without_walls_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    means = find_means()
    bare = means._replace(tools={k: v for k, v in means.tools.items() if k != "bwrap"})
    monkeypatch.setattr("paddock_server.cli.jailing.find_means", lambda: bare)
    monkeypatch.setattr(sys, "argv", ["bench.hosting"])
    with pytest.raises(SystemExit, match="bwrap not found; apt-get install bubblewrap"):
        hosting.main()


def test_where_everything_holds_nothing_is_said() -> None:
    assert admitted([Promise("walls", True, "")], accept_weaker=False) == []
