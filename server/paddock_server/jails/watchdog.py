"""The watchdog: where no memory cgroup can be had, it looks often, and kills what is too large.

It is slower than the kernel: a jail can be above its limit until the next look.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from paddock_server.jails.confined import MB, JailLimits
from paddock_server.jails.processes import held, memory_files, resident, tmp_bytes

LOOK_SECONDS: Final = 0.1
_REST: Final = 10  # times as long as it looked: many processes with many files take a while


async def watch(
    pids: Callable[[], Sequence[int]], limits: JailLimits, too_large: Callable[[], None]
) -> None:
    """Look at the processes for as long as this runs; `too_large` is called once.

    It looks in a thread, so that a jail that is slow to look at holds up no other.
    """
    pause = LOOK_SECONDS
    while True:
        await asyncio.sleep(pause)
        began = time.monotonic()
        if await asyncio.to_thread(lambda: is_above(pids(), limits)):
            too_large()
            return
        pause = max(LOOK_SECONDS, _REST * (time.monotonic() - began))


def is_above(pids: Sequence[int], limits: JailLimits) -> bool:
    """Whether processes hold more memory than they may.

    What shares memory counts too much in the cheap look, so only a jail that seems too large is
    looked at closely.
    """
    limit = limits.memory_mb * MB
    tmp = tmp_bytes(reversed(pids), limits.tmp_mb * MB)
    if resident(pids) + memory_files(pids) + tmp <= limit:
        return False
    return held(pids, tmp) > limit
