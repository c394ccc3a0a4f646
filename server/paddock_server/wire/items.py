"""What the referee says to a bot, as items of a frame."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Final, NamedTuple

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import Match, Step, commitment
from paddock_games.game import State
from paddock_ladder.rating import Rating
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask, Refuse
from paddock_server.referee.result import SeatResult
from paddock_server.wire import dino_twist, draftosaurus
from paddock_server.wire import parts as wire

# How each game goes over the wire: one module a game, and a line here.
CODECS: Final[Mapping[str, ModuleType]] = {
    "draftosaurus": draftosaurus,
    "dino_twist": dino_twist,
}

DICE_BYTES: Final = 16

_ITEM = arena_pb2.RefereeItem


def _item(field: int, payload: bytes) -> bytes:
    return wire.part(arena_pb2.PlayResponse.ITEMS_FIELD_NUMBER, wire.part(field, payload))


def welcome(message: arena_pb2.Welcome) -> bytes:
    """The session."""
    return _item(_ITEM.WELCOME_FIELD_NUMBER, message.SerializeToString())


def started(match: Match, seat: int, clock: Clock, dice: bytes) -> bytes:
    """A match begins."""
    message = arena_pb2.MatchStarted(
        match_id=match.id,
        format=match.format,
        seats=[
            arena_pb2.Seat(bot=seated.bot, version=seated.version, owner=seated.owner)
            for seated in match.seats
        ],
        seat=seat,
        commitment=bytes.fromhex(commitment(match.seed)),
        clock=arena_pb2.Clock(**clock.in_ms()._asdict()),
        tournament=match.tournament or "",
        dice=dice,
    )
    rules: bytes = CODECS[match.game.name].rules(match.rules)
    return _item(_ITEM.MATCH_STARTED_FIELD_NUMBER, message.SerializeToString() + rules)


def ask(match: Match, command: Ask, shared: bytes) -> bytes:
    """A decision is wanted; `shared` is the table, the same for every seat of the step."""
    codec = CODECS[match.game.name]
    payload = b"".join(
        (
            _match_id(match.id),
            wire.number(2, command.ask_id),
            wire.number(3, command.seat),
            wire.number(4, _ms(command.time_left)),
            wire.number(5, _ms(command.bank)),
            wire.part(6, codec.view(shared, command.state, command.seat)),
            codec.choices(command.legal),
        )
    )
    return _item(_ITEM.ASK_FIELD_NUMBER, payload)


@lru_cache(maxsize=4096)
def _match_id(match_id: str) -> bytes:
    return wire.text(1, match_id)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _happened(match: Match, number: int, step: Step) -> bytes:
    game = match.game
    codec = CODECS[game.name]
    parts = [_match_id(match.id), wire.number(2, number)]
    for seat in sorted(step.choices):
        timing = step.timings.get(seat)
        fault = arena_pb2.Fault.Value(f"FAULT_{timing.fault}") if timing and timing.fault else 0
        shown = game.shown(step.choices[seat])  # some of it may stay hidden
        revealed = wire.number(1, seat) + wire.part(2, codec.choice(shown))
        parts.append(wire.part(3, revealed + wire.number(3, fault)))
    return b"".join(parts)


def happened(match: Match, number: int, step: Step) -> bytes:
    """What everybody chose in a step, as far as everybody may know it."""
    return _item(_ITEM.HAPPENED_FIELD_NUMBER, _happened(match, number, step))


def refused(command: Refuse) -> bytes:
    """An answer that does not count."""
    message = arena_pb2.Refused(
        ask_id=command.ask_id, reason=command.reason, sentence=command.sentence
    )
    return _item(_ITEM.REFUSED_FIELD_NUMBER, message.SerializeToString())


class Ended(NamedTuple):
    """How a match ended."""

    record: Mapping[str, Any]
    results: Sequence[SeatResult]  # by seat
    end: State
    changes: Sequence[tuple[Rating, Rating]] = ()  # before and after, by seat; empty: not rated
    hides_deal: bool = False  # others will play the same deal


def seat_result(result: SeatResult) -> arena_pb2.SeatResult:
    """How a match ended for one seat."""
    return arena_pb2.SeatResult(
        total=result.total,
        rank=result.rank,
        forfeit=result.forfeit,
        faults=result.faults,
        fallbacks=result.fallbacks,
    )


def _ended(ended: Ended) -> bytes:
    record = ended.record
    message = arena_pb2.MatchEnded(
        match_id=record["match"],
        seats=map(seat_result, ended.results),
        seed=b"" if ended.hides_deal else bytes.fromhex(record["fairness"]["seed"]),
        nonces=[bytes.fromhex(seat["nonce"]) for seat in record["seats"]],
    )
    for seat, (before, after) in zip(message.seats, ended.changes, strict=False):
        seat.rating.CopyFrom(
            arena_pb2.RatingChange(
                mu_before=before.mu, sigma_before=before.sigma, mu=after.mu, sigma=after.sigma
            )
        )
    scores: bytes = CODECS[record["game"]].scores(ended.end)
    return message.SerializeToString() + scores


def ended(how: Ended) -> bytes:
    """A match is over."""
    return _item(_ITEM.MATCH_ENDED_FIELD_NUMBER, _ended(how))


def ping(number: int) -> bytes:
    """Measures the connection."""
    return _item(_ITEM.PING_FIELD_NUMBER, wire.number(1, number))


def goodbye(reason: str, sentence: str, return_after_ms: int) -> bytes:
    """The server is about to close the stream."""
    message = arena_pb2.Goodbye(reason=reason, sentence=sentence, return_after_ms=return_after_ms)
    return _item(_ITEM.GOODBYE_FIELD_NUMBER, message.SerializeToString())


def watched_table(match: Match, shared: bytes) -> bytes:
    """The open table, as whoever watches gets it."""
    table: bytes = CODECS[match.game.name].watched(shared)
    return wire.part(match_pb2.WatchMatchResponse.TABLE_FIELD_NUMBER, table)


def watched_step(match: Match, number: int, step: Step) -> bytes:
    """What everybody chose in a step, as whoever watches gets it."""
    payload = _happened(match, number, step)
    return wire.part(match_pb2.WatchMatchResponse.HAPPENED_FIELD_NUMBER, payload)


def watched_end(how: Ended) -> bytes:
    """The end of a match, as whoever watches gets it."""
    return wire.part(match_pb2.WatchMatchResponse.MATCH_ENDED_FIELD_NUMBER, _ended(how))
