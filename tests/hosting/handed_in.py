"""Bots that are handed in: folders made by a test, and what comes of them in real jails."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from paddock_server.basics.toml_file import text_of
from paddock_server.checking.report import PointResult
from paddock_server.hosting.preparing import (
    PreparationListener,
    Prepared,
    Rejected,
    Terms,
    Workshop,
)
from paddock_server.jails.confined import Toolchain
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import host, python
from paddock_server.packing.archive import pack

T = TypeVar("T")
GUARD_S = 280  # nothing is measured by it: it only keeps a broken test from hanging
QUICK = Terms(patience=30, idle_seconds=1)


class Outcome(NamedTuple):
    """What came of a bot that was handed in."""

    result: Prepared | Rejected
    stages: list[str]
    words: str  # of the build
    points: list[PointResult]

    @property
    def rejected(self) -> Rejected:
        assert isinstance(self.result, Rejected), self.result
        return self.result

    @property
    def failed(self) -> list[str]:
        """The points that the bot failed."""
        return [point.point for point in self.points if point.passed is False]


def run(scene: Coroutine[Any, Any, T]) -> T:
    """Play a scene, and not for ever."""

    async def guarded() -> T:
        async with asyncio.timeout(GUARD_S):
            return await scene

    return asyncio.run(guarded())


def make(folder: Path, files: Mapping[str, str], **manifest: object) -> Path:
    """A folder with these files, programs all of them, and a manifest."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755)
    values = {"name": "ada-1", "version": "1", **manifest}
    (folder / "paddock-bot.toml").write_text(text_of(values))
    return folder


def handed_in(
    folder: Path, work: Path, terms: Terms = QUICK, roots: Sequence[Toolchain] = ()
) -> Outcome:
    """Pack a folder, and prepare what was packed, in jails of this machine."""
    package = pack(folder)
    work.mkdir()
    archive = work / "archive"
    archive.write_bytes(package.data)
    return run(_prepare(archive, package.manifest_bytes, work, terms, roots))


async def _prepare(
    archive: Path, manifest: bytes, work: Path, terms: Terms, roots: Sequence[Toolchain]
) -> Outcome:
    stages: list[str] = []
    words: list[bytes] = []
    points: list[PointResult] = []
    listener = PreparationListener(stages.append, words.append, points.append)
    jails = Jails()
    workshop = Workshop(jails, [*roots, python(), host()], terms)
    try:
        result: Prepared | Rejected = await workshop.prepare(archive, manifest, work, listener)
    except Rejected as rejected:
        result = rejected
    finally:
        jails.close()
    return Outcome(result, stages, b"".join(words).decode(), points)
