"""Unique ids, tokens that nobody can guess, and timestamps."""

import hashlib
import hmac
import secrets
import time
from datetime import UTC, datetime
from typing import Final

_BASE32: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def base32(number: int, length: int) -> str:
    """A number in Crockford's base 32, with this many digits."""
    return "".join(_BASE32[number >> 5 * place & 31] for place in reversed(range(length)))


def new_match_id() -> str:
    """A new ULID: ten digits of time, sixteen random ones; later ones sort behind earlier ones."""
    return base32(time.time_ns() // 1_000_000, 10) + base32(secrets.randbits(80), 16)


def new_token() -> str:
    """A new token with 256 random bits, easy to copy."""
    return f"pdk_{secrets.token_urlsafe(32)}"


def hash_token(token: str) -> bytes:
    """The hash of a token to store; a token is too random for a slower hash to be of use."""
    return hashlib.sha256(token.encode()).digest()


def token_fits(token: str, stored: bytes) -> bool:
    """Whether the token has the stored hash, compared in constant time."""
    return hmac.compare_digest(hash_token(token), stored)


def stamp() -> str:
    """The current time in UTC, as records write it."""
    return stamp_of(datetime.now(UTC))


def stamp_of(moment: datetime) -> str:
    """A time in UTC, as records write it; later ones sort behind earlier ones."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
