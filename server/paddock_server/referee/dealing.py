"""The dealing of a match: what its seats add to the seed, in one step or in two.

A seat of two steps sends the SHA-256 of its nonce first. The digests of all seats are journalled
and told to everybody before any of these seats opens its nonce. The seed is stored before that, so
nobody can choose a part of the deal after the parts of the others are known: the server can't,
either.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from paddock_games.chance import DIGEST_BYTES, NO_NONCE, NONCE_BYTES, digest_of
from paddock_server.referee.events import Committed, Dealt
from paddock_server.referee.opening import Opening


class _Stage(Enum):
    """The stage of a deal: what the referee waits for."""

    DIGESTS = auto()  # digests of the seats of two steps, nonces of those of one
    TELLING = auto()  # the digests are being written
    NONCES = auto()
    DEALING = auto()  # the deal is being written
    DEALT = auto()


@dataclass
class SeatPart:
    """The part of one seat in the deal."""

    steps: int  # 0: it sends nothing; 1: a nonce; 2: its digest, then the nonce
    unsent: bytes  # the nonce that is dealt where none is sent
    digest: bytes | None = None  # that it sent before its nonce
    nonce: bytes | None = None
    late: bool = False  # it did not come in time, or does not fit its digest

    @property
    def dealt(self) -> bytes:
        """The nonce that goes into the deal."""
        return self.nonce or self.unsent

    @property
    def public_digest(self) -> bytes:
        """The digest that everybody is told: that of the nonce which is dealt if it is opened."""
        return self.digest or digest_of(self.nonce or NO_NONCE)


class Dealing:
    """The parts of all seats in the deal of a match, until it is dealt."""

    def __init__(self, opening: Opening) -> None:
        self.parts = [
            SeatPart(steps, seated.nonce)
            for steps, seated in zip(opening.nonce_steps, opening.match.seats, strict=True)
        ]
        self.commits = 2 in opening.nonce_steps  # whether nonces come in two steps
        self.until: float | None = None  # the fair moment when parts that are missing are late
        self._stage = _Stage.DIGESTS if self.commits else _Stage.NONCES

    def wants_digest(self, seat: int) -> bool:
        """Whether the digest of a seat is still missing."""
        part = self.parts[seat]
        missing = part.digest is None and part.nonce is None
        return part.steps > 1 and missing and self._stage is _Stage.DIGESTS

    def wants_nonce(self, seat: int) -> bool:
        """Whether the nonce of a seat is still missing."""
        part = self.parts[seat]
        if part.steps == 0 or part.nonce is not None or part.late:
            return False
        if self._stage is _Stage.TELLING:  # only what was committed to can still come
            return part.digest is not None
        return self._stage in (_Stage.DIGESTS, _Stage.NONCES)

    def digest(self, seat: int, digest: bytes) -> None:
        """A seat's digest; one that is late, repeated or of a wrong length changes nothing."""
        if self.wants_digest(seat) and len(digest) == DIGEST_BYTES:
            self.parts[seat].digest = digest

    def nonce(self, seat: int, nonce: bytes) -> None:
        """A seat's nonce; one that is late, repeated or not the promised one changes nothing."""
        part = self.parts[seat]
        fits = len(nonce) == NONCE_BYTES and part.digest in (None, digest_of(nonce))
        if self.wants_nonce(seat) and fits:
            part.nonce = nonce

    def next_event(self, now: float) -> Committed | Dealt | None:
        """The event to write, when nothing is missing or the time is over; None: not yet."""
        if self.until is None:
            return None
        over = now >= self.until
        if self._stage is _Stage.DIGESTS and (over or not self._missing_digests):
            self._stage = _Stage.TELLING
            clear = [None if part.digest else part.nonce for part in self.parts]
            return Committed(_texts(part.digest for part in self.parts), _texts(clear))
        if self._stage is _Stage.NONCES and (over or not self._missing_nonces):
            self._stage = _Stage.DEALING
            nonces = tuple(part.dealt.hex() for part in self.parts)
            late = (seat for seat, part in enumerate(self.parts) if part.late or _missing(part))
            return Dealt(nonces, tuple(late))
        return None

    @property
    def public_digests(self) -> tuple[bytes, ...]:
        """The digests to tell, by seat; empty: they are not durable yet, or no longer needed."""
        waits = self.commits and self._stage in (_Stage.NONCES, _Stage.DEALING)
        return tuple(part.public_digest for part in self.parts) if waits else ()

    def apply(self, event: Committed | Dealt) -> None:
        """Apply a durable event."""
        if isinstance(event, Dealt):
            self._stage = _Stage.DEALT
            for seat, (part, nonce) in enumerate(zip(self.parts, event.nonces, strict=True)):
                part.nonce, part.late = bytes.fromhex(nonce), seat in event.late
            return
        self._stage = _Stage.NONCES
        for part, digest, clear in zip(self.parts, event.digests, event.nonces, strict=True):
            part.digest = bytes.fromhex(digest) if digest else None
            part.nonce = bytes.fromhex(clear) if clear else part.nonce
            part.late = part.digest is None and _missing(part)

    @property
    def _missing_digests(self) -> bool:
        return any(part.digest is None and _missing(part) for part in self.parts)

    @property
    def _missing_nonces(self) -> bool:
        return any(not part.late and _missing(part) for part in self.parts)


def _missing(part: SeatPart) -> bool:
    return part.steps > 0 and part.nonce is None


def _texts(values: Iterable[bytes | None]) -> tuple[str | None, ...]:
    return tuple(None if value is None else value.hex() for value in values)
