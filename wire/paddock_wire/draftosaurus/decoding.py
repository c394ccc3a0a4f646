"""Draftosaurus from the wire: from messages to the rules' own values."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games import IllegalChoice
from paddock_games.draftosaurus import Choice, Draftosaurus, Rules, View
from paddock_games.draftosaurus.filling import FREE
from paddock_games.draftosaurus.herd import Herd, pack
from paddock_games.draftosaurus.material import BoardName
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import Score
from paddock_games.draftosaurus.setting import Setting, setting
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo, empty_zoo
from paddock_wire.codec import Terms
from paddock_wire.draftosaurus.names import BOARDS, FACES, PENS, PHASES, SPECIES
from paddock_wire.errors import Unreadable, excerpt, reading
from paddock_wire.options import read_options

_GAME: Final = Draftosaurus()
_STANDS: Final = {draftosaurus_pb2.SPECIES_UNSPECIFIED: FREE, **SPECIES.index}


def read_rules(message: arena_pb2.MatchStarted) -> Rules:
    """The rule options of a match that begins."""
    rules: Rules = read_options(_GAME, message.draftosaurus)
    return rules


def read_choice(message: arena_pb2.GameChoice) -> Choice:
    """The choice that a message stands for."""
    sent = message.draftosaurus
    try:
        return _choice(sent.kind, sent.species, sent.pen, sent.slot)
    except (KeyError, IllegalChoice):
        raise Unreadable(f"there is no choice {excerpt(sent)}") from None


@cache  # of the choices there are: what raises is not kept
def _choice(kind: int, species: int, pen: int, slot: int) -> Choice:
    return Choice(PHASES.name[kind], SPECIES.name[species], PENS.name_or_none[pen], slot)


def read_view(message: arena_pb2.GameView, terms: Terms, seat: int) -> View:
    """What the seat knows: equal to the view that was sent."""
    sent = message.draftosaurus
    with reading("a view", sent):
        return View(_table(sent.table, setting(*terms)), seat, _herd(sent.hand))


def read_scores(message: arena_pb2.MatchEnded) -> tuple[tuple[Score, ...], ...]:
    """The points by pen, by game of the match and by seat."""
    return tuple(
        tuple(Score(seat.total, dict(seat.parts), seat.t_rexes) for seat in game.scores)
        for game in message.draftosaurus.games
    )


def _table(sent: draftosaurus_pb2.DraftosaurusTable, place: Setting) -> Table:
    return Table(
        setting=place,
        done=sent.turns_done,
        turn=place.turn_held_by(sent.roller, sent.turns_done, FACES.index[sent.die]),
        phase=PHASES.name[sent.phase],
        zoos=tuple(map(_pens(BOARDS.name[sent.board], place.rules).zoo, sent.zoos)),
        picks=tuple([SPECIES.index[pick] for pick in sent.picks]),
        removed=_herd(sent.removed),
        finished=tuple(
            tuple(map(_pens(board, place.rules).zoo, game.zoos))
            for game, board in zip(sent.finished, place.boards, strict=False)
        ),
    )


class _Pens(dict[bytes, Pen]):
    """The pens of a board by their messages' bytes: from turn to turn most pens stay the same."""

    def __init__(self, board: BoardName, rules: Rules) -> None:
        self.empty: Final = tuple(empty_zoo(board, rules))
        self._index = {PENS.number[pen.name]: index for index, pen in enumerate(self.empty)}

    def __missing__(self, contents: bytes) -> Pen:
        sent = draftosaurus_pb2.PenContents.FromString(contents)
        ground = self.empty[self._index[sent.pen]].ground
        pen = self[contents] = ground.pen(tuple([_STANDS[number] for number in sent.dinosaurs]))
        return pen

    def zoo(self, sent: draftosaurus_pb2.Zoo) -> Zoo:
        """The zoo that a message stands for."""
        pens = list(self.empty)
        for contents in sent.pens:
            pen = self[contents.SerializeToString()]
            pens[pen.ground.at] = pen
        return Zoo(pens)


@cache
def _pens(board: BoardName, rules: Rules) -> _Pens:
    return _Pens(board, rules)


def _herd(sent: Iterable[int]) -> Herd:
    return Herd(pack([SPECIES.index[number] for number in sent]))
