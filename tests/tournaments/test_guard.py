"""The guard of the tournaments: the failed work of one is noted, and the others go on."""

import asyncio

import pytest

from paddock_server.tournaments.guard import Guard


def test_failed_work_is_noted_once_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        guard, done = Guard(), asyncio.Event()

        async def fail() -> None:
            raise RuntimeError("the disk is full")

        async def go_on() -> None:
            done.set()

        await guard.run("cup", fail)
        guard.begin("league", go_on)
        await done.wait()
        assert guard.take_failed() == ["cup"]
        assert guard.take_failed() == []

    asyncio.run(test())
    assert "tournament failed and is resumed from the store: cup" in caplog.text


def test_closing_cancels_what_is_under_way() -> None:
    async def test() -> None:
        guard, begun = Guard(), asyncio.Event()
        cancelled: list[str] = []

        async def work() -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append("cup")
                raise

        guard.begin("cup", work)
        await begun.wait()
        guard.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        assert cancelled == ["cup"]
        assert guard.take_failed() == []

    asyncio.run(test())
