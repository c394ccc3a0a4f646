"""The watchdog: where no memory cgroup can be had, it looks often, and kills what is too large.

It is slower than the kernel: a jail can be above its limit until the next look.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from paddock_server.jails.confined import MB, JailLimits
from paddock_server.jails.processes import held, memory_files, resident, tmp_bytes

LOOK_SECONDS: Final = 0.1


async def watch(
    pids: Callable[[], Sequence[int]], limits: JailLimits, too_large: Callable[[], None]
) -> None:
    """Look at the processes for as long as this runs; `too_large` is called once."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if is_above(pids(), limits):
            too_large()
            return


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
