"""The process of `paddock runner`: its jails, its folder, and its end."""

import asyncio
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click

from paddock_server.basics.own_process import allow_open_files
from paddock_server.cli.remote import Refused
from paddock_server.cli.toolchain_options import toolchains_beside
from paddock_server.hosting.bay import RunnerTerms
from paddock_server.hosting.cores import read_cores, usable_cores
from paddock_server.hosting.own_folder import own_folder
from paddock_server.hosting.runner import Runner
from paddock_server.jails.confined import Toolchain
from paddock_server.jails.doctor import admitted, examine
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import find_means
from paddock_server.observe.logs import set_up
from paddock_wire.address import Address, BadAddress, read_address

_FEWEST_SLOTS: Final = 6  # so that a whole table fits
_JAILS_OF_A_SUBMISSION: Final = 4


class RunnerOptions(NamedTuple):
    """The options of `paddock runner run`."""

    server: str | None
    token: str | None
    ca: Path | None
    slots: int | None
    cores: str | None
    preparing: int
    folder: Path | None
    accept_weaker: bool
    roots: list[Toolchain]
    mirror: Path | None


def run_runner(options: RunnerOptions) -> None:
    """Run until a signal; raises CannotJail or RunnerRefused."""
    address, token = _server(options), _token(options)
    try:
        cores = read_cores(options.cores) if options.cores else usable_cores()
    except ValueError as problem:
        raise click.UsageError(f"--cores: {problem}") from None
    means = find_means()
    weaknesses = admitted(examine(means), accept_weaker=options.accept_weaker)
    for sentence in weaknesses:
        click.echo(f"not promised: {sentence}", err=True)
    slots = options.slots or max(_FEWEST_SLOTS, len(cores))
    most = 2 * slots + _JAILS_OF_A_SUBMISSION * options.preparing
    allow_open_files()
    set_up("text", "info")
    with _own_folder(options.folder) as folder:
        terms = RunnerTerms(
            slots,
            tuple(cores),
            folder,
            toolchains_beside(options.mirror, options.roots),
            weaknesses=weaknesses,
            preparing=options.preparing,
            mirror=options.mirror,
        )
        jails = Jails(means, most)
        try:
            asyncio.run(_until_signal(Runner(address, token, jails, terms)))
        finally:
            jails.close()


async def _until_signal(runner: Runner) -> None:
    running = asyncio.create_task(runner.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        click.echo("the runner is stopped; what it ran is ended", err=True)


def _server(options: RunnerOptions) -> Address:
    if options.server is None:
        raise click.UsageError("--server is missing; name the server, such as 127.0.0.1:7911")
    try:
        return read_address(options.server, options.ca)
    except BadAddress as problem:
        raise Refused(str(problem)) from None


def _token(options: RunnerOptions) -> str:
    token = sys.stdin.readline().strip() if options.token == "-" else options.token  # noqa: S105
    if not token:
        raise click.UsageError(
            "the runner has no token; make one with paddock runner add NAME, and set "
            "PADDOCK_RUNNER_TOKEN"
        )
    return token


@contextmanager
def _own_folder(parent: Path | None) -> Iterator[Path]:
    """A folder of this process; what killed runners left beside it is removed."""
    folder = own_folder("runner", parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
