"""The address of a server, as a bot's settings and environment give it."""

from pathlib import Path

from paddock.errors import BadSettings
from paddock_wire import address
from paddock_wire.address import Address, BadAddress


def read_address(
    server: str | None = None,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
) -> Address:
    """The address from the settings; missing ones come from PADDOCK_SERVER and PADDOCK_TLS_CA."""
    try:
        return address.read_address(server, tls_ca, tls_cert, tls_key)
    except BadAddress as problem:
        raise BadSettings(str(problem)) from None


def redirected(home: Address, server: str) -> Address:
    """The address that a server sends its bots to; raises BadSettings where it is less safe."""
    try:
        return address.redirected(home, server)
    except BadAddress as problem:
        raise BadSettings(str(problem)) from None
