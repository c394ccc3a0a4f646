"""The usual limits of bots and of builds: those of a server, and of a check at home."""

from typing import Final

from paddock_server.jails.confined import JailLimits

_FILES_A_MB: Final = 200  # of /tmp: builds have large folders of many small files

BOT: Final = JailLimits(tmp_inodes=64 * _FILES_A_MB)
"""The limits of a bot that plays, or is checked."""

BUILD: Final = JailLimits(
    memory_mb=1536,  # with the files in /tmp
    processes=4 * BOT.processes,  # compilers have many
    files=4 * BOT.files,
    tmp_mb=512,
    tmp_inodes=512 * _FILES_A_MB,
    cpu_seconds=120,
    wall_seconds=300.0,
)
"""The limits of a build."""


def inodes_for(tmp_mb: int) -> int:
    """How many files and folders a /tmp of this size may have."""
    return tmp_mb * _FILES_A_MB
