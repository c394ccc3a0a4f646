"""Preparing a bot that was handed in: unpack, build and check it, or say why it is rejected.

The runner and `paddock submission check` both do it with this code.
"""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.checking.report import PointResult
from paddock_server.hosting.bot_jail import BotJail, NoToolchain, toolchain_for
from paddock_server.hosting.building import BuildFailed, BuildLog, build
from paddock_server.hosting.certifying import IDLE_SECONDS, PATIENCE, Certificate, certify
from paddock_server.hosting.unpack import unpack
from paddock_server.jails.confined import Cpu, JailLimits, Toolchain
from paddock_server.jails.jail import Jails
from paddock_server.jails.usual import BOT, BUILD
from paddock_server.packing.archive import repack
from paddock_server.packing.manifest import FILE, BadManifest, read_manifest
from paddock_server.packing.member import BUILT, BadArchive

REJECTED: Final = "submission/rejected"


class Rejected(ServerError):
    """Raised when a bot can't be admitted; the reason and the sentence are for its author."""

    reason = REJECTED


class PreparationListener(NamedTuple):
    """The callbacks that hear how far a preparation is."""

    stage: Callable[[str], None] = lambda _: None  # unpacking, building, checking
    words: Callable[[bytes], None] = lambda _: None  # what the build says
    point: Callable[[PointResult], None] = lambda _: None


class Terms(NamedTuple):
    """The limits of a bot while it is built and checked."""

    build: JailLimits = BUILD
    run: JailLimits = BOT
    patience: float = PATIENCE
    idle_seconds: float = IDLE_SECONDS
    cpu: Cpu = Cpu()
    mirror: Path | None = None  # of packages, for builds


class Prepared(NamedTuple):
    """A bot that was admitted."""

    artefact: Path  # an archive of what was built
    sha256: str
    certificate: Certificate
    bot: BotJail


class Workshop:
    """A builder and checker of bots: in these jails, with these toolchains, on these terms."""

    def __init__(
        self,
        jails: Jails,
        toolchains: Sequence[Toolchain],
        terms: Terms = Terms(),  # noqa: B008
    ) -> None:
        self._jails = jails
        self._toolchains = toolchains
        self._terms = terms

    async def prepare(
        self,
        archive: Path,
        manifest_bytes: bytes,
        work: Path,
        listener: PreparationListener = PreparationListener(),  # noqa: B008
    ) -> Prepared:
        """Prepare the bot of an archive; `work` is a folder of its own, which keeps the result.

        Raises Rejected where the bot is at fault, and CannotJail where this machine is.
        """
        try:
            return await self._prepare(archive, manifest_bytes, work, listener)
        except (BadArchive, BadManifest, BuildFailed, NoToolchain) as bad:
            raise Rejected(bad.sentence, bad.reason) from None

    async def _prepare(
        self, archive: Path, manifest_bytes: bytes, work: Path, listener: PreparationListener
    ) -> Prepared:
        manifest = read_manifest(manifest_bytes)
        toolchain = toolchain_for(manifest, self._toolchains)
        source, built, artefact = work / "source", work / "bot", work / "artefact.tar.gz"
        listener.stage("unpacking")
        await unpack(self._jails, archive, source, cpu=self._terms.cpu)
        _check_manifest(source, manifest_bytes)
        if manifest.build:
            listener.stage("building")
            await build(
                self._jails, source, manifest,
                toolchain=toolchain, folder=built, log=BuildLog(),
                limits=self._terms.build, cpu=self._terms.cpu, mirror=self._terms.mirror,
                tell=listener.words,
            )  # fmt: skip
            await asyncio.to_thread(shutil.rmtree, source)
        else:
            source.rename(built)
        sha256 = await asyncio.to_thread(repack, built, artefact, BUILT)
        listener.stage("checking")
        bot = BotJail(self._jails, built, manifest, toolchain, self._terms.run, cpu=self._terms.cpu)
        certificate = await certify(
            bot, sha256,
            mirror=bool(manifest.build and self._terms.mirror),
            report=listener.point, patience=self._terms.patience,
            idle_seconds=self._terms.idle_seconds,
        )  # fmt: skip
        if failed := certificate.failed:
            raise Rejected(f"{failed.point}: {failed.sentence}")
        return Prepared(artefact, sha256, certificate, bot)


def _check_manifest(source: Path, told: bytes) -> None:
    """Raise BadArchive where the archive's manifest is not the one that came with it."""
    file = source / FILE
    if not file.is_file():
        inner = [path.parent.name for path in source.glob(f"*/{FILE}")]
        where = f"it is in {inner[0]}: pack what is in that folder" if inner else "put it there"
        raise BadArchive(f"the archive has no {FILE} at its top; {where}")
    if file.read_bytes() != told:
        raise BadArchive(f"{FILE} in the archive is not the one that came with it; submit it again")
