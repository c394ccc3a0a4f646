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
from paddock_wire.address import Address


class RunnerTerms(NamedTuple):
    """The terms of a runner: what it offers to a server."""

    slots: int  # bots at once
    cores: tuple[int, ...]  # that are the bots'
    folder: Path  # of its own; for archives and what was built
    toolchains: Sequence[Toolchain]
    weaknesses: Sequence[str] = ()  # what its machine can't promise, in sentences
    preparing: int = 1  # submissions at once


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
    usual = JailLimits()
    return usual._replace(
        memory_mb=told.memory_mb or usual.memory_mb,
        processes=told.processes or usual.processes,
        files=told.files or usual.files,
        tmp_mb=told.tmp_mb or usual.tmp_mb,
        # Builds have large folders of many small files.
        tmp_inodes=max(usual.tmp_inodes, 200 * told.tmp_mb),
        cpu_seconds=told.cpu_seconds or None,
        wall_seconds=told.wall_seconds or None,
    )
