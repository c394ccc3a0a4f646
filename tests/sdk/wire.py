"""The rules' values as messages, written down plainly from the comments of the contract."""

import hashlib
from random import Random
from typing import Any

from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games import Chance, game_of
from paddock_games.draftosaurus import Choice, Rules, State, View
from paddock_games.draftosaurus.zoo import Zoo

SEED = bytes(32)


def species(name: str | None) -> Any:
    return draftosaurus_pb2.Species.Value(f"SPECIES_{name or 'UNSPECIFIED'}")


def zoo(given: Zoo) -> draftosaurus_pb2.Zoo:
    message = draftosaurus_pb2.Zoo()
    for name, dinosaurs in given.as_dict().items():
        message.pens.add(
            pen=draftosaurus_pb2.Pen.Value(f"PEN_{name}"),
            dinosaurs=[species(one) for one in dinosaurs],
        )
    return message


def view(given: View) -> arena_pb2.GameView:
    table = draftosaurus_pb2.DraftosaurusTable(
        board=draftosaurus_pb2.Board.Value(f"BOARD_{given.board}"),
        turns_done=given.table.done,
        game=given.game,
        round=given.round,
        turn=given.turn,
        roller=given.roller,
        die=draftosaurus_pb2.Face.Value(f"FACE_{given.die}"),
        phase=draftosaurus_pb2.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{given.phase}"),
        zoos=[zoo(one) for one in given.zoos],
        picks=[species(name) for name in given.picks],
        removed=[species(name) for name in given.removed],
        finished=[
            draftosaurus_pb2.FinishedGame(zoos=[zoo(one) for one in zoos])
            for zoos in given.table.finished
        ],
    )
    hand = [species(name) for name in given.hand]
    return arena_pb2.GameView(
        draftosaurus=draftosaurus_pb2.DraftosaurusView(table=table, hand=hand)
    )


def choice(given: Choice) -> arena_pb2.GameChoice:
    return arena_pb2.GameChoice(
        draftosaurus=draftosaurus_pb2.DraftosaurusChoice(
            kind=draftosaurus_pb2.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{given.kind}"),
            species=species(given.species),
            pen=draftosaurus_pb2.Pen.Value(f"PEN_{given.pen}") if given.pen else 0,  # type: ignore[arg-type]
            slot=given.slot,
        )
    )


def rules(given: Rules) -> draftosaurus_pb2.DraftosaurusRules:
    return draftosaurus_pb2.DraftosaurusRules(**given._asdict())


def first_state(form: str = "winter", seats: int = 4, number: int = 0) -> State:
    """The first state of a match."""
    game = game_of(form)
    chance = Chance(Random(number).randbytes(32), [bytes(16)] * seats)
    state: State = game.start(form, seats, game.rules(None), chance)
    return state


def started(match_id: str, state: State, seat: int = 0) -> arena_pb2.RefereeItem:
    """A match begins."""
    setting = state.table.setting
    message = arena_pb2.MatchStarted(
        match_id=match_id,
        format=setting.format,
        seats=[arena_pb2.Seat(bot=f"bot{n}", version="1", owner="ada") for n in setting.everybody],
        seat=seat,
        commitment=hashlib.sha256(SEED).digest(),
        clock=arena_pb2.Clock(base_ms=1000, bank_ms=10_000, lag_allowance_ms=200, max_faults=3),
        draftosaurus=rules(setting.rules),
    )
    return arena_pb2.RefereeItem(match_started=message)


def ask(match_id: str, ask_id: int, state: State, seat: int = 0) -> arena_pb2.RefereeItem:
    """A decision is wanted."""
    message = arena_pb2.Ask(
        match_id=match_id,
        ask_id=ask_id,
        seat=seat,
        time_ms=600_000,
        bank_ms=10_000,
        view=view(state.view(seat)),
        choices=[choice(one) for one in state.legal(seat)],
    )
    return arena_pb2.RefereeItem(ask=message)


def happened(match_id: str, choices: dict[int, Choice], fault: int = 0) -> arena_pb2.RefereeItem:
    """What everybody chose; the referee for seat 0 where there is a fault."""
    message = arena_pb2.Happened(match_id=match_id, step=0)
    for seat, chosen in choices.items():
        one = message.revealed.add(seat=seat, choice=choice(chosen))
        if seat == 0:
            one.fault = fault  # type: ignore[assignment]
    return arena_pb2.RefereeItem(happened=message)


def ended(match_id: str, state: State, seed: bytes = SEED) -> arena_pb2.RefereeItem:
    """A match is over, whatever the state."""
    result = state.result()
    message = arena_pb2.MatchEnded(match_id=match_id, seed=seed)
    for total, rank in zip(result.totals, result.ranks(), strict=True):
        message.seats.add(total=total, rank=rank)
    message.nonces.extend([bytes(16)] * len(result.totals))
    for scores in state.scores():
        game = message.draftosaurus.games.add(board=draftosaurus_pb2.BOARD_WINTER)
        for score in scores:
            game.scores.add(total=score.total, parts=score.parts, t_rexes=score.t_rexes)
    return arena_pb2.RefereeItem(match_ended=message)


def ping(number: int) -> arena_pb2.RefereeItem:
    """Measures the connection."""
    return arena_pb2.RefereeItem(ping=arena_pb2.Ping(id=number))
