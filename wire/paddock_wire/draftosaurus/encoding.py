"""Draftosaurus for the wire: from the rules' own values to bytes."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from paddock.v1 import arena_pb2, draftosaurus_pb2, match_pb2
from paddock_games.draftosaurus import Choice, Rules, View
from paddock_games.draftosaurus.herd import Herd, unpack
from paddock_games.draftosaurus.material import BoardName
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import scores as points
from paddock_games.draftosaurus.setting import Phase, Turn
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo
from paddock_wire.draftosaurus.names import BOARDS, FACES, PENS, PHASES, SPECIES
from paddock_wire.fields import Field

_RULES: Final = Field(arena_pb2.MatchStarted.DRAFTOSAURUS_FIELD_NUMBER)
_SCORES: Final = Field(arena_pb2.MatchEnded.DRAFTOSAURUS_FIELD_NUMBER)
_CHOICES: Final = Field(arena_pb2.Ask.CHOICES_FIELD_NUMBER)
_GAME_VIEW: Final = Field(arena_pb2.GameView.DRAFTOSAURUS_FIELD_NUMBER)
_GAME_TABLE: Final = Field(match_pb2.GameTable.DRAFTOSAURUS_FIELD_NUMBER)
_GAME_CHOICE: Final = Field(arena_pb2.GameChoice.DRAFTOSAURUS_FIELD_NUMBER)

_table: Final = draftosaurus_pb2.DraftosaurusTable
_BOARD: Final = Field(_table.BOARD_FIELD_NUMBER)
_TURNS_DONE: Final = Field(_table.TURNS_DONE_FIELD_NUMBER)
_GAME: Final = Field(_table.GAME_FIELD_NUMBER)
_ROUND: Final = Field(_table.ROUND_FIELD_NUMBER)
_TURN: Final = Field(_table.TURN_FIELD_NUMBER)
_ROLLER: Final = Field(_table.ROLLER_FIELD_NUMBER)
_DIE: Final = Field(_table.DIE_FIELD_NUMBER)
_PHASE: Final = Field(_table.PHASE_FIELD_NUMBER)
_ZOOS: Final = Field(_table.ZOOS_FIELD_NUMBER)
_PICKS: Final = Field(_table.PICKS_FIELD_NUMBER)
_REMOVED: Final = Field(_table.REMOVED_FIELD_NUMBER)
_FINISHED: Final = Field(_table.FINISHED_FIELD_NUMBER)
_FINISHED_ZOOS: Final = Field(draftosaurus_pb2.FinishedGame.ZOOS_FIELD_NUMBER)
_PENS: Final = Field(draftosaurus_pb2.Zoo.PENS_FIELD_NUMBER)
_PEN: Final = Field(draftosaurus_pb2.PenContents.PEN_FIELD_NUMBER)
_DINOSAURS: Final = Field(draftosaurus_pb2.PenContents.DINOSAURS_FIELD_NUMBER)

_VIEW_TABLE: Final = Field(draftosaurus_pb2.DraftosaurusView.TABLE_FIELD_NUMBER)
_HAND: Final = Field(draftosaurus_pb2.DraftosaurusView.HAND_FIELD_NUMBER)

_CHOICE_KIND: Final = Field(draftosaurus_pb2.DraftosaurusChoice.KIND_FIELD_NUMBER)
_CHOICE_SPECIES: Final = Field(draftosaurus_pb2.DraftosaurusChoice.SPECIES_FIELD_NUMBER)
_CHOICE_PEN: Final = Field(draftosaurus_pb2.DraftosaurusChoice.PEN_FIELD_NUMBER)
_CHOICE_SLOT: Final = Field(draftosaurus_pb2.DraftosaurusChoice.SLOT_FIELD_NUMBER)


def rules(rules: Rules) -> bytes:
    """The rule options, as a field of MatchStarted."""
    return _RULES.part(draftosaurus_pb2.DraftosaurusRules(**rules._asdict()).SerializeToString())


def table(table: Table) -> bytes:
    """What lies open, the same for everybody: a DraftosaurusTable."""
    parts = [_head(table.board, table.done, table.turn, table.phase)]
    parts += [_ZOOS.part(_zoo(zoo)) for zoo in table.zoos]
    if table.picks:
        parts.append(_PICKS.packed(_numbers(table.picks)))
    if table.removed.counts:
        parts.append(_REMOVED.packed(_numbers(unpack(table.removed.counts))))
    parts += [_FINISHED.part(_finished(zoos)) for zoos in table.finished]
    return b"".join(parts)


@cache
def _head(board: BoardName, done: int, turn: Turn, phase: Phase) -> bytes:
    parts = (
        _BOARD.number(BOARDS.number[board]),
        _TURNS_DONE.number(done),
        _GAME.number(turn.game),
        _ROUND.number(turn.round),
        _TURN.number(turn.number),
        _ROLLER.number(turn.roller),
        _DIE.number(FACES.numbers[turn.face]),
        _PHASE.number(PHASES.number[phase]),
    )
    return b"".join(parts)


def view(shared: bytes, view: View) -> bytes:
    """What a seat knows, as a GameView, from the shared table and its own hand."""
    return _GAME_VIEW.part(_VIEW_TABLE.part(shared) + _hand(view.hand))


def watched(shared: bytes) -> bytes:
    """The open table, as a GameTable."""
    return _GAME_TABLE.part(shared)


@cache
def choice(choice: Choice) -> bytes:
    """A choice, as a GameChoice."""
    parts = (
        _CHOICE_KIND.number(PHASES.number[choice.kind]),
        _CHOICE_SPECIES.number(SPECIES.numbers[choice.which]),
        _CHOICE_PEN.number(PENS.number[choice.pen] if choice.pen else 0),
        _CHOICE_SLOT.number(choice.slot),
    )
    return _GAME_CHOICE.part(b"".join(parts))


@cache
def _offered(legal: Choice) -> bytes:
    return _CHOICES.part(choice(legal))


def choices(legal: Sequence[Choice]) -> bytes:
    """The legal choices, as fields of an Ask."""
    return b"".join(map(_offered, legal))


def scores(table: Table) -> bytes:
    """The points by pen of all games, as a field of MatchEnded."""
    message = arena_pb2.DraftosaurusScores()
    for zoos in table.finished:
        game = message.games.add()
        game.board = draftosaurus_pb2.Board.ValueType(BOARDS.number[zoos[0].board])
        for score in points(zoos):
            game.scores.add(total=score.total, parts=score.parts, t_rexes=score.t_rexes)
    return _SCORES.part(message.SerializeToString())


def _numbers(species: Sequence[int]) -> list[int]:
    """The contract's numbers of species by index; 0 for -1, a free slot."""
    return [SPECIES.numbers[index] for index in species]


@cache
def _pen(pen: Pen) -> bytes:
    if not pen.size:
        return b""
    return _PENS.part(_PEN.number(PENS.number[pen.name]) + _DINOSAURS.packed(_numbers(pen.stands)))


def _zoo(zoo: Zoo) -> bytes:
    return b"".join(map(_pen, zoo))


def _finished(zoos: Sequence[Zoo]) -> bytes:
    return b"".join([_FINISHED_ZOOS.part(_zoo(zoo)) for zoo in zoos])


@cache
def _hand(hand: Herd) -> bytes:
    return _HAND.packed(_numbers(unpack(hand.counts)))
