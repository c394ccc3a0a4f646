"""Calls to a running server, and errors for its refusals."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import grpc

from paddock_server.cli.terminal import clean
from paddock_wire.address import Address, BadAddress, read_address
from paddock_wire.trouble import explain

_SECONDS = 10.0


class Refused(click.ClickException):
    """Raised when the server refuses a call, or does not answer."""

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

    With a database instead of a server, a temporary server is started that only reads it.
    """
    if db is not None:
        # Most callers need no server of their own, which takes half a second to import.
        from paddock_server.cli.background import reading  # noqa: PLC0415

        with reading(db) as target, grpc.insecure_channel(target) as opened:
            yield Caller(opened, None, read_address(f"http://{target}"))
        return
    try:
        where = read_address(server, ca, cert, key)
    except BadAddress as problem:
        raise Refused(str(problem)) from None
    if where.tls:
        credentials = grpc.ssl_channel_credentials(where.ca, where.key, where.cert)
        opened = grpc.secure_channel(where.target, credentials)
    else:
        opened = grpc.insecure_channel(where.target)
    with opened:
        yield Caller(opened, _checked(token), where)


class Caller:
    """A caller of a server's services, with the organiser's token."""

    def __init__(self, opened: grpc.Channel, token: str | None, where: Address) -> None:
        self.channel = opened
        self.where = where
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def call(self, method: Any, request: Any, *, seconds: float = _SECONDS) -> Any:
        """The answer to a request within this time; Refused with the server's sentence if not."""
        try:
            return method(request, metadata=self.metadata, timeout=seconds)
        except grpc.RpcError as problem:
            raise refused(problem, self.where) from None

    def stream(self, method: Any, request: Any) -> Iterator[Any]:
        """The messages of a stream; Refused with the server's sentence if it fails."""
        try:
            yield from method(request, metadata=self.metadata)
        except grpc.RpcError as problem:
            raise refused(problem, self.where) from None


def _checked(token: str | None) -> str | None:
    """The token without what is around it in a file; raises Refused where it can't be one."""
    token = token.strip() if token else None
    if token and not (token.isascii() and token.isprintable()):
        raise Refused("the token has characters that no token has; copy it again")
    return token


def refused(problem: Any, where: Address) -> Refused:
    """The error of a failed call, in a sentence for people."""
    reason = dict(problem.trailing_metadata() or ()).get("paddock-reason")
    if problem.code() is grpc.StatusCode.UNAVAILABLE and reason is None:  # these are grpc's words
        trouble = explain(where, problem.details())
        hint = "; start one with: paddock serve" if trouble.reason == "server/absent" else ""
        return Refused(clean(trouble.sentence) + hint)
    return Refused(clean(problem.details()))


def db_option(command: Any) -> Any:
    """The option --db for a command that only reads, so that no server has to run."""
    help_text = "Read this database instead of asking a server."
    return click.option("--db", envvar="PADDOCK_DB", help=help_text)(server_options(command))


def server_options(command: Any) -> Any:
    """The options --server, --token and those of TLS for a command of the organiser."""
    return _options(command, "PADDOCK_ORGANISER_TOKEN", "The organiser's token, if needed.")


def holder_options(command: Any) -> Any:
    """The same for a command of whoever hands in bots."""
    variables = ("PADDOCK_TOKEN", "PADDOCK_ORGANISER_TOKEN")
    return _options(command, variables, "The token of the owner or the bot, or the organiser's.")


def _options(command: Any, variables: str | Sequence[str], token_help: str) -> Any:
    for option in (
        click.option("--tls-key", "key", type=Path, help="The key of that certificate, PEM."),
        click.option("--tls-cert", "cert", type=Path, help="A client certificate, PEM."),
        click.option(
            "--tls-ca", "ca", type=Path,
            help="The file of the server's CA, PEM; turns TLS on. PADDOCK_TLS_CA if not given.",
        ),
        click.option("--token", envvar=variables, help=token_help),
        click.option(
            "--server", envvar="PADDOCK_SERVER", default="127.0.0.1:7911", show_default=True,
            help="The server, host:port; https:// turns TLS on.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command
