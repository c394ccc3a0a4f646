"""What a jail costs a bot: its start, and from ask to answer; and what a fork bomb costs others.

`python -m bench.hosting` starts the sample bot `greedy` as a plain process, in a jail with its
relay, and in a jail beside one in which every process forks for ever, all in turn, and has it play
scripted matches each time. That one shares all cores, as with more slots than cores, or has a core
of its own. On a busy machine only differences between the rows mean anything.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median

from bench.measure import Figures, Goal, machine, show

from paddock_server.checking.program import Program, Starter
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject
from paddock_server.cli.jailing import open_jails
from paddock_server.hosting.cores import usable_cores
from paddock_server.hosting.jailed_bots import JailedBots
from paddock_server.jails.confined import CannotJail, Confined, Cpu
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import python
from paddock_server.jails.usual import BOT
from paddock_server.referee.clock import Clock

COMMAND = (sys.executable, "-m", "paddock.bots.greedy")
FORMAT = "two-player"
START_RATIO, START_MS = 1.5, 50  # the goals: a start costs at most so much
ANSWER_MS = 0.5
BOMB, BOMB_OF_ONE_CORE = "jail beside a fork bomb", "the same, with a core of its own"
BOMB_MS = 5.0  # that a fork bomb in another jail may add to the slowest hundredth of answers
_BOMB = """import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""


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


async def _beside_a_bomb(jails: Jails, starter: Starter, cpu: Cpu) -> tuple[float, list[float]]:
    """The same while every process of another jail forks as often as it can, on these cores."""
    command = (sys.executable, "-c", _BOMB)
    bomb = await jails.start(Confined(command, python(), folder="/", limits=BOT, cpu=cpu))
    try:
        return await _round(starter)
    finally:
        await bomb.stop()


async def measure(rounds: int, jails: Jails) -> None:
    """Measure all in turn, and print medians and the goals."""
    jailed = JailedBots(jails).checked
    ways: dict[str, Callable[[], Awaitable[tuple[float, list[float]]]]] = {
        "plain": lambda: _round(Program.start),
        "jail": lambda: _round(jailed),
        BOMB: lambda: _beside_a_bomb(jails, jailed, Cpu()),
        BOMB_OF_ONE_CORE: lambda: _beside_a_bomb(jails, jailed, Cpu((max(usable_cores()),))),
    }
    starts: dict[str, list[float]] = {way: [] for way in ways}
    answers: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, once in ways.items():
            start, took = await once()
            starts[way].append(start)
            answers[way] += took[len(took) // 3 :]
    rows = []
    for way in ways:
        cells = (median(starts[way]), min(starts[way]))
        times = (median(answers[way]), _part(answers[way], 0.1), _part(answers[way], 0.99))
        rows.append((way, *(f"{cell:.0f}" for cell in cells), *(f"{each:.2f}" for each in times)))
    columns = ("way", "start, ms", "least", "ask to answer, ms", "quickest tenth", "p99")
    allowed = round(START_RATIO * median(starts["plain"]) + START_MS)
    more = median(answers["jail"]) - median(answers["plain"])
    quiet, shared, alone = (_part(answers[way], 0.99) for way in ("jail", BOMB, BOMB_OF_ONE_CORE))
    goals = [
        Goal("ms of a start in a jail", median(starts["jail"]), allowed, at_least=False),
        Goal("ms that jail and relay add to an answer", more, ANSWER_MS, at_least=False),
        Goal("ms that a fork bomb adds to others' p99", shared - quiet, BOMB_MS, at_least=False),
        Goal("ms that one on a core adds to it", alone - quiet, BOMB_MS, at_least=False),
    ]
    show(str(machine()), [Figures(f"{rounds} starts of each", columns, rows)], goals)


def _part(times: list[float], part: float) -> float:
    """The time that this part of all is not above."""
    return sorted(times)[int(part * (len(times) - 1))]


def main() -> None:
    """Run the benchmark; without jails it ends with a sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    try:
        jails = open_jails(accept_weaker=True, say=print)
    except CannotJail as problem:
        sys.exit(str(problem))
    asyncio.run(measure(rounds, jails))


if __name__ == "__main__":
    main()
