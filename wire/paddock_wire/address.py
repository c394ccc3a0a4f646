"""The address of a server, and channels to it: plain on this machine, with TLS beyond it."""

import ipaddress
import os
import ssl
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import grpc
import grpc.aio

DEFAULT_SERVER: Final = "127.0.0.1:7911"
_UNIX: Final = "unix:"
FRAME_BYTES: Final = 64 * 1024  # the largest frame that a bot sends; it may get larger ones

_OPTIONS: Final = (
    ("grpc.max_send_message_length", FRAME_BYTES),
    # A server that froze or lost its network says nothing: ping it. The keepalive timeout alone
    # does not notice a frozen peer, the HTTP/2 ping timeout does.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    # Every attempt is a new channel: `backoff` decides how long it waits, not earlier channels.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
)


class BadAddress(ValueError):
    """Raised when the address of a server or its certificates are invalid."""


class Address(NamedTuple):
    """The address of a server, with its certificates; made by `address`."""

    target: str  # HOST:PORT or unix:PATH
    tls: bool
    ca: bytes | None = None
    cert: bytes | None = None
    key: bytes | None = None
    others: tuple["Address", ...] = ()  # of the other nodes, where the server is a cluster

    def channel(self) -> grpc.aio.Channel:
        """A new channel to the server."""
        if not self.tls:
            return grpc.aio.insecure_channel(self.target, options=_OPTIONS)
        credentials = grpc.ssl_channel_credentials(self.ca, self.key, self.cert)
        return grpc.aio.secure_channel(self.target, credentials, options=_OPTIONS)


def read_address(
    server: str | None = None,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
) -> Address:
    """The address from the settings; missing ones come from PADDOCK_SERVER and PADDOCK_TLS_CA.

    Several addresses with commas between them are those of one cluster.
    """
    servers = server or os.environ.get("PADDOCK_SERVER") or DEFAULT_SERVER
    first, *others = (
        _with_ca(each.strip(), tls_ca, tls_cert, tls_key) for each in servers.split(",")
    )
    return first._replace(others=tuple(others))


def _with_ca(
    server: str,
    tls_ca: str | Path | None,
    tls_cert: str | Path | None,
    tls_key: str | Path | None,
) -> Address:
    if tls_ca is None and not server.startswith(("http://", _UNIX)):
        tls_ca = os.environ.get("PADDOCK_TLS_CA") or None
    return address(server, tls_ca, tls_cert, tls_key)


def address(
    server: str,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
) -> Address:
    """The address in `HOST:PORT`, `https://HOST:PORT`, `http://HOST:PORT` or `unix:PATH`.

    https and the file of a CA turn TLS on. Plaintext to another machine needs http.
    """
    place = _place(server, tls=tls_ca is not None)
    if (tls_cert is None) != (tls_key is None):
        raise BadAddress("tls_cert and tls_key: give both or neither")
    if tls_cert is not None and not place.tls:
        raise BadAddress(f"server: a client certificate needs TLS; write https://{place.target}")
    if tls_ca is not None:
        _check_ca(tls_ca)
    ca, cert, key = (_read(path) for path in (tls_ca, tls_cert, tls_key))
    return Address(*place, ca, cert, key)


def redirected(home: Address, server: str) -> Address:
    """The address that a server sends its bots to: with the same certificates, and never without
    TLS where TLS is in use."""
    target, tls = _place(server, home.tls)
    return home._replace(target=target, tls=tls)


class _Place(NamedTuple):
    target: str
    tls: bool


def _place(server: str, tls: bool) -> _Place:
    """The host and port of a server, or its socket; with `tls` it has to use TLS."""
    if server.startswith(_UNIX):
        if tls or server == _UNIX:
            raise BadAddress(f"server: write unix:PATH, without TLS, not {server!r}")
        return _Place(server, tls=False)
    scheme, separator, rest = server.rpartition("://")
    parts = urlsplit(f"//{rest}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port is None or parts.path.strip("/") or scheme not in ("", "http", "https"):
        raise BadAddress(f"server: write HOST:PORT or https://HOST:PORT, not {server!r}")
    if scheme == "http" and tls:
        raise BadAddress(f"server: {server!r} means no TLS, but TLS is in use; write https://")
    tls = tls or scheme == "https"
    if not separator and not tls and not _is_here(host):
        raise BadAddress(
            f"server: {host} is another machine; write https://{rest}, "
            f"or http://{rest} to send everything unencrypted, also the token"
        )
    return _Place(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", tls)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_ca(path: str | Path) -> None:
    """Raise BadAddress for a file without a certificate; grpc would only fail to connect."""
    _read(path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        raise BadAddress(
            f"{path}: the file has no certificate; give the file of the server's CA (PEM)"
        ) from None


def _read(path: str | Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise BadAddress(f"{path}: {problem.strerror}") from None
