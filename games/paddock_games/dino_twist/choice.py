"""The choices of a seat: one object for every choice, so that equal choices are identical."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from paddock_games.dino_twist.card import (
    CARDS,
    CLAW,
    NAMED,
    ONE,
    STRENGTH,
    WHICH,
    Card,
    pack,
)
from paddock_games.dino_twist.event import BURIAL, DISCARD, DUO, MIXED, SINGLE, TRIO
from paddock_games.dino_twist.material import (
    COPIES,
    MOST_DISCARDED,
    PAIRS,
    SPECIES,
    TERRITORIES,
    Species,
    Territory,
)
from paddock_games.errors import IllegalChoice
from paddock_games.field import shown

Kind: TypeAlias = Literal["PLAY", "BURY", "ATTACK", "DISCARD"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_Key: TypeAlias = tuple[Kind, tuple[int, ...], int, int, int, int]


class Choice:
    """A decision: PLAY cards (T7), BURY two (T13), ATTACK a territory and settle what is beaten
    (T10, T11), or DISCARD up to three (NEW_GENERATIONS).

    `species` is what a PLAY attacks; `territory` is what is attacked, in a PLAY only where the
    rules want it named (B6), in an ATTACK None for waiving it (B8); `settle` is where the beaten
    Dino goes on the own island, None for discarding it. A DISCARD that another seat made shows
    only how many cards it was: `face_down`.
    """

    __slots__ = (
        "aims", "at", "clash", "codes", "face_down", "goes", "kind", "packed", "shape", "stays",
        "strength", "to", "which",
    )  # fmt: skip

    kind: Kind
    face_down: int
    codes: tuple[int, ...]
    which: int  # the index of the species, -1 where there is none
    at: int  # the index of the territory, -1 where there is none
    to: int  # the index of where it settles, -1 where there is none
    shape: int  # SINGLE, DUO, TRIO, MIXED, BURIAL or DISCARD; 0 of an ATTACK, and face down
    strength: int  # of a PLAY: of all its cards together, else 0
    clash: int  # of a PLAY: its species and strength in one; equals cancel each other (T8)
    aims: int  # of a PLAY that names a territory: which of its species' two it is, as a bit
    stays: int  # of a PLAY: the card that stays on Twist Island (T10), else -1
    packed: int  # all its cards
    goes: int  # of a PLAY: the cards that do not stay, packed

    def __new__(
        cls,
        kind: str,
        cards: Iterable[Card | str] = (),
        species: str | None = None,
        territory: str | None = None,
        settle: str | None = None,
        face_down: int = 0,
    ) -> "Choice":
        """The one object for this choice; IllegalChoice where there is no such choice."""
        words: list[Any] = [kind, cards, species, territory, settle, face_down]
        try:
            codes = tuple(sorted(_code(card) for card in _listed(cards)))
            which = _index(SPECIES, species)
            at, to = _index(TERRITORIES, territory), _index(TERRITORIES, settle)
            if kind == "PLAY" and which < 0 and len({WHICH[code] for code in codes}) == 1:
                which = WHICH[codes[0]]
            key = (_KIND[kind], codes, which, at, to, face_down)
            choice = _CHOICES.get(key)
            if choice is None and type(face_down) is int and _exists(*key):
                choice = _make(key)
            if choice is not None:
                return choice
        except (KeyError, TypeError, ValueError):
            pass
        shown_words = " ".join(shown(w) for w in words if w or w == 0)
        raise IllegalChoice("choice", f"there is no choice {shown_words}")

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that are used, in order."""
        return tuple([CARDS[code] for code in self.codes])

    @property
    def species(self) -> Species | None:
        """What a PLAY attacks."""
        return SPECIES[self.which] if self.which >= 0 else None

    @property
    def territory(self) -> Territory | None:
        """What is attacked."""
        return TERRITORIES[self.at] if self.at >= 0 else None

    @property
    def settle(self) -> Territory | None:
        """Where the beaten Dino goes."""
        return TERRITORIES[self.to] if self.to >= 0 else None

    @property
    def open(self) -> "Choice":
        """What everybody else gets to know of it: of a DISCARD only how many cards it was."""
        if self.kind == "DISCARD" and self.codes:
            return Choice("DISCARD", face_down=len(self.codes))
        return self

    def __reduce__(self) -> tuple[type["Choice"], tuple[object, ...]]:
        words = (self.kind, self.cards, self.species, self.territory, self.settle, self.face_down)
        return Choice, words

    def __copy__(self) -> "Choice":
        return self

    def __deepcopy__(self, memo: object) -> "Choice":
        return self

    def __str__(self) -> str:
        if self.kind == "ATTACK":
            if self.territory is None:
                return "ATTACK nothing"
            what = f"settle in {self.settle}" if self.settle else "discard what is beaten"
            return f"ATTACK {self.territory} and {what}"
        words = [self.kind, *map(str, self.cards)]
        if self.shape == MIXED:
            words.append(f"as {self.species}")
        if self.territory:
            words.append(f"at {self.territory}")
        if self.face_down:
            words.append(f"{self.face_down} face down")
        return " ".join(words) if len(words) > 1 else f"{self.kind} nothing"

    def __repr__(self) -> str:
        names = [card.name for card in self.cards]
        return (
            f"Choice({self.kind!r}, {names}, {self.species!r}, {self.territory!r}, "
            f"{self.settle!r}, {self.face_down})"
        )


_CHOICES: Final[dict[_Key, Choice]] = {}
_KIND: Final[dict[str, Kind]] = {kind: kind for kind in KINDS}
_SHAPES: Final = {1: SINGLE, 2: DUO, 3: TRIO}
_OTHER_SHAPES: Final = {"BURY": BURIAL, "DISCARD": DISCARD}


def _listed(cards: object) -> Iterable[Any]:
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise TypeError("cards must be a list")
    return cards


def _code(card: object) -> int:
    return card.code if isinstance(card, Card) else NAMED[card].code  # type: ignore[index]


def _index(names: Sequence[str], name: str | None) -> int:
    return -1 if name is None else names.index(name)


def _exists(
    kind: str, codes: tuple[int, ...], which: int, at: int, to: int, face_down: int
) -> bool:
    """Whether some seat could choose this in some game."""
    size = len(codes)
    if any(codes.count(code) > COPIES for code in codes):
        return False
    if kind == "ATTACK":
        return not codes and which < 0 and not face_down and (at >= 0 or to < 0)
    if to >= 0:
        return False
    if kind == "PLAY":
        species = {WHICH[code] for code in codes}
        right = which in species and (at < 0 or at in PAIRS[which]) and not face_down
        return right and (size <= 3 if len(species) == 1 else size == 2)
    if which >= 0 or at >= 0:
        return False
    if kind == "BURY":
        return size == 2 and not face_down
    return kind == "DISCARD" and 0 <= face_down <= MOST_DISCARDED and (
        size <= MOST_DISCARDED if not face_down else not size
    )  # fmt: skip


def _make(key: _Key) -> Choice:
    kind, codes, which, at, _, face_down = key
    choice = object.__new__(Choice)
    choice.kind, choice.codes, choice.which, choice.at, choice.to, choice.face_down = key
    choice.strength, choice.clash, choice.aims, choice.stays, choice.goes = 0, -1, 0, -1, 0
    choice.shape = 0 if face_down else _OTHER_SHAPES.get(kind, 0)
    choice.packed = pack(codes)
    if kind == "PLAY":
        choice.strength = sum(STRENGTH[code] for code in codes)
        choice.clash = choice.strength * len(SPECIES) + which
        choice.aims = 1 << PAIRS[which].index(at) if at >= 0 else 0
        mixed = WHICH[codes[0]] != WHICH[codes[-1]]
        choice.shape = MIXED if mixed else _SHAPES[len(codes)]
        # T10, B9, HELP: the weakest of the attacked species stays; of equals one without a claw.
        mine = [code for code in codes if WHICH[code] == which]
        choice.stays = min(mine, key=lambda code: (STRENGTH[code], CLAW[code]))
        choice.goes = choice.packed - ONE[choice.stays]
    _CHOICES[key] = choice
    return choice


def of(kind: Kind, codes: tuple[int, ...], which: int = -1, at: int = -1, to: int = -1) -> Choice:
    """The choice of these sorted codes and indices, which must be one that exists."""
    key = (kind, codes, which, at, to, 0)
    choice = _CHOICES.get(key)
    return _make(key) if choice is None else choice


NO_ATTACK: Final = of("ATTACK", ())
