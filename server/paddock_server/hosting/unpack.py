"""Unpacking an archive of strangers: it is read in a jail of its own, and written outside."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from paddock_server.jails.confined import CannotJail, Confined, Cpu, JailLimits
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import python
from paddock_server.packing.folder import write_folder
from paddock_server.packing.member import HANDED_IN, ArchiveLimits, BadArchive
from paddock_server.packing.unpacking import ReaderGone, arguments, members_of

LIMITS: Final = JailLimits(
    memory_mb=128, processes=8, files=32, tmp_mb=1, tmp_inodes=10, cpu_seconds=60, wall_seconds=180
)
"""The limits of the jail in which an archive is read."""


async def unpack(
    jails: Jails,
    archive: Path,
    folder: Path,
    limits: ArchiveLimits = HANDED_IN,
    *,
    cpu: Cpu = Cpu(),  # noqa: B008
) -> None:
    """Unpack an archive into a new folder, which belongs to this process.

    Raises BadArchive with a sentence for the author, and CannotJail where this machine is at fault.
    In both cases nothing is left of the folder.
    """
    command = (sys.executable, *arguments(limits))
    what = Confined(command, python(), folder="/", limits=LIMITS, cpu=cpu)
    there, here = os.pipe()
    with archive.open("rb") as source, os.fdopen(there, "rb") as members:
        try:
            reader = await jails.start(what, stdin=source.fileno(), stdout=here)
        finally:
            os.close(here)
        try:
            await asyncio.to_thread(write_folder, members_of(members, limits), folder)
        except ReaderGone as gone:
            await _remove(folder)
            await reader.wait()
            if reader.ended_because:
                raise BadArchive(
                    f"the archive can't be unpacked within the limits: {reader.ended_because}"
                ) from None
            raise CannotJail(f"{gone}, with exit code {reader.returncode}") from None
        except OSError as problem:
            await _remove(folder)
            raise CannotJail(f"{folder} can't be written: {problem.strerror}") from None
        except BaseException:
            await _remove(folder)
            raise
        finally:
            await reader.stop()


async def _remove(folder: Path) -> None:
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
