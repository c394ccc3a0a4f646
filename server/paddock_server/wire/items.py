"""Items of frames for bots and watchers, as bytes."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import Match, PlayedMatch, Step, game_of
from paddock_games.game import State
from paddock_ladder.rating import Rating
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask, Refuse
from paddock_server.referee.result import SeatResult
from paddock_wire import CODECS, codec_of
from paddock_wire.fields import Field

DICE_BYTES: Final = 16
_REMEMBERED: Final = 4096  # parts of items that are kept: most are needed again soon

_ITEMS: Final = Field(arena_pb2.PlayResponse.ITEMS_FIELD_NUMBER)
_WELCOME: Final = Field(arena_pb2.RefereeItem.WELCOME_FIELD_NUMBER)
_STARTED: Final = Field(arena_pb2.RefereeItem.MATCH_STARTED_FIELD_NUMBER)
_ASK: Final = Field(arena_pb2.RefereeItem.ASK_FIELD_NUMBER)
_HAPPENED: Final = Field(arena_pb2.RefereeItem.HAPPENED_FIELD_NUMBER)
_REFUSED: Final = Field(arena_pb2.RefereeItem.REFUSED_FIELD_NUMBER)
_ENDED: Final = Field(arena_pb2.RefereeItem.MATCH_ENDED_FIELD_NUMBER)
_PING: Final = Field(arena_pb2.RefereeItem.PING_FIELD_NUMBER)
_GOODBYE: Final = Field(arena_pb2.RefereeItem.GOODBYE_FIELD_NUMBER)
_DIGESTS: Final = Field(arena_pb2.RefereeItem.NONCE_COMMITMENTS_FIELD_NUMBER)

_STARTED_SEAT: Final = Field(arena_pb2.MatchStarted.SEAT_FIELD_NUMBER)
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


def started(
    match: Match, seat: int, clock: Clock, dice: bytes, *, commit_nonces: bool = False
) -> bytes:
    """A MatchStarted item."""
    return seat_started(start(match, clock, dice, commit_nonces=commit_nonces), seat)


def seat_started(shared: bytes, seat: int) -> bytes:
    """A MatchStarted item for a seat; `shared` is `start` of its match."""
    return _item(_STARTED, shared + _STARTED_SEAT.number(seat))


def start(match: Match, clock: Clock, dice: bytes, *, commit_nonces: bool = False) -> bytes:
    """The start of a match, which the MatchStarted items of all seats share."""
    message = arena_pb2.MatchStarted(
        match_id=match.id,
        format=match.format,
        seats=[
            arena_pb2.Seat(
                bot=seated.bot,
                version=seated.version,
                owner=seated.owner,
                cpu_share=seated.cpu_share,
            )
            for seated in match.seats
        ],
        commitment=bytes.fromhex(match.commitment),
        clock=_clock(clock),
        tournament=match.tournament or "",
        dice=dice,
        commit_nonces=commit_nonces,
    )
    return message.SerializeToString() + _rules(match.format, match.rules)


@lru_cache(maxsize=_REMEMBERED)
def _clock(clock: Clock) -> arena_pb2.Clock:
    return arena_pb2.Clock(**clock.in_ms()._asdict())


@lru_cache(maxsize=_REMEMBERED)
def _rules(format_name: str, rules: Any) -> bytes:
    return codec_of(format_name).rules(rules)


def nonce_commitments(match_id: str, digests: Sequence[bytes]) -> bytes:
    """A NonceCommitments item: the digests of all seats."""
    message = arena_pb2.NonceCommitments(match_id=match_id, digests=digests)
    return _item(_DIGESTS, message.SerializeToString())


def table(match: Match, state: State) -> bytes:
    """The open table, which the asks of a step share."""
    return CODECS[match.game.name].table(state.table)


def ask(match: Match, command: Ask, shared: bytes) -> bytes:
    """An Ask item; `shared` is `table` of the same state."""
    seat, ask_id, state, legal, time_left, bank = command
    codec = codec_of(match.format)
    payload = b"".join(
        (
            _match_id(_ASK_MATCH, match.id),
            _ASK_ID.number(ask_id),
            _ASK_SEAT.number(seat),
            _times(time_left, bank),
            _ASK_VIEW.part(codec.view(shared, state.view(seat))),
            codec.choices(legal),
        )
    )
    return _item(_ASK, payload)


@lru_cache(maxsize=_REMEMBERED)
def _match_id(field: Field, match_id: str) -> bytes:
    return field.text(match_id)


@lru_cache(maxsize=_REMEMBERED)  # most asks have all of their time
def _times(time_left: float, bank: float) -> bytes:
    return _ASK_TIME.number(round(time_left * 1000)) + _ASK_BANK.number(round(bank * 1000))


def _happened(match: Match, number: int, step: Step) -> bytes:
    choices, timings = step.choices, step.timings
    parts = [_match_id(_HAPPENED_MATCH, match.id), _HAPPENED_STEP.number(number)]
    for seat in sorted(choices):
        fault = timings[seat].fault if seat in timings else None
        parts.append(_revealed(match.format, seat, choices[seat], fault))
    return b"".join(parts)


@lru_cache(maxsize=4 * _REMEMBERED)
def _revealed(format_name: str, seat: int, choice: Any, fault: str | None) -> bytes:
    shown = game_of(format_name).shown(choice)  # some of it may stay hidden
    revealed = _REVEALED_SEAT.number(seat) + _REVEALED_CHOICE.part(
        codec_of(format_name).choice(shown)
    )
    number = arena_pb2.Fault.Value(f"FAULT_{fault}") if fault else 0
    return _HAPPENED_REVEALED.part(revealed + _REVEALED_FAULT.number(number))


def happened(match: Match, number: int, step: Step) -> bytes:
    """A Happened item: the choices of a step, as far as everybody may know them."""
    return _item(_HAPPENED, _happened(match, number, step))


def refused(command: Refuse) -> bytes:
    """A Refused item: an answer that does not count."""
    message = arena_pb2.Refused(
        ask_id=command.ask_id, reason=command.reason, sentence=command.sentence
    )
    return _item(_REFUSED, message.SerializeToString())


class MatchEnd(NamedTuple):
    """The end of a match, as a MatchEnded item needs it."""

    played: PlayedMatch
    results: Sequence[SeatResult]  # by seat
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


def _ended(ended: MatchEnd) -> bytes:
    match = ended.played.match
    message = arena_pb2.MatchEnded(
        match_id=match.id,
        seats=map(seat_result, ended.results),
        seed=b"" if ended.hides_deal else match.seed,
        nonces=[seated.nonce for seated in match.seats],
    )
    for seat, (before, after) in zip(message.seats, ended.changes, strict=False):
        seat.rating.CopyFrom(
            arena_pb2.RatingChange(
                mu_before=before.mu, sigma_before=before.sigma, mu=after.mu, sigma=after.sigma
            )
        )
    scores = CODECS[match.game.name].scores(ended.played.end.table)
    return message.SerializeToString() + scores


def ended(ending: MatchEnd) -> bytes:
    """A MatchEnded item."""
    return _item(_ENDED, _ended(ending))


def set_aside(match: Match, results: Sequence[SeatResult], why: str) -> bytes:
    """A MatchEnded item for a match that could not be stored and counts for nothing."""
    message = arena_pb2.MatchEnded(
        match_id=match.id, seats=map(seat_result, results), void_reason=why
    )
    return _item(_ENDED, message.SerializeToString())


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


def watched_end(ending: MatchEnd) -> bytes:
    """The end of a match for watchers."""
    return _WATCHED_END.part(_ended(ending))
