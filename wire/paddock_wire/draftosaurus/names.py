"""The enums of Draftosaurus in the contract, beside the rules' names."""

from typing import Final, get_args

from paddock.v1 import draftosaurus_pb2
from paddock_games.draftosaurus import material
from paddock_games.draftosaurus.setting import Phase
from paddock_wire.names import Names

SPECIES: Final = Names(draftosaurus_pb2.Species.DESCRIPTOR, material.SPECIES)
FACES: Final = Names(draftosaurus_pb2.Face.DESCRIPTOR, material.FACES)
BOARDS: Final = Names(draftosaurus_pb2.Board.DESCRIPTOR, material.BOARDS)
_PENS: Final[tuple[material.PenName, ...]] = get_args(material.PenName)
PENS: Final = Names(draftosaurus_pb2.Pen.DESCRIPTOR, _PENS)
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
PHASES: Final = Names(draftosaurus_pb2.DraftosaurusPhase.DESCRIPTOR, _PHASES)  # and of choices
