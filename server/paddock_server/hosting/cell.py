"""A cell: a program in a jail together with the relay that leads out of it."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from paddock_server.hosting.own_folder import own_folder
from paddock_server.hosting.relay import Relay
from paddock_server.jails.confined import Bind, Confined
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_wire.address import Address

SOCKET: Final = "/paddock.sock"
"""The socket in the jail: its bot finds the server there."""


class Cell:
    """A program that runs in a jail, and its relay."""

    def __init__(self, jail: JailedProcess, relay: Relay, folder: Path) -> None:
        self.jail = jail
        self._relay = relay
        self._folder = folder

    @classmethod
    async def open(
        cls, jails: Jails, what: Confined, address: Address, *, token: str = "",
        stdin: int = asyncio.subprocess.DEVNULL,
    ) -> "Cell":  # fmt: skip
        """Start a program; its output comes from `jail.process.stdout`. Raises CannotJail."""
        folder = own_folder("cell")
        os.chmod(folder, 0o711)  # noqa: S103 -- the jail's uid may go through, and nobody may look
        relay = Relay(address, token)
        try:
            await relay.start(folder / "s")
            what = what._replace(
                binds=(*what.binds, Bind(folder / "s", SOCKET)),
                env={**what.env, **way_out()},
            )
            jail = await jails.start(
                what, stdin=stdin,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
        except BaseException:
            await relay.stop()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(jail, relay, folder)

    def count_host_time(self, share: float) -> None:
        """Have the server told what this machine keeps from the bot, of its share of a core."""
        self._relay.count_host_time(self.jail, share)

    async def close(self, grace: float = 0.0) -> None:
        """End the program and close the way out."""
        await self.jail.stop(grace)
        await self._relay.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def way_out() -> Mapping[str, str]:
    """The part of a bot's environment that says where the server is."""
    return {"PADDOCK_SERVER": f"unix:{SOCKET}"}
