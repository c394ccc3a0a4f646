"""Every bot of the repository can do all that is wanted of a bot."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from paddock_games import FORMATS
from paddock_server.checking.check import check
from paddock_server.checking.report import Outcome
from tests.tools import needs, needs_perl

CLIENTS = Path(__file__).parents[2] / "clients"
BRIDGE = (sys.executable, "-m", "paddock.bridge")


def passes(*commands: Sequence[object], formats: Sequence[str] = tuple(FORMATS)) -> None:
    """All of these at once, for most of a check is waiting."""

    async def all_of_them() -> list[list[Outcome]]:
        checks = [check([str(word) for word in command], formats) for command in commands]
        return await asyncio.gather(*checks)

    for outcomes in asyncio.run(all_of_them()):
        assert [each for each in outcomes if not each.passed] == []
        assert len(outcomes) == 10 + len(formats)


def test_the_quick_ones_in_python() -> None:
    names = ("random", "greedy", "careful")
    passes(*[(sys.executable, "-m", f"paddock.bots.{name}") for name in names])


def test_the_one_that_thinks() -> None:
    """It uses what time it is given, so one format has to do."""
    passes((sys.executable, "-m", "paddock.bots.monte_carlo"), formats=["summer"])


def test_those_that_speak_lines() -> None:
    needs("awk", "on Debian: apt-get install mawk")
    needs_perl()
    passes(
        (*BRIDGE, "--", CLIENTS / "bridge" / "bot.sh"),
        (*BRIDGE, "--max-matches", "4", "--", CLIENTS / "bridge" / "bot.pl"),
    )


def test_the_one_in_node(node_packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_PATH", str(node_packages))
    passes(("node", CLIENTS / "node" / "bot.js"))


def test_no_sample_is_left_out() -> None:
    """Whoever adds a sample adds it here."""
    python = {path.stem for path in (CLIENTS / "python" / "paddock" / "bots").glob("[a-z]*.py")}
    assert python == {"random", "greedy", "careful", "monte_carlo"}
    assert {path.name for path in CLIENTS.glob("*/bot.*")} == {
        "bot.sh", "bot.awk", "bot.pl", "bot.js",
    }  # fmt: skip
