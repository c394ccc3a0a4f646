"""One server and one browser for all tests of the pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.played import Played, chromium, played_server


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with played_server(tmp_path_factory.mktemp("web")) as found:
        yield found


@pytest.fixture(scope="module")  # while it is there, no other test can have an event loop
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
