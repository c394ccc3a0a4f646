"""One server, one browser and one exported folder for all tests of the pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.cli.command import start
from tests.web.played import Played, chromium, played_server


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with played_server(tmp_path_factory.mktemp("web")) as found:
        yield found


@pytest.fixture(scope="session")
def published(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cup, exported by a process of its own beside the server that runs."""
    path = tmp_path_factory.mktemp("published") / "cup"
    database = played.server.database
    done = start("tournament", "export", "cup", "--html", path, "--db", database)
    assert (done.code, done.err) == (0, ""), done
    assert done.out == f"cup with 12 matches is in {path}; open {path / 'index.html'}\n"
    return path


@pytest.fixture(scope="module")  # while it is there, no other test can have an event loop
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
