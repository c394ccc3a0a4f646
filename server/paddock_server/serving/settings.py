"""The settings of a server, and which of them would be unsafe."""

from pathlib import Path
from typing import Annotated, NamedTuple

from paddock_server.api.access import SHORTEST_TOKEN
from paddock_server.api.server import Tls
from paddock_server.basics.bounds import OR_ZERO
from paddock_server.basics.contact import is_here
from paddock_server.basics.errors import ServerError
from paddock_server.basics.wording import counted
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.referee.clock import Clock
from paddock_server.standings import upkeep
from paddock_server.store.address import address_of
from paddock_server.submissions.settings import SubmissionSettings
from paddock_server.visitors.limits import VisitorLimits


class CannotServe(ServerError):
    """Raised when a server can't be started as it was asked for; the text says what to do."""

    reason = "server/unusable"


class Settings(NamedTuple):
    """The settings of a server."""

    database: str = "paddock.db"
    grpc: str = "127.0.0.1:7911"
    http: str | None = None
    web_workers: Annotated[int, OR_ZERO] = 0  # processes that serve pages; 0: this one does
    tls: Tls | None = None
    organiser_token: str | None = None
    allow_plaintext: bool = False
    clock: Clock = Clock()
    limits: Limits = Limits()
    visitors: VisitorLimits = VisitorLimits()
    policy: Policy = Policy()
    submissions: SubmissionSettings = SubmissionSettings()
    drain_seconds: Annotated[float, OR_ZERO] = 60.0
    # Between two updates of the standings; 0: never.
    standing_seconds: Annotated[float, OR_ZERO] = upkeep.SECONDS
    reading: bool = False  # nothing is played: the database is only read


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `host:port`."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535 or not host:
        raise CannotServe(f"address {address!r} is invalid; give host:port such as 127.0.0.1:7911")
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    host, _ = split_address(address)
    return is_here(host)


def check(settings: Settings) -> None:
    """Raise CannotServe for settings that would be unsafe."""
    token = settings.organiser_token
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise CannotServe(
            f"PADDOCK_ORGANISER_TOKEN has {counted(len(token), 'character', 'characters')}, which "
            f"can be guessed; use at least {SHORTEST_TOKEN}, such as: openssl rand -hex 16"
        )
    if settings.http is not None:
        split_address(settings.http)
    elif settings.web_workers:
        raise CannotServe("web workers serve the pages; give --http, or leave out --web-workers")
    if is_loopback(settings.grpc):
        return
    if settings.tls is None and not settings.allow_plaintext:
        raise CannotServe(
            f"{settings.grpc} can be reached from outside, and tokens would travel in the clear; "
            "give --tls-cert and --tls-key, or --allow-plaintext behind a proxy that does TLS"
        )
    if settings.organiser_token is None:
        raise CannotServe(
            f"{settings.grpc} can be reached from outside, so bots and organisers need tokens; "
            "set PADDOCK_ORGANISER_TOKEN"
        )


def blob_folder(settings: Settings) -> Path:
    """Where archives and what was built from them are kept."""
    if settings.submissions.folder:
        return Path(settings.submissions.folder)
    file = address_of(settings.database).file
    if file is not None:
        return file.with_name(f"{file.name}-blobs")
    if settings.submissions.enabled:
        raise CannotServe(
            "archives need a folder; set folder in [submissions] of paddock.toml, because the "
            "database is not a file that it could be beside"
        )
    return Path("blobs")
