"""The options --jail and --accept-weaker of commands that start bots."""

from collections.abc import Callable
from typing import Any

import click

from paddock_server.hosting.jailed_bots import JailedBots
from paddock_server.jails.confined import JailLimits
from paddock_server.jails.doctor import admitted, examine
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import find_means

weaker_option = click.option(
    "--accept-weaker", is_flag=True,
    help="Start jails although this machine can't promise all that they promise.",
)  # fmt: skip


def jail_options(command: Any) -> Any:
    """The options of a command that can start bots in jails."""
    command = click.option(
        "--jail-memory", type=click.IntRange(16, 1 << 20), default=JailLimits().memory_mb,
        show_default=True, metavar="MB", help="The memory of a jail, in MB.",
    )(weaker_option(command))  # fmt: skip
    return click.option(
        "--jail", is_flag=True, help="Start each bot in a jail: without network, without the files "
        "of this machine but the current folder, and with limits.",
    )(command)  # fmt: skip


def open_jails(accept_weaker: bool, say: Callable[[str], None]) -> Jails:
    """The jails of this process; raises CannotJail where this machine can't promise enough."""
    means = find_means()
    for sentence in admitted(examine(means), accept_weaker=accept_weaker):
        say(f"not promised: {sentence}")
    return Jails(means)


def jailed_bots(
    jail: bool, accept_weaker: bool, memory_mb: int, say: Callable[[str], None]
) -> JailedBots | None:
    """What starts bots in jails; None where no jail is wanted."""
    if not jail:
        if accept_weaker:
            raise click.UsageError("--accept-weaker is about jails; give --jail too")
        return None
    return JailedBots(open_jails(accept_weaker, say), JailLimits(memory_mb=memory_mb))
