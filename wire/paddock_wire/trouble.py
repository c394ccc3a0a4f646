"""Explanations of failed connections: what is wrong, and what to do."""

from typing import Final, NamedTuple

from paddock_wire.address import Address


class Trouble(NamedTuple):
    """The explanation of a failed connection."""

    reason: str  # stable, such as tls/untrusted; empty: the sentence is grpc's
    sentence: str
    final: bool = False  # another attempt would fail the same way


_UNTRUSTED: Final = "CERTIFICATE_VERIFY_FAILED"
_OTHER_NAME: Final = "Hostname Verification Check failed"
_NO_TLS: Final = "WRONG_VERSION_NUMBER"


def explain(address: Address, details: str) -> Trouble:
    """The explanation of a failed connection, from the details of grpc."""
    target = address.target
    if _UNTRUSTED in details:
        return Trouble(
            "tls/untrusted",
            f"the certificate of {target} is not signed by a CA that is trusted here; "
            "set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA (PEM)",
            final=True,
        )
    if _OTHER_NAME in details:
        return Trouble(
            "tls/other_name",
            f"the certificate of the server is not for the name in {target}; "
            "use the name that the certificate is for",
            final=True,
        )
    if _NO_TLS in details:
        return Trouble(
            "tls/not_offered",
            f"the server at {target} does not use TLS; write http://{target} to connect without it",
            final=True,
        )
    if "Connection refused" in details:
        return Trouble("server/absent", f"no server listens at {target}; is it running?")
    if "Domain name not found" in details or "name resolution" in details:
        return Trouble(
            "server/unknown_host", f"the host name in {target} is unknown; check the address"
        )
    if "Socket closed" in details or "Connection reset" in details:
        return Trouble(
            "server/hung_up", f"the server at {target} closed the connection; {_hint(address)}"
        )
    return Trouble("", details)


def _hint(address: Address) -> str:
    if not address.tls:
        return f"if it uses TLS, write https://{address.target}"
    if address.cert is None:
        return "if it wants client certificates, give --tls-cert and --tls-key"
    return "if it refuses this client certificate, give one that its CA signed"
