"""Asks with the choices of the sample bots, to compare those of all languages with."""

import json
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any, Final, NamedTuple

from tests.games.tables import TABLES, match, options
from tests.independent.bot_vectors import BOTS, FOLDER, SECRET, match_vector

MATCHES: Final = 6  # of every format with every number of seats


class Vector(NamedTuple):
    """A match as one seat saw it, with the numbers that the sample bots choose."""

    label: str
    secret: str
    started: str  # MatchStarted in base64
    asks: tuple[str, ...]  # Ask in base64
    numbers: tuple[str, ...]  # of the choices of random, greedy and careful, by ask

    def lines(self) -> list[str]:
        """What the program `choose` of every SDK reads for this match."""
        return [f"match {self.secret} {self.started}", *(f"ask {ask}" for ask in self.asks)]

    def as_json(self) -> list[Any]:
        """The vector as a value for `read`."""
        return list(self)


def read(values: list[Any]) -> Vector:
    """The vector that was written with `as_json`."""
    label, secret, started, asks, numbers = values
    return Vector(label, secret, started, tuple(asks), tuple(numbers))


def recorded() -> Iterator[Vector]:
    """The asks of tests/data/bots."""
    for path in sorted(FOLDER.glob("*.json")):
        data = json.loads(path.read_text())
        for number, each in enumerate(data["matches"]):
            yield _vector(f"{path.name}, match {number}", data["secret"], each)


def fresh() -> Iterator[Vector]:
    """Asks of matches of all formats, with all numbers of seats and many rule options."""
    for form, seats in TABLES:
        rules = islice(cycle(options(form)), MATCHES)
        for number, each in enumerate(rules, start=100):
            one = match(form, seats, each._asdict(), number)
            dice = Random(f"{form} {seats} {number}").randbytes(16)
            vector = match_vector(one, number % seats, dice)
            label = f"{form} with {seats} seats, match {number}, {each}"
            yield _vector(label, SECRET, vector)


def _vector(label: str, secret: str, data: dict[str, Any]) -> Vector:
    asks = data["asks"]
    numbers = tuple(" ".join(str(ask[name]) for name in BOTS) for ask in asks)
    return Vector(label, secret, data["started"], tuple(ask["ask"] for ask in asks), numbers)
