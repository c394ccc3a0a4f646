"""The bay of a runner: everything that its errands need."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from paddock.v1 import runner_pb2
from paddock_server.hosting.artefacts import Artefacts
from paddock_server.hosting.blobs import BlobCalls
from paddock_server.hosting.cores import Cores
from paddock_server.hosting.work import Work
from paddock_server.jails.confined import JailLimits, Toolchain
from paddock_server.jails.jail import Jails
from paddock_server.jails.usual import BOT, inodes_for
from paddock_wire.address import Address


class RunnerTerms(NamedTuple):
    """The terms of a runner: what it offers to a server."""

    slots: int  # bots at once
    cores: tuple[int, ...]  # that are the bots'
    folder: Path  # of its own; for archives and what was built
    toolchains: Sequence[Toolchain]
    weaknesses: Sequence[str] = ()  # what its machine can't promise, in sentences
    preparing: int = 1  # submissions at once
    mirror: Path | None = None  # of packages, for builds


class Bay(NamedTuple):
    """The equipment that the errands of a runner share."""

    address: Address
    jails: Jails
    work: Work
    terms: RunnerTerms
    blobs: BlobCalls
    artefacts: Artefacts
    cores: Cores


def limits_of(told: runner_pb2.WorkLimits) -> JailLimits:
    """The limits that the server tells; what it leaves out has its usual value."""
    tmp_mb = told.tmp_mb or BOT.tmp_mb
    return JailLimits(
        memory_mb=told.memory_mb or BOT.memory_mb,
        processes=told.processes or BOT.processes,
        files=told.files or BOT.files,
        tmp_mb=tmp_mb,
        tmp_inodes=inodes_for(tmp_mb),
        cpu_seconds=told.cpu_seconds or None,
        wall_seconds=told.wall_seconds or None,
    )
