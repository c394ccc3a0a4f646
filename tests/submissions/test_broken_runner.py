"""A runner that was broken into: it can spoil its own work, and nothing else."""

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from paddock.v1 import runner_pb2, submission_pb2
from tests.server.process import Server
from tests.submissions.arena import (
    CONFIG,
    accept,
    arena,
    bot_folder,
    call,
    owner,
    runner,
    said,
    start,
    submissions_of,
)
from tests.submissions.bare_runner import bare_runner

PATIENT = CONFIG.replace("lease_seconds = 4.0", "lease_seconds = 600.0")
BUILDING = submission_pb2.LOG_STAGE_BUILDING


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with arena(tmp_path / "server", PATIENT) as started:
        yield started


def test_it_names_no_artefact_that_it_did_not_put_there(server: Server, tmp_path: Path) -> None:
    with runner(server, "honest"):
        accept(server, bot_folder(tmp_path, "victim"), owner(server, "Victim"))
    (victim,) = submissions_of(server, "victim")
    stolen = victim["certificate"]["artefact_sha256"]
    with bare_runner(server, "broken") as broken:
        folder = bot_folder(tmp_path, "eve")
        assert call(server, "submit", folder, token=owner(server, "Eve")).code == 0
        lease = broken.hear("prepare").lease
        broken.say(prepared=runner_pb2.WorkPrepared(lease=lease, artefact_sha256=stolen))
        assert broken.noted()
        (row,) = submissions_of(server, "eve")
        assert (row["state"], row["attempts"]) == ("received", 1)
        assert "did not put here what it built" in row["sentence"]
    with bare_runner(server, "good") as good:  # which puts first what it names
        lease = good.hear("prepare").lease
        built = hashlib.sha256(b"built").hexdigest()
        good.put(lease, built, b"built")
        good.say(prepared=runner_pb2.WorkPrepared(lease=lease, artefact_sha256=built))
        assert good.noted()
    (row,) = submissions_of(server, "eve")
    assert row["state"] == "active"


def test_a_log_without_an_end_costs_the_server_little(server: Server, tmp_path: Path) -> None:
    with bare_runner(server, "broken") as broken:
        folder = bot_folder(tmp_path, "eve")
        assert call(server, "submit", folder, token=owner(server, "Eve")).code == 0
        lease = broken.hear("prepare").lease
        text = submission_pb2.LogText(stage=BUILDING, text="x" * 60_000)
        for _ in range(100):
            broken.say(log=runner_pb2.WorkLog(lease=lease, text=text))
        assert broken.noted()
    (row,) = submissions_of(server, "eve")
    with sqlite3.connect(server.database) as database:
        ((kept, dropped),) = database.execute(
            "SELECT LENGTH(text), dropped FROM submission_logs WHERE submission = ?", (row["id"],)
        ).fetchall()
    assert kept + dropped <= 512 * 1024


def test_it_changes_no_version_that_it_only_runs(server: Server, tmp_path: Path) -> None:
    with runner(server, "honest"):
        accept(server, bot_folder(tmp_path, "victim"), owner(server, "Victim"))
    (before,) = submissions_of(server, "victim")
    start(server, "victim", "house-random")
    certificate = submission_pb2.Certificate()
    token = said(server, "runner", "add", "broken")["token"]
    for word in (
        {"stage": runner_pb2.WorkStage(stage=BUILDING)},
        {"stage": runner_pb2.WorkStage(stage=submission_pb2.LOG_STAGE_PLAYING)},
        {"rejected": runner_pb2.WorkRejected(reason="x", certificate=certificate)},
        {"prepared": runner_pb2.WorkPrepared(certificate=certificate)},
    ):
        with bare_runner(server, "broken", token) as broken:
            (said_word,) = word.values()
            said_word.lease = broken.hear("run").lease
            poison = hashlib.sha256(b"poison").hexdigest()
            with pytest.raises(grpc.RpcError, match="nothing is prepared"):
                broken.put(said_word.lease, poison, b"poison")
            broken.say(**word)
            with pytest.raises(grpc.RpcError, match="nothing is prepared"):
                broken.noted()
    (after,) = submissions_of(server, "victim")
    assert after == before


def test_it_ends_no_preparation_as_if_a_bot_ran(server: Server, tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "eve")
    assert call(server, "submit", folder, token=owner(server, "Eve")).code == 0
    with bare_runner(server, "broken") as broken:
        lease = broken.hear("prepare").lease
        playing = submission_pb2.LOG_STAGE_PLAYING
        broken.say(stage=runner_pb2.WorkStage(lease=lease, stage=playing))
        with pytest.raises(grpc.RpcError, match="has no stage"):
            broken.noted()
    with bare_runner(server, "again") as again:
        assert submissions_of(server, "eve")[0]["state"] == "building"
        again.say(trouble=runner_pb2.WorkTrouble(lease=lease))
        assert not again.noted()  # it is not its own


def test_it_puts_one_blob_for_a_lease(server: Server, tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "eve")
    assert call(server, "submit", folder, token=owner(server, "Eve")).code == 0
    with bare_runner(server, "broken") as broken:
        lease = broken.hear("prepare").lease
        for data in (b"one", b"one"):
            broken.put(lease, hashlib.sha256(data).hexdigest(), data)
        with pytest.raises(grpc.RpcError, match="something else was put"):
            broken.put(lease, hashlib.sha256(b"two").hexdigest(), b"two")
        with pytest.raises(grpc.RpcError, match="arrived, not"):
            broken.put(lease, hashlib.sha256(b"one").hexdigest(), b"lie")
