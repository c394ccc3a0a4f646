"""Uploads as a program of one's own makes them: cut off, halfway, or with any lie."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import grpc
import pytest

from paddock.v1 import submission_pb2, submission_pb2_grpc
from paddock_server.packing.archive import pack
from tests.server.process import Server, until

CHUNK = 64 * 1024
GUARD_S = 60.0  # nothing is measured by it


class Sent(NamedTuple):
    """An upload, as it is announced and sent."""

    bot: str
    manifest: bytes
    data: bytes
    sha256: str
    size: int

    @classmethod
    def of(cls, folder: Path) -> "Sent":
        package = pack(folder)
        name, data = package.manifest.name, package.data
        return cls(name, package.manifest_bytes, data, package.sha256, len(data))


class Client:
    """Calls of the holder of a token."""

    def __init__(self, server: Server, token: str) -> None:
        self._channel = grpc.insecure_channel(server.address)
        self._stub: Any = submission_pb2_grpc.SubmissionServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),)

    def held(self, sent: Sent) -> int:
        request = submission_pb2.GetUploadRequest(bot=sent.bot, sha256=sent.sha256)
        return int(self._stub.GetUpload(request, metadata=self._metadata).held)

    def upload(self, sent: Sent, offset: int = 0, chunks: Sequence[bytes] | None = None) -> Any:
        """The answer, or the reason of the refusal."""
        try:
            return self._begin(sent, offset, iter(parts(sent.data[offset:], chunks))).result()
        except grpc.RpcError as refused:
            metadata: Any = refused.trailing_metadata()  # its stubs and grpc disagree
            return dict(metadata)["paddock-reason"]

    def cut_off(self, sent: Sent, chunks: Sequence[bytes]) -> None:
        """Send so much, and break off when it is there."""
        so_far = sum(map(len, chunks))

        def some() -> Iterator[bytes]:
            yield from chunks
            until("the chunks", lambda: self.held(sent) == so_far)
            uploading.cancel()

        uploading = self._begin(sent, 0, some())
        with pytest.raises((grpc.RpcError, grpc.FutureCancelledError)):
            uploading.result()

    @contextmanager
    def halfway(self, sent: Sent) -> Iterator[Callable[[], str]]:
        """An upload that is under way; the call has it go on, and tells what came of it."""
        half, go_on = len(sent.data) // 2, Event()

        def parts() -> Iterator[bytes]:
            yield sent.data[:half]
            go_on.wait(GUARD_S)
            yield sent.data[half:]

        def outcome() -> str:
            go_on.set()
            try:
                state = uploading.result().submission.state
            except grpc.RpcError as refused:
                metadata: Any = refused.trailing_metadata()  # its stubs and grpc disagree
                return str(dict(metadata)["paddock-reason"])
            return "received" if state == submission_pb2.SUBMISSION_STATE_RECEIVED else "?"

        uploading = self._begin(sent, 0, parts())
        try:
            until("the first half", lambda: self.held(sent) == half)
            yield outcome
        finally:
            go_on.set()

    def _begin(self, sent: Sent, offset: int, chunks: Iterator[bytes]) -> Any:
        header = submission_pb2.UploadHeader(
            bot=sent.bot, sha256=sent.sha256, size=sent.size, manifest=sent.manifest, offset=offset
        )

        def requests() -> Iterator[submission_pb2.UploadRequest]:
            yield submission_pb2.UploadRequest(header=header)
            for chunk in chunks:
                yield submission_pb2.UploadRequest(chunk=chunk)

        return self._stub.Upload.future(requests(), metadata=self._metadata)


def parts(data: bytes, chunks: Sequence[bytes] | None) -> Sequence[bytes]:
    return chunks or [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]
