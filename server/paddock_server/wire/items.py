"""Items of frames for bots and watchers, as bytes."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import Match, Step, commitment
from paddock_games.game import State
from paddock_ladder.rating import Rating
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask, Refuse
from paddock_server.referee.result import SeatResult
from paddock_wire import CODECS
from paddock_wire.fields import Field

DICE_BYTES: Final = 16

_ITEMS: Final = Field(arena_pb2.PlayResponse.ITEMS_FIELD_NUMBER)
_WELCOME: Final = Field(arena_pb2.RefereeItem.WELCOME_FIELD_NUMBER)
_STARTED: Final = Field(arena_pb2.RefereeItem.MATCH_STARTED_FIELD_NUMBER)
_ASK: Final = Field(arena_pb2.RefereeItem.ASK_FIELD_NUMBER)
_HAPPENED: Final = Field(arena_pb2.RefereeItem.HAPPENED_FIELD_NUMBER)
_REFUSED: Final = Field(arena_pb2.RefereeItem.REFUSED_FIELD_NUMBER)
_ENDED: Final = Field(arena_pb2.RefereeItem.MATCH_ENDED_FIELD_NUMBER)
_PING: Final = Field(arena_pb2.RefereeItem.PING_FIELD_NUMBER)
_GOODBYE: Final = Field(arena_pb2.RefereeItem.GOODBYE_FIELD_NUMBER)

_ASK_MATCH: Final = Field(arena_pb2.Ask.MATCH_ID_FIELD_NUMBER)
_ASK_ID: Final = Field(arena_pb2.Ask.ASK_ID_FIELD_NUMBER)
_ASK_SEAT: Final = Field(arena_pb2.Ask.SEAT_FIELD_NUMBER)
_ASK_TIME: Final = Field(arena_pb2.Ask.TIME_MS_FIELD_NUMBER)
_ASK_BANK: Final = Field(arena_pb2.Ask.BANK_MS_FIELD_NUMBER)
_ASK_VIEW: Final = Field(arena_pb2.Ask.VIEW_FIELD_NUMBER)
_HAPPENED_MATCH: Final = Field(arena_pb2.Happened.MATCH_ID_FIELD_NUMBER)
_HAPPENED_STEP: Final = Field(arena_pb2.Happened.STEP_FIELD_NUMBER)
_HAPPENED_REVEALED: Final = Field(arena_pb2.Happened.REVEALED_FIELD_NUMBER)
_REVEALED_SEAT: Final = Field(arena_pb2.Revealed.SEAT_FIELD_NUMBER)
_REVEALED_CHOICE: Final = Field(arena_pb2.Revealed.CHOICE_FIELD_NUMBER)
_REVEALED_FAULT: Final = Field(arena_pb2.Revealed.FAULT_FIELD_NUMBER)
_PING_ID: Final = Field(arena_pb2.Ping.ID_FIELD_NUMBER)

_WATCHED_TABLE: Final = Field(match_pb2.WatchMatchResponse.TABLE_FIELD_NUMBER)
_WATCHED_STEP: Final = Field(match_pb2.WatchMatchResponse.HAPPENED_FIELD_NUMBER)
_WATCHED_END: Final = Field(match_pb2.WatchMatchResponse.MATCH_ENDED_FIELD_NUMBER)


def _item(field: Field, payload: bytes) -> bytes:
    return _ITEMS.part(field.part(payload))


def welcome(message: arena_pb2.Welcome) -> bytes:
    """A Welcome item."""
    return _item(_WELCOME, message.SerializeToString())


def started(match: Match, seat: int, clock: Clock, dice: bytes) -> bytes:
    """A MatchStarted item."""
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
    rules = CODECS[match.game.name].rules(match.rules)
    return _item(_STARTED, message.SerializeToString() + rules)


def table(match: Match, state: State) -> bytes:
    """The open table, which the asks of a step share."""
    return CODECS[match.game.name].table(state.table)


def ask(match: Match, command: Ask, shared: bytes) -> bytes:
    """An Ask item; `shared` is `table` of the same state."""
    codec = CODECS[match.game.name]
    payload = b"".join(
        (
            _match_id(_ASK_MATCH, match.id),
            _ASK_ID.number(command.ask_id),
            _ASK_SEAT.number(command.seat),
            _ASK_TIME.number(_ms(command.time_left)),
            _ASK_BANK.number(_ms(command.bank)),
            _ASK_VIEW.part(codec.view(shared, command.state.view(command.seat))),
            codec.choices(command.legal),
        )
    )
    return _item(_ASK, payload)


@lru_cache(maxsize=4096)
def _match_id(field: Field, match_id: str) -> bytes:
    return field.text(match_id)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _happened(match: Match, number: int, step: Step) -> bytes:
    game = match.game
    codec = CODECS[game.name]
    parts = [_match_id(_HAPPENED_MATCH, match.id), _HAPPENED_STEP.number(number)]
    for seat in sorted(step.choices):
        timing = step.timings.get(seat)
        fault = arena_pb2.Fault.Value(f"FAULT_{timing.fault}") if timing and timing.fault else 0
        shown = game.shown(step.choices[seat])  # some of it may stay hidden
        revealed = _REVEALED_SEAT.number(seat) + _REVEALED_CHOICE.part(codec.choice(shown))
        parts.append(_HAPPENED_REVEALED.part(revealed + _REVEALED_FAULT.number(fault)))
    return b"".join(parts)


def happened(match: Match, number: int, step: Step) -> bytes:
    """A Happened item: the choices of a step, as far as everybody may know them."""
    return _item(_HAPPENED, _happened(match, number, step))


def refused(command: Refuse) -> bytes:
    """A Refused item: an answer that does not count."""
    message = arena_pb2.Refused(
        ask_id=command.ask_id, reason=command.reason, sentence=command.sentence
    )
    return _item(_REFUSED, message.SerializeToString())


class Ended(NamedTuple):
    """The end of a match, as a MatchEnded item needs it."""

    record: Mapping[str, Any]
    results: Sequence[SeatResult]  # by seat
    end: State
    changes: Sequence[tuple[Rating, Rating]] = ()  # before and after, by seat; empty: not rated
    hides_deal: bool = False  # other matches have the same deal


def seat_result(result: SeatResult) -> arena_pb2.SeatResult:
    """The result of one seat as a message."""
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
    scores = CODECS[record["game"]].scores(ended.end.table)
    return message.SerializeToString() + scores


def ended(ending: Ended) -> bytes:
    """A MatchEnded item."""
    return _item(_ENDED, _ended(ending))


def ping(number: int) -> bytes:
    """A Ping item, which measures the lag."""
    return _item(_PING, _PING_ID.number(number))


def goodbye(reason: str, sentence: str, return_after_ms: int) -> bytes:
    """A Goodbye item: the server is about to close the stream."""
    message = arena_pb2.Goodbye(reason=reason, sentence=sentence, return_after_ms=return_after_ms)
    return _item(_GOODBYE, message.SerializeToString())


def watched_table(match: Match, shared: bytes) -> bytes:
    """The open table for watchers."""
    return _WATCHED_TABLE.part(CODECS[match.game.name].watched(shared))


def watched_step(match: Match, number: int, step: Step) -> bytes:
    """The choices of a step for watchers."""
    return _WATCHED_STEP.part(_happened(match, number, step))


def watched_end(ending: Ended) -> bytes:
    """The end of a match for watchers."""
    return _WATCHED_END.part(_ended(ending))
