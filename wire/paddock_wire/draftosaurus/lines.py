"""Draftosaurus in lines of JSON: the names are those of records and positions."""

from collections.abc import Mapping, Sequence
from typing import Final

from paddock_games.draftosaurus import Choice, View
from paddock_games.draftosaurus.filling import FREE
from paddock_games.draftosaurus.herd import Herd
from paddock_games.draftosaurus.material import FACES, SPECIES, ZOO
from paddock_games.draftosaurus.setting import Setting, setting
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo
from paddock_wire import lines
from paddock_wire.codec import Json, Terms
from paddock_wire.errors import reading

_KEYS: Final = ("kind", "species", "pen", "slot")


def view_json(view: View) -> Json:
    """What a seat knows."""
    return {
        "board": view.board,
        "game": view.game,
        "round": view.round,
        "turn": view.turn,
        "roller": view.roller,
        "die": view.die,
        "phase": view.phase,
        "zoos": [zoo.as_dict() for zoo in view.zoos],
        "hand": list(view.hand),
        "picks": list(view.picks),
        "removed": list(view.removed),
        "finished": [[zoo.as_dict() for zoo in zoos] for zoos in view.finished],
    }


def read_view_json(written: Json, terms: Terms, seat: int) -> View:
    """What the seat knows: equal to the view that was written."""
    with reading("a view", written):
        return View(_table(written, setting(*terms)), seat, Herd.of(written["hand"]))


def _table(written: Json, place: Setting) -> Table:
    game = written["game"]
    done = game * ZOO + written["round"] * place.turns_a_round + written["turn"]
    return Table(
        setting=place,
        done=done,
        turn=place.turn_held_by(written["roller"], done, FACES.index(written["die"])),
        phase=written["phase"],
        zoos=tuple([_zoo(zoo, place.start_zoos[game][0]) for zoo in written["zoos"]]),
        picks=tuple([SPECIES.index(name) for name in written["picks"]]),
        removed=Herd.of(written["removed"]),
        finished=tuple(
            tuple([_zoo(zoo, place.start_zoos[earlier][0]) for zoo in zoos])
            for earlier, zoos in enumerate(written["finished"])
        ),
    )


def _zoo(written: Mapping[str, Sequence[str | None]], empty: Zoo) -> Zoo:
    pens = list(empty)
    for name, dinosaurs in written.items():
        pen = empty.pen(name)
        stands = tuple([FREE if one is None else SPECIES.index(one) for one in dinosaurs])
        pens[pen.ground.at] = pen.ground.pen(stands)
    return Zoo(pens)


def choice_json(choice: Choice) -> Json:
    """A choice."""
    return {key: getattr(choice, key) for key in _KEYS}


def read_choice_json(written: Json) -> Choice:
    """The choice that this stands for."""
    return lines.read_choice(Choice, written, _KEYS)
