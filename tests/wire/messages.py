"""The rules' values as messages of the contract, built the plain and slow way."""

from collections.abc import Sequence
from typing import Any

from paddock.v1 import arena_pb2, draftosaurus_pb2, match_pb2
from paddock_games import FORMATS, Match, Step
from paddock_games.draftosaurus import Choice, State
from paddock_games.draftosaurus.zoo import Zoo
from paddock_server.referee.clock import Clock
from paddock_server.referee.result import SeatResult
from tests.games.tables import TABLES

# Every format there is at every number of seats.
DRAFTOSAURUS = [(form, seats) for form, seats in TABLES if FORMATS[form].game == "draftosaurus"]


def value(enum: Any, prefix: str, name: str | None) -> Any:
    """The number of an enum's value; absent where there is no name."""
    return enum.Value(f"{prefix}_{name}") if name is not None else 0


def species(names: Sequence[str | None]) -> list[Any]:
    return [value(draftosaurus_pb2.Species, "SPECIES", name) for name in names]


def zoo(given: Zoo) -> draftosaurus_pb2.Zoo:
    """The pens with somebody in them, in board order."""
    message = draftosaurus_pb2.Zoo()
    for pen in given:
        if any(pen.dinosaurs):
            message.pens.add(
                pen=value(draftosaurus_pb2.Pen, "PEN", pen.name),
                dinosaurs=species(pen.dinosaurs),
            )
    return message


def table(state: State) -> draftosaurus_pb2.DraftosaurusTable:
    """What lies open."""
    now = state.view(0)
    message = draftosaurus_pb2.DraftosaurusTable(
        board=value(draftosaurus_pb2.Board, "BOARD", now.board),
        turns_done=now.table.done,
        game=now.game,
        round=now.round,
        turn=now.turn,
        roller=now.roller,
        die=value(draftosaurus_pb2.Face, "FACE", now.die),
        phase=value(draftosaurus_pb2.DraftosaurusPhase, "DRAFTOSAURUS_PHASE", now.phase),
        picks=species(now.picks),
        removed=species(list(now.removed)),
    )
    message.zoos.extend(zoo(one) for one in now.zoos)
    for zoos in now.table.finished:
        message.finished.add().zoos.extend(zoo(one) for one in zoos)
    return message


def choice(given: Choice) -> arena_pb2.GameChoice:
    message = arena_pb2.GameChoice()
    mine = message.draftosaurus
    mine.SetInParent()
    mine.kind = value(draftosaurus_pb2.DraftosaurusPhase, "DRAFTOSAURUS_PHASE", given.kind)
    mine.species = value(draftosaurus_pb2.Species, "SPECIES", given.species)
    mine.pen = value(draftosaurus_pb2.Pen, "PEN", given.pen)
    mine.slot = given.slot
    return message


def ask(
    match: Match, ask_id: int, state: State, seat: int, time_ms: int, bank_ms: int
) -> arena_pb2.Ask:
    message = arena_pb2.Ask(
        match_id=match.id, ask_id=ask_id, seat=seat, time_ms=time_ms, bank_ms=bank_ms
    )
    view = message.view.draftosaurus
    view.table.CopyFrom(table(state))
    view.hand.extend(species(list(state.view(seat).hand)))
    message.choices.extend(choice(one) for one in state.legal(seat))
    return message


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
    )
    for seated in match.seats:
        message.seats.add(bot=seated.bot, version=seated.version, owner=seated.owner)
    message.clock.base_ms = round(clock.base * 1000)
    message.clock.bank_ms = round(clock.bank * 1000)
    message.clock.lag_allowance_ms = round(clock.lag_allowance * 1000)
    message.clock.max_faults = clock.max_faults
    rules = message.draftosaurus
    rules.SetInParent()
    rules.quarantine_may_stay = match.rules.quarantine_may_stay
    rules.five_player_die_hold = match.rules.five_player_die_hold
    rules.place_after_reveal = match.rules.place_after_reveal
    if match.rules.prairie_capacity is not None:
        rules.prairie_capacity = match.rules.prairie_capacity
    return message


def happened(match: Match, number: int, step: Step) -> arena_pb2.Happened:
    message = arena_pb2.Happened(match_id=match.id, step=number)
    for seat in sorted(step.choices):
        fault = step.timings[seat].fault if seat in step.timings else None
        one = message.revealed.add(seat=seat, fault=value(arena_pb2.Fault, "FAULT", fault))
        one.choice.CopyFrom(choice(step.choices[seat]))
    return message


def ended(match: Match, results: Sequence[SeatResult], end: State) -> arena_pb2.MatchEnded:
    message = arena_pb2.MatchEnded(match_id=match.id, seed=match.seed)
    for seated, result in zip(match.seats, results, strict=True):
        message.nonces.append(seated.nonce)
        message.seats.add(
            total=result.total,
            rank=result.rank,
            forfeit=result.forfeit,
            faults=result.faults,
            fallbacks=result.fallbacks,
        )
    message.draftosaurus.SetInParent()
    for board, scores in zip(end.table.setting.boards, end.scores(), strict=True):
        game = message.draftosaurus.games.add(board=value(draftosaurus_pb2.Board, "BOARD", board))
        for score in scores:
            added = game.scores.add(total=score.total, t_rexes=score.t_rexes)
            for part, points in score.parts.items():
                added.parts[part] = points
    return message


def frame(**item: Any) -> arena_pb2.PlayResponse:
    """A frame with one item."""
    return arena_pb2.PlayResponse(items=[arena_pb2.RefereeItem(**item)])


def watched(state: State) -> match_pb2.WatchMatchResponse:
    """The table as whoever watches gets it."""
    return match_pb2.WatchMatchResponse(table=match_pb2.GameTable(draftosaurus=table(state)))


def same(sent: bytes, expected: Any) -> None:
    """The bytes are this message: nothing is missing, nothing is unknown, nothing comes twice."""
    assert type(expected).FromString(sent) == expected
    assert len(sent) == len(expected.SerializeToString())
