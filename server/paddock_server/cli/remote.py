"""Calls to a running server, and what becomes of its refusals."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import grpc

from paddock_server.cli.background import reading
from paddock_server.cli.terminal import clean

_SECONDS = 10.0


class Refused(click.ClickException):
    """Raised when the server says no, or nothing."""

    exit_code = 2


@contextmanager
def channel(
    server: str,
    token: str | None,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    db: str | None = None,
) -> Iterator["Caller"]:
    """A connection to a server, as an organiser if there is a token.

    With a database instead of a server, to one that is started for the while and only looks.
    """
    if db is not None:
        with reading(db) as address, grpc.insecure_channel(address) as made:
            yield Caller(made, None)
        return
    if (cert is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key go together; give both")
    scheme, _, rest = server.rpartition("://")
    tls = ca is not None or scheme == "https"
    if scheme not in ("", "http", "https") or (scheme == "http" and tls):
        raise click.UsageError(
            f"--server: {server!r} is none; give host:port, or https://host:port"
        )
    if cert and not tls:
        raise click.UsageError("--tls-cert needs --tls-ca or https://, which turn TLS on")
    server = rest
    if tls:
        files = [path.read_bytes() if path else None for path in (ca, key, cert)]
        made = grpc.secure_channel(server, grpc.ssl_channel_credentials(*files))
    else:
        made = grpc.insecure_channel(server)
    with made:
        yield Caller(made, token)


class Caller:
    """Calls methods of a server's services."""

    def __init__(self, made: grpc.Channel, token: str | None) -> None:
        self.channel = made
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def call(self, method: Any, request: Any) -> Any:
        """The answer to a request, or the server's sentence as an error."""
        try:
            return method(request, metadata=self.metadata, timeout=_SECONDS)
        except grpc.RpcError as problem:
            raise refused(problem) from None

    def stream(self, method: Any, request: Any) -> Iterator[Any]:
        """What a server goes on sending, or its sentence as an error."""
        try:
            yield from method(request, metadata=self.metadata)
        except grpc.RpcError as problem:
            raise refused(problem) from None


def refused(problem: Any) -> Refused:
    """What a failed call says to a person."""
    if problem.code() == grpc.StatusCode.UNAVAILABLE and "/" not in problem.details()[:20]:
        return Refused("no server answers; does paddock serve run there, with or without --tls-ca?")
    return Refused(clean(problem.details()))


def db_option(command: Any) -> Any:
    """--db on a command that looks, so that no server has to run."""
    told = "Look into this database instead of asking a server."
    return click.option("--db", envvar="PADDOCK_DB", help=told)(server_options(command))


def server_options(command: Any) -> Any:
    """--server, --token and what TLS needs on a command."""
    for option in (
        click.option("--tls-key", "key", type=Path, help="The key of that certificate, PEM."),
        click.option("--tls-cert", "cert", type=Path, help="A client certificate, PEM."),
        click.option("--tls-ca", "ca", type=Path, help="The server's CA, PEM; turns TLS on."),
        click.option(
            "--token", envvar="PADDOCK_ORGANISER_TOKEN", help="The organiser's token, where needed."
        ),
        click.option(
            "--server", envvar="PADDOCK_SERVER", default="127.0.0.1:7911", show_default=True,
            help="Where the server is, host:port; https:// turns TLS on.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command
