"""Real matches of twelve bots of graded strength, played with the rules directly.

The bots are sample players that make a random move now and then: careful with 0 to 40 % of random
moves, greedy with 0 to 60 %, and random.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from paddock_games import Brain, Chance, game_of, play
from paddock_games.chance import NONCE_BYTES, SEED_BYTES


class Grade(NamedTuple):
    """A sample player, and how many of its moves are random, in percent."""

    brain: str
    random: int

    @property
    def name(self) -> str:
        """As a bot."""
        return f"{self.brain}-{self.random:02}"


GRADES: Final = tuple(
    Grade(brain, part)
    for brain, parts in (
        ("careful", (0, 3, 7, 13, 22, 40)),
        ("greedy", (0, 8, 18, 35, 60)),
        ("random", (0,)),
    )
    for part in parts
)


class Result(NamedTuple):
    """How a match ended, by seat."""

    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    totals: tuple[int, ...]


class Field:
    """The twelve bots at one format."""

    def __init__(self, format_name: str, seats: int) -> None:
        self.bots = tuple(grade.name for grade in GRADES)
        self.seats = seats
        self._format = format_name
        self._game = game_of(format_name)
        self._brains = {grade.name: _mixed(self._game.brains, grade) for grade in GRADES}

    def play(self, bots: Sequence[str], rng: Random) -> Result:
        """A new match; the bots are by seat."""
        chance = Chance(rng.randbytes(SEED_BYTES), [rng.randbytes(NONCE_BYTES) for _ in bots])
        rules = self._game.rules(None)
        start = self._game.start(self._format, len(bots), rules, chance)
        _, end = play(start, [self._brains[bot] for bot in bots], [rng] * len(bots))
        result = end.result()
        return Result(tuple(bots), tuple(result.ranks()), tuple(result.totals))


def scores(results: Iterable[Result]) -> dict[str, float]:
    """By bot, the part of the others that it ranked above, on average."""
    parts: dict[str, list[float]] = {grade.name: [] for grade in GRADES}
    for bots, ranks, _ in results:
        for bot, rank in zip(bots, ranks, strict=True):
            above = sum(other > rank for other in ranks) + 0.5 * (ranks.count(rank) - 1)
            parts[bot].append(above / (len(ranks) - 1))
    return {bot: fmean(some) for bot, some in parts.items()}


def _mixed(brains: Mapping[str, Brain], grade: Grade) -> Brain:
    usual, lot = brains[grade.brain], brains["random"]

    def choose(view: Any, rng: Random) -> Any:
        return (lot if 100 * rng.random() < grade.random else usual)(view, rng)

    return choose
