"""The interface of a game to the rest of the arena: formats, states, views, results.

A game is played like this, by whoever plays it:

    state = game.start("winter", 4, game.rules(None), Chance(seed, nonces))
    while state.to_move:
        state = state.step({seat: choose(state.view(seat)) for seat in state.to_move})
    state.result().ranks()

States are immutable values: keep them, compare them, put them in a set, search from them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self, TypeAlias

from paddock_games.chance import Chance
from paddock_games.errors import BadRules
from paddock_games.field import Field

FAULTS: Final = ("TIMEOUT", "ILLEGAL", "MALFORMED", "DISCONNECTED", "RESIGNED")
FALLBACK_LENGTH: Final = 200  # characters, at most


class Format(NamedTuple):
    """A way to play a game that has its own ladder."""

    name: str
    game: str
    title: str
    seats: tuple[int, int]  # at least, at most
    usual_seats: int
    draw_probability: float  # that two equals tie, measured: see docs/ratings.md

    def check_seats(self, seats: int) -> None:
        """Refuse a number of seats that the format is not played with."""
        least, most = self.seats
        if not least <= seats <= most:
            takes = str(least) if least == most else f"{least} to {most}"
            raise BadRules("seats", f"{self.name} is played with {takes} seats, not {seats}")


class Result(NamedTuple):
    """The result of a game: points by seat, and what breaks ties (less is better)."""

    totals: tuple[int, ...]
    tie_breaks: tuple[int, ...]

    def ranks(self, forfeited: Collection[int] = ()) -> tuple[int, ...]:
        """1 is best, equals share (1, 1, 3); a seat that forfeited ranks below all that did not."""
        keys = [
            (seat in forfeited, -total, tie_break)
            for seat, (total, tie_break) in enumerate(
                zip(self.totals, self.tie_breaks, strict=True)
            )
        ]
        return tuple(1 + sum(other < key for other in keys) for key in keys)


class Setting(Protocol):
    """The setting of a match: what is fixed before it is dealt, and known to everybody."""

    @property
    def format(self) -> str:
        """The name of the format."""

    @property
    def seats(self) -> int:
        """The number of seats."""


class Rules(Protocol):
    """The rule options of a match: a named tuple, which each game has of its own."""

    @property
    def version(self) -> int:
        """The version of the rules that the options belong to."""

    def _asdict(self) -> dict[str, Any]:
        """The options by name, as records have them."""


class OpenTable(Protocol):
    """The open part of a state: all that every seat and every watcher may see."""

    @property
    def setting(self) -> Setting:
        """The setting of the match."""

    @property
    def phase(self) -> str:
        """What is decided now; OVER at the end."""


class View(Protocol):
    """A view: what a seat knows when it is asked, and nothing else."""

    @property
    def table(self) -> OpenTable:
        """All that lies open, the same for every seat."""

    @property
    def seat(self) -> int:
        """Whose view this is."""

    @property
    def legal(self) -> Sequence[Any]:
        """What the seat may choose, in a stable order; empty where it is not asked."""


class Choice(Protocol):
    """A choice of a seat, of any game; equal ones are the same object."""

    @property
    def kind(self) -> str:
        """What is done, such as PLACE."""


class State(Protocol):
    """A moment between two decisions: everything there is to know, hidden things included."""

    @property
    def table(self) -> OpenTable:
        """All that lies open, the same for every seat; nothing hidden is in it."""

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that decide now, all at once; none when the game is over."""

    def legal(self, seat: int) -> Sequence[Any]:
        """What the seat may choose now, in a stable order; empty where it is not to move."""

    def default(self, seat: int) -> Any:
        """What the referee chooses for a seat that does not."""

    def step(self, choices: Mapping[int, Any]) -> Self:
        """The state after these choices, one for each seat to move; IllegalChoice says why not."""

    def view(self, seat: int) -> View:
        """What the seat knows."""

    def result(self) -> Result:
        """Points and ranks by what is on the table: final when nobody is to move."""


class Timing(NamedTuple):
    """The timing of a decision, with its fault or fallback if the bot did not make it."""

    ms: float = 0.0  # from the ask leaving to the answer arriving
    lag_ms: float = 0.0  # the part put down to the network
    fault: str | None = None  # one of FAULTS
    charge_ms: float | None = None  # what the seat was charged; None where nobody kept a clock
    fallback: str | None = None  # why the bot's client chose the default instead of the bot
    host_ms: float = 0.0  # the part in which the arena's machine kept a hosted bot waiting

    @property
    def asked(self) -> bool:
        """Whether the seat was asked at all: after a forfeit nobody is, and nothing is charged."""
        return self.fault is None or self.charge_ms is not None

    def written(self) -> dict[str, Any]:
        """The keys of a decision in a record that hold its timing."""
        keys: dict[str, Any] = {"ms": self.ms, "lag_ms": self.lag_ms, "fault": self.fault}
        if self.fallback is not None:
            keys["fallback"] = self.fallback
        if self.charge_ms is not None:
            keys["charge_ms"] = self.charge_ms
        if self.host_ms:
            keys["host_ms"] = self.host_ms
        return keys

    @classmethod
    def read(cls, field: Field) -> "Timing":
        """The time of a decision in a record."""
        fault, charge = field.key("fault"), field.optional("charge_ms")
        fallback, host = field.optional("fallback"), field.optional("host_ms")
        if fallback is not None and fault.value is not None:
            fallback.refuse("a decision is either a fault or a fallback, not both")
        return cls(
            ms=field.key("ms").number(),
            lag_ms=field.key("lag_ms").number(),
            fault=None if fault.value is None else fault.text(FAULTS),
            charge_ms=None if charge is None else charge.number(),
            fallback=None if fallback is None else _read_fallback(fallback),
            host_ms=0.0 if host is None else host.number(),
        )


def _read_fallback(field: Field) -> str:
    text = field.text(longest=FALLBACK_LENGTH)
    if not text or not text.isprintable():
        field.refuse("must be a reason in printable characters; leave the key out without one")
    return text


class Step(NamedTuple):
    """A step of a game that was played: the state before it, the choices, their timings."""

    state: Any
    choices: Mapping[int, Any]
    timings: Mapping[int, Timing] = MappingProxyType({})  # by seat; empty where nobody timed
    # By seat to move: the choices' places among the legal ones; empty where nobody noted them.
    numbers: Sequence[int] = ()


class Luck(NamedTuple):
    """The luck of a seat in a match, in points; the mean over all matches is zero."""

    die: float
    deal: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.die + self.deal


Brain: TypeAlias = Callable[[Any, Random], Any]
"""A player: from a view (and a source of randomness) to one of its legal choices."""

Json: TypeAlias = Any
"""A value that json.dumps takes."""


class Game(ABC):
    """The interface of one game's rules; every registered game passes the same contract checks."""

    name: ClassVar[str]
    formats: ClassVar[Mapping[str, Format]]
    brains: ClassVar[Mapping[str, Brain]]
    presets: ClassVar[Mapping[str, Any]]
    """Rule options by name; the first preset is the default."""
    rules_version: ClassVar[int] = 1
    """A new default or a new reading of a rule is a new version; older matches keep theirs."""

    @abstractmethod
    def rules(self, options: object, where: str = "rules") -> Any:
        """The rule options that a preset's name, an object or None (the defaults) stands for: a
        named tuple that also has the `version` of the rules it belongs to."""

    def rules_of_version(
        self, options: Mapping[str, object], version: int, where: str = "rules"
    ) -> Any:
        """The rule options that a record or a store holds, written when the rules had this
        version. A game with several versions reads each of them."""
        return self.rules(options, where)

    @abstractmethod
    def check(self, format_name: str, seats: int, rules: Any) -> None:
        """Refuse a format, a number of seats or rule options that do not go together."""

    @abstractmethod
    def start(self, format_name: str, seats: int, rules: Any, chance: Chance) -> Any:
        """The first state of a match. All chance comes from the stream, in the order that the
        game's rules page describes: now, or later from a cursor in the state."""

    @abstractmethod
    def imagine(self, view: Any, rng: Random) -> Any:
        """A state that looks to the view's seat as the real one does, hidden things at random."""

    def shown(self, choice: Any) -> Any:
        """What everybody gets to know of a choice once it was made: all of it, unless the game
        says that some of it stays hidden."""
        return choice

    @abstractmethod
    def luck(self, steps: Sequence[Step]) -> tuple[Luck, ...]:
        """What chance gave each seat of a match that was played, by a fixed evaluation."""

    @abstractmethod
    def score(self, position: object) -> Json:
        """`{"scores": [...], "ranks": [...]}` of a position that somebody typed."""

    @abstractmethod
    def legal(self, position: object) -> Json:
        """Every legal choice, as objects of one shape, in a position that somebody typed."""

    @abstractmethod
    def dealt(self, state: Any) -> Json:
        """The part of a record's `games` that chance alone decides."""

    @abstractmethod
    def recorded(self, games: Field, state: Any) -> Step:
        """What the seats to move chose at this state, according to a record's `games`."""

    @abstractmethod
    def place(self, state: Any) -> str:
        """Where in a record's `games` the next step of this state is written."""

    @abstractmethod
    def games(self, steps: Sequence[Step], end: Any) -> Json:
        """A record's `games`: all that happened, from the steps and the final state."""
