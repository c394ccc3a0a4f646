"""A child process that reads the database: numpy for seconds, and the event loop never waits.

It has the lowest priority and can't outlive the server. `paddock_server.standings.process` is what
runs there.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

from paddock_server.basics.errors import ServerError
from paddock_server.programs import tether

_ONE_CORE: Final = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


class ChildFailed(ServerError):
    """Raised when the process fails; the text is the last line that it wrote to stderr."""

    reason = "standing/failed"


async def output(address: str, *words: str) -> bytes:
    """What the process writes when it is started with these words, for this database."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(Path(tether.__file__))),
        *(sys.executable, "-m", "paddock_server.standings.process", *words),
        env={**os.environ, **_ONE_CORE, "PADDOCK_DB": address},  # it may have a password in it
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for us
    )
    assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018 -- pipes, above
    try:
        written, errors, code = await asyncio.gather(
            process.stdout.read(), process.stderr.read(), process.wait()
        )
    finally:
        process.stdin.close()  # which ends it, if it has not ended
        await process.wait()
    if code:
        lines = errors.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise ChildFailed(lines[-1])
    return written
