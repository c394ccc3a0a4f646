"""The contents of a root: the programs that a jail finds in it, by trying."""

import asyncio
from typing import Final, NamedTuple

from paddock_server.jails.confined import CannotJail, Confined, JailLimits, Toolchain
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import Means

_NEEDED_TO_BUILD: Final = ("sh", "cp", "chmod", "tar", "gzip")
_LOOKED_FOR: Final = (
    *_NEEDED_TO_BUILD, "python3", "pip", "node", "npm", "go", "cargo", "rustc",
    "java", "javac", "mvn", "cc", "c++", "make", "cmake", "perl", "ruby",
)  # fmt: skip
_LOOK: Final = 'for program do command -v "$program" >/dev/null && echo "$program"; done; exit 0'
_LIMITS: Final = JailLimits(wall_seconds=20)


class Contents(NamedTuple):
    """The programs that were found in a root."""

    programs: tuple[str, ...] = ()
    problem: str = ""  # why nothing was found

    @property
    def sentence(self) -> str:
        """What was found, and what is missing for builds."""
        if self.problem:
            return f"nothing can be tried in it: {self.problem}"
        lacking = [name for name in _NEEDED_TO_BUILD if name not in self.programs]
        without = f"; builds need {', '.join(lacking)}, too" if lacking else ""
        return f"{', '.join(self.programs)}{without}"


def contents(roots: list[Toolchain], means: Means) -> list[Contents]:
    """What is in each of these roots."""
    return asyncio.run(_all(roots, means))


async def _all(roots: list[Toolchain], means: Means) -> list[Contents]:
    if means.lacking:
        return [Contents(problem="there are no jails")] * len(roots)
    jails = Jails(means)
    try:
        return [await _look(jails, root) for root in roots]
    finally:
        jails.close()


async def _look(jails: Jails, root: Toolchain) -> Contents:
    command = ("sh", "-c", _LOOK, "sh", *_LOOKED_FOR)
    what = Confined(command, root, folder="/", limits=_LIMITS)
    pipe = asyncio.subprocess.PIPE
    try:
        jail = await jails.start(what, stdout=pipe, stderr=pipe)
    except CannotJail as problem:
        return Contents(problem=str(problem))
    try:
        assert jail.process.stdout and jail.process.stderr  # noqa: S101, PT018 -- pipes, above
        said, errors = await asyncio.gather(jail.process.stdout.read(), jail.process.stderr.read())
        code = await jail.wait()
    finally:
        await jail.stop()
    if code:
        lines = errors.decode(errors="replace").split("\n")
        return Contents(problem=lines[0] or f"exit code {code}")
    return Contents(tuple(said.decode(errors="replace").split()))
