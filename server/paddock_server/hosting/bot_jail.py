"""The jail of one bot that was handed in: what it sees, what it may use, and what it speaks."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.hosting.cell import Cell
from paddock_server.hosting.lines import Introduction, LineCell
from paddock_server.jails.confined import (
    BOT_FOLDER,
    Bind,
    Confined,
    Cpu,
    JailLimits,
    Toolchain,
)
from paddock_server.jails.jail import Jails
from paddock_server.jails.usual import BOT
from paddock_server.packing.languages import toolchain_among
from paddock_server.packing.manifest import Manifest
from paddock_wire.address import Address


class NoToolchain(ServerError):
    """Raised when this machine has no toolchain for a bot."""

    reason = "toolchain/missing"


def toolchain_for(manifest: Manifest, toolchains: Sequence[Toolchain]) -> Toolchain:
    """The toolchain that a manifest names, or that of its language; raises NoToolchain."""
    found = toolchain_among(manifest, toolchains)
    if found is not None:
        return found
    if not manifest.toolchain:
        raise NoToolchain(f"there is no toolchain for {manifest.language or 'this bot'}")
    known = ", ".join(each.name for each in toolchains)
    raise NoToolchain(f"there is no toolchain {manifest.toolchain}; known are {known}")


def limits_for(manifest: Manifest, most: JailLimits) -> JailLimits:
    """The limits that a manifest asks for, and never more than these."""
    wishes = manifest.limits
    return most._replace(
        memory_mb=min(wishes.memory_mb or most.memory_mb, most.memory_mb),
        processes=min(wishes.processes or most.processes, most.processes),
    )


class BotJail(NamedTuple):
    """A bot that can be started: its files, its manifest, its toolchain and its limits."""

    jails: Jails
    folder: Path  # what was built, read only
    manifest: Manifest
    toolchain: Toolchain
    limits: JailLimits = BOT
    cpu: Cpu = Cpu()

    async def open(
        self,
        server: Address,
        *,
        name: str = "",
        token: str = "",
    ) -> Cell | LineCell:
        """Start the bot, under this name if it is not its own; raises CannotJail."""
        manifest = self.manifest
        name = name or manifest.name
        what = Confined(
            manifest.run,
            self.toolchain,
            binds=(Bind(self.folder, BOT_FOLDER),),
            env={"PADDOCK_BOT": name},
            limits=limits_for(manifest, self.limits),
            cpu=self.cpu,
        )
        if manifest.speaks == "grpc":
            return await Cell.open(self.jails, what, server, token=token)
        introduction = Introduction(
            name, manifest.version, manifest.language, manifest.formats, manifest.matches
        )
        return await LineCell.open(self.jails, what, introduction, server, token)
