"""A moment of a match: all that there is to know of it, in fields that a step copies and changes.

A state is a moment that nobody changes any more. What it is made of, the open table, the hands and
the hidden rest, is put together when somebody asks for it. Islands, hands and the draw pile are
lists here, which are quicker to make than tuples. Moments share them, so none is ever changed in
its place but those of `_hands`, `_islands` and `_graveyards` that a step has made itself.
"""

from typing import Final

from paddock_games.chance import Cursor
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.deal import Hands, Hidden
from paddock_games.dino_twist.event import BURIAL, DISCARD, Event
from paddock_games.dino_twist.island import Island, stronger
from paddock_games.dino_twist.scoring import Graveyard
from paddock_games.dino_twist.setting import Phase, Setting
from paddock_games.dino_twist.table import Table

# What a named tuple's own constructor does, without the cost of binding its arguments.
_new: Final = tuple.__new__


class Moment:
    """The fields of a table and of what is hidden."""

    __slots__ = (
        "_allowed", "_asked", "_attacks", "_bonuses", "_cursor", "_discards", "_drawn", "_event",
        "_events", "_face_down", "_graveyards", "_hands", "_islands", "_laid_down", "_phase",
        "_pile", "_plays", "_round", "_setting", "_shown", "_shuffled", "_table", "_twist",
        "_waiting",
    )  # fmt: skip

    _setting: Setting
    _round: int
    _events: tuple[int, ...]  # those to come as well
    _shown: int  # how many of them have shown
    _event: Event
    _phase: Phase
    _asked: tuple[int, ...]
    _twist: list[int]
    _islands: list[list[int]]
    _graveyards: list[Graveyard]
    _bonuses: tuple[int, ...]
    _discards: int
    _face_down: tuple[int, ...]
    _plays: tuple[Choice | None, ...]
    _waiting: tuple[tuple[int, ...], ...]
    _hands: list[list[int]]
    _pile: list[int]  # the draw pile as it was shuffled
    _drawn: int  # how many cards of it were drawn
    _laid_down: tuple[int, ...]
    _cursor: Cursor
    _shuffled: tuple[tuple[int, ...], ...]
    _allowed: list[int]  # by seat: the shapes that it may choose, where cards are chosen
    _attacks: dict[int, tuple[Choice, ...]]  # by seat: what those may choose who attack now
    _table: Table | None  # once somebody has asked for it

    def __init__(self, before: "Moment | None") -> None:
        """The same moment again, for a step to change; without one, `_put` has to fill it."""
        self._table = None
        if before is not None:
            self._setting = before._setting
            self._round = before._round
            self._events = before._events
            self._shown = before._shown
            self._event = before._event
            self._phase = before._phase
            self._asked = before._asked
            self._twist = before._twist
            self._islands = before._islands
            self._graveyards = before._graveyards
            self._bonuses = before._bonuses
            self._discards = before._discards
            self._face_down = before._face_down
            self._plays = before._plays
            self._waiting = before._waiting
            self._hands = before._hands.copy()
            self._pile = before._pile
            self._drawn = before._drawn
            self._laid_down = before._laid_down
            self._cursor = before._cursor
            self._shuffled = before._shuffled
            self._allowed = before._allowed
            self._attacks = before._attacks

    def _put(self, table: Table, hands: Hands, deal: Hidden) -> None:
        """Fill the moment with what it is made of."""
        (
            self._setting, self._round, events, self._event, self._phase, self._asked, twist,
            islands, graveyards, self._bonuses, self._discards, self._face_down, _,
            self._plays, self._waiting,
        ) = table  # fmt: skip
        pile, coming, self._laid_down, self._cursor, self._shuffled = deal
        self._events, self._shown = events + coming, len(events)
        self._pile, self._drawn = list(pile), 0
        self._twist, self._islands = list(twist), [list(island) for island in islands]
        self._graveyards, self._hands = list(graveyards), [list(held) for held in hands]
        self._allowed, self._attacks = [], {}
        if self._phase == "ATTACK":
            self._attacks = {seat: table.attacking(seat) for seat in self._asked}
        else:
            self._allow()

    @property
    def table(self) -> Table:
        """The open table."""
        if self._table is None:
            shown = self._events[: self._shown]
            fields = (
                self._setting, self._round, shown, self._event, self._phase, self._asked,
                Island(self._twist), tuple(map(Island, self._islands)), tuple(self._graveyards),
                self._bonuses, self._discards, self._face_down, tuple(map(len, self._hands)),
                self._plays, self._waiting,
            )  # fmt: skip
            self._table = _new(Table, fields)
        return self._table

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return tuple(map(tuple, self._hands))

    @property
    def deal(self) -> Hidden:
        """What is hidden besides the hands."""
        pile, coming = tuple(self._pile[self._drawn :]), self._events[self._shown :]
        return Hidden(pile, coming, self._laid_down, self._cursor, self._shuffled)

    def _allow(self) -> None:
        """Note which shapes each seat may choose now that cards are chosen (T7, T13)."""
        setting, asked = self._setting, self._asked
        shapes = DISCARD if self._phase == "DISCARD" else self._event.shapes
        if len(asked) == setting.seats:
            allowed = [shapes] * len(asked)
        else:
            allowed = [shapes if seat in asked else 0 for seat in setting.everybody]
        if self._phase == "PLAY":
            for seat in stronger(self._islands, self._twist, setting.small, setting.by_territory):
                if allowed[seat]:
                    allowed[seat] |= BURIAL
        self._allowed = allowed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moment):
            return NotImplemented
        mine = (self.table, self._hands, self.deal)
        return mine == (other.table, other._hands, other.deal)

    def __hash__(self) -> int:
        return hash((self.table, self.hands, self.deal))

    def __copy__(self) -> "Moment":
        return self

    def __deepcopy__(self, memo: object) -> "Moment":
        return self
