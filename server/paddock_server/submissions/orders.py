"""Orders: what the server says to runners."""

from typing import Final

from paddock.v1 import runner_pb2
from paddock_games import FORMATS
from paddock_server.jails.usual import BOT, BUILD
from paddock_server.submissions.lease import Lease
from paddock_server.submissions.settings import SubmissionSettings

ALL_FORMATS: Final = tuple(FORMATS)


def prepare(lease: Lease, settings: SubmissionSettings) -> runner_pb2.WorkResponse:
    """Build and check a submission."""
    row = lease.submission
    return runner_pb2.WorkResponse(
        prepare=runner_pb2.WorkPrepare(
            lease=lease.id,
            submission=row.id,
            bot=row.bot,
            version=row.version,
            archive=runner_pb2.BlobName(sha256=row.archive, size=row.archive_bytes),
            manifest=row.manifest,
            build_limits=runner_pb2.WorkLimits(
                memory_mb=settings.build_memory_mb,
                processes=settings.build_processes,
                files=BUILD.files,
                tmp_mb=BUILD.tmp_mb,
                cpu_seconds=settings.build_cpu_seconds,
                wall_seconds=settings.build_seconds,
            ),
            run_limits=_run_limits(settings),
            attempt=lease.row.attempt,
        )
    )


def run(
    lease: Lease, token: str, settings: SubmissionSettings, seats: int
) -> runner_pb2.WorkResponse:
    """Run a bot."""
    row = lease.submission
    return runner_pb2.WorkResponse(
        run=runner_pb2.WorkRun(
            lease=lease.id,
            submission=row.id,
            bot=row.bot,
            version=row.version,
            artefact=runner_pb2.BlobName(sha256=row.artefact, size=row.artefact_bytes),
            manifest=row.manifest,
            toolchain=row.toolchain,
            run_token=token,
            limits=_run_limits(settings),
            match_id=lease.match_id,
            seats=seats,
            cpu_share=lease.promised_share,
        )
    )


def stop(lease: str, sentence: str) -> runner_pb2.WorkResponse:
    """Stop the work of a lease."""
    return runner_pb2.WorkResponse(stop=runner_pb2.WorkStop(lease=lease, sentence=sentence))


def _run_limits(settings: SubmissionSettings) -> runner_pb2.WorkLimits:
    return runner_pb2.WorkLimits(
        memory_mb=settings.memory_mb,
        processes=settings.processes,
        files=BOT.files,
        tmp_mb=BOT.tmp_mb,
    )
