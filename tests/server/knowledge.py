"""What a seat may know, put together from a finished record with the generated code alone.

Nothing here comes from the server: the record is played again by the rules, and every message
that the seat should have got is built from the states that this goes through.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from paddock.v1 import arena_pb2, draftosaurus_pb2, match_pb2
from paddock_games import FORMATS, dino_twist
from tests.wire import dino_twist_messages

Wire: Any = draftosaurus_pb2


def _species(name: str | None) -> int:
    return int(Wire.Species.Value(f"SPECIES_{name}")) if name else 0


def _zoo(zoo: Any) -> Any:
    return Wire.Zoo(
        pens=[
            Wire.PenContents(
                pen=Wire.Pen.Value(f"PEN_{pen.name}"), dinosaurs=map(_species, pen.dinosaurs)
            )
            for pen in zoo
            if pen.size
        ]
    )


def _draftosaurus_table(state: Any) -> Any:
    view = state.view(0)
    return Wire.DraftosaurusTable(
        board=Wire.Board.Value(f"BOARD_{view.board}"),
        turns_done=state.table.done,
        game=view.game,
        round=view.round,
        turn=view.turn,
        roller=view.roller,
        die=Wire.Face.Value(f"FACE_{view.die}"),
        phase=Wire.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{view.phase}"),
        zoos=map(_zoo, view.zoos),
        picks=map(_species, view.picks),
        removed=map(_species, view.removed),
        finished=[Wire.FinishedGame(zoos=map(_zoo, zoos)) for zoos in state.table.finished],
    )


def _draftosaurus_choice(choice: Any) -> Any:
    return Wire.DraftosaurusChoice(
        kind=Wire.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{choice.kind}"),
        species=_species(choice.species),
        pen=Wire.Pen.Value(f"PEN_{choice.pen}") if choice.pen else 0,
        slot=choice.slot,
    )


def _draftosaurus_view(state: Any, seat: int) -> Any:
    hand = map(_species, state.hands[seat])
    return Wire.DraftosaurusView(table=_draftosaurus_table(state), hand=hand)


class _Game(NamedTuple):
    """How one game is told, by the name of its field in the contract's oneofs."""

    table: Callable[[Any], Any]
    view: Callable[[Any, int], Any]
    choice: Callable[[Any], Any]


_GAMES: Final = {
    "draftosaurus": _Game(_draftosaurus_table, _draftosaurus_view, _draftosaurus_choice),
    "dino_twist": _Game(
        dino_twist_messages.table, dino_twist_messages.view, dino_twist_messages.choice
    ),
}


def _game(state: Any) -> str:
    return FORMATS[state.table.setting.format].game


def table(state: Any) -> match_pb2.GameTable:
    """What lies open."""
    game = _game(state)
    return match_pb2.GameTable(**{game: _GAMES[game].table(state)})


def _choice(game: str, choice: Any) -> arena_pb2.GameChoice:
    return arena_pb2.GameChoice(**{game: _GAMES[game].choice(choice)})


def _ask(match_id: str, state: Any, seat: int) -> arena_pb2.RefereeItem:
    """An ask without its id and its times."""
    game = _game(state)
    ask = arena_pb2.Ask(
        match_id=match_id,
        seat=seat,
        view=arena_pb2.GameView(**{game: _GAMES[game].view(state, seat)}),
        choices=[_choice(game, choice) for choice in state.legal(seat)],
    )
    return arena_pb2.RefereeItem(ask=ask)


def happened(match_id: str, number: int, step: Any) -> arena_pb2.Happened:
    """What everybody chose in a step; what was discarded face down stays hidden."""
    game = _game(step.state)
    return arena_pb2.Happened(
        match_id=match_id,
        step=number,
        revealed=[
            arena_pb2.Revealed(seat=seat, choice=_choice(game, _open(step.choices[seat])))
            for seat in sorted(step.choices)
        ],
    )


def _open(choice: Any) -> Any:
    if choice.kind == "DISCARD" and choice.cards:
        return dino_twist.Choice("DISCARD", face_down=len(choice.cards))
    return choice


def of_seat(replay: Any, seat: int) -> Iterator[arena_pb2.RefereeItem]:
    """All that a seat is told between MatchStarted and MatchEnded, in order."""
    match_id = replay.match.id
    for number, step in enumerate(replay.steps):
        if seat in step.choices:
            yield _ask(match_id, step.state, seat)
        yield arena_pb2.RefereeItem(happened=happened(match_id, number, step))


def has_unknown_fields(message: Message) -> bool:
    """Whether anything is in the message that the contract does not know."""
    if len(UnknownFieldSet(message)):
        return True
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        inside = value if field.is_repeated else [value]
        if any(has_unknown_fields(each) for each in inside):
            return True
    return False
