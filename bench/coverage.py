"""Coverage on simulated ladders: how many of the 90 % rank intervals hold the true rank.

Ladders of twelve bots are compared with what their standings say of themselves: ranks are whole
numbers, so of few bots an interval holds more than 90 % of what may be.

The last part is about live ratings alone: what another prior does to their coverage and to their
predictions.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from bench.claims import said_held, said_top
from bench.climbing import LOT, PAIRINGS, STEPS, TOP
from tests.ladder.simulated import Ladder, by_lot, by_pair, ladder

from paddock_ladder.calibration import Prediction, fitted_spread, log_loss
from paddock_ladder.history import rate_history
from paddock_ladder.joint import Posterior, fit_prior, joint
from paddock_ladder.joint.prior import USUAL, Prior
from paddock_ladder.played import Played
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.standing import places
from paddock_ladder.update import rate

PARAMETERS: Final = Parameters(draw_probability=0.02)
BOTS: Final = 100
FEW: Final = 12
TABLE: Final = 4  # seats
SPREADS: Final = (4.2, 8.3)
MATCHES: Final = (20, 100)  # per bot
_NORMAL: Final = NormalDist()

Intervals = Mapping[str, tuple[int, int]]


class Held(NamedTuple):
    """How many intervals held, and how wide they were."""

    held: float
    width: float


def held(intervals: Intervals, truth: Ladder) -> Held:
    """Of one ladder."""
    some = [
        (low <= truth.true_rank(bot) <= high, high - low + 1)
        for bot, (low, high) in intervals.items()
    ]
    return Held(fmean(one for one, _ in some), fmean(width for _, width in some))


def of_ratings(ratings: Mapping[str, Rating]) -> Intervals:
    """As the live ladder has them."""
    return {line.bot: (line.best, line.worst) for line in places(ratings)}


def of_posterior(posterior: Posterior) -> Intervals:
    """From draws of all strengths."""
    return {line.bot: (line.best, line.worst) for line in posterior.places()}


def simulated(spread: float, how: str, matches: int, seed: int, bots: int = BOTS) -> Ladder:
    """A ladder of a hundred bots, or of so many."""
    tables = (
        by_lot(TABLE) if how == LOT else by_pair(TABLE, partial(quality, parameters=PARAMETERS))
    )
    seeds = f"{spread} {how} {matches} {seed}"
    return ladder(seeds, bots, matches, spread, tables=tables, parameters=PARAMETERS)


def coverage(ladders: int) -> Iterator[tuple[tuple[str, ...], dict[str, Held]]]:
    """Every pairing, spread and number of matches, by estimate."""
    for spread in SPREADS:
        for how in PAIRINGS:
            for matches in MATCHES:
                rows: dict[str, list[Held]] = defaultdict(list)
                for seed in range(ladders):
                    truth = simulated(spread, how, matches, seed)
                    fitted = fit_prior(truth.played, PARAMETERS).applied(PARAMETERS)
                    for name, intervals in (
                        ("live", of_ratings(truth.live)),
                        ("history", of_ratings(rate_history(truth.played, PARAMETERS))),
                        ("joint", of_posterior(joint(truth.played, PARAMETERS).posterior)),
                        ("joint, fitted", of_posterior(joint(truth.played, fitted).posterior)),
                    ):
                        rows[name].append(held(intervals, truth))
                yield (
                    (f"{spread}", how, f"{matches}"),
                    {
                        name: Held(*map(fmean, zip(*some, strict=True)))
                        for name, some in rows.items()
                    },
                )


# --- a few bots -----------------------------------------------------------------------------------


class Few(NamedTuple):
    """Standings of twelve bots: what was seen, and what they said of themselves."""

    held: float  # part of the 90 % rank intervals that hold the true rank
    said_held: float
    top: float  # part of the ladders with the best three in order
    said_top: float


def of_few(truth: Ladder) -> Few:
    """One ladder's standing."""
    prior = fit_prior(truth.played, PARAMETERS)  # twelve bots are too few for a fit
    standing = joint(truth.played, prior.spreading(PARAMETERS)).posterior
    intervals = of_posterior(standing)
    order = sorted(truth.strengths, key=truth.true_rank)
    best = [place.bot for place in standing.places()[:TOP]] == order[:TOP]
    said = said_held(standing, intervals), said_top(standing, TOP)
    return Few(held(intervals, truth).held, said[0], float(best), said[1])


def few(ladders: int) -> Iterator[tuple[tuple[str, ...], Sequence[Few]]]:
    """Twelve bots by pairing and matches of each bot."""
    spread = USUAL * PARAMETERS.beta  # what a standing of few bots expects
    for how in PAIRINGS:
        for matches in STEPS:
            some = [
                of_few(simulated(spread, how, matches, seed, bots=FEW)) for seed in range(ladders)
            ]
            yield (how, f"{matches}"), some


# --- live ratings with another prior --------------------------------------------------------------


class Live(NamedTuple):
    """Live ratings with one prior."""

    ratings: dict[str, Rating]
    predictions: list[Prediction]  # of every two at a table, before the match, but for ties


def lived(played: Iterable[Played], parameters: Parameters) -> Live:
    """Match by match."""
    ratings: dict[str, Rating] = {}
    predictions = []
    for bots, ranks in played:
        before = [ratings.get(bot, parameters.first) for bot in bots]
        for one, other in combinations(range(len(bots)), 2):
            if ranks[one] != ranks[other]:
                (mu, sigma), (theirs, doubt) = before[one], before[other]
                spread = (2 * parameters.beta**2 + sigma**2 + doubt**2) ** 0.5
                chance = _NORMAL.cdf((mu - theirs) / spread)
                predictions.append(Prediction(chance, ranks[one] < ranks[other]))
        ratings.update(zip(bots, rate(before, ranks, parameters), strict=True))
    return Live(ratings, predictions)


def priors(played: Sequence[Played], parameters: Parameters) -> dict[str, Parameters]:
    """TrueSkill's, the usual one among bots, and the one that fits."""
    return {
        "TrueSkill (2)": parameters,
        f"usual ({USUAL})": Prior(USUAL, 0, fitted=False).applied(parameters),
        "fitted": fit_prior(played, parameters).applied(parameters),
    }


def live(ladders: int) -> Iterator[tuple[tuple[str, ...], tuple[float, ...]]]:
    """Simulated ladders as the ladder pairs: coverage, log-loss, spread that is missing."""
    for spread in SPREADS:
        for matches in MATCHES:
            rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
            for seed in range(ladders):
                truth = simulated(spread, "by the ladder", matches, seed)
                for name, parameters in priors(truth.played, PARAMETERS).items():
                    now = lived(truth.played, parameters)
                    late = now.predictions[len(now.predictions) // 2 :]
                    part, width = held(of_ratings(now.ratings), truth)
                    rows[name].append(
                        (
                            part,
                            width,
                            log_loss(now.predictions),
                            log_loss(late),
                            fitted_spread(late[:5000]),
                        )
                    )
            for name, some in rows.items():
                yield (
                    (f"{spread}", f"{matches}", name),
                    tuple(map(fmean, zip(*some, strict=True))),
                )
