"""Draftosaurus between the wire and the rules library: messages in, the rules' own values out."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from paddock.errors import Unreadable
from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games import BadRules
from paddock_games.draftosaurus import Choice, Rules, View
from paddock_games.draftosaurus.choice import KINDS
from paddock_games.draftosaurus.filling import FREE
from paddock_games.draftosaurus.herd import Herd, pack
from paddock_games.draftosaurus.material import FACES, PLOTS, SPECIES, BoardName
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import Score
from paddock_games.draftosaurus.setting import Phase, Setting, Turn, setting
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo, empty_zoo

# Everything is looked up by name, so that a number this library does not know is an error here
# and not a wrong dinosaur there.
_SPECIES: Final[dict[int, int]] = {
    draftosaurus_pb2.Species.Value(f"SPECIES_{name}"): which for which, name in enumerate(SPECIES)
}
_STANDS: Final = {draftosaurus_pb2.SPECIES_UNSPECIFIED: FREE, **_SPECIES}
_FACES: Final[dict[int, int]] = {
    draftosaurus_pb2.Face.Value(f"FACE_{name}"): face for face, name in enumerate(FACES)
}
_BOARDS: Final[dict[int, BoardName]] = {
    draftosaurus_pb2.BOARD_SUMMER: "SUMMER",
    draftosaurus_pb2.BOARD_WINTER: "WINTER",
}
_PHASES: Final[dict[int, Phase]] = {
    draftosaurus_pb2.DRAFTOSAURUS_PHASE_PICK: "PICK",
    draftosaurus_pb2.DRAFTOSAURUS_PHASE_PLACE: "PLACE",
    draftosaurus_pb2.DRAFTOSAURUS_PHASE_REMOVE: "REMOVE",
    draftosaurus_pb2.DRAFTOSAURUS_PHASE_MOVE: "MOVE",
    draftosaurus_pb2.DRAFTOSAURUS_PHASE_OVER: "OVER",
}
_PENS_AT: Final[dict[BoardName, dict[int, int]]] = {
    board: {draftosaurus_pb2.Pen.Value(f"PEN_{plot.name}"): at for at, plot in enumerate(plots)}
    for board, plots in PLOTS.items()
}


def _all_choices() -> dict[tuple[int, int, int, int], Choice]:
    """Every choice there is, by what a message says of it."""
    species, pens, phases = (
        draftosaurus_pb2.Species,
        draftosaurus_pb2.Pen,
        draftosaurus_pb2.DraftosaurusPhase,
    )
    made: dict[tuple[int, int, int, int], Choice] = {}
    for kind in KINDS:
        phase = phases.Value(f"DRAFTOSAURUS_PHASE_{kind}")
        for name in SPECIES:
            which = species.Value(f"SPECIES_{name}")
            if kind in ("PICK", "REMOVE"):
                made[phase, which, 0, 0] = Choice(kind, name)
                continue
            for pen in {plot.name for plots in PLOTS.values() for plot in plots}:
                for slot in range(6 if pen == "PYRAMID" else 1):
                    where = pens.Value(f"PEN_{pen}")
                    made[phase, which, where, slot] = Choice(kind, name, pen, slot)
    return made


_CHOICES: Final = _all_choices()


def rules(message: arena_pb2.MatchStarted) -> Rules:
    """The rule options of a match that begins."""
    options = message.draftosaurus
    return Rules(
        quarantine_may_stay=options.quarantine_may_stay,
        five_player_die_hold=options.five_player_die_hold,
        prairie_capacity=options.prairie_capacity if options.HasField("prairie_capacity") else None,
        place_after_reveal=options.place_after_reveal,
    )


def choice(message: arena_pb2.GameChoice) -> Choice:
    """The rules' choice that a message stands for."""
    said = message.draftosaurus
    try:
        return _CHOICES[said.kind, said.species, said.pen, said.slot]
    except KeyError:
        raise Unreadable(f"there is no choice {_shown(said)}") from None


def choice_message(chosen: Choice) -> arena_pb2.GameChoice:
    """The message for a choice."""
    said = draftosaurus_pb2.DraftosaurusChoice(
        kind=draftosaurus_pb2.DraftosaurusPhase.Value(f"DRAFTOSAURUS_PHASE_{chosen.kind}"),
        species=draftosaurus_pb2.Species.Value(f"SPECIES_{chosen.species}"),
        pen=draftosaurus_pb2.Pen.Value(f"PEN_{chosen.pen or 'UNSPECIFIED'}"),
        slot=chosen.slot,
    )
    return arena_pb2.GameChoice(draftosaurus=said)


def view(
    message: arena_pb2.GameView, seat: int, format_name: str, seats: int, options: Rules
) -> View:
    """What the seat knows, as the rules library has it: equal to the view on the server."""
    said = message.draftosaurus
    try:
        place = setting(format_name, seats, options)
    except BadRules as problem:
        raise Unreadable(str(problem)) from None
    return View(_table(said.table, place), seat, _herd(said.hand))


def scores(message: arena_pb2.MatchEnded) -> tuple[tuple[Score, ...], ...]:
    """The points by pen, by game of the match and by seat."""
    return tuple(
        tuple(Score(s.total, dict(s.parts), s.t_rexes) for s in game.scores)
        for game in message.draftosaurus.games
    )


def _table(said: draftosaurus_pb2.DraftosaurusTable, place: Setting) -> Table:
    try:
        return Table(
            place,
            said.turns_done,
            _turn(place, said.turns_done, said.roller, _FACES[said.die]),
            _PHASES[said.phase],
            tuple(map(_pens(_BOARDS[said.board], place.rules).zoo, said.zoos)),
            tuple(_SPECIES[pick] for pick in said.picks),
            _herd(said.removed),
            tuple(
                tuple(map(_pens(board, place.rules).zoo, game.zoos))
                for game, board in zip(said.finished, place.boards, strict=False)
            ),
        )
    except KeyError as unknown:
        raise Unreadable(f"a table with an unknown {unknown}: {_shown(said)}") from None


def _turn(place: Setting, done: int, roller: int, face: int) -> Turn:
    # The die has passed from hand to hand since the first roller held it: had that been seat 0,
    # this is who would hold it now.
    passed = place.turn(0, done, face).roller
    return place.turn((roller - passed) % place.seats, done, face)


class _Pens(dict[bytes, Pen]):
    """The pens of a board by their messages' bytes: from turn to turn most pens stay the same."""

    def __init__(self, board: BoardName, options: Rules) -> None:
        self.empty: Final = tuple(empty_zoo(board, options))
        self._at = _PENS_AT[board]

    def __missing__(self, contents: bytes) -> Pen:
        message = draftosaurus_pb2.PenContents.FromString(contents)
        ground = self.empty[self._at[message.pen]].ground
        pen = self[contents] = ground.pen(tuple(_STANDS[which] for which in message.dinosaurs))
        return pen

    def zoo(self, said: draftosaurus_pb2.Zoo) -> Zoo:
        """The zoo that a message stands for."""
        pens = list(self.empty)
        for contents in said.pens:
            pen = self[contents.SerializeToString()]
            pens[pen.ground.at] = pen
        return Zoo(pens)


@cache
def _pens(board: BoardName, options: Rules) -> _Pens:
    return _Pens(board, options)


def _herd(said: Iterable[int]) -> Herd:
    try:
        return Herd(pack(_SPECIES[which] for which in said))
    except KeyError as unknown:
        raise Unreadable(f"there is no species {unknown}") from None


def _shown(message: object) -> str:
    return " ".join(str(message).split())[:200]
