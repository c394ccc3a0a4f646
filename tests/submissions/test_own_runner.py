"""`paddock serve --runner`: a server that runs what is handed in by itself."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from paddock_server.jails.doctor import Promise
from paddock_server.jails.processes import children
from tests.cli import command
from tests.hosting.handed_in import make
from tests.hosting.mirrors import mirror
from tests.hosting.test_prepared_by_a_runner import PATIENCE
from tests.jails.tiny_root import tiny_root
from tests.server.process import until
from tests.submissions.arena import CONFIG, arena, call, owner, said, submissions_of

LINES = r"""
read -r release < /etc/release; [ "$release" = tiny ] || exit 9
while read -r line; do case $line in *'"type":"ask"'*) echo 0;; esac; done
"""


def test_a_runner_comes_and_goes_with_its_server(tmp_path: Path) -> None:
    with arena(tmp_path / "server", CONFIG, "--runner", "--accept-weaker") as server:

        def connected() -> bool:
            return any(each["connected"] for each in said(server, "runner", "list"))

        until("the runner", connected)
        assert server.process is not None
        itself = server.process.pid
        (pid,) = runners_of(itself)
        os.kill(pid, signal.SIGKILL)
        until("that it is started again", lambda: runners_of(itself) - {pid})
        until("the runner again", connected)
        server.kill()  # the runner beside it ends too, and the next one has a new token
        server.start()
        until("the next runner", connected)
        assert len(said(server, "runner", "list")) == 1
        assert server.terminate() == 0


def runners_of(server: int) -> set[int]:
    """The processes of runners that a server started, below what ties them to it."""
    ties = children(server)
    return {pid for tie in ties for pid in children(tie) if b"runner" in cmdline(pid)}


def cmdline(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def test_it_is_refused_where_it_has_nothing_to_do() -> None:
    refused = command.call("serve", "--runner", "--grpc", "127.0.0.1:0")
    assert "set enabled in [submissions] of paddock.toml" in refused.refused()


def test_a_server_does_not_start_without_the_runner_that_it_was_told_to_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Promise("memory", False, "nothing", "buy some", "a bot can hold more")
    monkeypatch.setattr("paddock_server.cli.own_runner.examine", lambda: [broken])
    (tmp_path / "paddock.toml").write_text(CONFIG)
    config = ("--config", tmp_path / "paddock.toml")
    refused = command.call("serve", "--runner", "--grpc", "127.0.0.1:0", *config)
    assert "memory: nothing; buy some" in refused.refused()


def test_its_toolchains_and_its_mirror_are_in_the_certificate(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "tiny", "sh", "cp", "chmod", "tar", "gzip")
    bot = make(
        tmp_path / "bot", {"bot.sh": LINES}, name="ada", language="Awk", speaks="lines",
        build=["sh", "-c", "echo $PADDOCK_MIRROR"], run=["sh", "bot.sh"], formats=["two-player"],
    )  # fmt: skip
    socket = tmp_path / "socket"
    options = ("--runner", "--accept-weaker", f"--toolchain=tiny:Awk={root}", f"--mirror={socket}")
    with mirror(socket, {}), arena(tmp_path / "server", CONFIG, *options) as server:
        assert call(server, "submit", bot, token=owner(server, "Ada")).code == 0

        def decided() -> Any:
            (row,) = submissions_of(server, "ada")
            return row if row["state"] in ("active", "rejected", "stuck") else None

        row = until("the decision", decided, PATIENCE)
        assert row["state"] == "active", row
        certificate = row["certificate"]
        (runner,) = said(server, "runner", "list")
        assert runner["toolchains"][0] == certificate["toolchain"] == "tiny"
        assert len(certificate["toolchain_sha256"]) == 64
        assert certificate["mirror"] is True
        shown = call(server, "submission", "show", row["id"]).out
        assert f"with tiny ({certificate['toolchain_sha256'][:12]})" in shown
        with urlopen(f"http://{server.http}/bots/ada") as page:
            assert f"With tiny ({certificate['toolchain_sha256'][:12]}) on" in page.read().decode()
        assert "its build could reach a mirror of packages" in " ".join(shown.split())
        log = call(server, "submission", "log", row["id"]).out
        assert "http://127.0.0.1:8080" in log
