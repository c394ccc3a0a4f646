"""Draftosaurus on the wire: from the rules' own values to bytes, and back."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from paddock.v1 import arena_pb2, draftosaurus_pb2, match_pb2
from paddock_games.draftosaurus import Choice, Rules, State
from paddock_games.draftosaurus.herd import Herd, unpack
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.zoo import Zoo
from paddock_server.wire import parts as wire

_VIEW: Final = arena_pb2.GameView.DRAFTOSAURUS_FIELD_NUMBER


def rules(given: Rules) -> bytes:
    """The rule options, as a field of MatchStarted."""
    message = draftosaurus_pb2.DraftosaurusRules(**given._asdict())
    return wire.part(arena_pb2.MatchStarted.DRAFTOSAURUS_FIELD_NUMBER, message.SerializeToString())


def table(state: State) -> bytes:
    """What lies open, the same for everybody: a DraftosaurusTable."""
    now = state.table
    turn = now.turn
    parts = [
        wire.number(1, _board(now.board)),
        wire.number(2, now.done),
        wire.number(3, turn.game),
        wire.number(4, turn.round),
        wire.number(5, turn.number),
        wire.number(6, turn.roller),
        wire.number(7, turn.face + 1),
        wire.number(8, _phase(now.phase)),
        *(wire.part(9, _zoo(zoo)) for zoo in now.zoos),
        wire.packed(10, (which + 1 for which in now.picks)),
        wire.packed(11, (which + 1 for which in unpack(now.removed.counts))),
    ]
    finished = (b"".join(wire.part(1, _zoo(zoo)) for zoo in zoos) for zoos in now.finished)
    return b"".join((*parts, *(wire.part(12, game) for game in finished)))


@cache
def _board(name: str) -> int:
    return draftosaurus_pb2.Board.Value(f"BOARD_{name}")


@cache
def _phase(name: str) -> int:
    return draftosaurus_pb2.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{name}")


def view(shared: bytes, state: State, seat: int) -> bytes:
    """What a seat knows, as a GameView, from the shared table and its own hand."""
    return wire.part(_VIEW, wire.part(1, shared) + _hand(state.hands[seat]))


def watched(shared: bytes) -> bytes:
    """The open table, as a GameTable."""
    return wire.part(match_pb2.GameTable.DRAFTOSAURUS_FIELD_NUMBER, shared)


@cache
def choice(given: Choice) -> bytes:
    """A choice, as a GameChoice."""
    kind = draftosaurus_pb2.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{given.kind}")
    pen = draftosaurus_pb2.Pen.Value(f"PEN_{given.pen}") if given.pen else 0
    fields = wire.number(1, kind) + wire.number(2, given.which + 1) + wire.number(3, pen)
    return wire.part(1, fields + wire.number(4, given.slot))


@cache
def _listed(given: Choice) -> bytes:
    return wire.part(arena_pb2.Ask.CHOICES_FIELD_NUMBER, choice(given))


def choices(legal: Sequence[Choice]) -> bytes:
    """The legal choices, as fields of an Ask."""
    return b"".join(map(_listed, legal))


def read_choice(message: arena_pb2.GameChoice) -> Choice:
    """The choice that a bot sent; ValueError where there is no such choice."""
    sent = message.draftosaurus
    kind = draftosaurus_pb2.DraftosaurusPhase.Name(sent.kind).removeprefix("DRAFTOSAURUS_PHASE_")
    species = draftosaurus_pb2.Species.Name(sent.species).removeprefix("SPECIES_")
    pen = draftosaurus_pb2.Pen.Name(sent.pen).removeprefix("PEN_") if sent.pen else None
    return Choice(kind, species, pen, sent.slot)


def scores(end: State) -> bytes:
    """Points by pen, as a field of MatchEnded."""
    message = arena_pb2.DraftosaurusScores()
    for zoos, seats in zip(end.table.finished, end.scores(), strict=True):
        game = message.games.add(board=draftosaurus_pb2.Board.Value(f"BOARD_{zoos[0].board}"))
        for score in seats:
            game.scores.add(total=score.total, parts=score.parts, t_rexes=score.t_rexes)
    return wire.part(arena_pb2.MatchEnded.DRAFTOSAURUS_FIELD_NUMBER, message.SerializeToString())


@cache
def _pen(pen: Pen) -> bytes:
    if not pen.size:
        return b""
    which = draftosaurus_pb2.Pen.Value(f"PEN_{pen.name}")
    dinosaurs = wire.packed(2, (stands + 1 for stands in pen.stands))
    return wire.part(1, wire.number(1, which) + dinosaurs)


def _zoo(zoo: Zoo) -> bytes:
    return b"".join(map(_pen, zoo))


@cache
def _hand(herd: Herd) -> bytes:
    return wire.packed(2, (which + 1 for which in unpack(herd.counts)))
