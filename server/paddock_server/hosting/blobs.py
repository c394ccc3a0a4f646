"""Archives and artefacts: a runner fetches them from the server, and puts there what it built."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from grpc import aio

from paddock.v1 import runner_pb2, runner_pb2_grpc
from paddock_server.basics.errors import ServerError
from paddock_wire.address import Address

_CHUNK: Final = 48 * 1024  # with what is around it, below the largest frame
_TRIES: Final = 5
_PAUSE_SECONDS: Final = 0.5


class BlobTrouble(ServerError):
    """Raised when a blob does not come as it was told; the runner or the server is at fault."""

    reason = "runner/trouble"


class BlobCalls:
    """The calls about blobs to one server."""

    def __init__(self, address: Address, token: str) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)

    async def fetch(self, lease: str, blob: runner_pb2.BlobName, file: Path) -> None:
        """Write a blob into a new file; a broken connection goes on where it was."""
        digest = hashlib.sha256()
        so_far = 0
        with file.open("xb") as out:
            for left in reversed(range(_TRIES)):
                try:
                    async for chunk in self._chunks(lease, blob.sha256, so_far):
                        so_far += len(chunk)
                        if so_far > blob.size:
                            raise BlobTrouble(f"{blob.sha256} is larger than {blob.size} bytes")
                        digest.update(chunk)
                        out.write(chunk)
                    break
                except aio.AioRpcError:
                    if not left:
                        raise
                    await asyncio.sleep(_PAUSE_SECONDS)
        if so_far != blob.size or digest.hexdigest() != blob.sha256:
            raise BlobTrouble(f"{blob.sha256} came with other bytes")

    async def _chunks(self, lease: str, sha256: str, offset: int) -> AsyncIterator[bytes]:
        async with self._address.channel() as channel:
            stub = runner_pb2_grpc.RunnerServiceStub(channel)
            request = runner_pb2.FetchBlobRequest(lease=lease, sha256=sha256, offset=offset)
            async for part in stub.FetchBlob(request, metadata=self._metadata):
                yield part.chunk

    async def put(self, lease: str, file: Path, sha256: str) -> int:
        """Store a file on the server; its size."""
        size = (await asyncio.to_thread(file.stat)).st_size
        header = runner_pb2.PutBlobHeader(
            lease=lease, blob=runner_pb2.BlobName(sha256=sha256, size=size)
        )

        async def parts() -> AsyncIterator[runner_pb2.PutBlobRequest]:
            yield runner_pb2.PutBlobRequest(header=header)
            with file.open("rb") as data:
                while chunk := data.read(_CHUNK):
                    yield runner_pb2.PutBlobRequest(chunk=chunk)

        async with self._address.channel() as channel:
            stub = runner_pb2_grpc.RunnerServiceStub(channel)
            await stub.PutBlob(parts(), metadata=self._metadata)
        return size
