"""The settings of submissions: `[submissions]` in paddock.toml."""

from typing import Annotated, NamedTuple

from paddock_server.basics.bounds import OR_ZERO
from paddock_server.jails.usual import BOT, BUILD


class SubmissionSettings(NamedTuple):
    """The limits of submissions: what a server accepts, and what runners may spend on it."""

    enabled: bool = False
    folder: str = ""  # of archives and what was built; empty: beside a database that is a file
    archive_mb: int = 20  # of one archive
    artefact_mb: int = 100  # of what is built from it
    uploads_per_hour: int = 5  # of one bot
    owner_mb: int = 200  # of all archives of one owner that are kept
    waiting_per_owner: int = 1  # submissions that nothing is decided about
    versions_kept: int = 20  # archives of one bot; the oldest go, unless they play
    attempts: int = 3  # of runners that had trouble, until a submission is stuck
    lease_seconds: float = 20.0  # without a sign of a runner, until its work goes to another
    start_seconds: float = 60.0  # from the start of a hosted bot to its Hello
    idle_seconds: Annotated[float, OR_ZERO] = 120.0  # until a bot that plays nothing is stopped
    matches_per_process: int = 1  # at once; a manifest may ask for less
    memory_mb: int = BOT.memory_mb  # of a bot; a manifest may ask for less
    processes: int = BOT.processes  # and threads, likewise
    build_memory_mb: int = BUILD.memory_mb  # with the files in its /tmp
    build_processes: int = BUILD.processes
    build_cpu_seconds: int = BUILD.cpu_seconds or 0
    build_seconds: int = int(BUILD.wall_seconds or 0)
