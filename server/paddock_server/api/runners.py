"""RunnerService: the streams of runners, and the blobs that they fetch and put."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

from paddock.v1 import runner_pb2, runner_pb2_grpc
from paddock_server.api.access import Access
from paddock_server.api.in_time import in_time
from paddock_server.api.refusal import Refusal, abort, refuse
from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.basics.name import RULE, is_name
from paddock_server.calls.call import END
from paddock_server.lobby.session import SessionEnd
from paddock_server.store import leases
from paddock_server.store.database import Database
from paddock_server.store.leases import RunnerRow
from paddock_server.submissions.bench import Bench
from paddock_server.submissions.blobs import Blobs
from paddock_server.submissions.lease import Lease, LeaseLost
from paddock_server.submissions.workshop import STAGES, Workshop

_LOG = logging.getLogger("paddock.runners")
_CHUNK_MOST: Final = 256 * 1024
_LOG_MOST: Final = 64 * 1024
_READY_SECONDS: Final = 10.0
_MB: Final = 1024 * 1024


class Runners(runner_pb2_grpc.RunnerServiceServicer):
    """RunnerService, for runners, and for organisers who add and remove them."""

    def __init__(
        self, database: Database, access: Access, workshop: Workshop, blobs: Blobs
    ) -> None:
        self._database = database
        self._access = access
        self._workshop = workshop
        self._blobs = blobs

    # --- the stream -------------------------------------------------------------------------

    async def Work(self, _requests: Any, context: Any) -> None:  # type: ignore[override]
        """Serve one runner until its stream ends."""
        try:
            bench, outgoing = await self._join(context)
        except ServerError as refusal:
            await refuse(context, refusal)
        reader = asyncio.create_task(self._read(bench, context, outgoing))
        ended: SessionEnd | None = None
        try:
            while (message := await outgoing.get()) is not None:
                if isinstance(message, SessionEnd):
                    ended = message
                    break
                await context.write(message)
        except (grpc.RpcError, asyncio.InvalidStateError):
            pass  # the connection broke
        finally:
            reader.cancel()
            self._workshop.leave(bench)
            _LOG.info("runner left: %s", bench.name)
        if ended is not None:
            await abort(context, ended.reason, ended.sentence)

    async def _join(self, context: Any) -> tuple[Bench, "asyncio.Queue[Any]"]:
        row = await self._access.runner(context)
        try:
            async with asyncio.timeout(_READY_SECONDS):
                first = await context.read()
        except TimeoutError:
            first = END
        if first is END or first.WhichOneof("said") != "ready":
            raise Refusal("hello/missing", "the first message is not WorkReady; send it first")
        outgoing: asyncio.Queue[Any] = asyncio.Queue()
        bench = Bench(
            row.name,
            first.ready,
            outgoing.put_nowait,
            lambda reason, sentence: outgoing.put_nowait(SessionEnd(reason, sentence)),
        )
        ready = first.ready
        await self._database.writer.write(
            lambda connection: leases.change_runner(
                connection, row.name, seen=stamp(), slots=ready.slots, cores=ready.cores,
                ready=ready.SerializeToString(),
            )
        )  # fmt: skip
        lease_ms = round(self._workshop.settings.lease_seconds * 1000)
        first_word = runner_pb2.WorkResponse(
            welcome=runner_pb2.WorkWelcome(
                runner=row.name, heartbeat_ms=lease_ms // 4, lease_ms=lease_ms
            )
        )
        outgoing.put_nowait(first_word)  # before any work; it is sent once the runner is in
        first_word.welcome.lost.extend(await self._workshop.join(bench))
        _LOG.info("runner joined: %s with %d slots", row.name, ready.slots)
        return bench, outgoing

    async def _read(self, bench: Bench, context: Any, outgoing: "asyncio.Queue[Any]") -> None:
        try:
            while True:
                said = await context.read()
                if said is END:
                    break
                lost = False
                try:
                    await self._take(bench, said)
                except LeaseLost:
                    lost = True
                noted = runner_pb2.WorkNoted(number=said.number, lost=lost)
                outgoing.put_nowait(runner_pb2.WorkResponse(noted=noted))
        except (grpc.RpcError, asyncio.InvalidStateError):
            pass  # the connection broke
        except ServerError as problem:
            outgoing.put_nowait(SessionEnd(problem.reason, problem.sentence))
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001 -- the failure of one runner must not end others
            _LOG.exception("runner failed: %s", bench.name)
        finally:
            outgoing.put_nowait(None)

    async def _take(self, bench: Bench, said: runner_pb2.WorkRequest) -> None:
        """Store what a runner says; WorkNoted follows."""
        workshop, kind = self._workshop, said.WhichOneof("said")
        if kind == "heartbeat":
            workshop.renew(bench, said.heartbeat.leases)
        elif kind == "stage":
            lease = self._preparing(bench, said.stage.lease)
            _expect_stage(lease, said.stage.stage)
            await workshop.stage(lease, said.stage.stage)
        elif kind == "log":
            text, lease = said.log.text, self._lease(bench, said.log.lease)
            _expect_stage(lease, text.stage)
            if len(text.text) > _LOG_MOST:
                raise Refusal("frame/too_large", "a message of a log has more than 64 KB")
            await workshop.log(lease, text.stage, text.text)
        elif kind == "prepared":
            lease = self._preparing(bench, said.prepared.lease)
            if said.prepared.artefact_sha256 in lease.put:
                await workshop.prepared(lease, said.prepared)
            else:  # also where it was put before the server was started again
                await workshop.trouble(lease, "the runner did not put here what it built")
        elif kind == "rejected":
            await workshop.rejected(self._preparing(bench, said.rejected.lease), said.rejected)
        elif kind == "trouble":
            await workshop.trouble(self._lease(bench, said.trouble.lease), said.trouble.sentence)
        elif kind == "started":
            started = said.started
            _expect_share(started.cpu_share)
            workshop.hosts.started(self._running(bench, started.lease), started.cpu_share)
        elif kind == "stopped":
            lease = self._running(bench, said.stopped.lease)
            stopped = said.stopped
            await workshop.stopped(lease, crashed=stopped.crashed, sentence=stopped.sentence)
        elif kind == "ready":
            raise Refusal("hello/repeated", "WorkReady was said before; open a new stream")

    def _lease(self, bench: Bench, lease: str) -> Lease:
        return self._workshop.lease_of(bench.name, lease)

    def _preparing(self, bench: Bench, lease: str) -> Lease:
        found = self._lease(bench, lease)
        _expect_preparing(found)
        return found

    def _running(self, bench: Bench, lease: str) -> Lease:
        found = self._lease(bench, lease)
        if not found.is_run:
            raise Refusal("frame/malformed", f"no bot runs for lease {found.id}")
        return found

    # --- blobs ------------------------------------------------------------------------------

    async def FetchBlob(
        self, request: runner_pb2.FetchBlobRequest, context: Any
    ) -> AsyncIterator[runner_pb2.FetchBlobResponse]:
        """The bytes of an archive or artefact."""
        runner = await self._access.runner(context)
        lease = self._workshop.lease_of(runner.name, request.lease)
        row = lease.submission
        if request.sha256 not in (row.archive, row.artefact) or not await asyncio.to_thread(
            self._blobs.has, request.sha256
        ):
            raise Refusal("submission/gone", "this blob is not kept, or not of this lease")
        chunks = self._blobs.read(request.sha256, request.offset)
        while chunk := await asyncio.to_thread(next, chunks, b""):
            yield runner_pb2.FetchBlobResponse(chunk=chunk)

    async def PutBlob(
        self, requests: AsyncIterator[runner_pb2.PutBlobRequest], context: Any
    ) -> runner_pb2.PutBlobResponse:
        """Store what was built."""
        runner = await self._access.runner(context)
        parts = in_time(requests)
        first = await anext(parts, None)
        if first is None or first.WhichOneof("part") != "header":
            raise Refusal("hello/missing", "the first message has no header; send it first")
        blob = first.header.blob
        lease = self._workshop.lease_of(runner.name, first.header.lease)
        _expect_preparing(lease)
        if lease.put - {blob.sha256}:
            raise Refusal("submission/too_large", "something else was put here for this lease")
        most = self._workshop.settings.artefact_mb
        if blob.size > most * _MB:
            raise Refusal("submission/too_large", f"what was built has more than {most} MB")
        whose = f"lease-{lease.id}"
        await asyncio.to_thread(self._blobs.begin, whose, blob.sha256, 0)
        so_far = 0
        async for request in parts:
            so_far += len(request.chunk)
            if so_far > blob.size or len(request.chunk) > _CHUNK_MOST:
                raise Refusal("submission/bad_archive", "more bytes arrived than announced")
            await asyncio.to_thread(self._blobs.append, whose, blob.sha256, request.chunk)
        await asyncio.to_thread(self._blobs.finish, whose, blob.sha256, blob.size)
        lease.put.add(blob.sha256)
        return runner_pb2.PutBlobResponse()

    # --- for organisers ---------------------------------------------------------------------

    async def AddRunner(
        self, request: runner_pb2.AddRunnerRequest, context: Any
    ) -> runner_pb2.AddRunnerResponse:
        """Add a runner and make its token."""
        self._access.organiser(context)
        if not is_name(request.name):
            raise Refusal("runner/bad_name", f"name {request.name[:60]!r} is invalid: {RULE}")
        token = new_token()
        row = RunnerRow(request.name, hash_token(token), stamp())
        if not await self._database.writer.write(
            lambda connection: leases.add_runner(connection, row)
        ):
            raise Refusal("runner/exists", f"runner {row.name} exists already; remove it first")
        return runner_pb2.AddRunnerResponse(runner=self._message(row), token=token)

    async def ListRunners(
        self, _request: runner_pb2.ListRunnersRequest, context: Any
    ) -> runner_pb2.ListRunnersResponse:
        """All runners by name."""
        self._access.organiser(context)
        rows = await self._database.read(leases.list_runners)
        return runner_pb2.ListRunnersResponse(runners=[self._message(row) for row in rows])

    async def RemoveRunner(
        self, request: runner_pb2.RemoveRunnerRequest, context: Any
    ) -> runner_pb2.RemoveRunnerResponse:
        """Remove a runner; its work goes to others."""
        self._access.organiser(context)
        if not await self._database.writer.write(
            lambda connection: leases.remove_runner(connection, request.name)
        ):
            sentence = f"there is no runner {request.name[:40]!r}; see: paddock runner list"
            raise Refusal("runner/unknown", sentence)
        await self._workshop.dismiss(request.name)
        return runner_pb2.RemoveRunnerResponse()

    def _message(self, row: RunnerRow) -> runner_pb2.Runner:
        ready = runner_pb2.WorkReady.FromString(row.ready or b"")
        mine = [each for each in self._workshop.leases.values() if each.row.runner == row.name]
        return runner_pb2.Runner(
            name=row.name,
            added=row.added,
            connected=row.name in self._workshop.benches,
            seen=row.seen,
            slots=row.slots,
            cores=row.cores,
            toolchains=ready.toolchains,
            weaknesses=ready.weaknesses,
            leases=len(mine),
        )


def _expect_share(share: float) -> None:
    if not 0 <= share <= 1:  # nor is anything that is no number
        raise Refusal("frame/malformed", f"{share} is no share of a core: 0 to 1")


def _expect_preparing(lease: Lease) -> None:
    """Else a runner that was broken into could change a version that was accepted."""
    if lease.is_run:
        raise Refusal("frame/malformed", f"nothing is prepared for lease {lease.id}: it runs a bot")


def _expect_stage(lease: Lease, stage: int) -> None:
    """Raise Refusal for a stage that there is not, or not in the work of this lease."""
    if stage not in STAGES or (STAGES[stage] == "playing") != lease.is_run:
        raise Refusal("frame/malformed", f"lease {lease.id} has no stage {stage}")
