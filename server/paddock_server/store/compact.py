"""The compact form of a match record: what was decided, without all that follows from it.

A record spells out every deal, choice and point. The rules give most of that again, so the store
keeps the seed, the nonces, the number of every choice among the legal ones, and the timings.
`expand` plays the match again from them, by the version of the rules that it was played by.

Form 1, all numbers little-endian:

- a byte: the form, 1, 2 or 3
- a text: the head, as JSON; see `_head`
- the seed, and the nonces by seat
- four bytes: how many decisions there were
- columns with a value for every decision, step by step, in each by seat to move: the number of the
  choice among the legal ones, and whether it was timed
- columns for those that were timed: ms, lag_ms, fault, whether it was charged
- a column of charge_ms, for those that were charged
- a text: the fallbacks, as JSON: pairs of a timed decision's place and its reason
- a text, not in form 1: as JSON, pairs of a timed decision's place and its host_ms
- a text, only in form 3: as JSON, the cpu_share of every seat
- four bytes: the CRC-32 of all before

A text has its length in four bytes before it. A column begins with a byte: 0 or 1 mean that all
its values are that; B, H, I or Q that they follow in 1, 2, 4 or 8 bytes each; J that a text follows
which has them as JSON. Times are in thousandths of a millisecond, unless they are JSON.

A form never changes, because databases are full of it: another form gets another number. Form 3 is
written only where there is a cpu_share, and form 2 only where there is a host_ms, so that an
earlier Paddock can read nearly everything.
"""

import json
import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from paddock_games import Match, PlayedMatch, Seated, Step, Timing
from paddock_games.chance import NONCE_BYTES, SEED_BYTES, digest_of
from paddock_games.clock import Clock
from paddock_games.forfeit import Forfeit
from paddock_games.registry import game_of
from paddock_server.basics.errors import ServerError
from paddock_server.referee.plan import Deal
from paddock_server.store.text import dumps

_PLAIN, _HOSTED, _SHARED = b"\x01", b"\x02", b"\x03"  # the forms
_ZLIB: Final = 0x78  # what zlib compresses begins with this byte; no form has this number
_FAULTS: Final = (None, "TIMEOUT", "ILLEGAL", "MALFORMED", "DISCONNECTED", "RESIGNED")
_FAULT_CODES: Final = {fault: code for code, fault in enumerate(_FAULTS)}
_WIDTHS: Final = {"B": 1, "H": 2, "I": 4, "Q": 8}
_MOST: Final = 1 << 64
_LENGTH: Final = struct.Struct("<I")
_ZERO, _ONE, _JSON = b"0", b"1", b"J"


class BadCompact(ServerError):
    """Raised for bytes that are no compact record, or a damaged one."""

    reason = "database/unusable"


def is_compact(stored: bytes) -> bool:
    """Whether a stored record is compact, in whatever form; else zlib compressed it."""
    return stored[0] != _ZLIB


# --- compact --------------------------------------------------------------------------------


def compact(played: PlayedMatch) -> bytes:
    """A match that was played, in the first compact form that can hold it."""
    match, steps, _ = played
    numbers: list[int] = []
    timings: list[Timing | None] = []
    for step in steps:
        seats = step.state.to_move
        numbers += step.numbers or _numbers(step, seats)
        timings += map(step.timings.get, seats)
    timed = [timing for timing in timings if timing is not None]
    columns = zip(*timed, strict=True) if timed else ((),) * len(Timing._fields)
    ms, lag_ms, faults, charges, fallbacks, host_ms = columns
    charged = [charge for charge in charges if charge is not None]
    # Most matches have none of the rest, which is seen sooner than every value is looked at.
    codes = [_FAULT_CODES[fault] for fault in faults] if any(faults) else ()
    fell_back = fallbacks.count(None) < len(fallbacks)
    reasons = (
        [(at, why) for at, why in enumerate(fallbacks) if why is not None] if fell_back else []
    )
    hosted = [(at, host) for at, host in enumerate(host_ms) if host] if any(host_ms) else []
    shares = [seated.cpu_share for seated in match.seats]
    form = _SHARED if any(shares) else _HOSTED if hosted else _PLAIN
    whole = b"".join(
        (
            form,
            _text(_head(match)),
            match.seed,
            *(seated.nonce for seated in match.seats),
            _LENGTH.pack(len(numbers)),
            _whole_numbers(numbers),
            _present(timings),
            _times(ms),
            _times(lag_ms),
            _whole_numbers(codes),
            _present(charges),
            _times(charged),
            _text(reasons),
            b"" if form == _PLAIN else _text(hosted),
            _text(shares) if form == _SHARED else b"",
        )
    )
    return whole + _LENGTH.pack(zlib.crc32(whole))


def _numbers(step: Step, seats: Sequence[int]) -> list[int]:
    return [step.state.legal(seat).index(step.choices[seat]) for seat in seats]


def _head(match: Match) -> list[Any]:
    """All of a match but its seed, nonces and decisions; of the rules only what is no default."""
    rules = match.rules
    defaults = _defaults(match.format, rules.version)
    options = {}
    if rules != defaults:
        options = {
            name: value
            for name, value, default in zip(rules._fields, rules, defaults, strict=True)
            if value != default
        }
    return [
        match.id,
        match.format,
        rules.version,
        options,
        match.tournament,
        match.started,
        match.ended,
        match.clock,
        int(match.salted),
        [_seat(seated) for seated in match.seats],
    ]


@lru_cache
def _defaults(form: str, version: int) -> Any:
    """The rules of a format by this version, without an option."""
    return game_of(form).rules_of_version({}, version)


def _seat(seated: Seated) -> list[Any]:
    digest: bytes | None = seated.nonce_digest
    opened = digest is not None and digest == digest_of(seated.nonce)
    values: list[Any] = [
        seated.bot,
        seated.version,
        seated.owner,
        1 if opened else None if digest is None else digest.hex(),
        int(seated.nonce_late),
        int(seated.forfeit),
    ]
    return values if seated.forfeited is None else [*values, *seated.forfeited]


def _text(value: Any) -> bytes:
    text = dumps(value).encode()
    return _LENGTH.pack(len(text)) + text


def _present(values: Sequence[object]) -> bytes:
    """A column that says which of these values are there."""
    return _ONE if None not in values else _whole_numbers([int(v is not None) for v in values])


def _whole_numbers(values: Sequence[int]) -> bytes:
    most = max(values, default=0)
    if not most:
        return _ZERO
    kind = "B" if most < 1 << 8 else "H" if most < 1 << 16 else "I" if most < 1 << 32 else "Q"
    return kind.encode() + struct.pack(f"<{len(values)}{kind}", *values)


def _times(values: Sequence[float]) -> bytes:
    """Times in whole thousandths where these say all; else as JSON, to the last digit."""
    if {*map(type, values)} <= {float}:  # JSON tells 1 from 1.0
        exact = struct.pack(f"<{len(values)}d", *values)  # because -0.0 equals 0.0
        if exact == bytes(len(exact)):
            return _ZERO
        with suppress(ValueError, OverflowError):  # not a number, or too large
            thousandths = list(map(round, [value * 1000 for value in values]))
            back = struct.pack(f"<{len(values)}d", *[each / 1000 for each in thousandths])
            if back == exact and min(thousandths) >= 0 and max(thousandths) < _MOST:
                return _whole_numbers(thousandths)
    return _JSON + _text(list(values))


# --- expand ---------------------------------------------------------------------------------


def expand(stored: bytes) -> PlayedMatch:
    """The match of a compact record, played again; raises BadCompact if it is damaged."""
    reader = _Reader(stored)
    match = reader.match()
    numbers, timings = reader.decisions()
    match = match._replace(seats=reader.with_shares(match.seats))
    reader.end()
    state, steps, done = match.start(), [], 0
    while seats := state.to_move:
        here = slice(done, done := done + len(seats))
        choices = {
            seat: state.legal(seat)[number]
            for seat, number in zip(seats, numbers[here], strict=True)
        }
        timed = {
            seat: timing
            for seat, timing in zip(seats, timings[here], strict=True)
            if timing is not None
        }
        steps.append(Step(state, choices, timed, numbers[here]))
        state = state.step(choices)
    return PlayedMatch(match, tuple(steps), state)


def deal_of(stored: bytes) -> Deal:
    """The deal of a compact record, without playing it again."""
    match = _Reader(stored).match()
    return Deal(match.seed.hex(), tuple(seated.nonce.hex() for seated in match.seats))


class _Reader:
    """A reader of the parts of a compact record, in their order."""

    def __init__(self, stored: bytes) -> None:
        self._form = stored[:1]
        if self._form not in (_PLAIN, _HOSTED, _SHARED):
            raise BadCompact("the record is in a form that this Paddock does not know; upgrade it")
        self._bytes, (crc,) = stored[:-4], _LENGTH.unpack(stored[-4:])
        if zlib.crc32(self._bytes) != crc:
            raise BadCompact("the record is damaged; restore the database from a backup")
        self._at = 1

    def match(self) -> Match:
        """The match, without its decisions."""
        name, form, version, options, *values, seats = self._text()
        tournament, started, ended, clock, salted = values
        return Match(
            id=name,
            format=form,
            rules=game_of(form).rules_of_version(options, version),
            seed=self._take(SEED_BYTES),
            seats=[_seated(seat, self._take(NONCE_BYTES)) for seat in seats],
            tournament=tournament,
            started=started,
            ended=ended,
            clock=None if clock is None else Clock(*clock),
            salted=bool(salted),
        )

    def decisions(self) -> tuple[Sequence[int], Sequence[Timing | None]]:
        """The numbers of all choices, and their timings."""
        (count,) = _LENGTH.unpack(self._take(_LENGTH.size))
        numbers, timed = self._column(count), self._column(count)
        count = sum(timed)
        ms, lag_ms = self._times(count), self._times(count)
        faults, charged = self._column(count), self._column(count)
        charges = iter(self._times(sum(charged)))
        reasons = dict(self._text())
        hosted = {} if self._form == _PLAIN else dict(self._text())
        timings = iter(
            [
                Timing(
                    ms=ms[at],
                    lag_ms=lag_ms[at],
                    fault=_FAULTS[faults[at]],
                    charge_ms=next(charges) if charged[at] else None,
                    fallback=reasons.get(at),
                    host_ms=hosted.get(at, 0.0),
                )
                for at in range(count)
            ]
        )
        return numbers, [next(timings) if there else None for there in timed]

    def with_shares(self, seats: Sequence[Seated]) -> Sequence[Seated]:
        """The seats with their shares of a core."""
        if self._form != _SHARED:
            return seats
        shares = zip(seats, self._text(), strict=True)
        return [seated._replace(cpu_share=share) for seated, share in shares]

    def end(self) -> None:
        """Make sure that everything was read."""
        if self._at != len(self._bytes):
            raise BadCompact("the record has something behind its end; restore it from a backup")

    def _take(self, size: int) -> bytes:
        taken = self._bytes[self._at : self._at + size]
        self._at += size
        return taken

    def _text(self) -> Any:
        (length,) = _LENGTH.unpack(self._take(_LENGTH.size))
        return json.loads(self._take(length))

    def _column(self, count: int) -> Sequence[int]:
        kind = self._take(1)
        if kind in (_ZERO, _ONE):
            return (int(kind),) * count
        width = _WIDTHS[kind.decode()]
        return struct.unpack(f"<{count}{kind.decode()}", self._take(count * width))

    def _times(self, count: int) -> Sequence[float]:
        if self._bytes[self._at : self._at + 1] == _JSON:
            self._at += 1
            times: list[float] = self._text()
            return times
        return [thousandths / 1000 for thousandths in self._column(count)]


def _seated(values: Sequence[Any], nonce: bytes) -> Seated:
    bot, version, owner, digest, late, forfeit, *forfeited = values
    if digest is not None:
        digest = digest_of(nonce) if digest == 1 else bytes.fromhex(digest)
    return Seated(
        bot=bot,
        version=version,
        owner=owner,
        nonce=nonce,
        forfeit=bool(forfeit),
        forfeited=Forfeit(*forfeited) if forfeited else None,
        nonce_digest=digest,
        nonce_late=bool(late),
    )
