"""The package `trueskill`, as it comes and with an exact erfc, and bots to rate with it."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from random import Random
from statistics import NormalDist
from typing import Any, Final

import trueskill
from hypothesis import strategies as st

from paddock_ladder.rating import Parameters, Rating

PARAMETERS: Final = Parameters(draw_probability=0.05)


def _cdf(x: float, mu: float = 0, sigma: float = 1) -> float:
    return 0.5 * math.erfc((mu - x) / sigma / math.sqrt(2))


def _pdf(x: float, mu: float = 0, sigma: float = 1) -> float:
    return math.exp(-(((x - mu) / sigma) ** 2) / 2) / math.sqrt(2 * math.pi)


EXACT: Final = (_cdf, _pdf, NormalDist().inv_cdf)


def package(parameters: Parameters, backend: Any = EXACT) -> Any:
    """The package's environment for these parameters."""
    return trueskill.TrueSkill(
        parameters.mu, parameters.sigma, parameters.beta, parameters.tau,
        parameters.draw_probability, backend=backend,
    )  # fmt: skip


def rate_by_package(env: Any, ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    teams = env.rate([(trueskill.Rating(*rating),) for rating in ratings], ranks)
    return [Rating(one.mu, one.sigma) for (one,) in teams]


def by_every_order(env: Any, ratings: Sequence[Rating], ranks: Sequence[int]) -> list[list[Rating]]:
    """What the package says of each seat, over all orders of its input."""
    found: list[list[Rating]] = [[] for _ in ratings]
    for order in permutations(range(len(ranks))):
        rated = rate_by_package(env, [ratings[i] for i in order], [ranks[i] for i in order])
        for seat, rating in zip(order, rated, strict=True):
            found[seat].append(rating)
    return found


def apart(one: Sequence[Rating], other: Sequence[Rating]) -> float:
    """The largest difference of a mu or a sigma."""
    return max(
        abs(a - b)
        for mine, theirs in zip(one, other, strict=True)
        for a, b in zip(mine, theirs, strict=True)
    )


def ranking(rng: Random, strengths: Sequence[float], margin: float) -> list[int]:
    """The ranks of a match that is played by the model: who is within the margin of a better
    neighbour shares its rank."""
    performed = [rng.gauss(strength, PARAMETERS.beta) for strength in strengths]
    order = sorted(range(len(performed)), key=lambda seat: -performed[seat])
    ranks = [1] * len(performed)
    for place, (better, worse) in enumerate(pairwise(order), 2):
        close = performed[better] - performed[worse] < margin
        ranks[worse] = ranks[better] if close else place
    return ranks


mus = st.floats(-50, 100)
sigmas = st.floats(0.3, 10)
ratings = st.builds(Rating, mus, sigmas)
Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def tables(draw: Draw, least: int = 2, most: int = 6) -> tuple[list[Rating], list[int]]:
    """Ratings, some of them the same, and ranks, some of them shared."""
    seats = draw(st.integers(least, most))
    pool = draw(st.lists(ratings, min_size=1, max_size=seats))
    table = [draw(st.sampled_from(pool)) for _ in range(seats)]
    return table, [draw(st.integers(1, seats)) for _ in range(seats)]
