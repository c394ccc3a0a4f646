"""Addresses of visitors: what counts as one visitor."""

import ipaddress
from typing import Final
from urllib.parse import unquote

UNKNOWN: Final = "unknown"
_NETWORK: Final = 64  # bits of an IPv6 address that one household or host has


def visitor_at(host: str | None) -> str:
    """The address by which a visitor is counted: an IPv4 address, or an IPv6 network."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _NETWORK), strict=False))


def visitor_of_peer(peer: str) -> str:
    """The same for a peer of gRPC, such as `ipv4:192.0.2.1:5000` or `ipv6:%5B::1%5D:5000`."""
    _, _, rest = unquote(peer).partition(":")
    return visitor_at(rest.rpartition(":")[0].strip("[]"))
