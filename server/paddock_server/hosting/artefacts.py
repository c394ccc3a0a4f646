"""The artefacts of a runner: unpacked once, and kept while they are likely to be run again."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from paddock.v1 import runner_pb2
from paddock_server.hosting.blobs import BlobCalls
from paddock_server.hosting.unpack import unpack
from paddock_server.jails.jail import Jails
from paddock_server.packing.member import BUILT

_KEPT: Final = 50


@dataclass
class _Shelf:
    """The place of one artefact."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Artefacts:
    """Folders of what was built, by SHA-256."""

    def __init__(self, jails: Jails, blobs: BlobCalls, folder: Path) -> None:
        self._jails = jails
        self._blobs = blobs
        self._folder = folder
        self._shelves: dict[str, _Shelf] = {}  # the one that was used last is the last

    @asynccontextmanager
    async def using(self, lease: str, blob: runner_pb2.BlobName) -> AsyncIterator[Path]:
        """The folder of an artefact, which stays for as long as it is used."""
        shelf = self._shelves.setdefault(blob.sha256, _Shelf())
        shelf.users += 1
        self._shelves[blob.sha256] = self._shelves.pop(blob.sha256)
        try:
            folder = self._folder / blob.sha256
            async with shelf.lock:
                if not folder.exists():
                    await self._fill(lease, blob, folder)
            yield folder
        finally:
            shelf.users -= 1
            self._clear()

    async def _fill(self, lease: str, blob: runner_pb2.BlobName, folder: Path) -> None:
        archive = folder.with_suffix(".tar.gz")
        try:
            await self._blobs.fetch(lease, blob, archive)
            await unpack(self._jails, archive, folder, BUILT)
        finally:
            archive.unlink(missing_ok=True)

    def _clear(self) -> None:
        idle = [name for name, shelf in self._shelves.items() if not shelf.users]
        for name in idle[: max(0, len(self._shelves) - _KEPT)]:
            del self._shelves[name]
            shutil.rmtree(self._folder / name, ignore_errors=True)
