"""Uploads: cut off and resumed, lied about, too many, too large; nothing is left of a refusal."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest

from paddock.v1 import submission_pb2, submission_pb2_grpc
from paddock_server.packing.archive import pack
from tests.server.process import Server, until
from tests.submissions.arena import CONFIG, arena, bot_folder, call, owner, said, submissions_of

FEW = """enabled = true
uploads_per_hour = 2
waiting_per_owner = 2
owner_mb = 1
archive_mb = 1
"""
CHUNK = 64 * 1024


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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without a runner: what is handed in stays as it is."""
    config = CONFIG.partition("enabled = true")[0] + FEW
    with arena(tmp_path_factory.mktemp("arena") / "server", config) as started:
        yield started


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


def large(folder: Path, name: str, version: str = "1", size: int = 300_000) -> Sent:
    """A bot whose archive has several chunks."""
    place = bot_folder(folder, name, version)
    (place / "noise").write_bytes(os.urandom(size))
    return Sent.of(place)


def test_an_upload_goes_on_where_it_was_cut_off(server: Server, tmp_path: Path) -> None:
    ada = Client(server, owner(server, "Ada"))
    sent = large(tmp_path, "ada")
    first = 3 * CHUNK // 2  # in the middle of what would be a chunk
    ada.cut_off(sent, [sent.data[:CHUNK], sent.data[CHUNK:first]])
    assert all(bot["name"] != "ada" for bot in said(server, "bot", "list"))
    assert ada.upload(sent, first + 1) == "submission/wrong_offset"
    answer = ada.upload(sent, first)
    assert answer.submission.archive_bytes == len(sent.data)
    assert answer.bot_token  # the bot came with it
    again = ada.upload(sent)
    assert (again.known_before, again.submission.id) == (True, answer.submission.id)
    assert not again.bot_token
    copy = tmp_path / "copy"
    assert call(server, "submission", "fetch", answer.submission.id, copy).code == 0
    assert hashlib.sha256(copy.read_bytes()).hexdigest() == sent.sha256


def test_a_server_that_is_killed_keeps_what_arrived(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server:
        token = owner(server, "Ada")
        sent = large(tmp_path, "ada")
        Client(server, token).cut_off(sent, [sent.data[:CHUNK]])
        server.kill()
        server.start()
        client = Client(server, token)
        assert client.held(sent) == CHUNK
        assert client.upload(sent, CHUNK).submission.version == "1"


def test_what_is_lied_about_is_refused_and_forgotten(server: Server, tmp_path: Path) -> None:
    bob = Client(server, owner(server, "Bob"))
    sent = large(tmp_path, "bob")
    for lie, chunks in (
        (sent._replace(sha256="0" * 64), None),
        (sent._replace(size=sent.size - 1), None),
        (sent._replace(size=sent.size + 1), None),
        (sent, [sent.data[:CHUNK]]),  # it ends early, and says that it is over
        (sent, [sent.data[:CHUNK], sent.data[CHUNK + 1 :]]),  # a byte is missing
        (sent, [sent.data, b"x"]),
        (sent._replace(sha256="../../x"), None),
    ):
        assert bob.upload(lie, chunks=chunks) in ("submission/bad_archive", "frame/too_large")
    assert submissions_of(server, "bob") == []
    assert all(bot["name"] != "bob" for bot in said(server, "bot", "list"))
    assert bob.upload(sent).submission.state == submission_pb2.SUBMISSION_STATE_RECEIVED


def test_quotas_are_told_and_leave_nothing_behind(server: Server, tmp_path: Path) -> None:
    cyd = Client(server, owner(server, "Cyd", bots=4))
    assert cyd.upload(large(tmp_path, "cyd", size=1_100_000)) == "submission/too_large"
    assert cyd.upload(large(tmp_path, "cyd-1", size=700_000)).bot_token
    assert cyd.upload(large(tmp_path, "cyd-2", size=700_000)) == "submission/quota"  # bytes
    assert cyd.upload(large(tmp_path, "cyd-3", size=1)).bot_token
    assert cyd.upload(large(tmp_path, "cyd-4", size=1)) == "submission/quota"  # two wait
    names = {bot["name"] for bot in said(server, "bot", "list")}
    assert {name for name in names if name.startswith("cyd")} == {"cyd-1", "cyd-3"}
    dan = Client(server, owner(server, "Dan"))
    for version in ("1", "2"):
        assert dan.upload(large(tmp_path, "dan", version, 1)).submission.version == version
    assert dan.upload(large(tmp_path, "dan", "3", 1)) == "submission/quota"  # within an hour


def test_a_manifest_names_the_bot_that_it_is_for(server: Server, tmp_path: Path) -> None:
    eve = Client(server, owner(server, "Eve"))
    sent = Sent.of(bot_folder(tmp_path, "eve"))
    assert eve.upload(sent._replace(bot="ada")) == "submission/other_bot"
    assert eve.upload(sent._replace(bot="house-eve")) == "submission/other_bot"


def test_a_server_takes_nothing_in_unless_it_is_told_to(tmp_path: Path) -> None:
    with arena(tmp_path / "server", CONFIG.replace("enabled = true", "enabled = false")) as server:
        sent = Sent.of(bot_folder(tmp_path, "ada"))
        assert Client(server, owner(server, "Ada")).upload(sent) == "submission/disabled"
        refused = call(server, "submit", tmp_path / "ada-1", token=owner(server, "Bob"))
        assert "submission/disabled" in refused.refused()
