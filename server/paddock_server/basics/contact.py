"""The contact of a server: the address and the options that bots need to connect."""

import ipaddress
from typing import Final, NamedTuple

_EVERYWHERE: Final = ("0.0.0.0", "[::]", "::")  # noqa: S104 -- recognised here, not listened on
SOME_HOST: Final = "HOST"


class Contact(NamedTuple):
    """The address of a server, and what it asks of a bot that connects."""

    listens: str  # host:port
    tls: bool = False
    client_certificates: bool = False
    tokens: bool = False

    def server(self, reached: str = SOME_HOST) -> str:
        """PADDOCK_SERVER for a bot; `reached` is a name of this machine, if it listens on all."""
        address = reachable(self.listens, reached)
        if self.tls:
            return f"https://{address}"
        # Plaintext to another machine has to be asked for by http.
        return address if is_here(address.rpartition(":")[0]) else f"http://{address}"

    @property
    def options(self) -> tuple[str, ...]:
        """The options that a bot's command needs; file names are placeholders."""
        options = ("--tls-ca CA.pem",) if self.tls else ()
        if self.client_certificates:
            return (*options, "--tls-cert BOT.pem", "--tls-key BOT.key")
        return options

    def command(self, program: str, reached: str = SOME_HOST, *, rest: str = "") -> str:
        """A shell command that connects a bot."""
        token = ("PADDOCK_TOKEN=TOKEN",) if self.tokens else ()
        words = (f"PADDOCK_SERVER={self.server(reached)}", *token, program, *self.options, rest)
        return " ".join(word for word in words if word)


def reachable(listens: str, reached: str = SOME_HOST) -> str:
    """The host:port to connect to, from the host:port that a server listens on."""
    host, _, port = listens.rpartition(":")
    return f"{reached if host in _EVERYWHERE else host}:{port}"


def is_here(host: str) -> bool:
    """Whether the host is this machine's own loopback address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
