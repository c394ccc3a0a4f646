"""Certificates of hosted bots, read from the bytes that the store has."""

from typing import NamedTuple

from paddock.v1 import submission_pb2


class CertifiedPoint(NamedTuple):
    """A point of the check that a hosted bot went through."""

    name: str
    met: bool
    sentence: str  # what was seen
    skipped: bool  # whether it was not judged; then it is not met either


class Certificate(NamedTuple):
    """The result of the check of a submission; without points: it was not checked."""

    points: tuple[CertifiedPoint, ...]
    toolchain: str
    toolchain_sha256: str  # of its root file system; empty: it is the host's
    runner: str
    checked: str  # a stamp
    weaknesses: tuple[str, ...]  # what the runner's machine does not promise
    mirror: bool  # whether its build could reach a mirror of packages


def read_certificate(stored: bytes | None) -> Certificate:
    """The certificate in the bytes of a submission's row."""
    message = submission_pb2.Certificate.FromString(stored or b"")
    return Certificate(
        tuple(
            CertifiedPoint(each.name, each.met, each.sentence, each.skipped)
            for each in message.points
        ),
        message.toolchain,
        message.toolchain_sha256,
        message.runner,
        message.checked,
        weaknesses=tuple(message.weaknesses),
        mirror=message.mirror,
    )
