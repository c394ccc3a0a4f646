"""The enums of Dino Twist in the contract, beside the rules' names."""

from typing import Final, get_args

from paddock.v1 import dino_twist_pb2
from paddock_games.dino_twist import choice, material
from paddock_games.dino_twist.setting import Phase
from paddock_wire.names import Names

SPECIES: Final = Names(dino_twist_pb2.DinoTwistSpecies.DESCRIPTOR, material.SPECIES)
TERRITORIES: Final = Names(dino_twist_pb2.DinoTwistTerritory.DESCRIPTOR, material.TERRITORIES)
EVENT_KINDS: Final = Names(dino_twist_pb2.DinoTwistEventKind.DESCRIPTOR, material.EVENT_KINDS)
KINDS: Final = Names(dino_twist_pb2.DinoTwistKind.DESCRIPTOR, choice.KINDS)
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
PHASES: Final = Names(dino_twist_pb2.DinoTwistPhase.DESCRIPTOR, _PHASES)
