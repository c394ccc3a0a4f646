"""`paddock serve`: a server that runs until SIGTERM or Ctrl-C."""

import asyncio
import os
import signal
import ssl
import sys
from importlib import import_module
from pathlib import Path

import click

from paddock_server.api.server import Tls
from paddock_server.basics.own_process import allow_open_files
from paddock_server.cli.banner import banner
from paddock_server.cli.own_runner import OwnRunner, check_own_runner
from paddock_server.cli.toolchain_options import as_words, toolchain_options
from paddock_server.jails.confined import Toolchain
from paddock_server.observe.logs import set_up
from paddock_server.serving.config import read_config
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import CannotServe, Settings

_DRAINING = "draining: no match begins, open matches finish (another signal stops at once)"


@click.command()
@click.option("--db", help="The database: a file (paddock.db if not given) or postgresql://...")
@click.option("--grpc", help="The address for bots, host:port (127.0.0.1:7911 if not given).")
@click.option("--http", help="The address of the pages, host:port; off if not given.")
@click.option("--web-workers", type=click.IntRange(min=0), metavar="N",
              help="Processes of low priority that serve the pages (0 if not given).")  # fmt: skip
@click.option(
    "--cluster",
    metavar="NATS",
    help="Be a node of a cluster that talks over this NATS server, nats://HOST:PORT.",
)
@click.option(
    "--advertise",
    metavar="HOST:PORT",
    help="Where other nodes reach this one by gRPC (the address for bots if not given).",
)
@click.option(
    "--runner",
    "with_runner",
    is_flag=True,
    help="Start a runner beside the server, for bots that are handed in.",
)
@click.option(
    "--accept-weaker",
    is_flag=True,
    help="Have that runner start although this machine can't promise all that jails promise.",
)
@toolchain_options
@click.option("--tls-cert", type=Path, help="The server's certificate chain, PEM.")
@click.option("--tls-key", type=Path, help="The key of that certificate, PEM.")
@click.option("--client-ca", type=Path, help="Clients must have a certificate of this CA, PEM.")
@click.option("--allow-plaintext", is_flag=True, help="Serve other machines without TLS.")
@click.option(
    "--config", type=Path, help="A paddock.toml; options on the command line override it."
)
@click.option("--log", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="The format of log lines.")  # fmt: skip
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]),
              default="info", show_default=True, help="The lowest level to log.")  # fmt: skip
def serve(
    db: str | None,
    grpc: str | None,
    http: str | None,
    web_workers: int | None,
    cluster: str | None,
    advertise: str | None,
    with_runner: bool,
    accept_weaker: bool,
    roots: list[Toolchain],
    mirror: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    client_ca: Path | None,
    allow_plaintext: bool,
    config: Path | None,
    log: str,
    log_level: str,
) -> None:
    """Serve bots until SIGTERM or Ctrl-C; then let open matches finish.

    On a loopback address nobody needs a token unless PADDOCK_ORGANISER_TOKEN is set. Elsewhere
    TLS and that token are needed; bots get theirs from paddock bot add.
    """
    set_up(log, log_level)
    settings = read_config(config) if config else Settings()
    settings = settings._replace(
        database=db or settings.database, grpc=grpc or settings.grpc, http=http or settings.http
    )
    if web_workers is not None:
        settings = settings._replace(web_workers=web_workers)
    if (tls_cert is None) != (tls_key is None):
        raise CannotServe("--tls-cert and --tls-key go together; give both")
    if client_ca is not None and tls_cert is None and settings.tls is None:
        raise CannotServe("--client-ca needs --tls-cert and --tls-key")
    if tls_cert is not None and tls_key is not None:
        settings = settings._replace(tls=Tls(tls_cert, tls_key, client_ca))
    settings = settings._replace(
        allow_plaintext=allow_plaintext or settings.allow_plaintext,
        organiser_token=os.environ.get("PADDOCK_ORGANISER_TOKEN") or None,
    )
    if settings.tls is not None:
        _check_files(settings.tls)
    of_runner = as_words(roots, mirror)
    if of_runner and (cluster is not None or not with_runner):
        raise CannotServe(
            "--toolchain and --mirror are for a runner beside the server; give --runner"
        )
    if cluster is not None:
        _serve_as_node(settings, cluster, advertise)
    elif advertise is not None:
        raise CannotServe("--advertise is for nodes of a cluster; give --cluster, or leave it out")
    else:
        if with_runner:
            check_own_runner(settings, accept_weaker=accept_weaker)
        serving = Serving(settings)
        if accept_weaker:
            of_runner.append("--accept-weaker")
        runner = OwnRunner(serving, of_runner) if with_runner else None
        asyncio.run(_serve(serving, runner=runner))


def _serve_as_node(settings: Settings, bus: str, advertise: str | None) -> None:
    """Serve as a node of a cluster; one that is put out starts again, as a new process."""
    try:
        node = import_module("paddock_server.cluster.cluster_server")
    except ModuleNotFoundError as missing:
        raise CannotServe(
            f"--cluster needs {missing.name}; install it with: pip install 'paddock[cluster]'"
        ) from None
    serving = node.ClusterServing(settings, node.ClusterSettings(bus, advertise or ""))
    asyncio.run(_serve(serving, serving.node.over))
    if serving.node.over.is_set():
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606


def _check_files(tls: Tls) -> None:
    """Refuse files that are not a certificate with its key, before anything is created."""
    for path in tls:
        if path is not None:
            path.read_bytes()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(tls.certificate, tls.key, lambda: "")
    except ssl.SSLError:
        pair = f"{tls.certificate} and {tls.key}"
        raise CannotServe(f"{pair} are not a certificate and its key, both PEM") from None
    try:
        context.load_verify_locations(tls.client_ca or tls.certificate)
    except ssl.SSLError:
        raise CannotServe(f"{tls.client_ca} is not a certificate, PEM") from None


async def _serve(
    serving: Serving, over: asyncio.Event | None = None, runner: OwnRunner | None = None
) -> None:
    """Serve until a signal comes, or `over` is set: then there is nothing to drain."""
    stop = asyncio.Event()
    hurry = asyncio.Event()

    def on_signal() -> None:
        (hurry if stop.is_set() else stop).set()

    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, on_signal)
    allow_open_files()
    try:
        await serving.start()
        for line in banner(serving.contact, serving.http_address):
            click.echo(line, err=True)
        if runner is not None:
            await runner.start()
        await _first_of(stop, over)
        if over is not None and over.is_set():
            return
        click.echo(_DRAINING, err=True)
        draining = asyncio.create_task(serving.drain())
        hurrying = asyncio.create_task(hurry.wait())
        await asyncio.wait([draining, hurrying], return_when=asyncio.FIRST_COMPLETED)
        for task in (draining, hurrying):
            task.cancel()
    finally:
        if runner is not None:
            await runner.stop()
        await serving.stop()


async def _first_of(*events: asyncio.Event | None) -> None:
    """Wait until one of the events is set."""
    waiting = [asyncio.create_task(event.wait()) for event in events if event is not None]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
