"""The banner of `paddock serve`: hints that work as they are printed."""

from collections.abc import Iterator

from paddock_server.basics.contact import SOME_HOST, Contact, reachable


def banner(contact: Contact, pages: str | None) -> Iterator[str]:
    """The lines: how bots connect, where the pages are, and a first bot to try."""
    yield f"bots connect to {contact.listens}"
    if contact.tls:
        certificate = " and a client certificate" if contact.client_certificates else ""
        yield f"TLS is on: clients need https://{certificate}"
    if pages:
        where = reachable(pages)
        yield f"the pages are at http://{where}/"
        yield f"metrics and health at http://{where}/metrics and /health"
    else:
        yield "pages and metrics are off; to turn them on, add --http 127.0.0.1:7912"
    if contact.tokens:
        words = ("paddock bot add greedy --server", contact.server(), *contact.options)
        yield f"a token for a bot: {' '.join(words)}"
    yield f"a first bot: {contact.command('python -m paddock.bots.greedy')}"
    yield from _placeholders(contact, pages or "")


def _placeholders(contact: Contact, pages: str) -> Iterator[str]:
    if SOME_HOST in (contact.server() + reachable(pages)):
        certified = ", one that its certificate has" if contact.tls else ""
        yield f"{SOME_HOST} is a name of this machine{certified}"
    if contact.tokens:
        yield "TOKEN is what paddock bot add prints; it needs PADDOCK_ORGANISER_TOKEN as set here"
    if contact.tls:
        yield "CA.pem signed the server's certificate; leave --tls-ca out for a public authority"
    if contact.client_certificates:
        yield "BOT.pem and BOT.key are a client's certificate and its key"
