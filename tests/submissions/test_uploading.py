"""Uploads: cut off and resumed, lied about, too many, too large; nothing is left of a refusal."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock.v1 import submission_pb2
from paddock_server.api.in_time import in_time
from paddock_server.api.refusal import Refusal
from tests.server.process import Server
from tests.submissions.arena import CONFIG, arena, bot_folder, call, owner, said, submissions_of
from tests.submissions.uploads import CHUNK, Client, Sent

FEW = """enabled = true
uploads_per_hour = 2
waiting_per_owner = 2
owner_mb = 1
archive_mb = 1
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without a runner: what is handed in stays as it is."""
    config = CONFIG.partition("enabled = true")[0] + FEW
    with arena(tmp_path_factory.mktemp("arena") / "server", config) as started:
        yield started


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


def test_uploads_that_nobody_finishes_take_the_place_of_each_other(
    server: Server, tmp_path: Path
) -> None:
    fay = Client(server, owner(server, "Fay"))
    partial = server.folder / "paddock.db-blobs/partial"
    before = set(partial.iterdir())
    for number in range(3):  # bots that are not there yet: an owner could name any number
        sent = large(tmp_path, f"fay-{number}")
        fay.cut_off(sent, [sent.data[:CHUNK]])
    assert len(set(partial.iterdir()) - before) == 1
    assert fay.held(sent) == CHUNK


def test_of_two_uploads_at_once_the_later_one_goes_on(server: Server, tmp_path: Path) -> None:
    gus = Client(server, owner(server, "Gus"))
    first, second = large(tmp_path / "a", "gus"), large(tmp_path / "b", "gus")
    with gus.halfway(first) as waiting:
        assert gus.upload(second).submission.version == "1"
        assert waiting() == "submission/wrong_offset"
    assert gus.upload(first) == "submission/version_exists"


def test_what_a_quota_refuses_at_the_end_leaves_no_blob(server: Server, tmp_path: Path) -> None:
    hal = Client(server, owner(server, "Hal", bots=4))
    bots = [large(tmp_path, f"hal-{number}", size=1) for number in (1, 2, 3)]
    for sent in bots:
        call(server, "bot", "add", sent.bot, "--owner", "Hal")
    with hal.halfway(bots[0]) as one, hal.halfway(bots[1]) as two, hal.halfway(bots[2]) as three:
        assert {one(), two()} == {"received"}
        assert three() == "submission/quota"  # two wait
    blobs = {path.name for path in (server.folder / "paddock.db-blobs").glob("*/*/*")}
    assert {sent.sha256 in blobs for sent in bots[:2]} == {True}
    assert bots[2].sha256 not in blobs


def test_who_sends_nothing_is_not_waited_for() -> None:
    async def silent() -> AsyncIterator[int]:
        yield 1
        await asyncio.Event().wait()

    async def scene() -> None:
        parts = in_time(silent(), pause_seconds=0.01)
        assert await anext(parts) == 1
        with pytest.raises(Refusal, match="nothing came for"):
            await anext(parts)

    asyncio.run(scene())


@pytest.fixture(scope="module")
def ivy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, Sent]:
    folder = tmp_path_factory.mktemp("ivy")
    return Client(server, owner(server, "Ivy")), large(folder, "ivy", size=5000)


@given(data=st.data())
def test_no_lie_is_taken_however_it_is_cut(
    server: Server, ivy: tuple[Client, Sent], data: st.DataObject
) -> None:
    client, sent = ivy
    content = data.draw(st.sampled_from(["short", "long", "flipped", "as it was"]))
    at = data.draw(st.integers(0, sent.size - 1))
    said = {
        "short": sent.data[:at],
        "long": sent.data + sent.data[: at + 1],
        "flipped": sent.data[:at] + bytes([sent.data[at] ^ 1]) + sent.data[at + 1 :],
        "as it was": sent.data,
    }[content]
    if content == "as it was":
        lies = (sent._replace(sha256="0" * 64), sent._replace(size=sent.size + at + 1))
        sent = data.draw(st.sampled_from(lies))
    elif data.draw(st.booleans()):
        sent = sent._replace(size=max(1, len(said)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(said)), max_size=5)))
    edges = [0, *cuts, len(said)]
    chunks = [said[begin:end] for begin, end in pairwise(edges)]
    assert client.upload(sent, chunks=chunks) == "submission/bad_archive"
    assert submissions_of(server, "ivy") == []
