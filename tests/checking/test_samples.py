"""The sample bot that thinks can do what is wanted of a bot; tests/clients checks all others."""

import asyncio
import sys

from paddock_server.checking.check import check


def test_the_one_that_thinks() -> None:
    """It uses what time it is given, so these points have to do; the others have its SDK."""
    only = ["tight time", "several asks", "slow choose", "lost connection", "stopped"]
    command = [sys.executable, "-m", "paddock.bots.monte_carlo"]
    outcomes = asyncio.run(check(command, ["summer"], only=only))
    assert [each.word for each in outcomes] == ["passed"] * (1 + len(only)), outcomes
