"""Names of clients, as gRPC writes them: `ipv4:127.0.0.1:5000`, `ipv6:%5B::1%5D:5000`, `unix:`."""

import asyncio


def peer_name(transport: asyncio.BaseTransport) -> str:
    """The name of whoever is at the other end."""
    address = transport.get_extra_info("peername")
    if not isinstance(address, tuple):
        return "unix:"
    host, port = address[:2]
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"
