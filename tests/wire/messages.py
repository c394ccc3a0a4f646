"""What the referee says as messages of the contract, of any game, built the plain and slow way."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import FORMATS, Match, Step, dino_twist
from paddock_server.referee.clock import Clock
from paddock_server.referee.result import SeatResult
from tests.wire import dino_twist_messages, draftosaurus_messages
from tests.wire.enums import value

PLAIN: Final[Mapping[str, ModuleType]] = {
    "draftosaurus": draftosaurus_messages,
    "dino_twist": dino_twist_messages,
}


def game_at(state: Any) -> str:
    return FORMATS[state.table.setting.format].game


def table(state: Any) -> match_pb2.GameTable:
    """What lies open."""
    game = game_at(state)
    return match_pb2.GameTable(**{game: PLAIN[game].table(state)})


def view(state: Any, seat: int) -> arena_pb2.GameView:
    """What a seat knows."""
    game = game_at(state)
    return arena_pb2.GameView(**{game: PLAIN[game].view(state, seat)})


def choice(game: str, chosen: Any) -> arena_pb2.GameChoice:
    return arena_pb2.GameChoice(**{game: PLAIN[game].choice(chosen)})


def shown(chosen: Any) -> Any:
    """What everybody may know of a choice: of cards that are discarded face down, how many."""
    if chosen.kind == "DISCARD" and chosen.cards:
        return dino_twist.Choice("DISCARD", face_down=len(chosen.cards))
    return chosen


def ask(match_id: str, state: Any, seat: int) -> arena_pb2.Ask:
    """An ask without its id and its times."""
    return arena_pb2.Ask(
        match_id=match_id,
        seat=seat,
        view=view(state, seat),
        choices=[choice(game_at(state), legal) for legal in state.legal(seat)],
    )


def started(
    match: Match, seat: int, clock: Clock, commitment: bytes, dice: bytes
) -> arena_pb2.MatchStarted:
    message = arena_pb2.MatchStarted(
        match_id=match.id,
        format=match.format,
        seat=seat,
        commitment=commitment,
        tournament=match.tournament or "",
        dice=dice,
        **{match.game.name: PLAIN[match.game.name].rules(match.rules)},
    )
    for seated in match.seats:
        message.seats.add(bot=seated.bot, version=seated.version, owner=seated.owner)
    message.clock.base_ms = round(clock.base * 1000)
    message.clock.bank_ms = round(clock.bank * 1000)
    message.clock.lag_allowance_ms = round(clock.lag_allowance * 1000)
    message.clock.max_faults = clock.max_faults
    return message


def happened(match_id: str, number: int, step: Step) -> arena_pb2.Happened:
    """What everybody chose in a step, as far as everybody may know it."""
    message = arena_pb2.Happened(match_id=match_id, step=number)
    for seat in sorted(step.choices):
        fault = step.timings[seat].fault if seat in step.timings else None
        revealed = message.revealed.add(seat=seat, fault=value(arena_pb2.Fault, "FAULT", fault))
        revealed.choice.CopyFrom(choice(game_at(step.state), shown(step.choices[seat])))
    return message


def ended(match: Match, results: Sequence[SeatResult], end: Any) -> arena_pb2.MatchEnded:
    message = arena_pb2.MatchEnded(
        match_id=match.id,
        seed=match.seed,
        **{match.game.name: PLAIN[match.game.name].scores(end)},
    )
    for seated, result in zip(match.seats, results, strict=True):
        message.nonces.append(seated.nonce)
        message.seats.add(
            total=result.total,
            rank=result.rank,
            forfeit=result.forfeit,
            faults=result.faults,
            fallbacks=result.fallbacks,
        )
    return message


def frame(**item: Any) -> arena_pb2.PlayResponse:
    """A frame with one item."""
    return arena_pb2.PlayResponse(items=[arena_pb2.RefereeItem(**item)])


def same(sent: bytes, expected: Any) -> None:
    """The bytes are this message: nothing is missing, nothing is unknown, nothing comes twice."""
    assert type(expected).FromString(sent) == expected
    assert len(sent) == len(expected.SerializeToString())
