"""Certificate authorities and what they sign, made for one test."""

import datetime
import ipaddress
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Pair(NamedTuple):
    """The files of a certificate and its key."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates for this machine; all of it lies in one folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._subject = _named(name)
        made = _builder(self._subject, self._subject, self._key).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.certificate = folder / f"{name}.pem"
        self.certificate.write_bytes(_pem(made.sign(self._key, hashes.SHA256())))

    def sign(self, name: str) -> Pair:
        """A certificate for 127.0.0.1, as good for a server as for a client."""
        key = ec.generate_private_key(ec.SECP256R1())
        here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        made = _builder(_named(name), self._subject, key).add_extension(
            x509.SubjectAlternativeName([here]), critical=False
        )
        pair = Pair(
            self._folder / f"{self._name}-{name}.pem", self._folder / f"{self._name}-{name}.key"
        )
        pair.certificate.write_bytes(_pem(made.sign(self._key, hashes.SHA256())))
        pair.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return pair


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
