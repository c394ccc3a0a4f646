"""A comparison of two bots: blocks of matches over gRPC until a sequential test has decided."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paddock_games import Rules
from paddock_ladder.schedules import Outcome, Seating
from paddock_ladder.schedules.comparison import Comparing, Comparison
from paddock_ladder.sequential import SequentialTest, Verdict
from paddock_server.local.own_server import Company, own_server
from paddock_server.programs.processes import BotProgram
from paddock_server.referee.clock import Clock
from paddock_server.store.tournament_file import TournamentFile
from paddock_server.tables.notices import EndListener, Finished
from paddock_server.tournaments.definition import Bot, Definition
from paddock_server.tournaments.running import Running


class Compared(NamedTuple):
    """The settings of a comparison: the bots, what they play, and the test."""

    new: BotProgram
    old: BotProgram
    field: Sequence[BotProgram]
    seating: Seating
    rules: Rules
    clock: Clock
    test: SequentialTest
    budget: int  # blocks

    @property
    def entries(self) -> tuple[BotProgram, ...]:
        """All bots: new, old and the field."""
        return (self.new, self.old, *self.field)

    @property
    def comparison(self) -> Comparison:
        """The schedule of the blocks."""
        names = tuple(entry.name for entry in self.field)
        return Comparison(self.new.name, self.old.name, names, self.seating)


async def compare(
    wanted: Compared, company: Company, tell: Callable[[Verdict, int], None]
) -> Verdict:
    """Start the bots and play blocks until there is a verdict or the budget is spent.

    `tell` gets the verdict and the number of matches after every block. Raises BotFailed.
    """
    schedule = Comparing(wanted.comparison, wanted.test, wanted.budget)
    async with own_server(company, wanted.clock) as server:
        await server.gather([wanted.seating.format])
        serving = server.serving
        running = Running(
            serving.lobby, serving.database, _definition(wanted), schedule, common_dice=True
        )
        serving.desk.running[running.definition.name] = running
        verdicts = Verdicts(schedule, running, tell)
        serving.tables.listeners.append(EndListener(verdicts.look))

        async def play() -> None:
            await running.start()
            await running.done.wait()

        await server.until(play())
        return schedule.verdict(list(running.history.values()))


class Verdicts:
    """A listener that tells the verdict so far whenever a block is complete."""

    def __init__(
        self, schedule: Comparing, running: Running, tell: Callable[[Verdict, int], None]
    ) -> None:
        self._schedule = schedule
        self._running = running
        self._tell = tell
        self._left: dict[str, int] = {}  # matches of a block that are to come

    def look(self, finished: Finished) -> None:
        """Count a finished match."""
        plan = finished.plan
        if plan.trial:  # of a bot on probation, against house bots
            return
        block, size = plan.block, plan.block_size
        self._left[block] = self._left.get(block, size) - 1
        if not self._left[block]:
            asyncio.get_running_loop().call_soon(self._say)

    def _say(self) -> None:
        history: list[Outcome] = list(self._running.history.values())
        self._tell(self._schedule.verdict(history), len(history))


def _definition(wanted: Compared) -> Definition:
    rules = {wanted.seating.format: wanted.rules}
    bots = tuple(Bot(entry.name) for entry in wanted.entries)
    return Definition(
        name="compare", schedule="compare", formats=(wanted.seating,), bots=bots, rules=rules,
        clock=wanted.clock, rated=False, patience_seconds=0.0, contest=None, rotations=True,
        matches=0, at_once=0, owners_may_meet=True, file=TournamentFile("compare"),
    )  # fmt: skip
