"""A server that does not get its processor does not let the bots pay for it."""

import asyncio
import signal
import time
from pathlib import Path

from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import anything, bots, connected, nothing, number

PULSES, SECONDS = 20, 0.025  # shorter than what a healthy loop may be late now and then
MOST_CHARGED = 0.011  # of each pulse: the loop shows every 10 ms that it listens; and rounding


def test_what_a_starved_server_took_is_not_charged(tmp_path: Path) -> None:
    async def play(server: Server) -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["rex"], nothing) as (rex,),
        ):
            organiser = Organiser(channel)
            (match_id,) = await organiser.start("two-player", ["rex", "house-random"])
            ask = await rex.next("ask")
            stopped = 0.0
            for _ in range(PULSES):
                server.signal(signal.SIGSTOP)
                began = time.monotonic()
                await asyncio.sleep(SECONDS)
                stopped += time.monotonic() - began
                server.signal(signal.SIGCONT)
                await asyncio.sleep(SECONDS)
            rex.answer = anything("rex")
            rex.put(number(ask.ask_id, 0))
            match = await organiser.finished(match_id)
            first = match.replay.steps[0].timings[match.bots.index("rex")]
            assert first.charge_ms is not None
            forgiven = (first.ms - first.charge_ms) / 1000
            assert forgiven >= stopped - PULSES * MOST_CHARGED
            assert match.clean()

    with Server(tmp_path) as server:
        asyncio.run(play(server))
