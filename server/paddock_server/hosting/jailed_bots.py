"""Bots of this machine in jails: for `paddock play`, `check-bot` and `tournament run --jail`."""

from collections.abc import Callable, Mapping, Sequence

from paddock_server.checking.program import CannotStart, Program
from paddock_server.hosting.cell import Cell
from paddock_server.jails.commands import confined_here, everything
from paddock_server.jails.confined import CannotJail, JailLimits
from paddock_server.jails.jail import Jails
from paddock_server.programs.output import Output
from paddock_server.programs.processes import BotFailed, BotProcess, BotProgram
from paddock_wire.address import Address, address

_GRACE_SECONDS = 3.0
_OURS = ("PADDOCK_SERVER", "PADDOCK_TOKEN")  # which stay outside


class JailedBots:
    """Starts commands of this machine in jails, where they would have been started without."""

    def __init__(self, jails: Jails, limits: JailLimits = JailLimits()) -> None:  # noqa: B008
        self._jails = jails
        self._limits = limits
        self._toolchain = everything()

    async def open(self, command: Sequence[str], server: Address, env: Mapping[str, str]) -> Cell:
        """This command in a jail; raises CannotJail."""
        inside = {key: value for key, value in env.items() if key not in _OURS}
        what = confined_here(command, self._toolchain, inside, self._limits)
        return await Cell.open(self._jails, what, server, token=env.get("PADDOCK_TOKEN", ""))

    async def bot(self, program: BotProgram, env: Mapping[str, str], output: Output) -> BotProcess:
        """A bot that is kept running; raises BotFailed."""
        output.start(program.command)
        inside = {"PADDOCK_BOT": program.name, **env}
        try:
            cell = await self.open(program.command, address(env["PADDOCK_SERVER"]), inside)
        except CannotJail as problem:
            raise BotFailed(f"{program.name} can't be started: {problem}") from None
        return JailedBot(program, cell, output)

    async def checked(
        self, command: Sequence[str], server: str, name: str, hear: Callable[[str], None]
    ) -> Program:
        """A bot that is being checked; raises CannotStart."""
        try:
            cell = await self.open(command, address(server), {"PADDOCK_BOT": name})
        except CannotJail as problem:
            raise CannotStart(f"{command[0]} can't be started: {problem}") from None
        return JailedProgram(cell, hear)


class JailedBot(BotProcess):
    """A bot's process in a jail, and its output."""

    def __init__(self, program: BotProgram, cell: Cell, output: Output) -> None:
        super().__init__(program, cell.jail.process, output)
        self._cell = cell

    async def end(self) -> None:
        """End all in the jail."""
        await self._cell.close(_GRACE_SECONDS)

    def failure(self, what: str) -> BotFailed:
        """An error that says what happened; a limit of the jail, if it was one."""
        because = self._cell.jail.ended_because
        return super().failure(f"{what} ({because})" if because else what)


class JailedProgram(Program):
    """The process of a bot that is being checked, in a jail."""

    def __init__(self, cell: Cell, hear: Callable[[str], None]) -> None:
        super().__init__(cell.jail.process, hear)
        self._cell = cell

    @property
    def end(self) -> str:
        """How it ended, in words; empty while it runs."""
        because = self._cell.jail.ended_because
        return f"its jail ended it: {because}" if because else super().end

    async def terminate(self, seconds: float) -> None:
        """Send SIGTERM to it alone, as a service manager does, and wait so long for its end."""
        self._cell.jail.terminate()
        await self.ended(seconds)

    async def stop(self) -> None:
        """End it and all that it started: SIGTERM, then SIGKILL."""
        await self._cell.close(_GRACE_SECONDS)
        await self.finish()
