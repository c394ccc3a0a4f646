"""Draftosaurus' values as messages of the contract, built the plain and slow way."""

from collections.abc import Iterable
from typing import Any

from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games.draftosaurus import Choice, Rules, State
from paddock_games.draftosaurus.zoo import Zoo
from tests.wire.enums import value

Wire: Any = draftosaurus_pb2


def species(names: Iterable[str | None]) -> list[Any]:
    return [value(Wire.Species, "SPECIES", name) for name in names]


def zoo(filled: Zoo) -> Any:
    """The pens with somebody in them, in board order."""
    message = Wire.Zoo()
    for pen in filled:
        if any(pen.dinosaurs):
            message.pens.add(pen=value(Wire.Pen, "PEN", pen.name), dinosaurs=species(pen.dinosaurs))
    return message


def table(state: State) -> Any:
    """What lies open."""
    view = state.view(0)
    return Wire.DraftosaurusTable(
        board=value(Wire.Board, "BOARD", view.board),
        turns_done=state.table.done,
        game=view.game,
        round=view.round,
        turn=view.turn,
        roller=view.roller,
        die=value(Wire.Face, "FACE", view.die),
        phase=value(Wire.DraftosaurusPhase, "DRAFTOSAURUS_PHASE", view.phase),
        zoos=map(zoo, view.zoos),
        picks=species(view.picks),
        removed=species(view.removed),
        finished=[Wire.FinishedGame(zoos=map(zoo, zoos)) for zoos in state.table.finished],
    )


def view(state: State, seat: int) -> Any:
    """What a seat knows."""
    return Wire.DraftosaurusView(table=table(state), hand=species(state.hands[seat]))


def choice(chosen: Choice) -> Any:
    return Wire.DraftosaurusChoice(
        kind=value(Wire.DraftosaurusPhase, "DRAFTOSAURUS_PHASE", chosen.kind),
        species=value(Wire.Species, "SPECIES", chosen.species),
        pen=value(Wire.Pen, "PEN", chosen.pen),
        slot=chosen.slot,
    )


def rules(options: Rules) -> Any:
    message = Wire.DraftosaurusRules(
        quarantine_may_stay=options.quarantine_may_stay,
        five_player_die_hold=options.five_player_die_hold,
        place_after_reveal=options.place_after_reveal,
    )
    if options.prairie_capacity is not None:
        message.prairie_capacity = options.prairie_capacity
    return message


def scores(end: State) -> Any:
    """The points by pen, by game and by seat."""
    message = arena_pb2.DraftosaurusScores()
    for board, seats in zip(end.table.setting.boards, end.scores(), strict=True):
        game = message.games.add(board=value(Wire.Board, "BOARD", board))
        for score in seats:
            added = game.scores.add(total=score.total, t_rexes=score.t_rexes)
            for part, points in score.parts.items():
                added.parts[part] = points
    return message
