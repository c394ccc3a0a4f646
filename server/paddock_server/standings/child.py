"""A child process that reads the database: numpy for seconds, and the event loop never waits.

It has the lowest priority, keeps the pace that the server sets (pace.py), and can't outlive the
server. `paddock_server.standings.process` is what runs there.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.basics.own_process import plain_environment
from paddock_server.programs.child import start_child
from paddock_server.standings.pace import PLAYING, QUIET

_ONE_CORE: Final = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
_TELL_SECONDS: Final = 0.1  # between two looks whether matches are open


class Output(NamedTuple):
    """The output of the process, and the seconds of CPU that it took."""

    written: bytes
    cpu: float


class ChildFailed(ServerError):
    """Raised when the process fails; the text is the last line that it wrote to stderr."""

    reason = "standing/failed"

    def __init__(self, sentence: str, cpu: float) -> None:
        """`cpu` is how many seconds of CPU the process took."""
        super().__init__(sentence)
        self.cpu = cpu


def _nobody_plays() -> bool:
    return False


async def output(address: str, *words: str, playing: Callable[[], bool] = _nobody_plays) -> Output:
    """What the process writes when it is started with these words, for this database.

    While `playing` is true the process takes only a small part of a core.
    """
    begun = time.monotonic()
    process = await start_child(
        *(sys.executable, "-m", "paddock_server.standings.process", *words),
        env={**plain_environment(), **_ONE_CORE, "PADDOCK_DB": address},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for us
    )
    assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018 -- pipes, above
    telling = asyncio.create_task(_tell(process.stdin, playing))
    try:
        written, errors, code = await asyncio.gather(
            process.stdout.read(), process.stderr.read(), process.wait()
        )
    finally:
        telling.cancel()
        with suppress(ProcessLookupError):
            process.kill()  # it only reads, so nothing is lost
        await process.wait()
    # The system tells us what all our children took, but not what a single one did: it says so.
    result, newline, cpu = written.rpartition(b"\n")
    # One that was killed said nothing; it can't have taken more than there was.
    took = Output(result, float(cpu) if newline else time.monotonic() - begun)
    if code:
        lines = errors.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise ChildFailed(lines[-1], took.cpu)
    return took


async def _tell(orders: asyncio.StreamWriter, playing: Callable[[], bool]) -> None:
    """Tell the process whether matches are open, whenever that changes."""
    last = QUIET
    while True:
        order = PLAYING if playing() else QUIET
        if order != last:
            orders.write(order)
            last = order
        await asyncio.sleep(_TELL_SECONDS)
