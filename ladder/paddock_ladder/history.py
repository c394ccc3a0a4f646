"""The ratings of a whole history: every bot's rating from all matches at once, in no order.

The model is that of `paddock_ladder.update` with strengths that never change: every bot-version has
one strength from its first match to its last. What each match says is heard given what all others
say, again and again, until nothing moves (expectation propagation). The matches are put in an order
of their own first, so the result is the same, to the last bit, in whatever order they come, and a
match that is taken out leaves no trace.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias

from paddock_ladder.curvature import Curvature
from paddock_ladder.evidence import Evidence, Known, Said
from paddock_ladder.played import Played, RankedResult, in_order
from paddock_ladder.rating import BadRating, Parameters, Rating
from paddock_ladder.ties import tie_margin
from paddock_ladder.truncation import tie, win

STILL: Final = 0.01
"""Ratings are at rest when no mu has further to go than about this part of its sigma, judged by the
pace at which moves become smaller, and no sigma further than this part of itself."""

_FIRST: Final = 2  # passes in the first sweep, because matches know nothing of themselves yet
_MOST_BETAS: Final = 5  # beyond, single matches say more than can be weighed at once
_RESTING: Final = 2  # sweeps in a row: where moves swing, one of them may be small by chance
_SLOW: Final = 0.7  # moves that don't become smaller than this part of the last pull others less
_LEAST_PULL: Final = 0.2
_STRIDES: Final = (((5, 1.0), (40, 0.5), (200, 0.2)), ((1000, 0.3),), ((2000, 0.1),))
"""Up to which sweep how long a stride. Where few matches say much, or a bot wins whatever it plays,
full strides may overshoot every time; where the first way leads nowhere, there is a second and a
third from the start."""

_RUNAWAY: Final = 1e4  # sigmas: what moves that far in a sweep does not come back

_CRAWL: Final = 0.9  # no pace at which moves become smaller is taken for slower than this
_GUESSES: Final = 30  # at most, for the start
_APART: Final = 1.6  # how much further apart bots are than beside opponents of one strength


class Progress(NamedTuple):
    """The progress of a history: its sweep, the matches weighed in it, and the way ahead."""

    sweep: int
    weighed: int
    of: int
    ahead: float  # at most, in the bot's own sigmas; the end is where that is below `still`


Tell: TypeAlias = Callable[[Progress], None]


def rate_history(
    matches: Iterable[Played],
    parameters: Parameters,
    tell: Tell | None = None,
    still: float = STILL,
) -> dict[str, Rating]:
    """Every bot's rating, by name, from matches as names and ranks by seat, in any order.

    `tell` receives the progress; `still` is the limit of convergence.
    """
    if not still > 0:
        raise BadRating(f"still: {still} can't be reached; give a small part of a sigma, like 0.01")
    if parameters.sigma > _MOST_BETAS * parameters.beta:
        raise BadRating(
            f"sigma: {parameters.sigma} is more than {_MOST_BETAS} betas; give a larger beta"
        )
    names, played = in_order(matches)
    if not played:
        return {}
    for strides in _STRIDES:
        ratings = _at_rest(
            played, len(names), parameters=parameters, strides=strides, tell=tell, still=still
        )
        if ratings:
            return dict(zip(names, ratings, strict=True))
    raise BadRating(
        f"matches: no convergence within {strides[-1][0]} sweeps, because the results do not fit "
        f"the parameters {parameters}; give a larger beta or still"
    )


def _at_rest(
    played: Sequence[RankedResult],
    bots: int,
    parameters: Parameters,
    strides: Sequence[tuple[int, float]],
    tell: Tell | None,
    still: float,
) -> list[Rating]:
    """The ratings by bot, with strides of these lengths; none where they lead nowhere."""
    evidence = Evidence(played, parameters)
    prior = parameters.sigma**-2
    mus, springs = _guess(played, bots, parameters)
    pis = springs.held()
    moved = ahead = math.inf
    pulling = 1.0
    resting = 0
    heard = Said([0.0] * bots, [0.0] * bots)
    taus = [mu * pi for mu, pi in zip(mus, pis, strict=True)]
    known = Known(pis, taus, mus, [0.0] * bots)
    for sweep in range(1, strides[-1][0] + 1):
        stride = next(stride for until, stride in strides if sweep <= until)
        for _ in range(_FIRST if sweep == 1 else 1):
            old = heard
            heard = evidence.weigh(known, stride, partial(_tell, tell, sweep, len(played), ahead))
        # Matches say a part of what they would say now; it is that which bots are pulled by.
        full_pi = [prior + max(0.0, pi) for pi in _in_full(old.pi, heard.pi, stride)]
        full_tau = [prior * parameters.mu + tau for tau in _in_full(old.tau, heard.tau, stride)]
        pull = [tau - pi * mu for mu, pi, tau in zip(mus, full_pi, full_tau, strict=True)]
        # By itself each bot would move as far as it is pulled; but it pulls others along.
        alone = [one / pi for one, pi in zip(pull, full_pi, strict=True)]
        settled = springs.stiffened(full_pi).settle(pull)
        steps = [one + pulling * (all_ - one) for one, all_ in zip(alone, settled, strict=True)]
        before, moved = moved, _furthest(steps, full_pi, known.pi)
        if not moved < _RUNAWAY:
            break
        mus = [mu + stride * step for mu, step in zip(mus, steps, strict=True)]
        pis = [prior + pi for pi in heard.pi]
        taus = [prior * parameters.mu + tau for tau in heard.tau]
        # What was said lags behind where the bots are by now; the drift makes up for it.
        said = [tau / pi for tau, pi in zip(taus, pis, strict=True)]
        drift = [mu - one for mu, one in zip(mus, said, strict=True)]
        known = Known(pis, taus, said, drift)
        if moved > _SLOW * before:  # few matches, and they overshoot
            pulling = max(pulling / 2, _LEAST_PULL)
        pace = min(moved / before, _CRAWL) if 0 < before < math.inf else _CRAWL
        ahead = moved * pace / (1 - pace)  # if all further moves become smaller at this pace
        resting = resting + 1 if ahead < still else 0
        if resting == _RESTING:
            return [Rating(mu, 1 / math.sqrt(pi)) for mu, pi in zip(mus, pis, strict=True)]
    return []


def _in_full(old: Sequence[float], now: Sequence[float], stride: float) -> list[float]:
    """What matches would say at a full stride, by bot."""
    if stride == 1:
        return list(now)
    return [(new - (1 - stride) * one) / stride for one, new in zip(old, now, strict=True)]


def _furthest(steps: Iterable[float], pis: Iterable[float], before: Iterable[float]) -> float:
    """The largest move of a mu, in its own sigmas, or of a sigma, in parts of itself."""
    return max(
        max(abs(step) * math.sqrt(pi), abs(pi - old) / (2 * pi))
        for step, pi, old in zip(steps, pis, before, strict=True)
    )


def _tell(tell: Tell | None, sweep: int, of: int, ahead: float, weighed: int) -> None:
    if tell is not None:
        tell(Progress(sweep, weighed, of, ahead))


def _guess(
    matches: Sequence[RankedResult], bots: int, parameters: Parameters
) -> tuple[list[float], Curvature]:
    """The start: strengths as if every two bots at a table had played a match of their own.

    A table of n says as much as n - 1 such matches, so each of its pairs counts for 2/n of one.
    """
    wins: defaultdict[tuple[int, int], float] = defaultdict(float)
    ties: defaultdict[tuple[int, int], float] = defaultdict(float)
    for seats, sizes, times, _ in matches:
        weight = 2 * times / len(seats)
        if len(sizes) == len(seats):
            for pair in combinations(seats, 2):
                wins[pair] += weight
            continue
        ranks = [rank for rank, size in enumerate(sizes) for _ in range(size)]
        for (one, rank), (other, below) in combinations(zip(seats, ranks, strict=True), 2):
            count = ties if rank == below else wins
            count[one, other] += weight
    prior = parameters.sigma**-2
    root = parameters.beta * math.sqrt(2)
    margins = parameters.margin / root, tie_margin(parameters) / root
    pairs = _pairs(wins, ties)
    mus = _by_share(pairs, bots, parameters)
    for _ in range(_GUESSES):
        springs = Curvature(bots, prior)
        pull = [prior * (parameters.mu - mu) for mu in mus]
        for (one, other), (won, lost, tied) in pairs.items():
            ahead = (mus[one] - mus[other]) / root
            gain = hold = 0.0
            if won:
                v, w = win(ahead, margins[0])
                gain, hold = won * v, won * w
            if lost:
                v, w = win(-ahead, margins[0])
                gain, hold = gain - lost * v, hold + lost * w
            if tied:
                v, w = tie(ahead, margins[1])
                gain, hold = gain + tied * v, hold + tied * w
            springs.tie(one, other, hold / root**2)
            pull[one] += gain / root
            pull[other] -= gain / root
        steps = springs.settle(pull)
        furthest = max(map(abs, steps))
        part = min(1.0, 2 * root / furthest) if furthest else 1.0  # ties pull blindly from afar
        mus = [mu + part * step for mu, step in zip(mus, steps, strict=True)]
        if furthest < 0.02 * parameters.beta:
            break
    return mus, springs


def _pairs(
    wins: Mapping[tuple[int, int], float], ties: Mapping[tuple[int, int], float]
) -> dict[tuple[int, int], tuple[float, float, float]]:
    """What the first of every two won and lost against the second, and the ties of both."""
    pairs = {}
    for one, other in (*wins, *ties):
        if (one, other) not in pairs and (other, one) not in pairs:
            there, back = (one, other), (other, one)
            tied = ties.get(there, 0.0) + ties.get(back, 0.0)
            pairs[there] = wins.get(there, 0.0), wins.get(back, 0.0), tied
    return pairs


def _by_share(
    pairs: Mapping[tuple[int, int], tuple[float, float, float]], bots: int, parameters: Parameters
) -> list[float]:
    """Strengths by the share of its points that each bot won, which spares half of the guesses."""
    points, most = [0.0] * bots, [0.0] * bots
    for (one, other), (won, lost, tied) in pairs.items():
        points[one] += won + tied / 2
        points[other] += lost + tied / 2
        most[one] += won + lost + tied
        most[other] += won + lost + tied
    scale = _APART * parameters.beta * math.sqrt(2)
    apart = NormalDist().inv_cdf
    return [
        parameters.mu + scale * apart((mine + 0.5) / (all_ + 1))
        for mine, all_ in zip(points, most, strict=True)
    ]
