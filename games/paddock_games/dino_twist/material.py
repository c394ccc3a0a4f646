"""The material: species, territories, strengths and events, as printed (T1-T5, B1)."""

from typing import Final, Literal, TypeAlias, get_args

Species: TypeAlias = Literal["AQUA", "KARNI", "HERBI", "VOLI"]
Territory: TypeAlias = Literal[
    "MOUNTAINS", "CLIFF", "JUNGLE", "DESERT", "RIVERSIDE", "HILL", "BEACH", "SEA"
]
EventKind: TypeAlias = Literal[
    "METEOR",
    "FURY",
    "VOLCANO",
    "NEVER_TWO_WITHOUT_THREE",
    "ALONE",
    "EARTHQUAKE",
    "TORNADO",
    "NEW_GENERATIONS",
    "CARNAGE",
    "HELP",
]

# The order of species and events is part of how chance is drawn: the deck and the events are laid
# out in this order before they are shuffled.
SPECIES: Final[tuple[Species, ...]] = get_args(Species)
TERRITORIES: Final[tuple[Territory, ...]] = get_args(Territory)
EVENT_KINDS: Final[tuple[EventKind, ...]] = get_args(EventKind)

HOME: Final = (3, 3, 1, 1, 2, 2, 0, 0)  # T2: the species of every territory
PAIRS: Final = ((6, 7), (2, 3), (4, 5), (0, 1))  # T2: the two territories of every species

BABY: Final = 1  # T1: the strength of a baby
STRENGTHS: Final = range(2, 11)  # T1: of the other Dinos
COPIES: Final = 3  # T1: of every species and strength
BABIES_OF_EACH: Final = 2  # T1
HAND: Final = 7  # T5, T12
TOO_MANY: Final = 5  # T5: of one species in a hand that is dealt
EVENTS_SHOWN: Final = 10  # T4
MOST_DISCARDED: Final = 3  # NEW_GENERATIONS
MIN_SEATS: Final = 2
MAX_SEATS: Final = 6

# B1: cards of each event; METEOR has one for every territory, FURY one for every species.
EVENT_COPIES: Final[dict[EventKind, int]] = {
    "METEOR": 1,
    "FURY": 1,
    "VOLCANO": 1,
    "NEVER_TWO_WITHOUT_THREE": 2,
    "ALONE": 2,
    "EARTHQUAKE": 2,
    "TORNADO": 2,
    "NEW_GENERATIONS": 2,
    "CARNAGE": 1,
    "HELP": 1,
}

FURY_BONUS: Final = 3
CARNAGE_BONUS: Final = 2
GRAVEYARD_POINTS: Final = 2  # B4
ISLAND_BONUSES: Final = (10, 5, 3)  # T15
CLAW_BONUS: Final = 7  # T16
