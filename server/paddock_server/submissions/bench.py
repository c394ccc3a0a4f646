"""Benches: the runners that are connected, and which of them prepares a submission."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from paddock.v1 import runner_pb2
from paddock_server.packing.languages import is_makeshift, toolchain_among
from paddock_server.packing.manifest import Manifest, read_manifest
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions.lease import Lease
from paddock_server.wire.certificate import read_certificate


@dataclass
class Bench:
    """A runner that is connected."""

    name: str
    ready: runner_pb2.WorkReady
    send: Callable[[runner_pb2.WorkResponse], None]
    end: Callable[[str, str], None]  # its stream, with a reason and a sentence
    heard: float = 0.0
    troubled: dict[str, float] = field(default_factory=dict)  # submissions it failed at, and when

    @property
    def slots(self) -> int:
        """How many bots it can run at once."""
        return int(self.ready.slots)

    @property
    def preparing(self) -> int:
        """How many submissions it prepares at once."""
        return int(self.ready.preparing) or 1

    def has(self, manifest: Manifest) -> bool:
        """Whether it has the toolchain of a bot.

        A makeshift does not count: another runner may have the toolchain.
        """
        found = toolchain_among(manifest, self.ready.toolchains)
        return found is not None and not is_makeshift(manifest, found)

    def can_run(self, row: SubmissionRow) -> bool:
        """Whether it has the toolchain of an accepted bot, or another one that will do."""
        names = {each.name for each in self.ready.toolchains}
        if row.toolchain in names:
            return True
        return toolchain_among(read_manifest(row.manifest), self.ready.toolchains) is not None

    def likeness(self, rows: Collection[SubmissionRow]) -> tuple[int, int]:
        """How many of these were checked with a toolchain of its own: the same root, the name."""
        roots = {each.name: each.sha256 for each in self.ready.toolchains}
        named = [row for row in rows if row.toolchain in roots]
        same = [row for row in named if roots[row.toolchain] == checked_root(row)]
        return len(same), len(named)

    def is_resting(self, row: SubmissionRow, since: float) -> bool:
        """Whether it had trouble with a submission since then."""
        return self.troubled.get(row.id, -math.inf) > since


def checked_root(row: SubmissionRow) -> str:
    """The SHA-256 of the root that an accepted bot was checked in; empty: it was the host's."""
    return read_certificate(row.certificate).toolchain_sha256


def wanted_toolchain(row: SubmissionRow) -> str:
    """The toolchain that a submission needs, in words."""
    manifest = read_manifest(row.manifest)
    if manifest.toolchain:
        return f"the toolchain {manifest.toolchain}"
    return f"a toolchain for {manifest.language or 'a bot without a language'}"


def fitting(row: SubmissionRow, benches: Iterable[Bench]) -> list[Bench]:
    """The runners that have the toolchain of a submission."""
    manifest = read_manifest(row.manifest)
    return [bench for bench in benches if bench.has(manifest)]


def free_among(benches: Iterable[Bench], leases: Iterable[Lease]) -> list[Bench]:
    """The runners that have room to prepare a submission, those with the least work first."""
    busy = Counter(lease.row.runner for lease in leases if not lease.is_run)
    free = [bench for bench in benches if busy[bench.name] < bench.preparing]
    return sorted(free, key=lambda bench: busy[bench.name])
