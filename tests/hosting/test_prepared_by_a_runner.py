"""Submissions that a real runner prepares for a real server: accepted, rejected, and killed."""

import signal
import sqlite3
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paddock_server.checking.check import POINTS
from paddock_server.hosting.certifying import IDLE, STARTS
from tests.hosting.handed_in import make
from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import (
    arena,
    bot_folder,
    call,
    is_clean,
    over,
    said,
    start,
    submissions_of,
)

PATIENCE = 400.0  # a check has many points, and the machine may be busy
ONE_FORMAT = 'formats = ["two-player"]\n'


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("prepared")
    with arena(folder / "server") as server:
        yield Stage(server, folder)


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the runners of a test have all their temporary files; short, as sockets want it."""
    with tempfile.TemporaryDirectory() as name:
        monkeypatch.setenv("TMPDIR", name)
        yield Path(name)


def _hand_in(stage: Stage, folder: Path) -> None:
    handed_in = call(stage.server, "submit", folder, token=stage.owner)
    assert handed_in.code == 0, handed_in


def _decided(stage: Stage, bot: str) -> dict[str, Any]:
    """The submission of a bot, when it is decided."""

    def found() -> dict[str, Any] | None:
        (row,) = submissions_of(stage.server, bot)
        return row if row["state"] in ("active", "rejected", "stuck") else None

    row: dict[str, Any] = until(f"the decision about {bot}", found, PATIENCE)
    return row


def test_a_bot_is_accepted_with_its_certificate(stage: Stage, tmp_path: Path) -> None:
    with stage.runner("accepting"):
        _hand_in(stage, bot_folder(tmp_path, "ada", manifest=ONE_FORMAT))
        row = _decided(stage, "ada")
        assert row["state"] == "active", row
        certificate = row["certificate"]
        names = [*POINTS[:2], "format two-player", *POINTS[2:], STARTS, IDLE]
        assert [point["name"] for point in certificate["points"]] == names
        assert all(point["met"] for point in certificate["points"])
        assert certificate["toolchain"].startswith("python-3")
        assert certificate["runner"] == "accepting"
        (told,) = (r for r in said(stage.server, "runner", "list") if r["name"] == "accepting")
        assert certificate["weaknesses"] == told["weaknesses"]
        built = certificate["artefact_sha256"]
        blob = stage.server.folder / f"paddock.db-blobs/{built[:2]}/{built[2:4]}/{built}"
        assert blob.stat().st_size > 0
        shown = call(stage.server, "submission", "show", row["id"], token=stage.owner).out
        assert "with python-3" in shown
        assert all(f" {name} " in shown for name in names if len(name) < 12)
        assert shown.count("the runner does not promise ") == len(told["weaknesses"])
        with urllib.request.urlopen(f"http://{stage.server.http}/bots/ada") as answer:
            page = answer.read().decode()
        assert all(name in page for name in names)
        assert f"built {built[:12]}" in page
        assert page.count("does not promise") == len(told["weaknesses"])
        (match,) = over(stage.server, start(stage.server, "ada", "house-random"))
        assert is_clean(match)


def test_a_build_that_fails_is_rejected_with_its_reason_and_its_log(
    stage: Stage, tmp_path: Path
) -> None:
    flood = "echo it begins; yes no | head -c 3000000; echo it ends >&2; exit 7"
    bot = make(
        tmp_path / "eve", {"b.sh": flood}, name="eve", build=["sh", "b.sh"], run=["./bot"],
        language="Python",
    )  # fmt: skip
    with stage.runner("rejecting"):
        _hand_in(stage, bot)
        row = _decided(stage, "eve")
    assert (row["state"], row["reason"]) == ("rejected", "submission/rejected")
    assert row["sentence"].startswith("the build ended with exit code 7; it said:\n")
    assert row["sentence"].endswith("\nit ends")
    log = call(stage.server, "submission", "log", row["id"], token=stage.owner).out
    assert "it begins" in log
    assert "bytes are left out ..." in log
    assert log.endswith(
        " was rejected: the build ended with exit code 7; it said:\n"
        + 11 * "    no\n"
        + "    it ends\n"
    )
    with sqlite3.connect(stage.server.database) as database:  # the flood ended at the runner
        found = database.execute(
            "SELECT dropped FROM submission_logs WHERE submission = ?", (row["id"],)
        )
        assert found.fetchall() == [(0,)]


def test_a_certificate_says_what_was_not_judged(stage: Stage, tmp_path: Path) -> None:
    bot = make(
        tmp_path / "gus", {"b.sh": "exit 3"}, name="gus", run=["sh", "b.sh"],
        formats=["two-player"],
    )  # fmt: skip
    with stage.runner("judging"):
        _hand_in(stage, bot)
        row = _decided(stage, "gus")
    hello, *others = row["certificate"]["points"]
    assert (row["state"], hello["name"]) == ("rejected", "hello")
    assert not hello["met"]
    assert not hello["skipped"]
    assert others
    assert all(point["skipped"] and not point["met"] for point in others)
    shown = call(stage.server, "submission", "show", row["id"], token=stage.owner).out
    assert "\nchecked by judging at " in shown
    assert " with ," not in shown


@pytest.mark.parametrize("state", ["building", "checking"])
def test_a_runner_that_is_killed_leaves_no_blame_and_nothing_else(
    stage: Stage, state: str, place: Path, tmp_path: Path
) -> None:
    name = f"fay-{state}"
    slow = 'build = ["sh", "-c", "echo it is built; sleep 8"]\n' if state == "building" else ""
    with stage.runner("killed") as first:
        _hand_in(stage, bot_folder(tmp_path, name, manifest=ONE_FORMAT + slow))

        def is_there() -> bool:
            if submissions_of(stage.server, name)[0]["state"] != state:
                return False
            return state == "checking" or "it is built" in stage.log_of(name)

        until(f"it is {state}", is_there)
        first.signal(signal.SIGKILL)
    assert list(place.iterdir())
    with stage.runner("killed") as second:

        def again() -> bool:
            (row,) = submissions_of(stage.server, name)
            assert row["state"] != "rejected", row
            return bool(row["attempts"] == 2)

        until("the second try", again)
        ours = {f"paddock-{kind}-{second.pid}" for kind in ("runner", "cell")}

        def only_ours() -> bool:
            work = list(place.glob("*/*"))
            return bool(work) and {p.name.rpartition("-")[0] for p in place.iterdir()} <= ours

        until("nothing is left of the first", only_ours)
        if state == "checking":
            row = _decided(stage, name)
            assert (row["state"], row["attempts"]) == ("active", 2), row
