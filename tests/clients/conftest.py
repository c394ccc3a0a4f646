"""What the tests of the clients share: the builds, and the asks for all of them."""

import json
from pathlib import Path

import pytest

from tests.clients.asks import Vector, fresh, read, recorded
from tests.clients.building import Builder
from tests.clients.languages import LANGUAGES, OTHERS

SECONDS = 1500  # of a test, which may have to wait for the builds of all SDKs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Builds are part of whichever test comes first, so all tests here get more time."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that wants `language` runs for every SDK, one that wants `other` for the others."""
    if "language" in metafunc.fixturenames:
        metafunc.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
    if "other" in metafunc.fixturenames:
        metafunc.parametrize("other", OTHERS.values(), ids=OTHERS)


@pytest.fixture(scope="session")
def builder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """The builds of this run, which all workers share."""
    folder = tmp_path_factory.getbasetemp()
    is_worker = hasattr(request.config, "workerinput")
    return Builder(folder.parent if is_worker else folder)


@pytest.fixture(scope="session")
def vectors(builder: Builder) -> list[Vector]:
    """Asks with the right answers: the recorded ones, and some thousands more."""
    with builder.alone("asks.json") as path:
        if not path.exists():
            made = [vector.as_json() for vector in (*recorded(), *fresh())]
            path.with_suffix(".part").write_text(json.dumps(made))
            Path(path.with_suffix(".part")).rename(path)
        return [read(each) for each in json.loads(path.read_text())]
