"""A mirror of packages: builds reach it where the operator allows it, and nothing else does."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from paddock_server.hosting import mirror as mirror_module
from paddock_server.hosting.building import BuildFailed, BuildLog, build
from paddock_server.hosting.mirror import ADDRESS, check_hidden, read_mirror
from paddock_server.hosting.preparing import Prepared
from paddock_server.jails.confined import Bind, CannotJail, Toolchain
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import host, python
from paddock_server.packing.manifest import read_manifest
from tests.hosting.handed_in import QUICK, handed_in, make, run
from tests.hosting.mirrors import mirror

FETCH = f"""import sys, urllib.request
print(urllib.request.urlopen("{ADDRESS}/hello", timeout=20).read().decode())
"""


def built(folder: Path, out: Path, toolchain: Toolchain, socket_path: Path | None) -> str:
    """Build the bot of a folder, with this mirror; returns what it said."""
    log = BuildLog()
    manifest = read_manifest((folder / "paddock-bot.toml").read_bytes())

    async def scene() -> None:
        jails = Jails()
        try:
            await build(
                jails, folder, manifest,
                toolchain=toolchain, folder=out, log=log, mirror=socket_path,
            )  # fmt: skip
        finally:
            jails.close()

    run(scene())
    return log.text


def _fetching(tmp_path: Path) -> Path:
    build_with = ["python3", "fetch.py"]
    return make(tmp_path / "bot", {"fetch.py": FETCH}, build=build_with, run=["./bot"])


def test_a_build_reaches_the_mirror_and_nothing_else(tmp_path: Path) -> None:
    routes = "print(open('/proc/net/route').read().count(chr(10)))"
    program = {"fetch.py": f"{FETCH}{routes}\n"}
    folder = make(tmp_path / "bot", program, build=["python3", "fetch.py"], run=["./bot"])
    with mirror(tmp_path / "socket", {"/hello": b"well met"}) as asked:
        said = built(folder, tmp_path / "out", python(), tmp_path / "socket")
    assert said == "well met\n1\n"  # a heading, and no route
    assert asked == ["/hello"]


def test_without_a_mirror_there_is_no_network(tmp_path: Path) -> None:
    with (
        mirror(tmp_path / "socket", {"/hello": b"well met"}) as asked,
        pytest.raises(BuildFailed, match="Connection refused"),
    ):
        built(_fetching(tmp_path), tmp_path / "out", python(), None)
    assert asked == []


def test_matches_have_no_mirror(tmp_path: Path) -> None:
    trying = f"""import contextlib, runpy, sys, urllib.request
with contextlib.suppress(OSError):
    urllib.request.urlopen("{ADDRESS}/from-a-match", timeout=20)
    sys.exit("it has a mirror")
sys.argv[1:] = []
runpy.run_module("paddock.bots.greedy", run_name="__main__")
"""
    folder = make(
        tmp_path / "bot", {"fetch.py": FETCH, "bot.py": trying}, build=["python3", "fetch.py"],
        language="Python", run=["python3", "bot.py"], formats=["summer"],
    )  # fmt: skip
    with mirror(tmp_path / "socket", {"/hello": b"well met", "/from-a-match": b"no"}) as asked:
        terms = QUICK._replace(mirror=tmp_path / "socket")
        outcome = handed_in(folder, tmp_path / "work", terms)
    assert isinstance(outcome.result, Prepared), outcome.result
    assert outcome.result.certificate.mirror
    assert asked == ["/hello"]


def test_a_mirror_that_is_down_is_not_the_fault_of_a_build(tmp_path: Path) -> None:
    with mirror(tmp_path / "socket", {}):
        path = read_mirror(str(tmp_path / "socket"))
    with pytest.raises(CannotJail, match=r"the mirror .*socket can't be reached"):
        built(_fetching(tmp_path), tmp_path / "out", python(), path)


@contextmanager
def _answering_once(path: Path, *, hanging: bool) -> Iterator[None]:
    """A mirror that answers the first who asks; then it hangs, or is gone."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            first, _ = listener.accept()
            if not hanging:
                listener.close()
            with first:
                first.recv(1000)
                first.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        yield
        answering.join()


@pytest.mark.parametrize(
    ("hanging", "words"), [(False, "can't be reached"), (True, "does not answer; see whether")]
)
def test_a_mirror_that_breaks_is_not_the_fault_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hanging: bool, words: str
) -> None:
    monkeypatch.setattr(mirror_module, "_ANSWER_SECONDS", 3.0)
    program = {"fetch.py": FETCH.replace("timeout=20", "timeout=1")}
    folder = make(tmp_path / "bot", program, build=["python3", "fetch.py"], run=["./bot"])
    with (
        _answering_once(tmp_path / "socket", hanging=hanging),
        pytest.raises(CannotJail, match=f"the mirror .*socket {words}"),
    ):
        built(folder, tmp_path / "out", python(), tmp_path / "socket")
    assert not (tmp_path / "out").exists()


def test_a_build_waits_for_a_mirror_that_is_busy(tmp_path: Path) -> None:
    """One may wait at its socket, while forty ask."""
    with mirror(tmp_path / "socket", {"/hello": b"well met"}, room=1) as asked:
        many = f"""import concurrent.futures, urllib.request
def fetch(_):
    return urllib.request.urlopen("{ADDRESS}/hello", timeout=60).read()
with concurrent.futures.ThreadPoolExecutor(40) as pool:
    assert set(pool.map(fetch, range(200))) == {{b"well met"}}
"""
        folder = make(
            tmp_path / "bot", {"fetch.py": many}, build=["python3", "fetch.py"], run=["./bot"]
        )
        assert built(folder, tmp_path / "out", python(), tmp_path / "socket") == ""
    assert len(asked) == 200


def test_a_mirror_that_jails_would_show_is_refused(tmp_path: Path) -> None:
    with mirror(tmp_path / "socket", {}):
        path = read_mirror(str(tmp_path / "socket"))
        check_hidden(path, [python(), host()])
        shown = host()._replace(name="odd", binds=(Bind(tmp_path, "/opt"),))
        with pytest.raises(ValueError, match=r"all jails of odd show .*; have it listen in"):
            check_hidden(path, [python(), shown])
        with pytest.raises(ValueError, match="all jails of host show /usr"):
            check_hidden(Path("/usr/lib/socket"), [host()])
        root = tmp_path / "root"
        (root / "bin").mkdir(parents=True)
        with mirror(root / "bin/socket", {}):
            done = _doctor("doctor", f"--toolchain=tiny:any={root}", f"--mirror={root}/bin/socket")
    assert done.returncode == 2
    assert "all jails of tiny show" in done.stderr


def _doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "paddock_server", "runner", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_option_in_the_wrong_place_is_not_passed_over(tmp_path: Path) -> None:
    with mirror(tmp_path / "socket", {}):
        option = f"--mirror={tmp_path / 'socket'}"
        done = _doctor(option, "doctor")
        assert done.returncode == 2
        assert "--mirror before doctor is for running bots; put it after doctor" in done.stderr
        told = json.loads(_doctor("doctor", option, "--json").stdout)
    assert told["mirror"] == str(tmp_path / "socket")


def test_what_is_no_mirror_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file is not a Unix socket; name the one that"):
        read_mirror(str(tmp_path / "file"))
    with pytest.raises(ValueError, match="No such file or directory; start the mirror first"):
        read_mirror(str(tmp_path / "none"))
    with pytest.raises(ValueError, match="is too long for a socket: 107 bytes at most"):
        read_mirror(str(tmp_path / ("long" * 30)))
