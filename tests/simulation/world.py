"""A simulated world: one server after the other, its bots, and what goes wrong, from one seed."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from paddock_server.api.access import Access
from paddock_server.api.play import Play
from paddock_server.api.strangers import Strangers
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.lobby.lobby import Lobby
from paddock_server.observe.metrics import Metrics
from paddock_server.store import store
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchFilter
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tournaments.definition import read_definition
from paddock_server.tournaments.desk import Desk
from paddock_server.visitors.admission import Most
from paddock_server.visitors.gate import Gate
from paddock_server.visitors.share import Share
from tests.simulation.bots import KINDS, SimulatedBot
from tests.simulation.clockwork import Clockwork
from tests.simulation.disk import Disk, DiskWriter, database_on
from tests.simulation.network import Aborted, Stream

_FORMATS: Final = ("two-player", "summer", "winter", "dino-twist-small", "two-player-winter")
_SCHEDULES: Final = ("round-robin", "swiss", "knockout", "ladder")
_LONGEST: Final = 3600.0  # simulated seconds; what is not over by then hangs
_LIMITS: Final = Limits()._replace(useless_items=100_000)


class Server:
    """One life of a server: the product's own rooms, without gRPC and HTTP."""

    def __init__(self, disk: Disk) -> None:
        self.database: Database = database_on(disk)
        metrics = Metrics()
        self._tables = LocalTables(Journal(self.database), metrics)
        policy = Policy(trial_seconds=1.0)
        self.lobby = Lobby(self.database, self._tables, metrics, limits=_LIMITS, policy=policy)
        self.desk = Desk(self.lobby, self.database)
        self._tables.listeners.append(self.desk)
        self._play = Play(
            self.database,
            self.lobby,
            self._tables,
            desk=self.desk,
            access=Access(self.database, None),
            strangers=Strangers(Gate(Share(1.0, 1.0, lambda: False), Most(1000, 1000))),
            limits=_LIMITS,
            metrics=metrics,
        )
        self._calls: dict[asyncio.Task[None], Stream] = {}  # in order, for equal runs

    async def start(self) -> None:
        """Resume what an earlier life left."""
        await self.lobby.start()
        await self.desk.start()

    def serve(self, stream: Stream) -> None:
        """Serve a stream until it ends."""
        call = asyncio.get_running_loop().create_task(self._call(stream))
        self._calls[call] = stream
        call.add_done_callback(self._calls.pop)

    async def _call(self, stream: Stream) -> None:
        try:
            await self._play.stream(None, stream)
        except Aborted:
            pass
        finally:
            stream.close()

    def die(self) -> None:
        """Die as by kill -9: nothing is finished, and every line is cut."""
        writer = self.database.writer
        assert isinstance(writer, DiskWriter)
        writer.die()
        for call, stream in self._calls.items():
            stream.cut()
            call.cancel()
        self.desk.close()
        self.lobby.stop()
        self._tables.stop()
        self.database.close()


class Trouble(NamedTuple):
    """How often each kind of trouble comes in a world."""

    kills: int = 4
    power_cuts: int = 1
    cuts: int = 12  # of lines to bots
    full_disks: int = 2
    suspensions: int = 2  # of the whole machine
    clock_steps: int = 3  # of the calendar, forwards or backwards
    disk_lies: bool = False  # it says that something is synced when it is not


class World:
    """Everything that happens to one server and its bots, decided by one seed."""

    def __init__(self, seed: int, path: Path, clockwork: Clockwork, trouble: Trouble) -> None:
        self.chance = Random(seed)
        self.trouble = trouble
        self.happened: list[str] = []  # what went wrong, in order
        self.matches = 0  # that were played
        self.digest = ""  # of everything stored: equal seeds give equal digests
        self._clockwork = clockwork
        self._disk = Disk(path, Random(self.chance.getrandbits(64)))
        self._disk.keeps_synced = trouble.power_cuts > 0
        self._disk.lies = trouble.disk_lies
        self._up = asyncio.Event()
        self.server: Server | None = None
        self.bots = self._bots()

    def _bots(self) -> list[SimulatedBot]:
        kinds = [kind for kind in KINDS for _ in range(2)]
        return [
            SimulatedBot(kind, f"{kind.name}-{number}", Random(self.chance.getrandbits(64)))
            for number, kind in enumerate(kinds)
        ]

    async def run(self) -> None:
        """Play everything that was planned, whatever happens, and stop."""
        await self._start_server()
        playing = [asyncio.create_task(bot.play(self._dial)) for bot in self.bots]
        await self._plan_matches()
        troubles = [asyncio.create_task(do) for do in self._troubles()]
        await asyncio.gather(*troubles)
        await self._until(self._is_done)
        for bot in self.bots:
            await bot.stop()
        await asyncio.sleep(2.0)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    def close(self) -> None:
        """Stop the last server, and sum up what it stored."""
        assert self.server is not None
        rows = self.server.database.look(store.list_records, 0, 1_000_000)
        self.matches = len(rows)
        text = repr([(row.id, row.results, record) for row, record in rows])
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.server.die()

    # --- the server -------------------------------------------------------------------------

    async def _start_server(self) -> None:
        while True:
            self.server = Server(self._disk)
            try:
                await self.server.start()
            except CannotOpen:  # the disk is full: whatever starts servers tries again
                self.server.die()
                await asyncio.sleep(1.0)
            else:
                self._up.set()
                return

    def _dial(self, stream: Stream) -> None:
        if self._up.is_set() and self.server is not None:
            self.server.serve(stream)
        else:
            stream.cut()

    async def _restart(self, *, power_cut: bool) -> None:
        if not self._up.is_set():
            return  # it is down already
        assert self.server is not None
        self._up.clear()
        self.server.die()
        if power_cut:
            self._disk.lose_unsynced()
        await asyncio.sleep(self.chance.uniform(0.1, 3.0))
        await self._start_server()

    # --- the matches ------------------------------------------------------------------------

    async def _plan_matches(self) -> None:
        assert self.server is not None
        names, presence = [bot.label for bot in self.bots], self.server.lobby.presence
        await self._until(lambda: len(presence) == len(names))
        for format_name in _FORMATS:
            field = self.chance.sample(names, 5)
            await self.server.lobby.add_matches(format_name, field, 3)
        schedule = self.chance.choice(_SCHEDULES)
        rotated = "rotations = true\n"
        more = {"swiss": f"{rotated}rounds = 3", "ladder": "matches = 12"}.get(schedule, rotated)
        file = f"""
            name = "simulated"
            schedule = "{schedule}"
            formats = ["{self.chance.choice(_FORMATS)}"]
            bots = {self.chance.sample(names, 6)}
            {more}
        """
        await self.server.desk.open(read_definition(file))
        self.happened.append(f"planned a {schedule}")

    def _is_done(self) -> bool:
        assert self.server is not None
        if not self._up.is_set():
            return False
        look = self.server.database.look
        for state in ("waiting", "open"):
            if look(store.list_matches, None, 1, MatchFilter(state=state)):
                return False
        return not self.server.desk.running

    async def _until(self, so: Callable[[], bool]) -> None:
        """Wait until this is so, looking now and then; time costs nothing."""
        while self._clockwork.now < _LONGEST and not so():  # noqa: ASYNC110
            await asyncio.sleep(0.5)

    # --- trouble ----------------------------------------------------------------------------

    def _troubles(self) -> list[Coroutine[Any, Any, None]]:
        trouble = self.trouble
        return [
            self._every(trouble.kills, self._kill),
            self._every(trouble.power_cuts, self._cut_power),
            self._every(trouble.cuts, self._cut_line),
            self._every(trouble.full_disks, self._fill_disk),
            self._every(trouble.suspensions, self._suspend),
            self._every(trouble.clock_steps, self._step_clock),
        ]

    async def _every(self, count: int, do: Callable[[], Awaitable[None]]) -> None:
        for _ in range(count):
            await asyncio.sleep(self.chance.uniform(0.5, 12.0))
            await self._up.wait()
            await do()

    def _note(self, what: str) -> None:
        self.happened.append(f"{self._clockwork.now:.3f} {what}")

    async def _kill(self) -> None:
        self._note("kill")
        await self._restart(power_cut=False)

    async def _cut_power(self) -> None:
        self._note("power cut")
        await self._restart(power_cut=True)

    async def _cut_line(self) -> None:
        bot = self.chance.choice(self.bots)
        self._note(f"cut {bot.label}")
        bot.cut()

    async def _fill_disk(self) -> None:
        self._note("disk full")
        self._disk.full = True
        await asyncio.sleep(self.chance.uniform(0.5, 4.0))
        self._disk.full = False

    async def _suspend(self) -> None:
        self._note("suspended")
        self._clockwork.sleep_through(self.chance.uniform(1.0, 30.0))

    async def _step_clock(self) -> None:
        self._note("clock set")
        self._clockwork.calendar_error = self.chance.choice(
            (-1.0, 1.0)
        ) * 10 ** self.chance.uniform(0.0, 6.0)
