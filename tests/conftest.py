"""What holds for the whole suite: nothing is skipped silently, and in CI nothing is skipped.

And databases for whoever wants one, of every kind there is, and what the Node bot needs.
"""

import hashlib
import os
import shutil
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from paddock_server.jails.doctor import examine
from tests import postgresql
from tests.tools import needs

_NODE = Path(__file__).parents[1] / "clients" / "node"

settings.register_profile("paddock", deadline=None, print_blob=True)
settings.load_profile("paddock")

# `make test &` and nohup begin with Ctrl-C ignored, and a program inherits that. The programs that
# the tests interrupt must begin as they do in a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("CI") == "true":
        _print_seconds_per_folder(terminalreporter)
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("not run, and how to get it")
        for reason in sorted({str(report.longrepr[2]) for report in skipped}):
            terminalreporter.line(reason)
    if any(path.startswith(("tests/jails", "tests/hosting")) for path in _paths(terminalreporter)):
        _print_promises(terminalreporter)


def _paths(reporter: pytest.TerminalReporter) -> Iterator[str]:
    """The files whose tests were run."""
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                yield report.nodeid


def _print_promises(reporter: pytest.TerminalReporter) -> None:
    """What jails on this machine can promise: what they can't, no test here has shown."""
    reporter.section("what jails can promise here (paddock runner doctor)")
    for each in examine():
        reporter.line(f"{'yes' if each.held else 'NO ':3}  {each.name:16} {each.how}")


def _print_seconds_per_folder(reporter: pytest.TerminalReporter) -> None:
    """Where the time went, so that a slow folder is noticed before the suite is slow."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration
    reporter.section("seconds per folder")
    for folder, total in sorted(seconds.items(), key=lambda each: -each[1]):
        reporter.line(f"{total:7.1f}  {folder}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if os.environ.get("CI") == "true" and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The address of a server that is there as long as the tests are."""
    with postgresql.serving() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_database(postgresql_server: str) -> Iterator[str]:
    """The address of a database on that server that all tests use in turn."""
    with postgresql.database(postgresql_server) as place:
        yield place


@pytest.fixture
def postgresql_place(postgresql_database: str) -> str:
    """The address of an empty database on that server."""
    postgresql.tell(postgresql_database, "DROP SCHEMA public CASCADE")  # quicker than a new one
    postgresql.tell(postgresql_database, "CREATE SCHEMA public")
    return postgresql_database


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database can be that is not there yet, of every kind."""
    if request.param == "sqlite":
        return str(tmp_path / "paddock.db")
    found: str = request.getfixturevalue("postgresql_place")
    return found


@pytest.fixture(scope="session")
def node_packages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the Node bot, installed once for each version of its package.json."""
    how = "install Node.js 18 or later with npm, on Debian: apt-get install nodejs npm"
    needs("node", how)
    npm = needs("npm", how)
    package = (_NODE / "package.json").read_bytes()
    cache = request.config.cache
    folder = cache.mkdir("node") if cache else tmp_path_factory.mktemp("node")
    home = folder / hashlib.sha256(package).hexdigest()[:16]
    if not home.exists():
        fresh = tmp_path_factory.mktemp("fresh")
        (fresh / "package.json").write_bytes(package)
        options = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
        done = subprocess.run(
            [npm, "install", *options], cwd=fresh, capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"needs npm's registry for npm install: {done.stderr.strip()[-300:]}")
        try:
            shutil.move(fresh, home)
        except OSError:
            assert home.exists()  # another worker was quicker
    return home / "node_modules"
