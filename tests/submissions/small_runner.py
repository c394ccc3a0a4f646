"""A small runner without a jail, for tests of the server.

It speaks all of RunnerService. It builds and runs what is handed in as it is, so it is for bots
that the tests wrote. A file named `fails` in an archive has the check rejected, one named `hangs`
has the build hang until somebody kills it, one named `hangs_later` the check, and one named
`trouble` gives trouble.
"""

import asyncio
import hashlib
import io
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc

from paddock.v1 import runner_pb2, runner_pb2_grpc, submission_pb2
from paddock_server.packing.folder import write_folder
from paddock_server.packing.manifest import FILE, read_manifest
from paddock_server.packing.reader import read

ROOTS = {
    name: sha256
    for name, _, sha256 in (
        root.partition("=") for root in os.environ.get("RUNNER_ROOTS", "").split()
    )
}
TOOLCHAINS = [
    runner_pb2.Toolchain(name="python", language="Python"),
    runner_pb2.Toolchain(name="host", language="any"),
    *(
        runner_pb2.Toolchain(name=name, language="Awk", sha256=sha256)
        for name, sha256 in ROOTS.items()
    ),
]
BUILDING, CHECKING = submission_pb2.LOG_STAGE_BUILDING, submission_pb2.LOG_STAGE_CHECKING


class SmallRunner:
    """A runner: its leases, and the stream to the server, which it opens again when it breaks."""

    def __init__(
        self, server: str, token: str, slots: int, folder: Path, share: float = 1.0
    ) -> None:
        self._server = server
        self._share = share  # of a core, that it promises its bots
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._slots = slots
        self._folder = folder
        self._leases: dict[str, asyncio.Task[None]] = {}
        self._runs: dict[str, asyncio.subprocess.Process] = {}
        self._renewed = time.monotonic()
        self._lease_seconds = 20.0
        self._said: asyncio.Queue[Any] = asyncio.Queue()
        self._number = 0

    async def serve(self) -> None:
        """Work until somebody ends the process."""
        asyncio.get_running_loop().create_task(self._watch())
        while True:
            async with grpc.aio.insecure_channel(self._server) as channel:
                self._stub: Any = runner_pb2_grpc.RunnerServiceStub(channel)
                with suppress(grpc.RpcError):
                    await self._work()
            await asyncio.sleep(0.1)

    async def _work(self) -> None:
        call = self._stub.Work(metadata=self._metadata)
        self._number = 0
        ready = runner_pb2.WorkReady(
            slots=self._slots, cores=self._slots, toolchains=TOOLCHAINS, leases=list(self._leases),
            weaknesses=["it has no jail"], paddock="test",
        )  # fmt: skip
        await call.write(runner_pb2.WorkRequest(number=0, ready=ready))
        tasks = [asyncio.create_task(work) for work in (self._write(call), self._beat())]
        try:
            async for message in call:
                self._hear(message)
        finally:
            for task in tasks:
                task.cancel()

    async def _beat(self) -> None:
        while True:
            self._say(heartbeat=runner_pb2.WorkHeartbeat(leases=list(self._leases)))
            await asyncio.sleep(0.5)

    async def _write(self, call: Any) -> None:
        unsaid: Any = None
        try:
            while True:
                unsaid = await self._said.get()
                self._number += 1
                unsaid.number = self._number
                await call.write(unsaid)
                unsaid = None
        finally:
            if unsaid is not None and unsaid.WhichOneof("said") != "heartbeat":
                self._said.put_nowait(unsaid)

    def _hear(self, message: Any) -> None:
        kind = message.WhichOneof("said")
        self._renewed = time.monotonic()
        if kind == "welcome":
            self._lease_seconds = message.welcome.lease_ms / 1000
            for lease in message.welcome.lost:
                self._end(lease)
        elif kind == "prepare":
            work = asyncio.create_task(
                self._guarded(message.prepare.lease, self._prepare(message.prepare))
            )
            self._leases[message.prepare.lease] = work
        elif kind == "run":
            work = asyncio.create_task(self._guarded(message.run.lease, self._run(message.run)))
            self._leases[message.run.lease] = work
        elif kind == "stop":
            self._end(message.stop.lease)

    async def _watch(self) -> None:
        """End everything when no lease could be renewed."""
        while True:
            await asyncio.sleep(0.1)
            if time.monotonic() - self._renewed > self._lease_seconds:
                for lease in list(self._leases):
                    self._end(lease)

    def _end(self, lease: str) -> None:
        run = self._runs.get(lease)
        if run is not None:
            with suppress(ProcessLookupError):
                run.kill()
        elif lease in self._leases:
            self._leases.pop(lease).cancel()

    def _say(self, **said: Any) -> None:
        self._said.put_nowait(runner_pb2.WorkRequest(**said))

    async def _guarded(self, lease: str, work: Any) -> None:
        try:
            await work
        except Exception as problem:  # noqa: BLE001 -- trouble of ours
            self._say(trouble=runner_pb2.WorkTrouble(lease=lease, sentence=repr(problem)))
        finally:
            self._leases.pop(lease, None)

    # --- work -------------------------------------------------------------------------------

    async def _fetched(self, lease: str, blob: Any) -> bytes:
        request = runner_pb2.FetchBlobRequest(lease=lease, sha256=blob.sha256)
        parts = [
            part.chunk async for part in self._stub.FetchBlob(request, metadata=self._metadata)
        ]
        data = b"".join(parts)
        assert hashlib.sha256(data).hexdigest() == blob.sha256
        return data

    async def _prepare(self, order: Any) -> None:
        lease = order.lease
        self._say(stage=runner_pb2.WorkStage(lease=lease, stage=BUILDING))
        data = await self._fetched(lease, order.archive)
        folder = Path(tempfile.mkdtemp(dir=self._folder)) / "bot"
        write_folder(read(io.BytesIO(data)), folder)
        if (folder / FILE).read_bytes() != order.manifest:
            self._reject(lease, "submission/bad_archive", "its paddock-bot.toml is another one")
            return
        if (folder / "trouble").exists():
            raise OSError("no space left on this runner")
        manifest = read_manifest(order.manifest)
        if manifest.build and not await self._build(lease, manifest.build, folder):
            return
        if (folder / "hangs").exists():
            sys.stderr.write("the build hangs\n")
            await asyncio.sleep(600)
        self._say(stage=runner_pb2.WorkStage(lease=lease, stage=CHECKING))
        if (folder / "hangs_later").exists():
            sys.stderr.write("the check hangs\n")
            await asyncio.sleep(600)
        fails = folder / "fails"
        if fails.exists():
            self._reject(lease, "submission/check_failed", fails.read_text().strip())
            return
        sha256 = hashlib.sha256(data).hexdigest()
        await self._stub.PutBlob(_blob(lease, sha256, data), metadata=self._metadata)
        toolchain = manifest.toolchain or "python"
        certificate = submission_pb2.Certificate(
            points=[submission_pb2.CertificatePoint(name="hello", met=True, sentence="it came")],
            toolchain=toolchain, toolchain_sha256=ROOTS.get(toolchain, ""),
            artefact_sha256=sha256, paddock="test",
        )  # fmt: skip
        self._say(
            prepared=runner_pb2.WorkPrepared(
                lease=lease,
                artefact_sha256=sha256,
                artefact_bytes=len(data),
                certificate=certificate,
            )
        )

    async def _build(self, lease: str, command: Any, folder: Path) -> bool:
        built = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        out, _ = await built.communicate()
        text = submission_pb2.LogText(stage=BUILDING, text=out.decode(errors="replace"))
        self._say(log=runner_pb2.WorkLog(lease=lease, text=text))
        if built.returncode:
            sentence = f"the build ended with {built.returncode}"
            self._reject(lease, "submission/build_failed", sentence)
        return not built.returncode

    def _reject(self, lease: str, reason: str, sentence: str) -> None:
        self._say(rejected=runner_pb2.WorkRejected(lease=lease, reason=reason, sentence=sentence))

    async def _run(self, order: Any) -> None:
        if os.environ.get("RUNNER_BROKEN"):
            raise OSError("no space left on this runner")
        lease = order.lease
        folder = Path(tempfile.mkdtemp(dir=self._folder)) / "bot"
        write_folder(read(io.BytesIO(await self._fetched(lease, order.artefact))), folder)
        process = await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig", "KILL", *read_manifest(order.manifest).run,
            cwd=folder, stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
            env={
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "PADDOCK_SERVER": self._server, "PADDOCK_TOKEN": order.run_token,
                "PADDOCK_BOT": order.bot, "SEATS": str(order.seats),
                "PROMISED": str(order.cpu_share),
            },
        )  # fmt: skip
        self._runs[lease] = process
        self._say(started=runner_pb2.WorkStarted(lease=lease, cpu_share=self._share))
        try:
            _, err = await process.communicate()
        finally:
            del self._runs[lease]
        playing = submission_pb2.LOG_STAGE_PLAYING
        text = submission_pb2.LogText(stage=playing, text=err.decode(errors="replace")[-60_000:])
        self._say(log=runner_pb2.WorkLog(lease=lease, text=text))
        self._say(
            stopped=runner_pb2.WorkStopped(
                lease=lease, crashed=process.returncode != -9, sentence=f"exit {process.returncode}"
            )
        )


async def _blob(lease: str, sha256: str, data: bytes) -> AsyncIterator[Any]:
    blob = runner_pb2.BlobName(sha256=sha256, size=len(data))
    yield runner_pb2.PutBlobRequest(header=runner_pb2.PutBlobHeader(lease=lease, blob=blob))
    for at in range(0, len(data), 65536):
        yield runner_pb2.PutBlobRequest(chunk=data[at : at + 65536])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        asyncio.run(
            SmallRunner(
                os.environ["RUNNER_SERVER"], os.environ["RUNNER_TOKEN"],
                int(os.environ.get("RUNNER_SLOTS", "4")), Path(place),
                float(os.environ.get("RUNNER_SHARE", "1")),
            ).serve()
        )  # fmt: skip
