"""An island: eight territories, each with a Dino or empty; Twist Island is one without gaps."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from paddock_games.dino_twist.card import BABIES, CARDS, CLAW, NAMES, STRENGTH, WHICH, Card
from paddock_games.dino_twist.material import HOME, PAIRS, TERRITORIES, Territory

EMPTY: Final = -1
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
        return Island(places)

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


def tornado(twist: Sequence[int]) -> list[int]:
    """TORNADO: Twist Island after the two Dinos of every species swapped places."""
    return list(_swapped(twist))


def stronger(
    islands: Sequence[Sequence[int]],
    twist: Sequence[int],
    small: Sequence[bool],
    by_territory: bool,
) -> list[int]:
    """T13: the seats that have a Dino stronger than one of the two of its species on Twist Island;
    B10: by territory, than the one on its own. Territories of a small island (T17) mean nothing."""
    # Spelled out, because everybody asks in every round. Cards are numbered by strength.
    a, b, c, d, e, f, g, h = twist
    last = _LAST_AS_STRONG
    voli, karni = last[a if a < b else b], last[c if c < d else d]
    herbi, aqua = last[e if e < f else f], last[g if g < h else h]
    weaker = (voli, voli, karni, karni, herbi, herbi, aqua, aqua)
    p, q, r, s, t, u, v, w = [last[code] for code in twist] if by_territory else weaker
    seats = []
    for seat, island in enumerate(islands):
        if small[seat]:
            for code in island:
                if code > weaker[_A_HOME[code]]:
                    seats.append(seat)
                    break
            continue
        a, b, c, d, e, f, g, h = island
        if a > p or b > q or c > r or d > s or e > t or f > u or g > v or h > w:
            seats.append(seat)
    return seats


# By code: the last card of its species that is no stronger; cards are numbered by strength.
_LAST_AS_STRONG: Final = [
    max(c for c in range(len(CARDS)) if WHICH[c] == WHICH[code] and STRENGTH[c] == STRENGTH[code])
    for code in range(len(CARDS))
]
# By code: a territory of its species; for EMPTY any will do.
_A_HOME: Final = (*(PAIRS[which][0] for which in WHICH), 0)
