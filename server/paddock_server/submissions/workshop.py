"""The workshop: submissions go from state to state, and runners get work and tell of it.

Every step is stored before anybody hears of it. A lease is renewed by the heartbeats of its runner;
one that is not renewed in time is lost, and its work is given again. That is never held against a
submission: after several times it is stuck, and the organiser has to look.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from paddock.v1 import runner_pb2, submission_pb2
from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.lobby.lobby import Lobby
from paddock_server.store import leases as stored_leases
from paddock_server.store import submissions
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.leases import LeaseRow
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions import orders
from paddock_server.submissions.bench import Bench, fitting, free_among, wanted_toolchain
from paddock_server.submissions.hosts import Hosts
from paddock_server.submissions.lease import PREPARE, RUN, Lease, LeaseLost, new_row
from paddock_server.submissions.settings import SubmissionSettings

_LOG = logging.getLogger("paddock.submissions")
STAGES: Final[Mapping[int, str]] = {
    submission_pb2.LOG_STAGE_BUILDING: "building",
    submission_pb2.LOG_STAGE_CHECKING: "checking",
    submission_pb2.LOG_STAGE_PLAYING: "playing",
}
"""The names of stages in the store; the first two are states too."""


class Workshop:
    """The submissions of a server, the runners that are connected, and their leases."""

    def __init__(
        self,
        database: Database,
        lobby: Lobby,
        settings: SubmissionSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.benches: dict[str, Bench] = {}
        self.leases: dict[str, Lease] = {}
        self.settings = settings
        self.on_change: list[Callable[[str], None]] = []  # called with a submission's id
        self.wake: Callable[[], None] = lambda: None  # there may be something to place
        self._database = database
        self._clock = clock
        self._waiting: dict[str, SubmissionRow] = {}  # received ones, the oldest first
        self._turn = asyncio.Lock()  # one step of states at a time
        self.hosts = Hosts(lobby, self.leases, settings, clock)

    async def start(self) -> None:
        """Load what an earlier process left: its leases are lost unless their runners come back."""
        read = self._database.read
        now = self._clock()
        rows = await read(submissions.submissions_in, (*submissions.WAITING, "active"))
        found = {row.id: row for row in rows}
        for lease in await read(stored_leases.list_leases):
            row = found.get(lease.submission)
            row = row or await read(submissions.find_submission, lease.submission)
            if row is not None:
                until = now + self.settings.lease_seconds
                # Nobody knows what its process has seen.
                self.leases[lease.id] = Lease(lease, row, until, now, knows_deal=True)
                self.hosts.admit(self.leases[lease.id])
        held = {lease.row.submission for lease in self.leases.values()}
        for row in rows:
            if row.state == "active":
                self.hosts.host(row)
            elif row.id not in held:  # a lease that was ended while the state was not
                await self._back(row, "the server was stopped")
        self._waiting |= {row.id: row for row in rows if row.state == "received"}

    # --- submissions ------------------------------------------------------------------------

    def received(self, row: SubmissionRow) -> None:
        """Have a new submission prepared."""
        if row.state == "received":
            self._waiting[row.id] = row
        self._tell(row.id)
        self.wake()

    def before(self, submission: str) -> int:
        """How many submissions wait before this one."""
        order = list(self._waiting)
        return order.index(submission) if submission in self._waiting else 0

    async def retry(self, row: SubmissionRow) -> None:
        """Have a stuck or rejected submission prepared again, as if it was new."""
        async with self._turn:
            await self._set(row, "received", attempts=0)

    async def activate(self, row: SubmissionRow) -> None:
        """Make an accepted version the one that plays, from the next match on."""
        async with self._turn:
            await self._database.writer.write(
                lambda connection: submissions.activate(connection, row, stamp())
            )
            self.hosts.host(row)
        self._tell(row.id)
        self.wake()

    async def _set(self, row: SubmissionRow, state: str, **values: object) -> None:
        """Store the state of a submission, then tell everybody."""
        if state != row.state:
            values["changed"] = stamp()
        values = {"reason": "", "sentence": "", **values}

        def change(connection: Connection) -> SubmissionRow | None:
            submissions.change_submission(connection, row.id, state=state, **values)
            return submissions.find_submission(connection, row.id)

        changed = await self._database.writer.write(change)
        self._waiting.pop(row.id, None)
        if changed is not None and state == "received":
            self._waiting[row.id] = changed
            self._waiting = dict(sorted(self._waiting.items()))
        for lease in self.leases.values():
            if changed is not None and lease.row.submission == row.id:
                lease.submission = changed
        self._tell(row.id)
        self.wake()

    async def _back(self, row: SubmissionRow, why: str) -> None:
        """Give a submission to a runner again, or set it aside after several times."""
        if row.attempts < self.settings.attempts:
            await self._set(row, "received", sentence=f"it is given to a runner again: {why}")
            return
        _LOG.error("submission stuck: %s of %s: %s", row.version, row.bot, why)
        sentence = f"runners had trouble with it {row.attempts} times, the last time: {why}"
        await self._set(row, "stuck", reason="submission/stuck", sentence=sentence)

    def _tell(self, submission: str) -> None:
        for callback in self.on_change:
            callback(submission)

    # --- runners ----------------------------------------------------------------------------

    async def join(self, bench: Bench) -> list[str]:
        """Take a runner in; those of its leases that are its own no more."""
        old = self.benches.get(bench.name)
        if old is not None:
            old.end("session/replaced", "another runner with this token connected; run it once")
        bench.heard = self._clock()
        self.benches[bench.name] = bench
        named = set(bench.ready.leases)
        mine = {id_ for id_, lease in self.leases.items() if lease.row.runner == bench.name}
        for id_ in mine - named:  # it was started anew: its jails are gone
            await self._lost(self.leases[id_], f"runner {bench.name} was started again")
        self.renew(bench, mine & named)
        self.wake()
        return sorted(named - mine)

    def leave(self, bench: Bench) -> None:
        """A runner's stream is over; its leases go on for a while."""
        if self.benches.get(bench.name) is bench:
            del self.benches[bench.name]

    async def dismiss(self, name: str) -> None:
        """Take a runner out at once: its work goes to others."""
        bench = self.benches.pop(name, None)
        if bench is not None:
            bench.end("runner/bad_token", "the organiser removed this runner")
        for lease in [each for each in self.leases.values() if each.row.runner == name]:
            await self._lost(lease, f"runner {name} was removed")

    def renew(self, bench: Bench, ids: Iterable[str]) -> None:
        """Renew leases of a runner."""
        bench.heard = self._clock()
        for id_ in ids:
            lease = self.leases.get(id_)
            if lease is not None and lease.row.runner == bench.name:
                lease.until = bench.heard + self.settings.lease_seconds

    def lease_of(self, bench_name: str, lease: str) -> Lease:
        """A lease of a runner; raises LeaseLost where it is not its own any more."""
        found = self.leases.get(lease)
        if found is None or found.row.runner != bench_name:
            raise LeaseLost(f"lease {lease[:40]!r} is not this runner's; end what runs for it")
        return found

    async def stage(self, lease: Lease, stage: int) -> None:
        """A stage of preparing begins."""
        async with self._turn:
            self._expect(lease)
            await self._set(lease.submission, STAGES[stage])

    async def log(self, lease: Lease, stage: int, text: str) -> None:
        """Keep what a program printed."""
        if not lease.take_log(len(text)):
            return  # its runner should have capped it
        submission, name = lease.row.submission, STAGES[stage]
        await self._database.writer.write(
            lambda connection: submissions.append_log(connection, submission, name, text)
        )
        self._tell(submission)

    async def prepared(self, lease: Lease, said: runner_pb2.WorkPrepared) -> None:
        """A submission passed its check: it is the version of its bot that plays."""
        row, certificate = lease.submission, said.certificate
        certificate.runner, certificate.checked = lease.row.runner, stamp()
        values = {
            "toolchain": certificate.toolchain,
            "artefact": said.artefact_sha256,
            "artefact_bytes": said.artefact_bytes,
            "certificate": certificate.SerializeToString(),
        }

        def accept(connection: Connection) -> None:
            stored_leases.end_lease(connection, lease.id)
            submissions.change_submission(connection, row.id, **values)
            submissions.activate(connection, row, stamp())

        async with self._turn:
            self._expect(lease)
            await self._database.writer.write(accept)
            self._forget(lease)
            found = await self._database.read(submissions.find_submission, row.id)
            if found is not None:
                self.hosts.host(found)
        _LOG.info("submission accepted: %s of %s", row.version, row.bot, extra={"bot": row.bot})
        self._tell(row.id)
        self.wake()

    async def rejected(self, lease: Lease, said: runner_pb2.WorkRejected) -> None:
        """A submission can't play, by its own fault."""
        row = lease.submission
        said.certificate.runner, said.certificate.checked = lease.row.runner, stamp()
        values: dict[str, object] = {
            "reason": said.reason[:60],
            "sentence": said.sentence[:2000],
            "certificate": said.certificate.SerializeToString(),
        }
        async with self._turn:
            self._expect(lease)
            await self._end(lease)
            await self._set(row, "rejected", **values)

    async def trouble(self, lease: Lease, sentence: str) -> None:
        """A runner could not do its work."""
        bench = self.benches.get(lease.row.runner)
        if bench is not None:
            bench.troubled[lease.row.submission] = self._clock()
        await self._lost(lease, sentence[:500] or "the runner did not say why")

    async def stopped(self, lease: Lease, *, crashed: bool, sentence: str) -> None:
        """A bot's program has ended."""
        async with self._turn:
            self._expect(lease)
            await self._end(lease)
        self.hosts.ended(lease, crashed=crashed, sentence=sentence)
        self.wake()

    async def _lost(self, lease: Lease, why: str) -> None:
        """A lease is lost, without a fault of its submission: give the work again."""
        async with self._turn:
            if self.leases.get(lease.id) is not lease:
                return
            await self._end(lease)
            version, bot = lease.submission.version, lease.row.bot
            _LOG.warning("lease lost: %s of %s: %s", version, bot, why, extra={"bot": bot})
            if not lease.is_run:
                await self._back(lease.submission, why)
        self.hosts.lost(lease)
        self.wake()

    def _expect(self, lease: Lease) -> None:
        if self.leases.get(lease.id) is not lease:
            raise LeaseLost(f"lease {lease.id} was given to another runner")

    async def _end(self, lease: Lease) -> None:
        await self._database.writer.write(
            lambda connection: stored_leases.end_lease(connection, lease.id)
        )
        self._forget(lease)

    def _forget(self, lease: Lease) -> None:
        self.leases.pop(lease.id, None)
        self.hosts.dismiss(lease)

    # --- giving work ------------------------------------------------------------------------

    async def look(self) -> None:
        """Take back what is lost, and give what waits to runners."""
        now = self._clock()
        for lease in [each for each in self.leases.values() if each.until <= now]:
            bench = self.benches.get(lease.row.runner)
            if bench is not None:
                sentence = "it was not renewed in time"
                bench.send(orders.stop(lease.id, sentence))
            await self._lost(lease, f"runner {lease.row.runner} was not heard of")
        for row in list(self._waiting.values()):
            fit = fitting(row, self.benches.values())
            if free := free_among(self.rested(fit, [row]), self.leases.values()):
                await self._prepare(free[0], row)
            elif self.benches and not fit:
                await self.say_missing(row, wanted_toolchain(row))

    def rested(self, benches: Iterable[Bench], rows: Collection[SubmissionRow]) -> list[Bench]:
        """Those that did not just have trouble with these, in case another one is there."""
        since = self._clock() - self.settings.lease_seconds
        return [each for each in benches if not any(each.is_resting(row, since) for row in rows)]

    async def say_missing(self, row: SubmissionRow, missing: str) -> None:
        """Tell owner and organiser, once, what no runner has for a submission or its match."""
        sentence = f"no runner that is connected has {missing}; it waits for one"
        if row.sentence != sentence:
            await self._note(row, sentence)

    async def _note(self, row: SubmissionRow, sentence: str) -> None:
        """Store a sentence about a submission whose state stays."""
        async with self._turn:
            now = await self._database.read(submissions.find_submission, row.id)
            if now is None or (now.state, now.sentence) != (row.state, row.sentence):
                return  # there is news of it
            await self._set(now, now.state, sentence=sentence)
        if sentence:
            _LOG.warning("submission waits: %s of %s: %s", row.version, row.bot, sentence)

    async def _prepare(self, bench: Bench, row: SubmissionRow) -> None:
        async with self._turn:
            if row.id not in self._waiting or self.benches.get(bench.name) is not bench:
                return
            attempt = row.attempts + 1
            lease = self._new_lease(new_row(PREPARE, row, bench.name, attempt=attempt), row)
            at = stamp()

            def give(connection: Connection) -> None:
                stored_leases.add_lease(connection, lease.row)
                submissions.change_submission(
                    connection, row.id, state="building", attempts=attempt, changed=at,
                    reason="", sentence="",
                )  # fmt: skip

            await self._database.writer.write(give)
            del self._waiting[row.id]
            lease.submission = row._replace(state="building", attempts=attempt, changed=at)
            self.leases[lease.id] = lease
        self._tell(row.id)
        bench.send(orders.prepare(lease, self.settings))

    async def run(self, bench: Bench, row: SubmissionRow, match_id: str, seats: int) -> None:
        """Have a runner run a bot, for a match that waits or, without an id, its open ones."""
        if row.sentence:  # that it waited for a runner
            await self._note(row, "")
        token = new_token()
        stored = new_row(RUN, row, bench.name, token_hash=hash_token(token))
        lease = self._new_lease(stored, row)
        lease.match_id = match_id
        lease.promised_share = self.hosts.promised_share(row.bot)
        await self._database.writer.write(
            lambda connection: stored_leases.add_lease(connection, lease.row)
        )
        self.leases[lease.id] = lease
        self.hosts.admit(lease)
        bench.send(orders.run(lease, token, self.settings, seats))

    def _new_lease(self, stored: LeaseRow, row: SubmissionRow) -> Lease:
        now = self._clock()
        return Lease(stored, row, now + self.settings.lease_seconds, now, idle_since=now)

    def stop(self, lease: Lease, sentence: str) -> None:
        """Have a runner stop a bot; its session is over at once."""
        if lease.stopping:
            return
        lease.stopping = True
        self.hosts.dismiss(lease)
        if lease.session is not None:
            lease.session.end("lease/lost", sentence)
        bench = self.benches.get(lease.row.runner)
        if bench is not None:
            bench.send(orders.stop(lease.id, sentence))

    def never_came(self, lease: Lease) -> None:
        """Stop a bot that did not say Hello in time."""
        if not lease.stopping:
            self.hosts.failed_to_start(lease.row.bot)
            self.stop(lease, "it did not say Hello in time")
