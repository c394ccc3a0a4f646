"""What the SDK of each language costs: decisions a second, and processor time for each.

The bot is `random`, so that all of it is the SDK: reading asks, drawing a number, answering. It
plays 64 matches on one stream against a script that has all asks ready, in bytes, and sends the
next ask of a match as soon as it has an answer. The script is one process and the bot another: the
rate is that of the slower one, the processor time is the bot's alone.
"""

import asyncio
import os
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import grpc
from bench.measure import Figures, machine, options, show, show_json
from bench.processes import processor_seconds
from tests.clients.building import Builder
from tests.clients.languages import LANGUAGES, OTHERS

from paddock.v1 import arena_pb2
from paddock_games import FORMATS, Match, Seated, format_named, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_server.api.offer import welcome
from paddock_server.calls.call import END
from paddock_server.calls.call_server import CallServer
from paddock_server.lobby.limits import Limits
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.wire import items

FORMAT: Final = "summer"
MATCHES: Final = 64
PLAY: Final = "/paddock.v1.ArenaService/Play"
NAME: Final = "measured"


class Script(NamedTuple):
    """What the bot is told: its matches, and all their asks."""

    started: bytes
    asks: tuple[tuple[bytes, ...], ...]  # by match


def script(asks: int) -> Script:
    """So many asks in all, of 64 matches."""
    started, told = b"", []
    for number in range(MATCHES):
        seats = [Seated(NAME, "1", NAME, NO_NONCE)] * format_named(FORMAT).usual_seats
        seed = bytes([number]) * SEED_BYTES
        match = Match(f"M{number}", FORMAT, game_of(FORMAT).rules(None), seats, seed)
        started += items.started(match, 0, Clock(base=60.0), bytes(items.DICE_BYTES))
        states, state = [], match.start()
        while state.to_move:
            states.append(state)
            state = state.step({seat: state.default(seat) for seat in state.to_move})
        told.append(
            tuple(
                _ask(match, states[turn % len(states)], number + MATCHES * turn)
                for turn in range(asks // MATCHES)
            )
        )
    return Script(started, tuple(told))


def _ask(match: Match, state: Any, ask_id: int) -> bytes:
    ask = Ask(0, ask_id + 1, state, state.legal(0), 60.0, 10.0)
    return items.ask(match, ask, items.table(match, state))


class Server:
    """A server for one bot; `done` is set when all asks are answered."""

    def __init__(self, told: Script) -> None:
        self._waiting = [deque(asks) for asks in told.asks]
        self._told = told
        self._server = CallServer()
        self._server.add_generic_rpc_handlers((_Handler(self),))
        self.began = asyncio.Event()
        self.done = asyncio.Event()
        self._over = asyncio.Event()

    async def start(self) -> str:
        """Listen; the address."""
        port = await self._server.listen("127.0.0.1:0")
        await self._server.start()
        return f"127.0.0.1:{port}"

    async def stop(self) -> None:
        """End the stream, and stop."""
        self._over.set()
        await self._server.stop(1)

    async def play(self, _requests: Any, context: Any) -> None:
        """Ask everything that there is to ask."""
        await context.read()
        message = welcome(Limits(), list(FORMATS))
        await context.write(items.welcome(message) + self._told.started)
        self.began.set()
        await context.write(b"".join(asks.popleft() for asks in self._waiting))
        left = sum(len(asks) for asks in self._told.asks)
        while left:
            frame = await context.read()
            if frame is END:
                return
            answer = []
            for item in arena_pb2.PlayRequest.FromString(frame).items:
                if item.HasField("choice"):
                    left -= 1
                    asks = self._waiting[(item.choice.ask_id - 1) % MATCHES]
                    if asks:
                        answer.append(asks.popleft())
            if answer:
                await context.write(b"".join(answer))
        self.done.set()
        await self._over.wait()


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, server: Server) -> None:
        self._play: Any = grpc.stream_stream_rpc_method_handler(server.play)

    def service(self, handler_call_details: Any) -> Any:
        """Play, and nothing else."""
        return self._play if handler_call_details.method == PLAY else None


class Cost(NamedTuple):
    """What one run came to."""

    rate: float  # decisions a second
    micros: float  # of processor time for each decision


async def measure(command: Sequence[str], told: Script) -> Cost:
    """Let a bot answer everything once."""
    server = Server(told)
    address = await server.start()
    env = {**os.environ, "PADDOCK_SERVER": address, "PADDOCK_BOT": NAME}
    with tempfile.TemporaryFile() as log:
        bot = await asyncio.create_subprocess_exec(*command, env=env, stdout=log, stderr=log)
        try:
            await asyncio.wait_for(server.began.wait(), 60)
            began, used = time.perf_counter(), processor_seconds(bot.pid)
            await asyncio.wait_for(server.done.wait(), 600)
            seconds, spent = time.perf_counter() - began, processor_seconds(bot.pid) - used
        finally:
            bot.kill()
            await bot.wait()
            await server.stop()
    decisions = sum(len(asks) for asks in told.asks)
    return Cost(decisions / seconds, 1e6 * spent / decisions)


def main() -> None:
    """Measure all languages in turn, and print."""
    chosen = options("clients", __doc__ or "")
    told = script(6_400 if chosen.quick else 64_000)
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(Path(folder))
        for language in LANGUAGES.values():
            builder.build(language)
    commands: dict[str, Sequence[str]] = {
        language.title: (str(language.program("random")), "--max-matches", str(MATCHES))
        for language in LANGUAGES.values()
    }
    commands[OTHERS["perl"].title] = OTHERS["perl"].command
    costs: dict[str, list[Cost]] = {title: [] for title in commands}
    for _ in range(chosen.repeats):
        for title, command in commands.items():
            costs[title].append(asyncio.run(measure(command, told)))
    facts = {
        title: Cost(*(median(values) for values in zip(*found, strict=True)))
        for title, found in costs.items()
    }
    if chosen.json:
        show_json({"machine": machine(), **{t: c._asdict() for t, c in facts.items()}}, [])
        return
    rows = [(title, f"{cost.rate:,.0f}", f"{cost.micros:,.0f}") for title, cost in facts.items()]
    columns = ("language", "decisions/s", "µs of processor time a decision")
    show(str(machine()), [Figures("What an SDK costs", columns, rows)], [])


if __name__ == "__main__":
    main()
