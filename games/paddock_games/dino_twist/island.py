"""An island: eight territories, each with a Dino or empty; Twist Island is one without gaps."""

from functools import lru_cache
from operator import itemgetter
from typing import Final

from paddock_games.dino_twist.card import BABIES, CARDS, CLAW, NAMES, STRENGTH, WHICH, Card
from paddock_games.dino_twist.material import HOME, PAIRS, TERRITORIES, Territory

EMPTY: Final = -1
_new: Final = tuple.__new__
_swapped: Final = itemgetter(1, 0, 3, 2, 5, 4, 7, 6)  # the two territories of every species


class Island(tuple[int, ...]):
    """Card numbers by territory, EMPTY where nobody lives."""

    __slots__ = ()

    def card(self, territory: str) -> Card | None:
        """Who lives there."""
        code = self[TERRITORIES.index(territory)]
        return CARDS[code] if code >= 0 else None

    @property
    def strength(self) -> int:
        """T14: the printed strengths, added."""
        return sum([STRENGTH[code] for code in self])

    @property
    def claws(self) -> int:
        """T16: the cards with a claw."""
        return sum([CLAW[code] for code in self])

    @property
    def is_full(self) -> bool:
        """T15: whether all eight territories are filled."""
        return EMPTY not in self

    def with_(self, territory: int, code: int) -> "Island":
        """The island after this card took that place."""
        places = list(self)
        places[territory] = code
        return _new(Island, places)

    def as_dict(self) -> dict[Territory, str]:
        """The names of the cards by territory; empty ones are left out."""
        return {TERRITORIES[place]: NAMES[code] for place, code in enumerate(self) if code >= 0}

    def __copy__(self) -> "Island":
        return self

    def __deepcopy__(self, memo: object) -> "Island":
        return self

    def __repr__(self) -> str:
        return f"<Island {self.as_dict()}>"


NOBODY: Final = Island([EMPTY] * len(TERRITORIES))
TWIST_ISLAND: Final = Island([BABIES[species] for species in HOME])  # T3


def tornado(twist: Island) -> Island:
    """TORNADO: Twist Island after the two Dinos of every species swapped places."""
    return Island(_swapped(twist))


def may_bury(island: Island, twist: Island, small: bool, by_territory: bool) -> bool:
    """T13, B10: whether a Dino of the island is stronger than at least one of the two of its
    species on Twist Island; by territory, than the one on its own. Territories of a small island
    (T17) mean nothing."""
    bars = _own_bars(twist) if by_territory and not small else _bars(twist)
    if small:
        bars = tuple([bars[_A_HOME[code]] for code in island])
    # Spelled out, because everybody asks in every round.
    a, b, c, d, e, f, g, h = island
    p, q, r, s, t, u, v, w = bars
    return a > p or b > q or c > r or d > s or e > t or f > u or g > v or h > w


def _own_bars(twist: Island) -> tuple[int, ...]:
    """By territory: the number that a card of its species has to surpass to be stronger."""
    return tuple([_NO_STRONGER[code] for code in twist])


@lru_cache(maxsize=256)  # everybody asks about the same few
def _bars(twist: Island) -> tuple[int, ...]:
    """The same, to be stronger than the weaker of the two, which has the lower number."""
    a, b, c, d, e, f, g, h = twist
    one, two = _NO_STRONGER[min(a, b)], _NO_STRONGER[min(c, d)]
    three, four = _NO_STRONGER[min(e, f)], _NO_STRONGER[min(g, h)]
    return (one, one, two, two, three, three, four, four)


# By code: the last card of its species that is no stronger; cards are numbered by strength.
_NO_STRONGER: Final = [
    max(c for c in range(len(CARDS)) if WHICH[c] == WHICH[code] and STRENGTH[c] == STRENGTH[code])
    for code in range(len(CARDS))
]
# By code: a territory of its species; for EMPTY any will do.
_A_HOME: Final = (*(PAIRS[which][0] for which in WHICH), 0)
