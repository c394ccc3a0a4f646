"""The jail of one bot that was handed in: what it sees, what it may use, and what it speaks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

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
from paddock_server.packing.manifest import Manifest
from paddock_wire.address import Address

_ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {"typescript": "node", "javascript": "node", "c": "c++", "kotlin": "java"}
)
_ANY: Final = "any"


class NoToolchain(ServerError):
    """Raised when this machine has no toolchain for a bot."""

    reason = "toolchain/missing"


def toolchain_for(manifest: Manifest, toolchains: Sequence[Toolchain]) -> Toolchain:
    """The toolchain that a manifest names, or that of its language; raises NoToolchain."""
    if manifest.toolchain:
        for toolchain in toolchains:
            if toolchain.name == manifest.toolchain:
                return toolchain
        known = ", ".join(each.name for each in toolchains)
        raise NoToolchain(f"there is no toolchain {manifest.toolchain}; known are {known}")
    language = manifest.language.lower()
    language = _ALSO.get(language, language)
    for toolchain in toolchains:
        if toolchain.language.lower() == language:
            return toolchain
    for toolchain in toolchains:  # a language that is found under /usr, such as Perl
        if toolchain.language == _ANY:
            return toolchain
    raise NoToolchain(f"there is no toolchain for {manifest.language or 'this bot'}")


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
    limits: JailLimits = JailLimits()

    async def open(
        self,
        server: Address,
        *,
        name: str = "",
        token: str = "",
        cpu: Cpu = Cpu(),  # noqa: B008
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
            cpu=cpu,
        )
        if manifest.speaks == "grpc":
            return await Cell.open(self.jails, what, server, token=token)
        introduction = Introduction(
            name, manifest.version, manifest.language, manifest.formats, manifest.matches
        )
        return await LineCell.open(self.jails, what, introduction, server, token)
