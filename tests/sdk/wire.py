"""What a referee says to a bot of Draftosaurus, built the plain way."""

import hashlib
from random import Random

from paddock.v1 import arena_pb2
from paddock_games import Chance, game_of
from paddock_games.draftosaurus import Choice, State
from tests.wire import draftosaurus_messages, messages

SEED = bytes(32)


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
        draftosaurus=draftosaurus_messages.rules(setting.rules),
    )
    return arena_pb2.RefereeItem(match_started=message)


def ask(match_id: str, ask_id: int, state: State, seat: int = 0) -> arena_pb2.RefereeItem:
    """A decision is wanted."""
    message = messages.ask(match_id, state, seat)
    message.ask_id, message.time_ms, message.bank_ms = ask_id, 600_000, 10_000
    return arena_pb2.RefereeItem(ask=message)


def happened(match_id: str, choices: dict[int, Choice], fault: int = 0) -> arena_pb2.RefereeItem:
    """What everybody chose; the referee for seat 0 where there is a fault."""
    message = arena_pb2.Happened(match_id=match_id, step=0)
    for seat, chosen in choices.items():
        one = message.revealed.add(seat=seat, choice=messages.choice("draftosaurus", chosen))
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
    message.draftosaurus.CopyFrom(draftosaurus_messages.scores(state))
    return arena_pb2.RefereeItem(match_ended=message)


def ping(number: int) -> arena_pb2.RefereeItem:
    """Measures the connection."""
    return arena_pb2.RefereeItem(ping=arena_pb2.Ping(id=number))
