"""Web workers: the same pages from other processes, which come and go with the server."""

import json
import os
import re
import resource
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import call
from tests.server.process import CALM, Server, sdk_bot, until
from tests.store.opened import opened
from tests.web.following import changes_now, follow, number_of, stream_of
from tests.web.stored import store_match

FROM_WORKERS = (
    "/api/ladder", "/api/ladder/two-player?table=live", "/api/matches", "/api/matches?bot=ada",
    "/api/bots/ada", "/api/bots/ada/against?other=bob", "/api/rules", "/api/ladder/table.csv",
)  # fmt: skip
FROM_THE_SERVER = ("/api/home", "/api/live", "/api/tournaments", "/api/openapi.json", "/health")
CONFIG = f"standing_seconds = 0\n{CALM}"


def get(server: Server, address: str) -> bytes:
    with urllib.request.urlopen(f"http://{server.http}{address}", timeout=60) as answer:
        return bytes(answer.read())


def workers_of(server: Server) -> list[int]:
    """The processes of its workers."""
    assert server.process is not None
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue  # it has just ended
        if int(fields[1]) == server.process.pid and b"web_worker" in command:
            found.append(int(path.parent.name))
    return sorted(found)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workers")
    with opened(folder / "paddock.db") as database:
        for _ in range(3):
            store_match(database, "two-player", [("ada", "1", "a"), ("bob", "1", "b")], rated=True)
    return folder


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    with Server(folder, "--web-workers", "2", config=CONFIG) as server:
        yield server
        assert "Traceback" not in server.said()


def test_pages_are_the_same_with_and_without_workers(server: Server, folder: Path) -> None:
    addresses = (*FROM_WORKERS, *FROM_THE_SERVER)
    beside = {address: get(server, address) for address in addresses}
    assert b"paddock_sessions 0.0" in get(server, "/metrics")
    assert b"<title>" in get(server, "/")
    assert b"<title>" in get(server, "/ladder/two-player")
    with pytest.raises(urllib.error.HTTPError) as missing:
        get(server, "/nowhere")
    with missing.value as answer:
        assert answer.code == 404
    assert server.terminate() == 0
    with Server(folder, config=CONFIG) as alone:
        for address in addresses:
            assert _timeless(get(alone, address)) == _timeless(beside[address]), address


def _timeless(body: bytes) -> Any:
    """A body without the address of the server, which is another one each time."""
    if not body.startswith(b"{"):
        return body
    values = json.loads(body)
    values.pop("entry", None)
    return values


def test_workers_know_who_is_connected_and_miss_no_change(server: Server) -> None:
    with sdk_bot(server, "ada"):
        until("ada is there", lambda: json.loads(get(server, "/api/bots/ada"))["connected"])
        before = stream_of(get(server, "/ladder/two-player"))
        assert call("match", "start", "--server", server.address, "--format", "two-player",
                    "--bot", "ada", "--bot", "house-random").code == 0  # fmt: skip
        until("a change", lambda: changes_now(server) > number_of(before))
        with follow(server, address=before) as stream:
            while not (line := stream.readline()).startswith(b"data: "):
                assert line
            latest = int(line.removeprefix(b"data: "))

        def complete() -> bool:
            return number_of(stream_of(get(server, "/ladder/two-player"))) >= latest

        until("the page has it", complete)


def test_workers_come_back_and_end_with_the_server(server: Server) -> None:
    first, second = workers_of(server)
    assert (Path("/proc") / str(first) / "stat").read_text().rpartition(")")[2].split()[16] == "19"
    os.kill(first, signal.SIGKILL)
    until("another one", lambda: len(set(workers_of(server)) - {first, second}) == 1)
    assert get(server, "/health") == b"serving\n"
    left = workers_of(server)
    server.kill()
    for process in left:
        until("its end", partial(gone, process))


def test_workers_do_not_have_the_tokens_of_their_server(folder: Path) -> None:
    env = {"PADDOCK_ORGANISER_TOKEN": "a-token-of-the-organiser"}
    with Server(folder, "--web-workers", "1", config=CONFIG, env=env) as server:
        (worker,) = workers_of(server)
        said = (Path("/proc") / str(worker) / "environ").read_bytes()
        assert b"PADDOCK_DB=" in said
        assert b"a-token-of-the-organiser" not in said


@pytest.mark.usefixtures("few_files")
def test_a_server_may_open_all_the_files_that_the_machine_allows(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.process is not None
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        soft, hard = re.search(r"Max open files +(\d+) +(\d+)", limits).groups()  # type: ignore[union-attr]
        assert soft == hard


@pytest.fixture
def few_files() -> Iterator[None]:
    """What is started may have fewer files open than it may allow itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard - 1), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_workers_need_pages_to_serve(folder: Path) -> None:
    refused = call("serve", "--db", folder / "x.db", "--web-workers", "1").refused()
    assert "give --http, or leave out --web-workers" in refused
    assert not (folder / "x.db").exists()
