"""What a jail costs a bot: its start, and from ask to answer; with and without, in turn.

`python -m bench.hosting` starts the sample bot `greedy` as a plain process and in a jail
with its relay, each in turn, and has it play a scripted match each time. On a busy machine only
differences between the two columns mean anything.
"""

import argparse
import asyncio
import sys
import time
from statistics import median

from bench.measure import Figures, Goal, machine, show

from paddock_server.checking.program import Program, Starter
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject
from paddock_server.hosting.jailed_bots import JailedBots
from paddock_server.jails.jail import Jails
from paddock_server.referee.clock import Clock

COMMAND = (sys.executable, "-m", "paddock.bots.greedy")
FORMAT = "two-player"
START_RATIO, START_MS = 1.5, 50  # the goals: a start costs at most so much
ANSWER_MS = 0.5


async def _round(starter: Starter) -> tuple[float, list[float]]:
    """The milliseconds of one start, and from each ask of a match to its answer."""
    stage = Stage()
    await stage.start()
    bot = Subject(COMMAND, stage, 60.0, starter=starter)
    try:
        began = time.perf_counter()
        await bot.start()
        started = time.perf_counter() - began
        answers = []
        for _ in range(3):  # matches; the first answers load code
            table = ScriptedTable(stage, FORMAT, Clock(base=60))
            await table.begin(bot.stream)
            while table.open:
                asked = time.perf_counter()
                bot.stream.say(table.ask())
                choice = await table.answer(bot.stream)
                answers.append(1000 * (time.perf_counter() - asked))
                table.check_nonce(bot.stream)
                table.step(bot.stream, choice)
            table.end(bot.stream)
    finally:
        await bot.stop()
        await stage.stop()
    return 1000 * started, answers


async def measure(rounds: int) -> None:
    """Measure both in turn, and print medians and the goals."""
    jailed = JailedBots(Jails())
    ways: dict[str, Starter] = {"plain": Program.start, "jail": jailed.checked}
    starts: dict[str, list[float]] = {way: [] for way in ways}
    answers: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, starter in ways.items():
            start, took = await _round(starter)
            starts[way].append(start)
            answers[way] += took[len(took) // 3 :]
    rows = []
    for way in ways:
        tenth = sorted(answers[way])[len(answers[way]) // 10]
        middle, least = median(starts[way]), min(starts[way])
        cells = (f"{middle:.0f}", f"{least:.0f}", f"{median(answers[way]):.2f}", f"{tenth:.2f}")
        rows.append((way, *cells))
    columns = ("way", "start, ms", "least", "ask to answer, ms", "of the quickest tenth")
    allowed = round(START_RATIO * median(starts["plain"]) + START_MS)
    more = median(answers["jail"]) - median(answers["plain"])
    goals = [
        Goal("ms of a start in a jail", median(starts["jail"]), allowed, at_least=False),
        Goal("ms that jail and relay add to an answer", more, ANSWER_MS, at_least=False),
    ]
    show(str(machine()), [Figures(f"{rounds} starts of each", columns, rows)], goals)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    asyncio.run(measure(parser.parse_args().rounds))
