"""The errand of preparing a submission: fetch it, build it, check it, and tell the server."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from grpc import aio

from paddock.v1 import runner_pb2, submission_pb2
from paddock_server.basics.errors import ServerError
from paddock_server.checking.report import PointResult
from paddock_server.hosting.bay import Bay, limits_of
from paddock_server.hosting.certifying import Certificate
from paddock_server.hosting.preparing import (
    PreparationListener,
    Prepared,
    Rejected,
    Terms,
    Workshop,
)
from paddock_server.hosting.words import Words

_STAGES: Final = {
    "building": submission_pb2.LOG_STAGE_BUILDING,
    "checking": submission_pb2.LOG_STAGE_CHECKING,
}
_PART: Final = 32 * 1024


class PrepareErrand:
    """A submission that is being prepared."""

    def __init__(self, bay: Bay, order: runner_pb2.WorkPrepare) -> None:
        self._bay = bay
        self._order = order
        self._points: list[PointResult] = []
        self._words: Words | None = None  # of the build

    async def run(self) -> None:
        """Prepare it; the server hears how it ended, unless this is cancelled."""
        bay, order = self._bay, self._order
        try:
            with tempfile.TemporaryDirectory(dir=bay.terms.folder) as name:
                await self._prepare(Path(name))
        except Rejected as bad:
            bay.work.say(
                rejected=runner_pb2.WorkRejected(
                    lease=order.lease,
                    reason=bad.reason,
                    sentence=bad.sentence,
                    certificate=self._certificate(None),
                )
            )
        except aio.AioRpcError as problem:
            self._trouble(f"the server did not give or take the files: {problem.details()}")
        except (ServerError, OSError) as problem:
            self._trouble(str(problem))

    async def _prepare(self, work: Path) -> None:
        bay, order = self._bay, self._order
        archive, place = work / "archive", work / "work"
        place.mkdir()
        await bay.blobs.fetch(order.lease, order.archive, archive)
        terms = Terms(
            limits_of(order.build_limits), limits_of(order.run_limits),
            cpu=bay.cores.spare, mirror=bay.terms.mirror,
        )  # fmt: skip
        workshop = Workshop(bay.jails, bay.terms.toolchains, terms)
        prepared = await self._heard(workshop, archive, place)
        size = await bay.blobs.put(order.lease, prepared.artefact, prepared.sha256)
        bay.work.say(
            prepared=runner_pb2.WorkPrepared(
                lease=order.lease,
                artefact_sha256=prepared.sha256,
                artefact_bytes=size,
                certificate=self._certificate(prepared.certificate),
            )
        )

    async def _heard(self, workshop: Workshop, archive: Path, place: Path) -> Prepared:
        """Build and check it, while the server hears how that goes."""
        listener = PreparationListener(self._begin, self._hear_build, self._add_point)
        try:
            return await workshop.prepare(archive, self._order.manifest, place, listener)
        finally:
            self._end_build()

    def _trouble(self, sentence: str) -> None:
        trouble = runner_pb2.WorkTrouble(lease=self._order.lease, sentence=sentence)
        self._bay.work.say(trouble=trouble)

    def _begin(self, stage: str) -> None:
        self._end_build()
        if stage in _STAGES:
            said = runner_pb2.WorkStage(lease=self._order.lease, stage=_STAGES[stage])
            self._bay.work.say(stage=said)

    def _hear_build(self, data: bytes) -> None:
        if self._words is None:
            self._words = Words(partial(self._log, "building"))
        self._words.add(data)

    def _end_build(self) -> None:
        if self._words is not None:
            self._words.close()
            self._words = None

    def _add_point(self, point: PointResult) -> None:
        self._points.append(point)
        lines = [f"{point.word} {point.point}: {point.sentence}"]
        if point.passed is False:
            lines += [f"  {line}" for line in (*point.exchange, "its output:", *point.output)]
        self._log("checking", "\n".join(lines) + "\n")

    def _log(self, stage: str, text: str) -> None:
        for at in range(0, len(text), _PART):
            part = submission_pb2.LogText(stage=_STAGES[stage], text=text[at : at + _PART])
            self._bay.work.say(log=runner_pb2.WorkLog(lease=self._order.lease, text=part))

    def _certificate(self, certificate: Certificate | None) -> submission_pb2.Certificate:
        """What was seen, also if the check did not come to its end."""
        message = submission_pb2.Certificate(
            points=[
                submission_pb2.CertificatePoint(
                    name=point.point,
                    met=point.passed is True,
                    sentence=point.sentence,
                    skipped=point.passed is None,
                )
                for point in self._points
            ],
            weaknesses=self._bay.terms.weaknesses,
        )
        if certificate is not None:
            message.toolchain = certificate.toolchain
            message.toolchain_sha256 = certificate.toolchain_sha256
            message.mirror = certificate.mirror
            message.artefact_sha256 = certificate.artefact
            message.paddock = certificate.paddock
        return message
