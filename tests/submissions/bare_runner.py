"""A bare runner: it says to a server exactly what a test wants it to say."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import grpc

from paddock.v1 import runner_pb2, runner_pb2_grpc
from tests.server.process import Server
from tests.submissions.arena import said
from tests.submissions.small_runner import TOOLCHAINS


class BareRunner:
    """A stream of RunnerService."""

    def __init__(self, channel: grpc.Channel, token: str) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._stub: Any = runner_pb2_grpc.RunnerServiceStub(channel)
        self._requests: SimpleQueue[runner_pb2.WorkRequest | None] = SimpleQueue()
        self._number = 0
        self._answers = self._stub.Work(iter(self._requests.get, None), metadata=self._metadata)
        self.say(ready=runner_pb2.WorkReady(slots=2, cores=2, toolchains=TOOLCHAINS))

    def say(self, **words: Any) -> None:
        self._number += 1
        self._requests.put(runner_pb2.WorkRequest(number=self._number, **words))

    def hear(self, kind: str) -> Any:
        """The next word of this kind."""
        for answer in self._answers:
            if answer.WhichOneof("said") == kind:
                return getattr(answer, kind)
        raise AssertionError(f"the stream ended without {kind}")

    def noted(self) -> bool:
        """Wait until the last word was noted; whether its lease was still this runner's."""
        while (noted := self.hear("noted")).number < self._number:
            pass
        return not noted.lost

    def put(self, lease: str, sha256: str, data: bytes) -> None:
        """Put a blob."""
        blob = runner_pb2.BlobName(sha256=sha256, size=len(data))
        header = runner_pb2.PutBlobHeader(lease=lease, blob=blob)
        parts = [
            runner_pb2.PutBlobRequest(header=header),
            runner_pb2.PutBlobRequest(chunk=data),
        ]
        self._stub.PutBlob(iter(parts), metadata=self._metadata)

    def close(self) -> None:
        self._requests.put(None)
        self._answers.cancel()


@contextmanager
def bare_runner(server: Server, name: str, token: str = "") -> Iterator[BareRunner]:
    """A new runner, or the one with this token."""
    token = token or said(server, "runner", "add", name)["token"]
    with grpc.insecure_channel(server.address) as channel:
        runner = BareRunner(channel, token)
        try:
            yield runner
        finally:
            runner.close()
