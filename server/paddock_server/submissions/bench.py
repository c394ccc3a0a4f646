"""Benches: the runners that are connected, and which of them prepares a submission."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from paddock.v1 import runner_pb2
from paddock_server.packing.languages import is_makeshift, toolchain_among
from paddock_server.packing.manifest import Manifest, read_manifest
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions.lease import Lease


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


def fitting(row: SubmissionRow, benches: Iterable[Bench]) -> list[Bench]:
    """The runners that have the toolchain of a submission."""
    manifest = read_manifest(row.manifest)
    return [bench for bench in benches if bench.has(manifest)]


def free_among(benches: Iterable[Bench], leases: Iterable[Lease]) -> list[Bench]:
    """The runners that have room to prepare a submission, those with the least work first."""
    busy = Counter(lease.row.runner for lease in leases if not lease.is_run)
    free = [bench for bench in benches if busy[bench.name] < bench.preparing]
    return sorted(free, key=lambda bench: busy[bench.name])
