"""The orders of a server: a runner has the limits of `paddock submission check`."""

from paddock.v1 import runner_pb2
from paddock_server.hosting.bay import limits_of
from paddock_server.hosting.preparing import Terms
from paddock_server.store.leases import LeaseRow
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions import orders
from paddock_server.submissions.lease import RUN, Lease
from paddock_server.submissions.settings import SubmissionSettings

ROW = SubmissionRow(
    id="s", bot="ada", owner="Ada", version="1", language="Go", formats=(), manifest=b"",
    archive="a", archive_bytes=1, state="active", received="", changed="",
)  # fmt: skip
LEASE = Lease(LeaseRow("l", RUN, "s", "ada", "here", b"", "", "", 1), ROW, 0.0, 0.0)


def test_a_bot_is_built_and_run_with_the_limits_of_a_check_at_home() -> None:
    settings, home = SubmissionSettings(), Terms()
    preparing = orders.prepare(LEASE, settings).prepare
    assert limits_of(preparing.build_limits) == home.build
    assert limits_of(preparing.run_limits) == home.run
    assert limits_of(orders.run(LEASE, "token", settings, 2).run.limits) == home.run
    assert limits_of(runner_pb2.WorkLimits()) == home.run  # an older server says less


def test_what_the_organiser_sets_arrives() -> None:
    settings = SubmissionSettings(build_processes=9, build_seconds=7, memory_mb=99)
    preparing = orders.prepare(LEASE, settings).prepare
    build = limits_of(preparing.build_limits)
    assert (build.processes, build.wall_seconds) == (9, 7)
    assert limits_of(preparing.run_limits).memory_mb == 99
