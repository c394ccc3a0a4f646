"""What holds for the whole suite: nothing is skipped silently, and in CI nothing is skipped."""

import os

import pytest
from hypothesis import settings

settings.register_profile("paddock", deadline=None, print_blob=True)
settings.load_profile("paddock")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("not run, and how to get it")
        for reason in sorted({str(report.longrepr[2]) for report in skipped}):
            terminalreporter.line(reason)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if os.environ.get("CI") == "true" and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
