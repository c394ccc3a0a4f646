"""Matches between bots that are processes of their own, on a server of their own."""

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from paddock_server.processes import BotProcess, Entry
from paddock_server.referee.clock import Clock
from paddock_server.serving import Serving, Settings

_CONNECT_SECONDS: Final = 30.0


def copies(entries: Sequence[Entry], seats: int) -> list[Entry]:
    """Second copies of the bots, in turn, where there are fewer bots than seats."""
    made = []
    for number in range(len(entries), seats):
        name, command = entries[number % len(entries)]
        made.append(Entry(f"{name}-{number // len(entries) + 1}", command))
    return made


class Wanted(NamedTuple):
    """What is to be played."""

    format: str
    games: int
    seats: int | None
    rules: Any
    clock: Clock


async def play_matches(
    entries: Sequence[Entry], wanted: Wanted, finished: Callable[[Mapping[str, Any]], None]
) -> None:
    """Start the bots, have them play, and hand over every record; raises BotFailed."""
    async with own_server(entries, wanted.clock) as (serving, processes):
        await _play_all(serving, processes, wanted, finished)


@asynccontextmanager
async def own_server(
    entries: Sequence[Entry], clock: Clock
) -> AsyncIterator[tuple[Serving, list[BotProcess]]]:
    """A server with these bots connected, for the while; raises BotFailed."""
    with tempfile.TemporaryDirectory(prefix="paddock-") as folder:
        database = str(Path(folder) / "paddock.db")
        serving = Serving(Settings(database=database, grpc="127.0.0.1:0", clock=clock))
        await serving.start()
        processes: list[BotProcess] = []
        env = {
            "PADDOCK_SERVER": serving.address,
            "PADDOCK_TOKEN": "",
            "PADDOCK_DICE_SECRET": secrets.token_hex(16),  # common to all, for comparisons
        }
        try:
            for entry in entries:
                processes.append(await BotProcess.start(entry, env))  # noqa: PERF401 -- see finally
            await _all_connected(serving, processes)
            yield serving, processes
        finally:
            await asyncio.gather(*(process.stop() for process in processes))
            await serving.stop()


async def _all_connected(serving: Serving, processes: Sequence[BotProcess]) -> None:
    """Wait until all of them are there; raises BotFailed."""
    sessions = serving.arena.hall.sessions
    deadline = asyncio.get_running_loop().time() + _CONNECT_SECONDS
    while missing := [p for p in processes if p.entry.name not in sessions]:
        for process in missing:
            if process.process.returncode is not None:
                await asyncio.sleep(0.1)  # for its last words
                code = process.process.returncode
                raise process.failure(f"ended with {code} before it connected")
        if asyncio.get_running_loop().time() > deadline:
            raise missing[0].failure(f"did not connect within {_CONNECT_SECONDS:.0f} s")
        await asyncio.sleep(0.02)


async def _play_all(
    serving: Serving,
    processes: Sequence[BotProcess],
    wanted: Wanted,
    finished: Callable[[Mapping[str, Any]], None],
) -> None:
    left = wanted.games
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_finish(_table: object, record: Mapping[str, Any], _changes: object) -> None:
        nonlocal left
        left -= 1
        try:
            finished(record)
        except Exception as problem:  # noqa: BLE001 -- whoever waits must know, or waits for ever
            if not done.done():
                done.set_exception(problem)
        if left <= 0 and not done.done():
            done.set_result(None)

    serving.arena.on_finish.append(on_finish)
    names = [process.entry.name for process in processes]
    await serving.arena.add_matches(wanted.format, names, wanted.games, wanted.seats, wanted.rules)
    await first_to_end(_of(done), processes)


async def _of(done: asyncio.Future[None]) -> None:
    await done


async def first_to_end(done: Coroutine[Any, Any, Any], processes: Sequence[BotProcess]) -> None:
    """Wait until it is done; raises BotFailed where a bot ends before."""
    waiting = asyncio.create_task(done)
    deaths = {asyncio.create_task(p.process.wait()): p for p in processes}
    ended, _ = await asyncio.wait([waiting, *deaths], return_when=asyncio.FIRST_COMPLETED)
    for task in (waiting, *deaths):
        task.cancel()
    if waiting not in ended:
        dead = deaths[next(iter(ended))]
        await asyncio.sleep(0.1)  # for its last words
        raise dead.failure(f"ended with {dead.process.returncode} while matches were open")
    await waiting
