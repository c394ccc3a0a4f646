"""Building a bot in a jail of its own: nothing goes in but its source, nothing comes out but files.

The source is copied into the jail's own /tmp, so nothing is shared between builds. What the build
leaves comes out as a tar, and is read like any other archive of strangers.
"""

import asyncio
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from paddock_server.basics.errors import ServerError
from paddock_server.hosting.mirror import MIRRORED, OFFLINE, SETTINGS, check_mirror
from paddock_server.hosting.unpack import unpack
from paddock_server.jails.confined import Bind, CannotJail, Confined, Cpu, JailLimits, Toolchain
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.usual import BUILD
from paddock_server.packing.manifest import FILE, Manifest
from paddock_server.packing.member import BUILT, CHUNK, MB, BadArchive

LOG_BYTES: Final = 64 * 1024
"""How much is kept of what a build, or a check, says."""

_SOURCE: Final = "/source"
_BEGUN: Final = b"begun\n"  # before the archive, on its standard output
_NOT_COPIED: Final = 120  # exit codes of the script below, above those that programs use
_NOT_PACKED: Final = 121
_READ_SECONDS: Final = 0.03  # between two pieces of its words, so that a flood costs us little
_LAST_LINES: Final = 12
_LINE_LETTERS: Final = 300
_TOO_MANY: Final = ("Resource temporarily unavailable", "Cannot fork", "EAGAIN")


class BuildFailed(ServerError):
    """Raised when a bot can't be built; the sentence is for its author."""

    reason = "submission/rejected"


class BuildLog:
    """The output of a build: its beginning and its end, at most 64 KB."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def write(self, data: bytes) -> None:
        """Add what it said."""
        room = LOG_BYTES // 4 - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        extra = len(self._tail) - (LOG_BYTES // 4 * 3 - 100)
        if extra > 0:
            del self._tail[:extra]
            self._left_out += extra

    @property
    def text(self) -> str:
        """All that is kept, as text."""
        gap = f"\n... {self._left_out:,} bytes are left out ...\n" if self._left_out else ""
        return self._head.decode(errors="replace") + gap + self._tail.decode(errors="replace")

    def last_lines(self) -> str:
        """The last lines, where compilers say what is wrong, with nothing that a screen obeys."""
        lines = [line[:_LINE_LETTERS] for line in self.text.splitlines() if line.strip()]
        return "\n".join(map(_visible, lines[-_LAST_LINES:]))


def _visible(line: str) -> str:
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line.expandtabs())


async def build(
    jails: Jails,
    source: Path,
    manifest: Manifest,
    *,
    toolchain: Toolchain,
    folder: Path,
    log: BuildLog,
    limits: JailLimits = BUILD,
    cpu: Cpu = Cpu(),  # noqa: B008
    mirror: Path | None = None,
    tell: Callable[[bytes], None] = lambda _: None,
) -> None:
    """Build the bot of this source into a new folder; `tell` gets what it says as it comes.

    Without the socket of a mirror it has no network.

    Raises BuildFailed or BadArchive with a sentence for the author, and CannotJail where this
    machine is at fault.
    """
    if mirror is not None:
        await check_mirror(mirror)
    what = Confined(
        ("sh", "-c", (SETTINGS if mirror else "") + _script(manifest)),
        toolchain,
        binds=(Bind(source, _SOURCE),),
        folder="/",
        env=MIRRORED if mirror else OFFLINE,
        limits=limits,
        cpu=cpu._replace(last=True),  # bots were promised shares
        forwarded=mirror,
    )
    # Beside the result, so that it goes with it, also after a kill.
    with tempfile.TemporaryDirectory(prefix="output-", dir=folder.parent) as work:
        archive = Path(work, "output")
        jail = await jails.start(
            what, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            await _await_begin(jail)
            async with asyncio.TaskGroup() as reading:
                kept = reading.create_task(_keep_output(jail, archive))
                reading.create_task(_keep_words(jail, log, tell))
            code = await jail.wait()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            await jail.stop()
        if not kept.result():  # and it was ended for that
            raise BuildFailed(
                f"the build leaves more than {BUILT.packed_bytes // MB} MB; "
                f"name what the run needs in keep of {FILE}"
            )
        if code and mirror is not None:
            await check_mirror(mirror)  # it may have gone while the build needed it
        _judge(jail, code, log)
        try:
            await unpack(jails, archive, folder, BUILT, cpu=cpu)
        except BadArchive as bad:
            raise BuildFailed(f"what the build leaves can't be taken: {bad.sentence}") from None


def _script(manifest: Manifest) -> str:
    """The script of the jail: say that it began, copy, build, and pack what is to be kept.

    The tar of small images does not know how to make files of hard links.
    """
    kept = (FILE, *manifest.keep) if manifest.keep else (".",)
    return f"""echo {_BEGUN.decode().strip()}
cp -R {_SOURCE} /tmp/bot && chmod -R u+w /tmp/bot && cd /tmp/bot || exit {_NOT_COPIED}
{shlex.join(manifest.build)} </dev/null >&2 || exit $?
cd /tmp/bot || exit {_NOT_PACKED}
hard=--hard-dereference; tar $hard -cf /dev/null -- {FILE} 2>/dev/null || hard=
tar $hard -czf - -- {shlex.join(kept)} || exit {_NOT_PACKED}
"""


async def _await_begin(jail: JailedProcess) -> None:
    """Raise CannotJail where the script was never reached: only our own launch ran so far."""
    output, errors = jail.process.stdout, jail.process.stderr
    assert output is not None and errors is not None  # noqa: S101, PT018 -- pipes were asked for
    if await output.readline() == _BEGUN:
        return
    said = BuildLog()
    said.write(await errors.read())
    code = await jail.wait()
    words = said.last_lines() or jail.ended_because or f"exit code {code}"
    raise CannotJail(f"the jail of a build can't be made: {words}")


async def _keep_output(jail: JailedProcess, archive: Path) -> bool:
    """Write the jail's output into a file; False where it is too large, and the jail is ended.

    Raises CannotJail where the file can't be written.
    """
    stream = jail.process.stdout
    assert stream is not None  # noqa: S101 -- a pipe was asked for
    left = BUILT.packed_bytes
    try:
        with archive.open("wb") as file:
            while data := await stream.read(CHUNK):
                left -= len(data)
                if left < 0:
                    await jail.stop()
                    return False
                file.write(data)
    except OSError as problem:
        raise CannotJail(f"what the build leaves can't be kept: {problem.strerror}") from None
    return True


async def _keep_words(jail: JailedProcess, log: BuildLog, tell: Callable[[bytes], None]) -> None:
    stream = jail.process.stderr
    assert stream is not None  # noqa: S101 -- a pipe was asked for
    while data := await stream.read(CHUNK):
        log.write(data)
        tell(data)
        await asyncio.sleep(_READ_SECONDS)


def _judge(jail: JailedProcess, code: int, log: BuildLog) -> None:
    """Raise BuildFailed where the build did not end well."""
    said = log.last_lines()
    words = f"; it said:\n{said}" if said else "; it said nothing"
    if code and jail.ended_because:
        raise BuildFailed(f"the build was ended by a limit: {jail.ended_because}{words}")
    if code == _NOT_COPIED:
        raise BuildFailed(f"the source does not fit into the build's folder{words}")
    if code == _NOT_PACKED:
        raise BuildFailed(
            f"what the run needs can't be packed; are all of keep in {FILE} there?{words}"
        )
    if code and any(sign in said for sign in _TOO_MANY):
        raise BuildFailed(f"the build may have too many processes: exit code {code}{words}")
    if code:
        raise BuildFailed(f"the build ended with exit code {code}{words}")
